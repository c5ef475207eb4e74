import { readFileSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { z } from 'zod';

export type Environment = Readonly<Record<string, string | undefined>>;

/** `${NAME}` from the environment, `${file:/run/secrets/name}` from a file. A secret written out is refused, and not repeated. */
export function resolveSecret(
  reference: string,
  environment: Environment,
  folder: string,
  context: z.RefinementCtx,
): string {
  const fail = (message: string) => {
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  };
  const named = /^\$\{(?:(file):)?([^}]+)\}$/.exec(reference.trim());
  if (named === null) {
    return fail(
      'must be a reference, ${NAME} or ${file:/run/secrets/name}: secrets do not stand in this file',
    );
  }
  const [, source, name = ''] = named;
  const sayable = (secret: string, where: string) =>
    /^[\x21-\x7e]+$/.test(secret)
      ? secret
      : fail(`refers to the ${where}, which holds something that no header can carry: a space, an accent`);
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

/** Why a file cannot be read, to follow "which". */
export function whyUnreadable(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOENT' ? 'does not exist' : `cannot be read (${String(code)})`;
}
