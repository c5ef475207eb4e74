import type { Vocabulary } from '../../auth/rule.ts';
import { type Argument, isCalled } from '../../handlers/argument.ts';
import type { AnyCommand } from '../../handlers/command.ts';
import { areaOf, nameOf } from '../../handlers/command-name.ts';
import { anySubjectOf } from './subject.ts';

/** What a policy can name of these commands, each in alphabetical order. */
export function vocabularyOf(commands: readonly AnyCommand[]): Vocabulary {
  const byName = Map.groupBy(commands, nameOf);
  return {
    areas: [...new Set(commands.map(areaOf))].toSorted(),
    phrases: new Map(
      [...byName]
        .map(([name, own]) => [name, [...new Set(own.flatMap(({ args }) => argumentsIn(args)))]] as const)
        .toSorted(([one], [other]) => (one < other ? -1 : 1)),
    ),
    subjects: commands.map(anySubjectOf),
    compared: (phrase, name, value) =>
      byName
        .get(phrase)
        ?.flatMap(({ args }) => args[name] ?? [])
        .map((argument) => comparedAs(argument, value))
        .find((compared) => compared !== undefined),
  };
}

const argumentsIn = (args: AnyCommand['args']): readonly string[] =>
  Object.entries(args).flatMap(([name, { narrows }]) => (narrows ? [] : [name]));

function comparedAs(argument: Argument, value: string): string | undefined {
  if (argument.numbered) return /^(?:0|[1-9][0-9]*)$/.test(value) ? value : undefined;
  const reading = argument.read(value);
  // Whom a name means may be somebody else tomorrow.
  if (reading.ok && isCalled(argument, reading.value)) return undefined;
  return reading.ok && ['string', 'number', 'boolean'].includes(typeof reading.value)
    ? String(reading.value)
    : undefined;
}
