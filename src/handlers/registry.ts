import type { AnyCommand } from './command.ts';
import * as areas from './commands.ts';
import { createMatcher } from './language/phrase.ts';

/**
 * A new command is a new export of a file `*.commands.ts`, and nothing else: each such file exports only its commands.
 * In the order of the names in `commands.ts`, so that what an area does first comes first: `rdp` before `rdpTargets`.
 */
export const commands: readonly AnyCommand[] = Object.entries<Readonly<Record<string, AnyCommand>>>(areas)
  .toSorted(([one], [other]) => (one < other ? -1 : 1))
  .flatMap(([, area]) => Object.values(area));

/** Matches a typed line. Built at import, so two commands with the same phrase end the start. */
export const match = createMatcher(commands);

/** The command of an action in the journal, by the phrase it was declared with. */
export const commandByPhrase: ReadonlyMap<string, AnyCommand> = new Map(
  commands.map((command) => [command.phrase, command]),
);
