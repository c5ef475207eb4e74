import type { Vocabulary } from '../../auth/rule.ts';
import { type AnyCommand, areaOf, nameOf } from '../../handlers/command.ts';

/** What a policy can name of these commands, each in alphabetical order. */
export function vocabularyOf(commands: readonly AnyCommand[]): Vocabulary {
  const byName = Map.groupBy(commands, nameOf);
  return {
    areas: [...new Set(commands.map(areaOf))].toSorted(),
    phrases: new Map(
      [...byName]
        .map(([name, own]) => [name, [...new Set(own.flatMap(({ args }) => Object.keys(args)))]] as const)
        .toSorted(([one], [other]) => (one < other ? -1 : 1)),
    ),
  };
}
