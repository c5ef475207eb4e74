import type { Environment } from '../src/config/secret.ts';

/** What a tool is run with. */
export interface Terminal {
  readonly environment: Environment;
  readonly write: (text: string) => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Why the words of a command line were not understood, or what they say. */
export type Understood<Parsed> =
  | { readonly ok: true; readonly parsed: Parsed }
  | { readonly ok: false; readonly why: string };

/** For who typed another command than the tool has, or none. */
export const noSuchCommand = (typed: string | undefined, known: string): string =>
  `${typed === undefined ? 'Missing command' : `Unknown command ${typed}`}. Use ${known}.`;

/** `parse` throws where it meets an option that there is not. */
export function understand<Parsed>(parse: () => Parsed): Understood<Parsed> {
  try {
    return { ok: true, parsed: parse() };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    // Node goes on about arguments that begin with a dash, which none of the tools takes.
    return { ok: false, why: why.replace(/(?<=\.)\s+To specify a positional argument .*$/s, '') };
  }
}
