import type { AnyCommand } from '../../handlers/command.ts';
import { nameOf } from '../../handlers/command-name.ts';
import { cleanLine } from '../../handlers/language/line.ts';
import type { Match } from '../../handlers/language/match.ts';
import { code, say } from '../../handlers/reply.ts';
import { ownWords } from '../../handlers/understanding/own-words.ts';
import type { Reader } from '../../handlers/understanding/reader.ts';
import type { Press, Submission, SubmissionResult } from '../base/chat.ts';
import type { Choosable, Query } from '../base/form.ts';
import { createReplyAddresses } from '../base/reply-addresses.ts';
import type { Parts } from '../ground/ground.ts';
import { isBuilder, keepBuilder } from '../showing/form-buttons.ts';

/** A form in which one searches a command as one types. What was chosen goes the way of a typed line: its form, or its answer. */
export interface Builder {
  /** A click on *Run a command*. */
  readonly press: (press: Press) => Promise<void>;
  /** Undefined when the form is another one. */
  readonly submit: (submission: Submission) => Promise<SubmissionResult | undefined>;
  readonly search: (query: Query) => Promise<readonly Choosable[] | undefined>;
}

export interface BuilderParts extends Parts {
  readonly commands: readonly AnyCommand[];
  readonly match: Reader;
}

/** How long a whisper can be answered to, in milliseconds (slack-facts.md §1). */
const replyable = 30 * 60_000;

export function createBuilder(parts: BuilderParts): Builder {
  const { commands, match, authority, journal, chat, whisper, interactionLog, now } = parts;
  const replyAddresses = createReplyAddresses(now);

  return {
    press: async (press) => {
      const { team, channel, person, trigger, replyTo } = press;
      const kept = await journal.kept(press.token);
      if (kept === undefined || !isBuilder(kept) || kept.channel !== channel) {
        return interactionLog.decline(press, {}, { code: 'form_over', reply: { headline: gone } });
      }
      if (kept.person !== person) return interactionLog.decline(press, {}, { code: 'not_your_offer' });
      const token = await keepBuilder({ channel, person }, parts);
      if (replyTo !== undefined) replyAddresses.remember(token, replyTo, now() + replyable);
      const isOpen =
        trigger !== undefined &&
        (await chat.openForm(trigger, {
          token,
          title: 'Run a command',
          submit: 'Continue',
          explanation: say`Type what you want to do, such as ${code('kick')}. The next step asks for what the command needs.`,
          inputs: [
            {
              name: 'command',
              label: 'Command',
              optional: false,
              kind: { is: 'search', initial: [], several: false },
            },
          ],
        }));
      if (isOpen) await interactionLog.opened({ team, channel, person }, { token }, 'command');
      else await whisper(press, { headline: notOpened });
    },

    submit: async ({ team, person, token, entered, trigger }) => {
      const kept = await journal.kept(token);
      if (kept === undefined || !isBuilder(kept)) return undefined;
      if (kept.person !== person) {
        return { kind: 'over', why: say`This form was opened for somebody else. No changes were made.` };
      }
      const [name] = entered.words.command ?? [];
      const command = commands.find((one) => nameOf(one) === name);
      if (command === undefined) return { kind: 'problems', problems: { command: say`This is needed.` } };
      if ((await journal.take(token, person)) === undefined) return { kind: 'over', why: gone };
      const { channel } = kept;
      const replyTo = replyAddresses.take(token);
      const asked = { command, typed: {} };
      return {
        kind: 'accepted',
        // Whoever searches has not read what it does: what it changes is put before them.
        invocation: {
          ...{ team, channel, person, trigger, replyTo },
          ...{ line: nameOf(command), asked, form: token, guess: true },
        },
      };
    },

    search: async ({ person, token, typed }) => {
      const kept = await journal.kept(token);
      if (kept === undefined || !isBuilder(kept)) return undefined;
      if (kept.person !== person) return [];
      const { channel } = kept;
      await journal.formSearched(token);
      const line = cleanLine(typed);
      const may = await authority.suggests(person, channel);
      // By its words alone: no appliance is asked at each key.
      const own = ownWords(authority.policy().words ?? {});
      const meant = line === '' ? [] : meantBy(match(line, undefined, own));
      const written = commands.filter((one) => isWritten(one, line.toLowerCase()));
      return [...new Set([...meant, ...written])].filter(may).map((one) => {
        const name = nameOf(one);
        return { word: name, label: `${name} – ${one.summary}` };
      });
    },
  };
}

const gone = say`The time for this form is over. No changes were made. Type ${code('/appliance help')} for a new one.`;
const notOpened = say`Slack did not open the form. No changes were made. Press the button again, or type the line.`;

const isWritten = (command: AnyCommand, words: string): boolean =>
  [nameOf(command), command.summary.toLowerCase()].some((text) => text.includes(words));

/** Every command that a line may be taken for, the likeliest first. */
function meantBy(found: Match): readonly AnyCommand[] {
  if ('nearest' in found) return found.nearest.map(({ command }) => command);
  if ('continuations' in found) return found.continuations;
  return 'command' in found && found.command !== undefined ? [found.command] : [];
}
