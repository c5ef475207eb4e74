import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { meant, notInHeaders, oddIn, unseen } from '../meant.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The original of a cleaned environment. */
const originals = new WeakMap<Environment, Environment>();

/**
 * A cleaned view of the variables (`meant.ts`). `hear` is called for each read variable with an impossible
 * character, with that character and its position.
 */
export function asMeant(
  environment: Environment,
  hear: (name: string, odd: string) => void = () => undefined,
): Environment {
  const original = originals.get(environment) ?? environment;
  const tidy = new Proxy(
    { ...original },
    {
      get: (_, name) => {
        const value = typeof name === 'string' ? original[name] : undefined;
        if (value === undefined || typeof name !== 'string') return value;
        const found = meant(value);
        const odd = oddIn(found, unseen);
        if (odd !== undefined) hear(name, odd);
        return found;
      },
    },
  );
  originals.set(tidy, original);
  return tidy;
}

/** `${NAME}` is read from the environment, `${file:/run/secrets/name}` from a file. */
export const referenceShape = /^\s*\$\{(?:(file):)?([^}]+)\}\s*$/;

/** A secret, or the reason why it is unavailable. */
export type Resolved =
  | { readonly ok: true; readonly secret: string }
  | { readonly ok: false; readonly wrong: string };

/** Resolves a reference for an HTTP header; files are relative to `folder`. */
export function resolveSecret(reference: string, environment: Environment, folder: string): Resolved {
  const found = resolveText(reference, environment, folder);
  const odd = found.ok ? oddIn(found.secret, notInHeaders) : undefined;
  return odd === undefined
    ? found
    : fail(
        `refers to the ${placeOf(reference)}, whose value has a character that HTTP headers cannot carry: ${odd}`,
      );
}

/** Resolves a reference whose value may have several lines. */
export function resolveText(reference: string, environment: Environment, folder: string): Resolved {
  const [, source, name = ''] = referenceShape.exec(reference) ?? [];
  if (source !== undefined) return readText(name, folder);
  const secret = asMeant(environment)[name];
  return secret ? { ok: true, secret } : fail(`refers to the environment variable ${name}, which is not set`);
}

export function readText(file: string, folder: string): Resolved {
  try {
    const secret = meant(readFileSync(resolve(folder, file), 'utf8'));
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
 * A secret from a command line: by reference, so that no process list shows it, or directly. Files are relative
 * to the current folder.
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
  if (code === 'ENOENT') return 'does not exist';
  return code === 'EISDIR' ? 'is a folder and not a file' : `cannot be read (${String(code)})`;
}

/** A variable exactly as written, for values that other programs read too. */
export const asWritten = (environment: Environment, name: string): string | undefined =>
  (originals.get(environment) ?? environment)[name];
