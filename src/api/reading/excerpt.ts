import { shortened } from '../../graphemes.ts';
import { maskSecrets } from '../../secrets.ts';

/** A short, harmless quotation of an appliance's answer, for error messages and logs. */

const mark = '[hidden]';
const longest = 200;
/** Enough to find 200 characters of text in an HTML page, and fast on 4 MiB. */
const looked = 8_000;
/** Enough even if secrets before them are hidden. */
const searched = 100_000;
/** The longest spelling of a character: three bytes in a path, `%e2%82%ac`. */
const longestSpelling = 9;

/** Short plain words, like most answers, need no cleaning. */
const harmless = /^(?! )[\w.,:;()'/ -]{0,100}$/;

/**
 * One line of at most 200 characters, without tags, control characters and marks that change the direction of
 * text. It is not escaped for Slack, so it is still hostile.
 * @param secrets texts that must not appear, such as the Web API key from a server that repeats its request
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
  return shortened(maskSecrets(plain, mark), longest);
}

/** Whether a text is a page for people, as web servers and proxies send it. */
export const isPage = (text: string): boolean =>
  /^\s*<(?:!--|(?:!doctype|html|head|body|title|h1|p)\b)/i.test(text);

/** Half a secret would no longer be found, so a possibly cut one is removed too. */
function beginningWithoutSecrets(text: string, secrets: readonly string[]): string {
  const hidden = withoutSecrets(text.slice(0, searched), secrets);
  const longestSecret = Math.max(0, ...secrets.map(({ length }) => length));
  return text.length <= searched
    ? hidden
    : hidden.slice(0, Math.max(0, hidden.length - longestSecret * longestSpelling));
}

/** Hides secrets in every form in which a server may repeat them: JSON, form, path, page. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  // No spelling is shorter than the secret. Most answers are as short as "ok".
  const possible = secrets.filter(({ length }) => length > 0 && length <= text.length);
  if (possible.length === 0) return text;
  return hiding(possible)(text);
}

/**
 * `withoutSecrets` for many texts, with the search prepared once.
 * @param mask replaces a secret
 */
export function hiding(secrets: readonly string[], mask = mark): (text: string) => string {
  // Longest first: a secret that is part of another would leave its rest visible.
  const spelt = secrets
    .filter(({ length }) => length > 0)
    .sort((one, other) => other.length - one.length)
    .map(anySpelling);
  if (spelt.length === 0) return (text) => text;
  const pattern = new RegExp(spelt.join('|'), 'g');
  return (text) => text.replaceAll(pattern, mask);
}

/** Servers escape characters differently, so each is matched in every spelling. */
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
