import {
  code,
  enumerate,
  moment,
  paragraph,
  person,
  plural,
  type Reply,
  say,
  strong,
  tableOf,
} from '../reply.ts';
import type { HistoryFilter, HistoryPlace, UnclearLine, UnclearLines } from './history.ts';

/** The lines that were not understood, so that an admin sees which words of the team are missing. */
export function unclearReply(
  { lines, count, counted }: UnclearLines,
  { by, since, command, denied, on }: HistoryFilter,
  where: HistoryPlace,
): Reply {
  const about = say`${by === undefined ? [] : say` of ${person(by)}`} ${where === 'here' ? 'in this channel' : 'in all channels'}${since === undefined ? [] : say` since ${moment(since)}`}`;
  if (lines.length === 0) return { headline: say`No line${about} is recorded as not understood` };
  const isNarrowed = command !== undefined || denied === true || on !== undefined;
  const left = counted < count ? [paragraph`Counted in the newest ${counted} of ${count} lines.`] : [];
  return {
    headline: say`${strong(plural(lines.length, 'line'))}${about} ${lines.length === 1 ? 'was' : 'were'} not understood, ${plural(count, 'time')}`,
    details: [
      ...left,
      ...(isNarrowed
        ? [
            paragraph`${code('--command')}, ${code('--on')} and ${code('--denied')} do not apply to lines that were not understood.`,
          ]
        : []),
      paragraph`Add your team’s own words for commands under ${code('words')} in the policy file. Lines that contained a password are not stored.`,
      ...tableOf(lines, {
        Line: ({ line }) => say`${code(line)}`,
        Times: ({ times }) => say`${times}`,
        Last: ({ last }) => moment(last),
        Who: ({ people }) => enumerate(people.map(person)),
        'Run within five minutes': chosenIn,
      }),
    ],
  };
}

const chosenIn = ({ chosen }: UnclearLine) =>
  enumerate(
    chosen.map(({ command, times }) =>
      times === 1 ? code(command) : say`${code(command)} (${times} times)`,
    ),
  );
