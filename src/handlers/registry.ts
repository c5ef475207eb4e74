import { readdirSync } from 'node:fs';
import type { AnyCommand } from './command.ts';
import { createMatcher } from './language/phrase.ts';

/** A new command is a new export of a file in this folder, and nothing else: each file exports only its commands. */
const folder = new URL('./commands/', import.meta.url);

const areas: readonly Readonly<Record<string, AnyCommand>>[] = await Promise.all(
  readdirSync(folder)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    // What an area does first stands in the file that is called like it: `rdp.ts` before `rdp-targets.ts`.
    .toSorted((one, other) => (one.slice(0, -3) < other.slice(0, -3) ? -1 : 1))
    .map((file) => import(new URL(file, folder).href)),
);

export const commands: readonly AnyCommand[] = areas.flatMap((area) => Object.values(area));

/** Matches a typed line. Built at import, so two commands with the same phrase end the start. */
export const match = createMatcher(commands);

/** The command of an action in the journal, by the phrase it was declared with. */
export const commandByPhrase: ReadonlyMap<string, AnyCommand> = new Map(
  commands.map((command) => [command.phrase, command]),
);
