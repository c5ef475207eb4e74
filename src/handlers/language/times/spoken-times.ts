import { readDuration } from '../../../duration.ts';
import { isOption, type Word } from '../line.ts';
import { readSpoken } from '../span-words.ts';
import { readTerm, type TermOption, type TypedTerm } from '../term.ts';
import { readStart, startOptions, type TypedStart } from './start.ts';

/** An end among the words of a line, and the remaining words. The end may be invalid (`readTerm`). */
export interface SpokenEnd {
  readonly term: TypedTerm;
  readonly others: readonly Word[];
}

const leads: Readonly<Record<string, TermOption>> = {
  for: 'for',
  until: 'until',
  till: 'until',
  til: 'until',
  untill: 'until',
  // A line that is no command keeps its options, so they arrive here.
  '--for': 'for',
  '--until': 'until',
  '--till': 'until',
};

/** So many words give an end, and a start. */
const longest = { end: 6, start: 5 };

/**
 * Takes an end without dashes: "for two hours", "until 6pm", "till friday". A bare number is none, because "for
 * 3" may mean anything. Quoted words are values.
 */
export function takeEnd(words: readonly Word[]): SpokenEnd | undefined {
  for (const [at, { text, isQuoted }] of words.entries()) {
    const lead = text.toLowerCase();
    const [name = '', glued] = lead.startsWith('--') ? lead.split('=', 2) : [lead];
    const option = isQuoted ? undefined : leads[name];
    if (option === undefined) continue;
    const from = glued === undefined ? at + 1 : at;
    const free = words.slice(from, from + longest.end);
    const end = free.findIndex((word) => word.isQuoted);
    const most = glued !== undefined ? 1 : end === -1 ? free.length : end;
    const sayings = Array.from({ length: most }, (_, index) => most - index).map((count): SpokenEnd => {
      const term = { option, text: glued ?? endText(free.slice(0, count)) };
      return { term, others: words.toSpliced(at, from - at + (glued === undefined ? count : 1)) };
    });
    // Four digits after "until" are a time.
    const isNumber = ({ term }: SpokenEnd) =>
      /^\d+$/.test(term.text) && !(option === 'until' && /^\d{4}$/.test(term.text));
    const found =
      sayings.find((one) => !isNumber(one) && readTerm(one.term) !== undefined) ??
      sayings.find((one) => !isNumber(one) && isMeantSo(one.term));
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Words that suggest an end without giving one: "for now", "today". In a list they would become a value, or be
 * dropped.
 */
export function strayEnd(words: readonly Word[]): TermOption | undefined {
  const [word] = words.slice(1).flatMap(({ text, isQuoted }) => (isQuoted ? [] : (stray.exec(text) ?? [])));
  return word === undefined ? undefined : word.toLowerCase() === 'for' ? 'for' : 'until';
}

/** "over the weekend" names a period, but no moment at which it ends. */
export const spanEnd = (words: readonly Word[]): string | undefined =>
  words.some(({ isQuoted }) => isQuoted)
    ? undefined
    : /\b(?:over|during|on|at) (?:the |this )?weekends?\b/i.exec(endText(words))?.[0];

const stray = /^(?:for|until|till|temporarily|today|tonight|tomorrow)$/i;

/** Whether the words can only mean an end, although it is too long, too short or an unknown day. */
function isMeantSo({ option, text }: TypedTerm): boolean {
  const said = text.toLowerCase();
  if (option === 'until') return true;
  const other =
    /^(?:(?:\d+|an?|one|two|three|a few|some|several) ?(?:s|secs?|seconds?|months?|years?|(?:business|working) days?)|(?:the |this )?weekend|a while|a bit)$/;
  return (readDuration(said) ?? readSpoken(said)) !== undefined || other.test(said);
}

const endText = (words: readonly Word[]): string =>
  words
    .map(({ text }) => text)
    .join(' ')
    // A date's dot does not end the sentence.
    .replace(/(?<![,;.!]|\b[0-9]{1,2}\.[0-9]{1,2})[,;.!]+$/, '');

/** A start among the words of a line, and the remaining words. The start may be invalid (`readStart`). */
interface SpokenStart {
  readonly start: TypedStart;
  readonly others: readonly Word[];
  /** Given as an option, not in plain words. */
  readonly isOption: boolean;
  /** A day alone, which may be meant as an end. */
  readonly isDay: boolean;
}

const named = 'mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun';
const day = new RegExp(`^(?:today|tonight|tomorrow|(?:${named})(?:day)?)$`, 'i');

/**
 * Takes a start without dashes: "at 22:00", "tonight at 10", "tomorrow at 6:00", "in 2h", "in window night".
 * Words of an end ("until friday at 18:00") and quoted words are excluded. A day without an hour is incomplete.
 */
export function takeStart(words: readonly Word[]): SpokenStart | undefined {
  const own = takeEnd(words)?.others ?? words;
  for (const at of own.keys()) {
    const found = optionAt(own, at) ?? windowAt(own, at) ?? timeAt(own, at);
    if (found === undefined) continue;
    const taken = new Set(own.slice(at, at + found.count));
    return {
      start: found.start,
      others: words.filter((word) => !taken.has(word)),
      isOption: isOption(own[at] as Word),
      isDay: found.count === 1 && day.test(found.start.text),
    };
  }
  return undefined;
}

interface Found {
  readonly start: TypedStart;
  readonly count: number;
}

/** A line that is no command keeps its options, so they arrive here. */
function optionAt(words: readonly Word[], at: number): Found | undefined {
  const word = words[at] as Word;
  if (!isOption(word)) return undefined;
  const [name = '', glued] = word.text.split('=', 2);
  const option = startOptions.find((one) => name.toLowerCase() === `--${one}`);
  if (option === undefined) return undefined;
  if (glued !== undefined) return { start: { option, text: glued }, count: 1 };
  const free = freeWords(words.slice(at + 1, at + 1 + (option === 'at' ? longest.start : 1)), true);
  const text = [...free.keys()]
    .map((index) => startText(free.slice(0, free.length - index)))
    .find((one) => readStart({ option, text: one }) !== undefined);
  const start = { option, text: text ?? free[0]?.text ?? '' };
  return { start, count: 1 + (text === undefined ? Math.min(1, free.length) : text.split(' ').length) };
}

function windowAt(words: readonly Word[], at: number): Found | undefined {
  const said = freeWords(words.slice(at, at + 4));
  if (!/^(?:in|during|within)$/i.test(said[0]?.text ?? '')) return undefined;
  const the = /^the$/i.test(said[1]?.text ?? '') ? 1 : 0;
  const [one, other] = said.slice(1 + the);
  if (one === undefined || other === undefined) return undefined;
  const isWindow = ({ text }: Word) => /^window[,.]?$/i.test(text);
  const name = isWindow(one) ? other : isWindow(other) ? one : undefined;
  return name && { start: { option: 'window', text: startText([name]) }, count: 3 + the };
}

function timeAt(words: readonly Word[], at: number): Found | undefined {
  const free = freeWords(words.slice(at, at + longest.start + 1));
  const lead = free[0]?.text.toLowerCase() ?? '';
  const isDay = (word: Word | undefined) => day.test(withoutMark(word?.text ?? ''));
  const isLed = lead === 'at' || lead === 'on';
  if (lead !== 'in' && !isLed && !isDay(free[0])) return undefined;
  const begin = isLed ? 1 : 0;
  // "on 252" is no time, and neither is "at hq".
  if (lead === 'on' && !isDay(free[1])) return undefined;
  for (let count = free.length; count > begin; count -= 1) {
    const text = startText(free.slice(begin, count));
    // "in 5" is a place: a duration needs its unit.
    if (/^in \d+$/i.test(text)) continue;
    if (readStart({ option: 'at', text }) !== undefined) return { start: { option: 'at', text }, count };
  }
  // "at 10" may be in the morning or at night; "tomorrow" has no hour.
  const [first] = free.slice(begin);
  const isHour = lead === 'at' && /^\d{1,2}$/.test(withoutMark(first?.text ?? ''));
  // "today" may mean now.
  if (!isHour && (!isDay(first) || /^today/i.test(first?.text ?? ''))) return undefined;
  return { start: { option: 'at', text: startText([first as Word]) }, count: begin + 1 };
}

/** The words up to the next option or quoted value. The time itself may be quoted behind an option. */
function freeWords(words: readonly Word[], mayBeQuoted = false): readonly Word[] {
  if (mayBeQuoted && words[0]?.isQuoted) return words.slice(0, 1);
  const end = words.findIndex((word) => word.isQuoted || isOption(word));
  return end === -1 ? words : words.slice(0, end);
}

const withoutMark = (text: string): string => text.replace(/[,;.!]$/, '');
const startText = (words: readonly Word[]): string => withoutMark(words.map(({ text }) => text).join(' '));
