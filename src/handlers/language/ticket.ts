import { isOption, type Word } from './line.ts';
import { termOptions } from './term.ts';
import { startOptions } from './times/start.ts';

/** In characters. The longest known names have a third of that. */
const longest = 64;

export const ticketWanted = 'the name of one ticket, such as CHG-123';

/**
 * Whether the text may name a ticket in any system: `CHG-123`, `#4711`, `ops/network#12`, or an address.
 * Excludes formatting, mentions and spaces. The policy's own pattern is checked later.
 */
export const isTicket = (text: string): boolean =>
  (text.length <= longest && /^#?[A-Za-z0-9](?:[\w.#/:@+-]*[A-Za-z0-9])?$/.test(text)) ||
  /^https:\/\/[\w.#/:@+?&=%~-]{1,300}$/.test(text);

/**
 * Replaces a ticket in words by the option: *… ticket CHG-123*, *… for ticket #4711 --on hq*, *… (ticket
 * CHG-123)*. The words must be at the end of the values, behind an option that cannot contain them, or behind
 * an option's quoted value.
 */
export function ticketSaid(words: readonly Word[]): readonly Word[] | undefined {
  const at = words.findIndex(
    (word, index) => isNoun(word) && nameIn(words[index + 1]) !== undefined && isEnd(words[index + 2]),
  );
  const ticket = nameIn(words[at + 1]);
  if (at === -1 || ticket === undefined) return undefined;
  const before = words.slice(0, words.slice(0, at).findLastIndex((word) => !isSmall(word)) + 1);
  const option = before.findLastIndex(isOption);
  const [name = '', glued] = before[option]?.text.toLowerCase().split('=', 2) ?? [];
  // A quoted value is the whole value of its option.
  const isWhole = option + 2 === before.length && before.at(-1)?.isQuoted === true;
  if (option !== -1 && glued === undefined && !isWhole && !takesTime.has(name)) return undefined;
  return [...before, { text: `--ticket=${ticket}`, isQuoted: false }, ...words.slice(at + 2)];
}

/** Words that introduce the ticket and mean nothing else. */
const isSmall = ({ text, isQuoted }: Word): boolean =>
  !isQuoted && /^(?:\(?(?:for|per|under|see|with)|[,;])$/i.test(text);

/** Options whose values cannot contain a ticket. */
const takesTime: ReadonlySet<string> = new Set(
  [...termOptions, 'till', ...startOptions].map((option) => `--${option}`),
);

/** The ticket of a line, by option or in words, and the remaining words. */
export function apartFromTicket(
  words: readonly Word[],
): { readonly ticket: string; readonly words: readonly Word[] } | undefined {
  const given = ticketSaid(words) ?? words;
  const at = given.findIndex((word) => isOption(word) && /^--ticket(?:=|$)/i.test(word.text));
  const whole = given[at]?.text.split('=')[1];
  const ticket = whole ?? given[at + 1]?.text ?? '';
  if (at === -1 || !isTicket(ticket)) return undefined;
  return { ticket, words: given.toSpliced(at, whole === undefined ? 2 : 1) };
}

/** Only a start and a duration may follow the ticket. */
const isEnd = (word: Word | undefined): boolean =>
  word === undefined ||
  isOption(word) ||
  (!word.isQuoted && /^(?:for|until|till|at|in|during|on|today|tonight|tomorrow)$/i.test(word.text));
const isNoun = ({ text, isQuoted }: Word): boolean => !isQuoted && /^\(?ticket:?$/i.test(text);

/** One word with a digit in it. */
function nameIn(word: Word | undefined): string | undefined {
  const name = word?.isQuoted === false ? withoutMarks(word.text) : '';
  return /\d/.test(name) && isTicket(name) ? name : undefined;
}

/** Removes punctuation and brackets at the end. */
function withoutMarks(text: string): string {
  let end = text.length;
  while (').,;!?'.includes(text[end - 1] ?? ' ')) end -= 1;
  return text.slice(0, end);
}
