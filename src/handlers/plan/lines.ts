import type { Argument } from '../argument.ts';
import { cleanLine } from '../language/line.ts';
import type { Match } from '../language/match.ts';
import { type FileLine, isComment } from '../lists/cells.ts';
import { isFence, withoutMarks } from '../lists/pasted.ts';
import { shorten } from '../wording/shorten.ts';
import { headIn } from './head.ts';

/** Lines as they were typed, each a command of its own. They come word by word where they were typed in one line. */
export const plannedLines: Argument<string> = {
  what: 'lines to run',
  example: 'category add shop.example.net to 252',
  input: 'text',
  isLine: 'command',
  fromFile: true,
  read: (word) => ({ ok: true, value: word }),
};

/** A line of a plan, and which one it is of those that were typed. */
export interface PlannedLine {
  readonly number: number;
  readonly text: string;
}

/**
 * What was typed as a plan: `plan`, perhaps with options for all of its lines, and a command in each line below, or several in one
 * line. Undefined where it is one command alone, or begins with something else: that is read like any other.
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
 * Several changes in one line, without `plan` before them: as one they are put before whoever typed them, who agrees before any of them
 * is sent. Undefined where the line is something by itself, or one of them is no change.
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

/** Several that were typed in one line, as in a shell. */
const atSemicolons = (line: string): readonly string[] =>
  (line.match(/(?:"[^"]*"|[^;])+/g) ?? []).map((one) => one.trim()).filter((one) => one !== '');

/** Whether these are options for all lines, and no line yet. */
export const isOnlyOptions = (text: string): boolean => /^--[^\n]*$/.test(text);

export const hasDryRun = (options: string): boolean => /(?:^|\s)--dry-run\b/i.test(options);

/**
 * A plan from a file, as though it was typed below `plan`: each line keeps the number that it has there. Its first line may be
 * `plan` itself, and have options; those that were typed beside the file count before them.
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

/** The lines of it: without comments and empty ones, and with the options that stand before them all. */
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

/** The same plan with these options for all of its lines, too; its lines keep their numbers. */
export function withOptionsForAll(text: string, options: string): string {
  if (options === '') return text;
  const [first = '', ...rest] = text.split('\n');
  const own = cleanLine(first);
  return own.startsWith('--') ? [`${own} ${options}`, ...rest].join('\n') : [options, text].join('\n');
}

/** The same plan without an end that stands before all of its lines. */
export function withoutEndForAll(text: string): string {
  const [first = '', ...rest] = text.split('\n');
  const own = cleanLine(first);
  if (!own.startsWith('--')) return text;
  const others = own.split(/\s(?=--)/).filter((option) => !/^--(?:for|until)\b/.test(option));
  return [others.join(' '), ...rest].join('\n').replace(/^\n/, '');
}

/** As it stands on its card and in the audit, which have no room for all of it: its steps stand there with their own lines. */
export function planInOneLine(lines: readonly string[], options: string): string {
  const [first = ''] = lines;
  const begin = options === '' ? 'plan' : `plan ${options}`;
  return lines.length === 1 ? `${begin} ${first}` : `${begin} ${shorten(first)} (+${lines.length - 1} more)`;
}

/** A code block begins and ends with three backticks, in a line of their own or beside the first and the last one. */
function withoutFence(line: string): string {
  if (isFence(line)) return '';
  const bare = line.trim();
  return bare.slice(bare.startsWith('```') ? 3 : 0, bare.endsWith('```') ? -3 : undefined);
}
