import type { AnyCommand } from './command.ts';
import * as areas from './commands.ts';
import type { Impossible } from './understanding/impossible.ts';
import { createReader } from './understanding/reader.ts';

/**
 * A new command is a new export of a file `*.commands.ts`, and nothing else: each such file exports only its commands, and
 * what people ask for there that cannot be done. In the order of the names in `commands.ts`, so that what an area does
 * first comes first: `rdp` before `rdpTargets`.
 */
const declared: readonly (AnyCommand | Impossible)[] = Object.entries<
  Readonly<Record<string, AnyCommand | Impossible>>
>(areas)
  .toSorted(([one], [other]) => (one < other ? -1 : 1))
  .flatMap(([, area]) => Object.values(area));

export const commands: readonly AnyCommand[] = declared.filter((one) => one.kind !== 'impossible');

/** What people ask for and no call of the Web API does. */
export const impossibilities: readonly Impossible[] = declared.filter((one) => one.kind === 'impossible');

/** Reads a typed line. Built at import, so two commands with the same phrase end the start. */
export const match = createReader(commands, impossibilities);

/** The command of an action in the journal, by the phrase it was declared with. */
export const commandByPhrase: ReadonlyMap<string, AnyCommand> = new Map(
  commands.map((command) => [command.phrase, command]),
);
