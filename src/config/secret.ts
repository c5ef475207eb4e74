import { readFileSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';

export type Environment = Readonly<Record<string, string | undefined>>;

/** `${NAME}` is read from the environment, `${file:/run/secrets/name}` from a file. */
export const referenceShape = /^\s*\$\{(?:(file):)?([^}]+)\}\s*$/;

/** A secret, or why it cannot be had. */
export type Resolved =
  | { readonly ok: true; readonly secret: string }
  | { readonly ok: false; readonly wrong: string };

/** Looks up what a reference stands for; files are looked for beside the one it stands in, in `folder`. */
export function resolveSecret(reference: string, environment: Environment, folder: string): Resolved {
  const [, source, name = ''] = referenceShape.exec(reference) ?? [];
  if (source === undefined) {
    const secret = environment[name];
    if (!secret) return fail(`refers to the environment variable ${name}, which is not set`);
    return sayable(secret, `environment variable ${name}`);
  }
  try {
    const secret = readFileSync(isAbsolute(name) ? name : resolve(folder, name), 'utf8').trim();
    return secret === ''
      ? fail(`refers to the file ${name}, which is empty`)
      : sayable(secret, `file ${name}`);
  } catch (error) {
    return fail(`refers to the file ${name}, which ${whyUnreadable(error)}`);
  }
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

function sayable(secret: string, where: string): Resolved {
  return /^[\x21-\x7e]+$/.test(secret)
    ? { ok: true, secret }
    : fail(
        `refers to the ${where}, whose value has a character that HTTP headers cannot carry, such as a space or an accent`,
      );
}

/** Why a file cannot be read, to follow "which". */
export function whyUnreadable(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOENT' ? 'does not exist' : `cannot be read (${String(code)})`;
}
