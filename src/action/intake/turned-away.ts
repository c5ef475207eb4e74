import { versionOf } from '../../auth/policy.ts';
import { cleanLine } from '../../handlers/language/line.ts';
import type { Match } from '../../handlers/language/match.ts';
import { readAsked } from '../../handlers/language/reading.ts';
import { turnedAway } from '../../telemetry/events/actions.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Invocation, Press, Submission, SubmissionResult } from '../base/chat.ts';
import type { Opening } from '../forms/builder.ts';
import type { Parts } from '../ground/ground.ts';
import type { About } from '../history/interactions.ts';
import { formIn } from '../showing/form-buttons.ts';
import { offerIn } from '../showing/kept-offer.ts';
import { createRefusals } from '../taking/refusals.ts';
import { explain, type Fault, outcomeOf } from '../wording/faults.ts';
import type { MessageShortcut } from './shortcuts.ts';

/**
 * What comes while the bot is being stopped and nobody else is there to take it: refused with the reason, and recorded like
 * whatever else is refused.
 */
export interface TurnAway {
  readonly line: (invocation: Invocation) => Promise<void>;
  readonly click: (press: Press) => Promise<void>;
  /** Of a message, or *Run a command*. */
  readonly shortcut: (shortcut: MessageShortcut | Opening) => Promise<void>;
  readonly form: (submission: Submission) => Promise<SubmissionResult>;
}

const stopping: Fault = { code: 'stopping' };

export function createTurnAway(
  parts: Parts & { readonly match: (line: string) => Match; readonly log: Log },
): TurnAway {
  const { match, authority, journal, interactionLog, whisper, log } = parts;
  const { refuse } = createRefusals(parts);
  const refused = () => ({
    policy: versionOf(authority.policy()),
    state: 'refused' as const,
    outcome: outcomeOf(stopping),
  });

  return {
    line: async (invocation) => {
      const { team, channel, person, delivery, asked } = invocation;
      log.tell(turnedAway, { channel, person, what: 'line' });
      const typed = cleanLine(invocation.line);
      const found = asked === undefined ? match(typed) : readAsked(asked);
      // A line with a password in it is kept nowhere.
      const line = found.kind === 'secret' ? '(not stored: the line contained a password)' : typed;
      const isKnown = found.kind === 'command' || found.kind === 'missing';
      const phrase = isKnown ? found.command.phrase : undefined;
      const policy = versionOf(authority.policy());
      await refuse(invocation, { team, channel, person, delivery, line, phrase, policy }, stopping, found);
    },

    click: async (press) => {
      log.tell(turnedAway, { channel: press.channel, person: press.person, what: 'click' });
      await interactionLog.decline(press, await aboutOf(press), stopping);
    },

    shortcut: async (shortcut) => {
      const { team, channel, person } = shortcut;
      log.tell(turnedAway, { channel, person, what: 'shortcut' });
      const { id } = await journal.write({
        team,
        channel,
        person,
        line: 'message' in shortcut ? '(a message shortcut)' : '(Run a command)',
        ...refused(),
      });
      await whisper(shortcut, explain(stopping), id);
    },

    form: async ({ team, person, token }) => {
      log.tell(turnedAway, { person, what: 'form' });
      const kept = await journal.kept(token);
      if (kept !== undefined) {
        const { channel } = kept;
        const phrase = formIn(kept)?.phrase;
        await journal.write({ team, channel, person, phrase, line: phrase ?? '(a form)', ...refused() });
      }
      return { kind: 'over', why: explain(stopping).headline };
    },
  };

  /** What a button stands for, in the channel in which it was pressed. */
  async function aboutOf({ token, channel }: Press): Promise<About> {
    const action = await journal.byToken(token);
    if (action?.channel === channel) return { line: action.line, phrase: action.phrase, action: action.id };
    const kept = await journal.kept(token);
    return kept?.channel === channel ? { line: offerIn(kept)?.line, action: kept.action } : {};
  }
}
