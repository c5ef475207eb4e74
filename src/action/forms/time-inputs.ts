import type { Asked } from '../../handlers/language/asked.ts';
import { isUndoable } from '../../handlers/language/options.ts';
import { readTerm, type TypedTerm, termMeant, termWanted } from '../../handlers/language/term.ts';
import { readStart, startSaid, type TypedStart } from '../../handlers/language/times/start.ts';
import { notPlanned } from '../../handlers/planned/words.ts';
import { enumerate, plainText, say, type Text } from '../../handlers/reply.ts';
import { startIn } from '../authority/starts.ts';
import type { Entered, Input } from '../base/form.ts';
import { lastingOf } from '../change/temporary.ts';
import { explain } from '../wording/faults.ts';

type Times = Pick<Asked, 'term' | 'start'>;

/** The names of the two inputs, where the command has none of its own that is called so. */
const [whenInput, howLongInput] = ['at', 'for'];

/** Whether its form asks when it is to run, and for how long. Emergencies are now, and a plan has its options above its lines. */
export const asksWhen = ({ command, dryRun }: Asked): boolean =>
  command.kind === 'change' &&
  !dryRun &&
  command.timed === undefined &&
  command.gathers === undefined &&
  command.args[whenInput] === undefined;
const asksHowLong = (asked: Asked): boolean =>
  asksWhen(asked) && isUndoable(asked.command) && asked.command.args[howLongInput] === undefined;

/** When a change is to run and for how long it is to last, with what was typed already; empty means now, and for good. */
export function timeInputs(asked: Asked, windows: readonly string[]): readonly Input[] {
  const { term, start } = asked;
  const hint = `Empty: now. Or ${windows.length === 0 ? '' : `a window (${plainText(enumerate(windows))}), or `}22:00, sat 02:00, tomorrow 6:00, in 2h`;
  return [
    ...(asksWhen(asked) ? [line(whenInput, 'Run at', hint, start && spelledStart(start))] : []),
    ...(asksHowLong(asked)
      ? [
          line(
            howLongInput,
            'Undo after',
            'Empty: it stays. Or 30m, 2h, 3d, until 18:00, until friday',
            term && (term.option === 'until' ? `until ${term.text}` : term.text),
          ),
        ]
      : []),
  ];
}

const line = (name: string, label: string, hint: string, initial: string | undefined): Input => ({
  ...{ name, label, hint, optional: true },
  kind: { is: 'line', ...(initial === undefined ? {} : { initial }) },
});

const spelledStart = ({ option, text }: TypedStart): string =>
  option === 'window' ? `window ${text}` : text;

/** What stands in the two, in the place of what was typed before. */
export function timesIn(asked: Asked, { words }: Entered, windows: readonly string[]): Times {
  const when = words[whenInput]?.[0]?.trim() ?? '';
  const howLong = words[howLongInput]?.[0]?.trim() ?? '';
  return {
    start: !asksWhen(asked) ? asked.start : when === '' ? undefined : startSaid(when, windows),
    term: !asksHowLong(asked) ? asked.term : howLong === '' ? undefined : termSaid(howLong),
  };
}

function termSaid(said: string): TypedTerm {
  const [, until] = /^(?:until|till) (.+)$/i.exec(said) ?? [];
  return until === undefined
    ? { option: 'for', text: said.replace(/^for (?=\S)/i, '') }
    : { option: 'until', text: until };
}

/** What is wrong with them, below each. */
export function timeProblems(
  asked: Asked,
  clock: Parameters<typeof startIn>[1],
): Readonly<Record<string, Text>> {
  const { start, term } = asked;
  const found = asksWhen(asked) && start !== undefined ? startIn(start, clock) : undefined;
  const isRead = start === undefined || readStart(start) !== undefined;
  // What begins at no time ends at none.
  const lasts =
    !isRead || (found !== undefined && 'code' in found)
      ? undefined
      : lastingOf(clock, termMeant({ term, start }, clock.now(), clock.authority.policy().timeZone), found);
  const lasting = lasts !== undefined && 'code' in lasts ? lasts : undefined;
  return {
    ...(asksWhen(asked) &&
      !isRead && { [whenInput]: say`Write a time such as 22:00, “sat 02:00” or “in 2h”.` }),
    ...(found !== undefined && 'code' in found && { [whenInput]: notPlanned(found) }),
    ...(asksHowLong(asked) &&
      term !== undefined &&
      readTerm(term) === undefined && { [howLongInput]: say`Write ${termWanted[term.option]}.` }),
    ...(asksHowLong(asked) && lasting !== undefined && { [howLongInput]: explain(lasting).headline }),
  };
}
