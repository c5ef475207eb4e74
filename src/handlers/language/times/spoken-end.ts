import { readDuration } from '../../../duration.ts';
import type { Word } from '../line.ts';
import { readSpoken } from '../span-words.ts';
import { readTerm, type TermOption, type TypedTerm } from '../term.ts';

/** An end that stands among the words of a line, and the words without it. It may be none that can be had (`readTerm`). */
export interface SpokenEnd {
  readonly term: TypedTerm;
  readonly others: readonly Word[];
}

const leads: Readonly<Record<string, TermOption>> = {
  ...{ for: 'for', until: 'until', till: 'until', til: 'until', untill: 'until' },
  // Where a line is no command, nobody has taken its options away.
  ...{ '--for': 'for', '--until': 'until', '--till': 'until' },
};

/** No end is said in more words. */
const longest = 6;

/**
 * "for two hours", "until 6pm", "till friday": people leave out the dashes. A bare number is none, because "for 3" may mean
 * anything. What stands in quotes is a value.
 */
export function takeEnd(words: readonly Word[]): SpokenEnd | undefined {
  for (const [at, { text, isQuoted }] of words.entries()) {
    const lead = text.toLowerCase();
    const [name = '', glued] = lead.startsWith('--') ? lead.split('=', 2) : [lead];
    const option = isQuoted ? undefined : leads[name];
    if (option === undefined) continue;
    const from = glued === undefined ? at + 1 : at;
    const free = words.slice(from, from + longest);
    const end = free.findIndex((word) => word.isQuoted);
    const most = glued !== undefined ? 1 : end === -1 ? free.length : end;
    const sayings = Array.from({ length: most }, (_, index) => most - index).map((count): SpokenEnd => {
      const term = { option, text: glued ?? textOf(free.slice(0, count)) };
      return { term, others: words.toSpliced(at, from - at + (glued === undefined ? count : 1)) };
    });
    // "until 2230" says what it is.
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
 * Where nothing says when, and somebody means for a time all the same: "for now", "today". Where several values stand, it would be
 * one of them, or be left out.
 */
export function strayEnd(words: readonly Word[]): TermOption | undefined {
  const [word] = words.slice(1).flatMap(({ text, isQuoted }) => (isQuoted ? [] : (stray.exec(text) ?? [])));
  return word === undefined ? undefined : word.toLowerCase() === 'for' ? 'for' : 'until';
}

/** It has a beginning and an end, and says neither. */
export const spanEnd = (words: readonly Word[]): string | undefined =>
  words.some(({ isQuoted }) => isQuoted)
    ? undefined
    : /\b(?:over|during|on|at) (?:the |this )?weekends?\b/i.exec(textOf(words))?.[0];

const stray = /^(?:for|until|till|temporarily|today|tonight|tomorrow)$/i;

/** Too long, too short, or a day that nobody knows: it is wanted to be nothing else. */
function isMeantSo({ option, text }: TypedTerm): boolean {
  const said = text.toLowerCase();
  if (option === 'until') return true;
  const other =
    /^(?:(?:\d+|an?|one|two|three|a few|some|several) ?(?:s|secs?|seconds?|months?|years?|(?:business|working) days?)|(?:the |this )?weekend|a while|a bit)$/;
  return (readDuration(said) ?? readSpoken(said)) !== undefined || other.test(said);
}

const textOf = (words: readonly Word[]): string =>
  words
    .map(({ text }) => text)
    .join(' ')
    // The dot of a date is none of a sentence.
    .replace(/(?<![,;.!]|\b[0-9]{1,2}\.[0-9]{1,2})[,;.!]+$/, '');
