import type { Argument } from '../argument.ts';
import { cleanLine, inQuotes, isOption, spelled, type Word, wordsIn } from '../language/line.ts';
import type { Match } from '../language/match.ts';
import { readTerm } from '../language/term.ts';
import { apartFromTicket } from '../language/ticket.ts';
import { takeEnd, takeStart } from '../language/times/spoken-times.ts';
import { readStart } from '../language/times/start.ts';
import { type FileLine, isComment } from '../lists/cells.ts';
import { isFence, withoutMarks } from '../lists/pasted.ts';
import { shorten } from '../wording/shorten.ts';

/** Typed lines, each a command of its own. In a single line they come word by word. */
export const plannedLines: Argument<string> = {
  what: 'lines to run',
  example: 'category add shop.example.net to 252',
  input: 'text',
  isLine: 'command',
  fromFile: true,
  read: (word) => ({ ok: true, value: word }),
};

export interface PlannedLine {
  readonly number: number;
  readonly text: string;
}

/**
 * Reads a typed plan: `plan`, perhaps with options for all lines, and a command in each line below, or several
 * in one line. Undefined for a single command and for other lines.
 */
export function readPlan(typed: string): string | undefined {
  const [first = '', ...below] = typed
    .replace(/\r\n?/g, '\n')
    .replace(/^[\s`]+/, '')
    .split('\n');
  const line = cleanLine(first);
  const behind = withoutPlan(line);
  if (behind === line) return undefined;
  const [head = '', ...others] = below.length > 0 ? [behind] : atSemicolons(behind);
  const { options, rest } = headIn(head, { isAlone: below.length > 0 });
  const lines = [...(rest === '' ? [] : [rest]), ...others, ...below];
  return options === '' && below.length === 0 && lines.length < 2
    ? undefined
    : [...(options === '' ? [] : [options]), ...lines].join('\n').trim();
}

const withoutPlan = (line: string): string => line.replace(/^plan(?![^:\s]):?/i, '').trimStart();

/**
 * Reads several changes in one line without `plan`. They are previewed together, and the author confirms before
 * any is sent. Undefined if the line means something as a whole, or if one of them is no change.
 */
export function readSeveral(typed: string, match: (line: string) => Match): string | undefined {
  const all = typed.includes('\n') ? [] : atSemicolons(cleanLine(typed));
  const isChange = (line: string) => {
    const found = match(line);
    return found.kind === 'command' && found.command.kind === 'change';
  };
  return all.length < 2 || match(cleanLine(typed)).kind === 'command' || !all.every(isChange)
    ? undefined
    : all.join('\n');
}

/** Splits at semicolons, as in a shell. */
const atSemicolons = (line: string): readonly string[] =>
  (line.match(/(?:"[^"]*"|[^;])+/g) ?? []).map((one) => one.trim()).filter((one) => one !== '');

export const isOnlyOptions = (text: string): boolean => /^--[^\n]*$/.test(text);

export const hasDryRun = (options: string): boolean => /(?:^|\s)--dry-run\b/i.test(options);

/**
 * A plan from a file, as if typed below `plan`; each line keeps its number. Its first line may be `plan` with
 * options. Options typed beside the file come first.
 */
export function planFrom(file: readonly FileLine[], options: string): string {
  const texts = Array.from<string>({ length: file.at(-1)?.number ?? 0 }).fill('');
  for (const { number, text, cells } of file)
    texts[number - 1] = text.startsWith('"') ? (cells[0] ?? '') : text;
  const at = texts.findIndex((text) => text !== '' && !isComment(text));
  const begin = withoutPlan(texts[at] ?? '');
  const heading = headIn(begin, { isAlone: true });
  if (heading.rest === '' && at !== -1) texts[at] = '';
  const all = [options, heading.rest === '' ? heading.options : ''].filter((text) => text !== '').join(' ');
  return [...(all === '' ? [] : [all]), ...texts].join('\n');
}

/** The lines without comments and empty ones, and the options before them. */
export function linesIn(text: string): { readonly lines: readonly PlannedLine[]; readonly options: string } {
  const all = text.split('\n').map((line) => cleanLine(withoutMarks(withoutFence(line))));
  const [first = '', ...rest] = all;
  const head = headIn(first, { isAlone: true });
  const isOptions = first !== '' && head.rest === '';
  const lines = (isOptions ? rest : all).map((line, index) => ({ number: index + 1, text: line }));
  return {
    lines: lines.filter(({ text: line }) => line !== '' && !isComment(line)),
    options: isOptions ? head.options : '',
  };
}

/** Adds options for all lines; the lines keep their numbers. */
export function withOptionsForAll(text: string, options: string): string {
  if (options === '') return text;
  const [first = '', ...rest] = text.split('\n');
  const own = cleanLine(first);
  return own.startsWith('--') ? [`${own} ${options}`, ...rest].join('\n') : [options, text].join('\n');
}

/** Removes an end for all lines. */
export function withoutEndForAll(text: string): string {
  const [first = '', ...rest] = text.split('\n');
  const own = cleanLine(first);
  if (!own.startsWith('--')) return text;
  const others = own.split(/\s(?=--)/).filter((option) => !/^--(?:for|until)\b/.test(option));
  return [others.join(' '), ...rest].join('\n').replace(/^\n/, '');
}

/** A short form for its card and the audit. The steps have their own lines there. */
export function planInOneLine(lines: readonly string[], options: string): string {
  const [first = ''] = lines;
  const begin = options === '' ? 'plan' : `plan ${options}`;
  return lines.length === 1 ? `${begin} ${first}` : `${begin} ${shorten(first)} (+${lines.length - 1} more)`;
}

/** A code block begins and ends with three backticks, in lines of their own or beside the text. */
function withoutFence(line: string): string {
  if (isFence(line)) return '';
  const bare = line.trim();
  return bare.slice(bare.startsWith('```') ? 3 : 0, bare.endsWith('```') ? -3 : undefined);
}

/** The options between `plan` and its first line, which apply to all lines; and the rest. */
interface Head {
  /** Normalized: "at 15:00 for two hours" is `--at 15:00 --for "two hours"`. */
  readonly options: string;
  readonly rest: string;
}

type Words = readonly Word[];

interface Taken {
  readonly option: string;
  readonly left: Words;
}

/**
 * Takes options from the beginning of a cleaned line; a colon ends them.
 * @param isAlone the text holds options only, so a reason lasts until the next one
 */
function headIn(line: string, { isAlone }: { readonly isAlone: boolean }): Head {
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

/** How many of the words after an option are its value. */
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
  // An unreadable option is reported, unless it may be the beginning of a command.
  const found = ways.find(
    (way) => way && isBegun(words, way.left) && (way.isReadable || way.left.length === 0),
  );
  if (found !== undefined) return found;
  const [on, where, ...left] = words;
  const isWhere =
    on?.isQuoted === false && /^on$/i.test(on.text) && where !== undefined && start === undefined;
  return isWhere ? { option: `--on ${spelled(where)}`, left } : undefined;
}

/** Whether the remaining words are the last of the given ones. */
const isBegun = (words: Words, left: Words): boolean =>
  left.length < words.length &&
  left.every((word, index) => word === words[words.length - left.length + index]);

const optionOf = ({ option, text }: { readonly option: string; readonly text: string }) => ({
  option: `--${option} ${/\s/.test(text) ? inQuotes(text) : text}`,
});

/** The most words of a time. */
const mostWords = 6;
const textOf = (words: Words): string => words.map(({ text }) => text).join(' ');
