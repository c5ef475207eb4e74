import type { UnclearLine } from '../../handlers/audit/history.ts';

/** Somebody typing a line once that was not understood. */
export interface UnclearTyping {
  readonly line: string;
  readonly person: string;
  readonly at: number;
  /** The command that they ran soon after it. */
  readonly chosen: string | undefined;
}

/** The same words in other spaces and letters are the same line. The newest first; the most frequent come first. */
export function byFrequency(typed: readonly UnclearTyping[]): readonly UnclearLine[] {
  const same = Map.groupBy(typed, ({ line }) => line.toLowerCase().split(/\s+/).join(' '));
  return [...same.values()]
    .map(
      (some): UnclearLine => ({
        line: some[0]?.line ?? '',
        times: some.length,
        last: Math.max(...some.map(({ at }) => at)),
        people: [...new Set(some.map(({ person }) => person))],
        chosen: [
          ...Map.groupBy(
            some.flatMap(({ chosen }) => chosen ?? []),
            (command) => command,
          ),
        ]
          .map(([command, { length }]) => ({ command, times: length }))
          .toSorted((one, other) => other.times - one.times),
      }),
    )
    .toSorted((one, other) => other.times - one.times || other.last - one.last);
}
