import { isIP } from 'node:net';
import { entryIn } from '../lists/formats.ts';
import { pastedIn } from '../lists/pasted.ts';
import { readDomain } from './domain.ts';

/**
 * Cleans a typed line: phones and Slack change the text, and people paste. slack-facts.md §1: with
 * `should_escape` URLs arrive as `<https://…|label>`; typographic quotes and dashes arrive as typed.
 */
export function cleanLine(typed: string): string {
  return unwrap(cleanText(inOneLine(typed)));
}

/** Cleans a piece of text that is no line by itself, such as a document. Quotes stay where they are. */
export const cleanText = (typed: string): string =>
  typed
    .normalize('NFC')
    // Zero-width, bidi and other format marks are invisible to the person who pasted them.
    .replace(/\p{Cf}/gu, '')
    .replace(/<((?:https?|ftp):\/\/[^|<>]+|mailto:[^|<>]+)(?:\|([^<>]*))?>/gi, unwrapLink)
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&')
    .replace(/[“”„‟«»]/g, '"')
    .replace(/[‘’‚‛]/g, "'")
    // "--on" becomes an em or en dash on phones; elsewhere a long dash is a hyphen.
    .replace(/(^|\s)[–—](?=[a-z])/gi, '$1--')
    .replace(/[‐‑‒–—―−﹘﹣－]/g, '-')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what is removed
    .replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ')
    .trim();

/** People put a list below the line. Its bullets and code fences are no values. */
function inOneLine(typed: string): string {
  if (!/[\n\r]/.test(typed)) return typed;
  const [first = '', ...below] = typed.replaceAll('```', '\n').split(/\r\n|[\n\r]/);
  return [first, ...pastedIn(below.join('\n'))].join('\n');
}

/** People paste a line as they copied it: with `/appliance` before it, in back-ticks or in quotes. */
function unwrap(line: string): string {
  const inner = line
    .replace(/^(`{1,3}|["'])((?:(?!\1).)*)\1$/, '$2')
    .replace(/^\s*\/appliance(?=\s|$)/i, '')
    .trim();
  return inner === line ? line : unwrap(inner);
}

/**
 * Slack turns text that resembles an address into a link, with the typed text as its label. Any other label is
 * decoration.
 */
function unwrapLink(_: string, address: string, label = ''): string {
  const bare = address.replace(/^(?:https?:\/\/|ftp:\/\/|mailto:)/i, '').replace(/\/$/, '');
  return label.replace(/\/$/, '') === bare ? bare : address.replace(/^mailto:/i, '');
}

/** A longer line is no small talk, so skip the check. */
const longestWithManners = 300;

const mannersBefore =
  /^(?:please|pls|plz|hey|hi|hello|ok|okay|(?:can|could|would|will) (?:you|someone|somebody))[ ,:!]+/i;
const mannersAfter = /(?<![ ,])[ ,]+(?:please|pls|plz|thanks|thank you|thx|asap|now)$|(?<![ ?!])[ ?!]+$/i;

/** Removes filler around a line: "please", "thanks", a question mark. */
export function withoutManners(line: string): string {
  if (line.length > longestWithManners) return line;
  const shorter = line.replace(mannersBefore, '').replace(mannersAfter, '');
  return shorter === line ? line : withoutManners(shorter);
}

/**
 * A word of a cleaned line. A quoted word is always a value: an appliance may have supplied it. It is never an
 * option, a list or a word of a phrase.
 */
export interface Word {
  readonly text: string;
  readonly isQuoted: boolean;
}

/** Two dashes begin an option, whatever follows. A value that begins so must be quoted. */
export const isOption = ({ text, isQuoted }: Word): boolean => !isQuoted && /^--+[^-]/.test(text);

/**
 * "Quoted words" and `copied code` stay together. A doubled quote inside its own quotes is one quote; a lone
 * quote is an ordinary character.
 */
export function wordsIn(line: string): readonly Word[] {
  return Array.from(line.matchAll(anyWord), ([, double, single, tick, bare]) =>
    bare === undefined
      ? {
          text: undoubled(double, '"') ?? undoubled(single, "'") ?? undoubled(tick, '`') ?? '',
          isQuoted: true,
        }
      : { text: bare, isQuoted: false },
  );
}

export const spelled = ({ text, isQuoted }: Word): string => (isQuoted ? inQuotes(text) : text);

/** Uses quotes that the word does not contain, if there are any. */
export function inQuotes(word: string): string {
  const mark = ['"', "'", '`'].find((one) => !word.includes(one)) ?? '"';
  return `${mark}${word.replaceAll(mark, mark + mark)}${mark}`;
}

/** People separate several values with spaces, commas or semicolons. */
export function splitList(word: string): readonly string[] {
  // A URL may contain commas and semicolons. They separate only before another URL.
  const separator = word.includes('://') ? /(?<![,;])[,;]+(?=\w+:\/\/|$)/ : /[,;]/;
  return word.split(separator).filter((part) => part !== '');
}

/**
 * The words of a line of sites. An address such as 0.0.0.0 and the name behind it are one entry, as in a hosts
 * file.
 */
export const sitesIn = (words: readonly Word[]): readonly string[] =>
  words.flatMap((word, at) => {
    const [before, after] = [words[at - 1], words[at + 1]];
    if (before !== undefined && isHostsEntry(before, word)) return [];
    return after !== undefined && isHostsEntry(word, after) ? [`${word.text} ${after.text}`] : valuesIn(word);
  });

function isHostsEntry(address: Word, name: Word): boolean {
  if (address.isQuoted || name.isQuoted || isIP(address.text) === 0 || isIP(name.text) !== 0) return false;
  return entryIn(`${address.text} ${name.text}`) !== undefined && readDomain(name.text) !== undefined;
}

/** The values of a line that holds nothing else, separated by spaces, commas or semicolons, except in quotes. */
export const splitValues = (line: string): readonly string[] => wordsIn(line).flatMap(valuesIn);

export const splitSites = (line: string): readonly string[] => sitesIn(wordsIn(line));

/** One word may hold several values: `a.com,b.com`. */
export const valuesIn = ({ text, isQuoted }: Word): readonly string[] =>
  isQuoted ? [text] : splitList(text);

/** A list's comma may follow a quoted word. */
const anyWord =
  /\s*(?:"((?:[^"]|"")*)"(?=[\s,;]|$)|'((?:[^']|'')*)'(?=[\s,;]|$)|`((?:[^`]|``)*)`(?=[\s,;]|$)|(\S+))/gy;
const undoubled = (text: string | undefined, mark: string): string | undefined =>
  text?.replaceAll(mark + mark, mark);
