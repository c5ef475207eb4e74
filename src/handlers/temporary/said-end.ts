import { readTerm, type TypedTerm } from '../language/term.ts';

/** A sentence about a temporary change: the words that select it, and its new end. */
export interface SaidEnd {
  readonly words: string;
  readonly term: TypedTerm | undefined;
  /** Unreadable words in the place of a time. */
  readonly unreadable?: string;
}

/** The words before a time, and their possible meanings. */
const leads: Readonly<Record<string, readonly TypedTerm['option'][]>> = {
  by: ['for', 'until'],
  for: ['for'],
  in: ['for'],
  until: ['until'],
  till: ['until'],
  at: ['until'],
  on: ['until'],
  to: ['until'],
  til: ['until'],
};
/** Only a time may follow these. */
const certain: ReadonlySet<string> = new Set(['by', 'for', 'until', 'till', 'til']);

/**
 * Removes a reason, whose words name nothing. The recorded line contains it. Without quotes it lasts until the
 * next option or time.
 */
export const withoutReason = (thing: readonly string[]): string =>
  thing.join(' ').replace(reasonGiven, '').trim();

const reasonGiven =
  / ?--reason[= ](?:"([^"]*)"|“([^”]*)”|(.*?)(?= --| (?:at|by|until|till?|in|for) (?:\d|an? |half)|$))/i;

/** The reason in a line; empty without one. */
export function reasonGivenIn(line: string): string {
  const [, quoted, smart, plain] = reasonGiven.exec(line) ?? [];
  return (quoted ?? smart ?? plain ?? '').trim();
}

/**
 * Reads "shop.example.net by 1h", "shop.example.net until 18:00", "at 18:00 shop.example.net",
 * "shop.example.net another hour". A name may contain the same words, so only readable times count.
 * @param bare whether a duration may stand at the end without a preposition
 */
export function readSaidEnd(typed: string, { bare }: { readonly bare: boolean }): SaidEnd {
  const said = typed.replace(/ please$/i, '').replace(/ (?:more|longer|extra)$/i, '');
  const words = said.split(/\s+/).filter((word) => word !== '');
  const lead = (at: number) => (words[at] ?? '').toLowerCase().replace(/^--/, '');
  const places = words
    .flatMap((_, at) => (lead(at) in leads && at + 1 < words.length ? [at] : []))
    .toReversed();
  for (const at of places) {
    const term = termOf(lead(at), words.slice(at + 1).join(' '));
    if (term !== undefined) return { words: words.slice(0, at).join(' '), term };
  }
  if (places.includes(0))
    for (let end = words.length - 1; end > 1; end -= 1) {
      const term = termOf(lead(0), words.slice(1, end).join(' '));
      if (term !== undefined) return { words: words.slice(end).join(' '), term };
    }
  const last = places.find((at) => certain.has(lead(at)));
  if (last !== undefined)
    return {
      words: words.slice(0, last).join(' '),
      term: undefined,
      unreadable: words.slice(last + 1).join(' '),
    };
  return bare ? readBare(words) : readDay(words);
}

/** "shop.example.net 1h", "shop.example.net another hour", "one more hour"; a number alone is a name. */
function readBare(words: readonly string[]): SaidEnd {
  for (let count = Math.min(4, words.length); count > 0; count -= 1) {
    const text = words.slice(-count).join(' ');
    const term = { option: 'for', text: lengthIn(text) } as const;
    if (/^(?:\d+ ?[a-z]|(?:an?|another|one|two|three|half)\b)/i.test(text) && readTerm(term) !== undefined)
      return { words: words.slice(0, -count).join(' '), term };
  }
  return readDay(words);
}

/** "shop.example.net tomorrow", "shop.example.net 18:00", "shop.example.net friday 6pm"; a number alone is a name. */
function readDay(words: readonly string[]): SaidEnd {
  for (let count = Math.min(3, words.length); count > 0; count -= 1) {
    const term = { option: 'until', text: words.slice(-count).join(' ') } as const;
    if (isTime.test(term.text) && readTerm(term) !== undefined)
      return { words: words.slice(0, -count).join(' '), term };
  }
  return { words: words.join(' '), term: undefined };
}

const isTime = new RegExp(
  [
    '^(?:today|tonight|tomorrow|eod|noon|midnight|(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?)\\b',
    '^\\d{1,2}(?:[:.]\\d\\d(?![.\\d])| ?[ap]m\\b)',
  ].join('|'),
  'i',
);

function termOf(lead: string, text: string): TypedTerm | undefined {
  const options = leads[lead] ?? [];
  return options
    .map((option): TypedTerm => ({ option, text: option === 'for' ? lengthIn(text) : text }))
    .find((term) => readTerm(term) !== undefined);
}

/** "one more hour" is one. */
const lengthIn = (text: string): string => text.replace(/ (?:more|extra|further|additional) /i, ' ');
