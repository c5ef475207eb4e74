import { isRecord } from './envelope.ts';
import { hiding, withoutSecrets } from './excerpt.ts';
import { extentOf, withExtent } from './extent.ts';

/**
 * The fewest characters of a secret that is looked for in values, and that a key may have. A shorter one is in many words, names
 * and numbers that it has nothing to do with.
 */
export const shortestSecret = 8;

/** Secrets that are looked for in what is no sentence. */
export const longOnes = (secrets: readonly string[]): readonly string[] =>
  secrets.filter(({ length }) => length >= shortestSecret);

/**
 * The value of a call without secrets in what is shown of it, for a server that repeats the key or a password: in its texts, and in
 * the names that are the appliance's own. It is read before anything is hidden, so that no answer means something else because
 * of a secret. What the appliance says in words (`info`) is free of every secret; other texts are names as a rule, and are free
 * of those that are long enough.
 */
export function withoutEchoes<Value>(value: Value, text: string, secrets: readonly string[]): Value {
  const long = longOnes(secrets);
  const info = isRecord(value) ? value.info : undefined;
  const clean = mayHold(text, long) ? cleaned(value, hiding(long), false) : value;
  // Both are copies of `value` with texts in the place of texts.
  return typeof info !== 'string'
    ? (clean as Value)
    : ({ ...(clean as object), info: withoutSecrets(info, secrets) } as Value);
}

/** Most answers repeat nothing, and to go through a large one takes longer than to look for a text in it. */
function mayHold(text: string, secrets: readonly string[]): boolean {
  // In JSON a letter may be written in another way.
  const [hasAny, hasAscii] = [text.includes('\\u'), /\\u00[2-7]/.test(text)];
  return secrets.some(
    (secret) =>
      text.includes(secret) || /["\\/]/.test(secret) || (/^[\x20-\x7e]*$/.test(secret) ? hasAscii : hasAny),
  );
}

/** @param areNamesTheirs whether the names in it are the appliance's own */
function cleaned(value: unknown, hide: (text: string) => string, areNamesTheirs: boolean): unknown {
  if (typeof value === 'string') return hide(value);
  if (Array.isArray(value)) {
    const list = value.map((one) => cleaned(one, hide, areNamesTheirs));
    return withExtent(list, extentOf(value));
  }
  if (!isRecord(value) || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      areNamesTheirs ? hide(name) : name,
      cleaned(one, hide, areNamesTheirs || name === 'fields'),
    ]),
  );
}
