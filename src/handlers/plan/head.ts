import { inQuotes, isOption, spelled, type Word, wordsIn } from '../language/line.ts';
import { readTerm } from '../language/term.ts';
import { apartFromTicket } from '../language/ticket.ts';
import { takeEnd } from '../language/times/spoken-end.ts';
import { takeStart } from '../language/times/spoken-start.ts';
import { readStart } from '../language/times/start.ts';

/** What stands behind `plan`, and is for all of its lines; and what follows it, which is their first. */
interface Head {
  /** As options, however they were said: "at 15:00 for two hours" is `--at 15:00 --for "two hours"`. */
  readonly options: string;
  readonly rest: string;
}

type Words = readonly Word[];

interface Taken {
  readonly option: string;
  readonly left: Words;
}

/**
 * Takes the options from the beginning of a cleaned line, as long as there are some; a colon ends them.
 * @param isAlone nothing but options is expected there: a reason goes on until the next of them
 */
export function headIn(line: string, { isAlone }: { readonly isAlone: boolean }): Head {
  const colon = line.search(/:(?:\s|$)/);
  const upToColon = colon === -1 ? undefined : optionsIn(wordsIn(line.slice(0, colon)), true);
  if (upToColon?.left.length === 0) return { options: upToColon.options, rest: line.slice(colon + 1).trim() };
  const { options, left } = optionsIn(wordsIn(line), isAlone);
  return { options, rest: left.map(spelled).join(' ') };
}

function optionsIn(words: Words, isAlone: boolean): { readonly options: string; readonly left: Words } {
  const options: string[] = [];
  let left = words;
  for (;;) {
    const taken = optionAt(left, isAlone) ?? saidAt(left);
    if (taken === undefined) break;
    options.push(taken.option);
    left = taken.left[0]?.text === ',' ? taken.left.slice(1) : taken.left;
  }
  return { options: options.join(' '), left };
}

function optionAt([first, ...others]: Words, isAlone: boolean): Taken | undefined {
  if (first === undefined || !isOption(first)) return undefined;
  const end = others.findIndex(isOption);
  const free = end === -1 ? others : others.slice(0, end);
  const name = first.text.toLowerCase();
  const count = /=|^--dry-run$/.test(name) ? 0 : valueLength(name, free, isAlone);
  const value = textOf(free.slice(0, count));
  return {
    option: count === 0 ? spelled(first) : `${name} ${/\s/.test(value) ? inQuotes(value) : value}`,
    left: others.slice(count),
  };
}

/** Of how many of the words that follow an option its value is. */
function valueLength(name: string, free: Words, isAlone: boolean): number {
  if (free[0]?.isQuoted || free.length === 0) return Math.min(1, free.length);
  if (name === '--reason' && isAlone) return free.length;
  if (name === '--on') return 1 + free.findIndex(({ text }) => !text.endsWith(','));
  const reads = (count: number) => isTime(name.slice(2), textOf(free.slice(0, count)));
  const longest = Math.min(free.length, mostWords);
  return Array.from({ length: longest }, (_, index) => longest - index).find(reads) ?? 1;
}

function isTime(option: string, text: string): boolean {
  if (option === 'at') return readStart({ option, text }) !== undefined;
  if (option === 'for') return readTerm({ option, text }) !== undefined;
  return (option === 'until' || option === 'till') && readTerm({ option: 'until', text }) !== undefined;
}

/** "at 15:00", "tonight at 10", "in window night", "for 2h", "until 18:00", "for ticket CHG-1", "on hq". */
function saidAt(words: Words): Taken | undefined {
  // "ticket CHG-1", "for ticket CHG-1"
  const named = [2, 3].find((count) => apartFromTicket(words.slice(0, count))?.words.length === 0);
  const ticket = apartFromTicket(words.slice(0, named ?? 0));
  const end = takeEnd(words);
  const start = takeStart(words);
  const ways = [
    ticket && { option: `--ticket ${ticket.ticket}`, left: words.slice(named), isReadable: true },
    start && {
      ...optionOf(start.start),
      left: start.others,
      isReadable: readStart(start.start) !== undefined,
    },
    end && { ...optionOf(end.term), left: end.others, isReadable: readTerm(end.term) !== undefined },
  ];
  // One that can be read as none is told so, unless it may be the beginning of a command.
  const found = ways.find(
    (way) => way && isBegun(words, way.left) && (way.isReadable || way.left.length === 0),
  );
  if (found !== undefined) return found;
  const [on, where, ...left] = words;
  const isWhere =
    on?.isQuoted === false && /^on$/i.test(on.text) && where !== undefined && start === undefined;
  return isWhere ? { option: `--on ${spelled(where)}`, left } : undefined;
}

/** Whether what is left of the words are the last of them. */
const isBegun = (words: Words, left: Words): boolean =>
  left.length < words.length &&
  left.every((word, index) => word === words[words.length - left.length + index]);

const optionOf = ({ option, text }: { readonly option: string; readonly text: string }) => ({
  option: `--${option} ${/\s/.test(text) ? inQuotes(text) : text}`,
});

/** No time is said in more. */
const mostWords = 6;
const textOf = (words: Words): string => words.map(({ text }) => text).join(' ');
