import type { AnyCommand } from './command.ts';
import * as areas from './commands.ts';
import { createMatcher } from './language/phrase.ts';

/**
 * A new command is a new export of a file in `commands/`, and nothing else: each file exports only its commands.
 * What an area does first stands in the file that is called like it: `rdp.ts` before `rdp-targets.ts`.
 */
export const commands: readonly AnyCommand[] = Object.values<Readonly<Record<string, AnyCommand>>>(
  areas,
).flatMap((area) => Object.values(area));

/** Matches a typed line. Built at import, so two commands with the same phrase end the start. */
export const match = createMatcher(commands);

/** The command of an action in the journal, by the phrase it was declared with. */
export const commandByPhrase: ReadonlyMap<string, AnyCommand> = new Map(
  commands.map((command) => [command.phrase, command]),
);
