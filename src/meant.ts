/**
 * Repairs values. Copying, editors and Docker's `--env-file` leave characters around them, which are removed.
 * An impossible character inside is reported by its position only, because the value may be a secret.
 */

/** White space and characters without any ink: carriage returns, byte order marks, zero-width and no-break spaces. */
const around = /^[\s\p{Cc}\p{Cf}]+|(?<![\s\p{Cc}\p{Cf}])[\s\p{Cc}\p{Cf}]+$/gu;

/** Removes such characters around the value, and one pair of quotes, which Docker’s `--env-file` keeps. */
export function meant(value: string): string {
  const bare = value.replace(around, '');
  const [, , inner] = /^(["'])((?:(?!\1).)*)\1$/s.exec(bare) ?? [];
  return inner === undefined ? bare : inner.replace(around, '');
}

/** Invisible characters, which no one-line setting contains on purpose. */
export const unseen = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;
/** Characters that no HTTP header carries. */
export const notInHeaders = /[^\x21-\x7e]/;
/** Characters that no token contains, including quotes. */
export const notInTokens = /[^\x21-\x7e]|["']/;

/** The first such character in words, with its position from 1; undefined if there is none. */
export function oddIn(value: string, odd: RegExp): string | undefined {
  const characters = [...value];
  const at = characters.findIndex((one) => odd.test(one));
  const found = characters[at];
  return found === undefined ? undefined : `${nameOf(found)} as character ${at + 1}`;
}

const names: Readonly<Record<string, string>> = {
  ' ': 'a space',
  '"': 'a double quote',
  "'": 'a single quote',
  '\t': 'a tab',
  '\n': 'a line break',
  '\r': 'a carriage return',
  '\u00a0': 'a no-break space',
  '\u00ad': 'a soft hyphen',
  '\u200b': 'a zero-width space',
  '\u200c': 'a zero-width non-joiner',
  '\u200d': 'a zero-width joiner',
  '\u2060': 'a word joiner',
  '\ufeff': 'a byte order mark',
};

function nameOf(character: string): string {
  const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  const name =
    names[character] ?? (unseen.test(character) ? 'an invisible character' : 'a character beyond ASCII');
  return `${name} (${code})`;
}
