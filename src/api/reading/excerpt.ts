import { maskSecrets } from '../../secrets.ts';

/** A short, harmless quotation of what an appliance answered, for error messages and logs. */

const mark = '[hidden]';
const longest = 200;
/** Enough to find 200 characters of text in an HTML page, little enough to stay fast on a 4 MiB one. */
const looked = 8_000;
/** Enough for those, should secrets before them be hidden. */
const searched = 100_000;
/** What one character can become at most: three bytes in a path, `%e2%82%ac`. */
const longestSpelling = 9;

/** Short words, as most of what appliances say: nothing in it to clean. */
const harmless = /^(?! )[\w.,:;()'/ -]{0,100}$/;

/**
 * One line of at most 200 characters: no tags, no control characters, no marks that turn text around.
 * Escaping for Slack is not done here: this text is still an appliance's, so treat it as hostile.
 * @param secrets texts that must not appear, such as the Web API key of a server that echoes its request
 */
export function excerptOf(text: string, secrets: readonly string[] = []): string {
  if (secrets.length === 0 && harmless.test(text) && !text.includes('  ') && !text.endsWith(' '))
    return maskSecrets(text, mark);
  const plain = beginningWithoutSecrets(text, secrets)
    .slice(0, looked)
    .replaceAll(/<(script|style|head)\b[^<>]*>[\s\S]*?(?:<\/\1\s*>|$)/gi, ' ')
    .replaceAll(/<[^<>]*>/g, ' ')
    // Control characters, zero-width and direction marks, the byte order mark, lone surrogates.
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const characters = Array.from(maskSecrets(plain, mark));
  return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : characters.join('');
}

/** Whether it is a page for people, as web servers and proxies send it, and no data. */
export const isPage = (text: string): boolean =>
  /^\s*<(?:!--|(?:!doctype|html|head|body|title|h1|p)\b)/i.test(text);

/** Half a secret would no longer be found, so what may have been cut in two goes too. */
function beginningWithoutSecrets(text: string, secrets: readonly string[]): string {
  const hidden = withoutSecrets(text.slice(0, searched), secrets);
  const longestSecret = Math.max(0, ...secrets.map(({ length }) => length));
  return text.length <= searched
    ? hidden
    : hidden.slice(0, Math.max(0, hidden.length - longestSecret * longestSpelling));
}

/** Hides secrets, also where a server repeats them as they were sent: in JSON, in a form, in a path, on a page. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  // No spelling is shorter than the secret itself. Most answers say no more than "ok".
  const possible = secrets.filter(({ length }) => length > 0 && length <= text.length);
  if (possible.length === 0) return text;
  return hiding(possible)(text);
}

/**
 * `withoutSecrets` for many texts: what there is to look for is worked out once.
 * @param mask what stands in a secret's place
 */
export function hiding(secrets: readonly string[], mask = mark): (text: string) => string {
  // The longest first: a secret that is part of another one would leave the rest of that to be seen.
  const spelt = secrets
    .filter(({ length }) => length > 0)
    .sort((one, other) => other.length - one.length)
    .map(anySpelling);
  if (spelt.length === 0) return (text) => text;
  const pattern = new RegExp(spelt.join('|'), 'g');
  return (text) => text.replaceAll(pattern, mask);
}

/** Servers escape each character in their own way, so every one of them is looked for in every spelling. */
function anySpelling(secret: string): string {
  return Array.from(secret, (character) => {
    const spellings = [
      character,
      JSON.stringify(character).slice(1, -1),
      `\\${character}`,
      ...(character === ' ' ? ['+'] : []),
      ...(entities[character] ?? []),
    ];
    const units = character.split('').map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'));
    const bytes = Array.from(Buffer.from(character), (byte) => byte.toString(16).padStart(2, '0'));
    return `(?:${[
      ...spellings.map((spelling) => spelling.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')),
      units.map((unit) => `\\\\u${inAnyCase(unit)}`).join(''),
      bytes.map((byte) => `%${inAnyCase(byte)}`).join(''),
    ].join('|')})`;
  }).join('');
}

function inAnyCase(digits: string): string {
  return digits.replaceAll(/[a-f]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}

const entities: Readonly<Record<string, readonly string[]>> = {
  '&': ['&amp;'],
  '<': ['&lt;'],
  '>': ['&gt;'],
  '"': ['&quot;', '&#34;'],
  "'": ['&#39;', '&#039;', '&apos;'],
};
