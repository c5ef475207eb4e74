import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

export type Environment = Readonly<Record<string, string | undefined>>;

/** `${NAME}` is read from the environment, `${file:/run/secrets/name}` from a file. */
export const referenceShape = /^\s*\$\{(?:(file):)?([^}]+)\}\s*$/;

/** A secret, or why it cannot be had. */
export type Resolved =
  | { readonly ok: true; readonly secret: string }
  | { readonly ok: false; readonly wrong: string };

/**
 * Looks up what a reference stands for, for an HTTP header; files are looked for beside the one it stands in, in `folder`.
 */
export function resolveSecret(reference: string, environment: Environment, folder: string): Resolved {
  const found = resolveText(reference, environment, folder);
  return found.ok && !/^[\x21-\x7e]+$/.test(found.secret)
    ? fail(
        `refers to the ${placeOf(reference)}, whose value has a character that HTTP headers cannot carry, such as a space or an accent`,
      )
    : found;
}

/** The same for what may have several lines. */
export function resolveText(reference: string, environment: Environment, folder: string): Resolved {
  const [, source, name = ''] = referenceShape.exec(reference) ?? [];
  if (source !== undefined) return readText(name, folder);
  const secret = environment[name];
  return secret ? { ok: true, secret } : fail(`refers to the environment variable ${name}, which is not set`);
}

/** What stands in a file, without white space around it. */
export function readText(file: string, folder: string): Resolved {
  try {
    const secret = readFileSync(resolve(folder, file), 'utf8').trim();
    return secret === '' ? fail(`refers to the file ${file}, which is empty`) : { ok: true, secret };
  } catch (error) {
    return fail(`refers to the file ${file}, which ${whyUnreadable(error)}`);
  }
}

/** `environment variable NAME`, `file /run/secrets/name`. */
export function placeOf(reference: string): string {
  const [, source, name = ''] = referenceShape.exec(reference) ?? [];
  return `${source === undefined ? 'environment variable' : 'file'} ${name}`;
}

/**
 * What a person gives in a command line: by reference, so that it stands in no list of processes; a secret itself is taken,
 * too. Files are looked for in the present folder.
 */
export function secretOnCommandLine(
  given: string | undefined,
  environment: Environment,
): Resolved | undefined {
  if (given === undefined) return undefined;
  return referenceShape.test(given)
    ? resolveSecret(given, environment, process.cwd())
    : { ok: true, secret: given };
}

const fail = (wrong: string): Resolved => ({ ok: false, wrong });

/** Why a file cannot be read, to follow "which". */
export function whyUnreadable(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOENT' ? 'does not exist' : `cannot be read (${String(code)})`;
}
