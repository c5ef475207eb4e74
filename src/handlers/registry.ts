import type { AnyCommand } from './command.ts';
import * as areas from './commands.ts';
import type { Impossible } from './understanding/impossible.ts';
import { createReader } from './understanding/reader.ts';

/**
 * A new command is a new export of a `*.commands.ts` file; each such file exports only its commands and
 * impossible requests. The order follows `commands.ts`, so that the main commands of an area come first: `rdp`
 * before `rdpTargets`.
 */
const declared: readonly (AnyCommand | Impossible)[] = Object.entries<
  Readonly<Record<string, AnyCommand | Impossible>>
>(areas)
  .toSorted(([one], [other]) => (one < other ? -1 : 1))
  .flatMap(([, area]) => Object.values(area));

export const commands: readonly AnyCommand[] = declared.filter((one) => one.kind !== 'impossible');

/** Requests that no call of the Web API can do. */
export const impossibilities: readonly Impossible[] = declared.filter((one) => one.kind === 'impossible');

/** Reads a typed line. Built at import, so two commands with the same phrase stop the start. */
export const match = createReader(commands, impossibilities);

/** Commands by declared phrase, which is how the journal names them. */
export const commandByPhrase: ReadonlyMap<string, AnyCommand> = new Map(
  commands.map((command) => [command.phrase, command]),
);
