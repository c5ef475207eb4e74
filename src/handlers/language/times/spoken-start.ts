import { isOption, type Word } from '../line.ts';
import { takeEnd } from './spoken-end.ts';
import { readStart, startOptions, type TypedStart } from './start.ts';

/** When it is to run, as it stands among the words of a line, and the words without it. It may be no time that can be had (`readStart`). */
export interface SpokenStart {
  readonly start: TypedStart;
  readonly others: readonly Word[];
  /** It stands there as an option, and not in plain words. */
  readonly isOption: boolean;
  /** A day by itself, which may be meant as an end, too. */
  readonly isDay: boolean;
}

/** No time is said in more words. */
const longest = 5;

const named = 'mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun';
const day = new RegExp(`^(?:today|tonight|tomorrow|(?:${named})(?:day)?)$`, 'i');

/**
 * "at 22:00", "tonight at 10", "tomorrow at 6:00", "in 2h", "in window night": people leave out the dashes. What belongs to an end
 * ("until friday at 18:00") and what stands in quotes is none. A day without an hour is one that nobody can plan for.
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
  /** Of words. */
  readonly count: number;
}

/** Where a line is no command, nobody has taken its options away. */
function optionAt(words: readonly Word[], at: number): Found | undefined {
  const word = words[at] as Word;
  if (!isOption(word)) return undefined;
  const [name = '', glued] = word.text.split('=', 2);
  const option = startOptions.find((one) => name.toLowerCase() === `--${one}`);
  if (option === undefined) return undefined;
  if (glued !== undefined) return { start: { option, text: glued }, count: 1 };
  const free = freeWords(words.slice(at + 1, at + 1 + (option === 'at' ? longest : 1)), true);
  const text = [...free.keys()]
    .map((index) => textOf(free.slice(0, free.length - index)))
    .find((one) => readStart({ option, text: one }) !== undefined);
  const start = { option, text: text ?? free[0]?.text ?? '' };
  return { start, count: 1 + (text === undefined ? Math.min(1, free.length) : text.split(' ').length) };
}

/** "in window night", "in the night window", "during the window night" */
function windowAt(words: readonly Word[], at: number): Found | undefined {
  const said = freeWords(words.slice(at, at + 4));
  if (!/^(?:in|during|within)$/i.test(said[0]?.text ?? '')) return undefined;
  const the = /^the$/i.test(said[1]?.text ?? '') ? 1 : 0;
  const [one, other] = said.slice(1 + the);
  if (one === undefined || other === undefined) return undefined;
  const isWindow = ({ text }: Word) => /^window[,.]?$/i.test(text);
  const name = isWindow(one) ? other : isWindow(other) ? one : undefined;
  return name && { start: { option: 'window', text: textOf([name]) }, count: 3 + the };
}

function timeAt(words: readonly Word[], at: number): Found | undefined {
  const free = freeWords(words.slice(at, at + longest + 1));
  const lead = free[0]?.text.toLowerCase() ?? '';
  const isDay = (word: Word | undefined) => day.test(withoutMark(word?.text ?? ''));
  const isLed = lead === 'at' || lead === 'on';
  if (lead !== 'in' && !isLed && !isDay(free[0])) return undefined;
  const begin = isLed ? 1 : 0;
  // "on 252" is no time, and neither is "at hq".
  if (lead === 'on' && !isDay(free[1])) return undefined;
  for (let count = free.length; count > begin; count -= 1) {
    const text = textOf(free.slice(begin, count));
    // "in 5" is where something goes: what is to be so many minutes has its unit.
    if (/^in \d+$/i.test(text)) continue;
    if (readStart({ option: 'at', text }) !== undefined) return { start: { option: 'at', text }, count };
  }
  // "at 10" may be in the morning and at night; "tomorrow" has no hour.
  const [first] = free.slice(begin);
  const isHour = lead === 'at' && /^\d{1,2}$/.test(withoutMark(first?.text ?? ''));
  // Who does something today may mean: now.
  if (!isHour && (!isDay(first) || /^today/i.test(first?.text ?? ''))) return undefined;
  return { start: { option: 'at', text: textOf([first as Word]) }, count: begin + 1 };
}

/** As many as are neither options nor values in quotes; behind an option a time may stand in quotes. */
function freeWords(words: readonly Word[], mayBeQuoted = false): readonly Word[] {
  if (mayBeQuoted && words[0]?.isQuoted) return words.slice(0, 1);
  const end = words.findIndex((word) => word.isQuoted || isOption(word));
  return end === -1 ? words : words.slice(0, end);
}

const withoutMark = (text: string): string => text.replace(/[,;.!]$/, '');
const textOf = (words: readonly Word[]): string => withoutMark(words.map(({ text }) => text).join(' '));
