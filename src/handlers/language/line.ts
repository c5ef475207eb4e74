import { isIP } from 'node:net';
import { entryIn } from '../lists/formats.ts';
import { pastedIn } from '../lists/pasted.ts';
import { readDomain } from './domain.ts';

/**
 * A typed line, cleaned: phones and Slack change what people type, and people paste what they find.
 * slack-facts.md §1: with `should_escape` URLs arrive as `<https://…|label>`; typographic quotes and dashes arrive as typed.
 */
export function cleanLine(typed: string): string {
  return unwrap(cleanText(inOneLine(typed)));
}

/** The same of a piece of it that is no line by itself: in a document, quotes belong to what they stand around. */
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

/** What stands below the line is a list, as a rule: what marks its entries is none of its words, nor is a code block. */
function inOneLine(typed: string): string {
  if (!/[\n\r]/.test(typed)) return typed;
  const [first = '', ...below] = typed.replaceAll('```', '\n').split(/\r\n|[\n\r]/);
  return [first, ...pastedIn(below.join('\n'))].join('\n');
}

/** People paste a line as they copied it: with `/appliance` before it, in back-ticks, in quotes, or all of that. */
function unwrap(line: string): string {
  const inner = line
    .replace(/^(`{1,3}|["'])((?:(?!\1).)*)\1$/, '$2')
    .replace(/^\s*\/appliance(?=\s|$)/i, '')
    .trim();
  return inner === line ? line : unwrap(inner);
}

/** Slack links what looks like an address and keeps what was typed as the label; any other label is only decoration. */
function unwrapLink(_: string, address: string, label = ''): string {
  const bare = address.replace(/^(?:https?:\/\/|ftp:\/\/|mailto:)/i, '').replace(/\/$/, '');
  return label.replace(/\/$/, '') === bare ? bare : address.replace(/^mailto:/i, '');
}

/** Longer lines are no small talk, and need no look at it. */
const longestWithManners = 300;

const mannersBefore = /^(?:please|pls|plz|hey|hi|hello|ok|okay|can you|could you|would you|will you)[ ,:!]+/i;
const mannersAfter = /(?<![ ,])[ ,]+(?:please|pls|plz|thanks|thank you|thx|asap|now)$|(?<![ ?!])[ ?!]+$/i;

/** A line without what people say around it: "please", "thanks", a question mark. The same line where nothing does. */
export function withoutManners(line: string): string {
  if (line.length > longestWithManners) return line;
  const shorter = line.replace(mannersBefore, '').replace(mannersAfter, '');
  return shorter === line ? line : withoutManners(shorter);
}

/**
 * A word of a cleaned line. One that stood in quotes is a value, whatever it says: it may come from an appliance, and is
 * no option, no list, and no word of a phrase.
 */
export interface Word {
  readonly text: string;
  readonly isQuoted: boolean;
}

/** What begins with two dashes is an option, whatever follows them: a value that does stands in quotes. */
export const isOption = ({ text, isQuoted }: Word): boolean => !isQuoted && /^--+[^-]/.test(text);

/** "Quoted words" stay together, `copied code` too; a quote that is doubled inside of its own is one; a lone one is an ordinary character. */
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

/** A word as it was typed. */
export const spelled = ({ text, isQuoted }: Word): string => (isQuoted ? inQuotes(text) : text);

/** In those quotes that are not in it, where there are such. */
export function inQuotes(word: string): string {
  const mark = ['"', "'", '`'].find((one) => !word.includes(one)) ?? '"';
  return `${mark}${word.replaceAll(mark, mark + mark)}${mark}`;
}

/** People separate several values with spaces, commas or semicolons. */
export function splitList(word: string): readonly string[] {
  // Inside a URL they are part of it, unless another one follows.
  const separator = word.includes('://') ? /(?<![,;])[,;]+(?=\w+:\/\/|$)/ : /[,;]/;
  return word.split(separator).filter((part) => part !== '');
}

/**
 * The same of the words of a line in which sites are wanted: an address that leads nowhere and the name behind it are one entry, as in a
 * hosts file.
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

/** The values in a line that holds nothing else: separated by spaces, commas or semicolons, but for those in quotes. */
export const splitValues = (line: string): readonly string[] => wordsIn(line).flatMap(valuesIn);

/** The same where sites are wanted. */
export const splitSites = (line: string): readonly string[] => sitesIn(wordsIn(line));

/** Where several are wanted, one word may hold them all: `a.com,b.com`. */
export const valuesIn = ({ text, isQuoted }: Word): readonly string[] =>
  isQuoted ? [text] : splitList(text);

/** Behind a quoted word may stand the comma of a list. */
const anyWord =
  /\s*(?:"((?:[^"]|"")*)"(?=[\s,;]|$)|'((?:[^']|'')*)'(?=[\s,;]|$)|`((?:[^`]|``)*)`(?=[\s,;]|$)|(\S+))/gy;
const undoubled = (text: string | undefined, mark: string): string | undefined =>
  text?.replaceAll(mark + mark, mark);
