import { closest, distance } from 'fastest-levenshtein';
import type { Environment } from '../src/config/secret.ts';

/** The environment of a subcommand. */
export interface Terminal {
  readonly environment: Environment;
  /** Writes the result. Resolves when more can be written. */
  readonly write: (text: string) => void | Promise<void>;
  /** Writes an error. */
  readonly complain: (text: string) => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** One with somebody in front of it. */
export interface Dialog extends Terminal {
  /** Puts a question; resolves to the typed answer. */
  readonly ask: (question: string) => Promise<string>;
}

/** One of what `appliance-bot` can do: with the words of its command line, it comes to its exit code. */
export type Subcommand = (words: readonly string[], terminal: Dialog) => number | Promise<number>;

/** The exit code after an unknown command line: no work was done. */
const misused = 2;

/** Ends a subcommand whose words make no sense, and says how it is used. */
export function misuse(why: string, usage: string, { complain }: Pick<Terminal, 'complain'>): number {
  complain(`${why}\n\n${usage}`);
  return misused;
}

/** For who typed another command than there is, or none. */
export function noSuchCommand(typed: string | undefined, known: readonly string[]): string {
  const all = known.length === 1 ? known[0] : `${known.slice(0, -1).join(', ')} or ${known.at(-1)}`;
  if (typed === undefined) return `Missing command. Use ${all}.`;
  const nearest = closest(typed.toLowerCase(), known);
  return distance(typed.toLowerCase(), nearest) <= Math.max(2, nearest.length / 3)
    ? `Unknown command ${typed}. Did you mean ${nearest}?`
    : `Unknown command ${typed}. Use ${all}.`;
}

/** The parsed words of a command line; the exit code, where they ask for help, or cannot be understood. */
export function readWords<Parsed extends { readonly values: { readonly help?: boolean | undefined } }>(
  parse: () => Parsed,
  usage: string,
  terminal: Pick<Terminal, 'write' | 'complain'>,
): { readonly parsed: Parsed } | { readonly code: number } {
  let parsed: Parsed;
  try {
    parsed = parse();
  } catch (error) {
    return { code: misuse(mistakeIn(error), usage, terminal) };
  }
  if (!parsed.values.help) return { parsed };
  terminal.write(usage);
  return { code: 0 };
}

/** The first sentences of an error. Node's hint about arguments that begin with a dash is cut: no tool takes such. */
export function mistakeIn(error: unknown): string {
  const said = error instanceof Error ? error.message : String(error);
  const why = said.replace(/(?<=\.)\s+To specify a positional argument .*$/s, '');
  return why.endsWith('.') ? why : `${why}.`;
}
