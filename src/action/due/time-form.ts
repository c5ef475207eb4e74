import { z } from 'zod';
import { typedMoment } from '../../handlers/language/times/said-time.ts';
import { startWanted } from '../../handlers/language/times/start.ts';
import { startInWords } from '../../handlers/planned/words.ts';
import { type Acted, type Reply, say } from '../../handlers/reply.ts';
import { codec } from '../../journal/codec.ts';
import type { Press, Submission, SubmissionResult } from '../base/chat.ts';
import { changeOf, shownOf } from '../base/stored.ts';
import type { Parts } from '../ground/ground.ts';
import { withoutMark } from '../showing/card.ts';
import { explain } from '../wording/faults.ts';
import type { By, Moving } from './reschedule.ts';

/** The form by which what is planned gets another time. */
export interface Reschedule {
  /** A click on *Change the time…*: opens the form that asks for it. */
  readonly press: (press: Press) => Promise<void>;
  /** Takes that form. Undefined when the submission is of another one. */
  readonly submit: (submission: Submission) => Promise<SubmissionResult | undefined>;
  /** Why somebody cannot move it to what they have typed as a time, as far as that is known before it is looked at again. */
  readonly bar: (by: By, token: string, said: string) => Promise<Reply | undefined>;
  /** The same as the form for what somebody has typed. */
  readonly typed: (by: By, token: string, said: string) => Promise<Acted>;
}

/** What is kept of the form. */
interface TimeQuestion {
  readonly holds: 'time form';
  readonly action: string;
  readonly question: string;
}

const timeQuestions = codec<TimeQuestion>(
  z.object({ holds: z.literal('time form'), action: z.string(), question: z.string() }),
);

/** How long such a form may lie open, in milliseconds. */
const lifetime = 30 * 60_000;

export function createReschedule(parts: Parts & { readonly moving: Moving }): Reschedule {
  const { authority, commandByPhrase, chat, journal, interactionLog, whisper, moving, now } = parts;

  return {
    bar: async (by, token, said) => {
      const wanted = await wantedIn(by, token, said);
      return 'headline' in wanted ? wanted : undefined;
    },

    typed: async (by, token, said) => {
      const wanted = await wantedIn(by, token, said);
      if ('headline' in wanted) return wanted;
      const { action, start } = wanted;
      const why = await moving.move({ action: action.id, question: token }, by, start);
      if (why !== undefined) return why === 'told' ? { headline: say`Nothing was moved.` } : why;
      const moved = (await journal.byId(action.id)) ?? action;
      const { question = [] } = shownOf(moved) ?? {};
      const when = startInWords(start.start);
      return {
        changed: true,
        headline:
          moved.state === 'planned'
            ? say`Planned for ${when} now: ${withoutMark(question)}.`
            : say`For ${when} it has to be agreed to again, on its card: ${withoutMark(question)}. Nothing runs before that.`,
      };
    },

    press: async (press) => {
      const { channel, person, token, trigger } = press;
      const action = await journal.byToken(token);
      const command = changeOf(commandByPhrase, action);
      if (action?.channel !== channel || command === undefined)
        return interactionLog.decline(press, {}, { code: 'card_gone' });
      const fault = await moving.bar(person, action, command);
      if (fault !== undefined) return interactionLog.declineOn(press, action, fault);
      const { start, question = [] } = shownOf(action) ?? {};
      if (start === undefined) return interactionLog.declineOn(press, action, { code: 'card_gone' });
      const content = timeQuestions.store({ holds: 'time form', action: action.id, question: token });
      const form = await journal.keep({ kind: 'form', content, person, channel, until: now() + lifetime });
      const { timeZone } = authority.policy();
      const isOpen =
        trigger !== undefined &&
        (await chat.openForm(trigger, {
          ...{ token: form, title: 'Change the time', submit: 'Change' },
          explanation: say`${withoutMark(question)}. Planned for ${startInWords(start)}. It is looked at again, and stays planned as it is if that fails. Who approved it is asked again only where another time needs that; then nothing runs at the time planned now.`,
          inputs: [
            {
              ...{ name: 'at', label: 'Run at', optional: false },
              hint: `${startWanted.at}, or a window; in ${timeZone}`,
              kind: {
                is: 'line',
                initial:
                  start.window === undefined ? typedMoment(start.at, timeZone) : `window ${start.window}`,
              },
            },
          ],
        }));
      const { id, line, phrase } = action;
      if (isOpen) await interactionLog.opened(press, { line, phrase, action: id }, 'command');
      else await whisper(press, explain({ code: 'form_not_opened', button: 'Change the time' }));
    },

    submit: async ({ team, person, token, entered }) => {
      const kept = await journal.kept(token);
      const about = kept && timeQuestions.read(kept.content);
      if (kept === undefined || about === undefined) return undefined;
      if (kept.person !== person) return { kind: 'over', why: say`This form was opened for somebody else.` };
      const start = moving.read(entered.words.at?.[0] ?? '', await journal.byId(about.action));
      if ('why' in start) return { kind: 'problems', problems: { at: start.why } };
      const by = { team, person, channel: kept.channel };
      return {
        kind: 'closed',
        listener: by,
        follow: async () => {
          const why = await moving.move(about, by, start);
          if (typeof why === 'object') await whisper(by, why);
        },
      };
    },
  };

  async function wantedIn(by: By, token: string, said: string) {
    const action = await journal.byToken(token);
    const command = changeOf(commandByPhrase, action);
    if (action === undefined || command === undefined) return explain({ code: 'card_gone' });
    const fault = await moving.bar(by.person, action, command);
    if (fault !== undefined) return explain(fault);
    const start = moving.read(said, action);
    return 'why' in start ? { headline: say`${start.why} Nothing was moved.` } : { action, start };
  }
}
