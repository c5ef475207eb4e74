import type { Argument } from '../argument.ts';
import { cleanLine } from '../language/line.ts';
import { readStart } from '../language/times/start.ts';
import { type FileLine, isComment } from '../lists/cells.ts';
import { isFence, withoutMarks } from '../lists/pasted.ts';
import { shorten } from '../wording/shorten.ts';

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
 * What was typed as a plan: `plan`, perhaps with options for all of its lines, and a command in each line below. Undefined
 * where it is one line, or begins with something else: that is read like any other.
 */
export function readPlan(typed: string): string | undefined {
  const [first = '', ...rest] = typed
    .replace(/\r\n?/g, '\n')
    .replace(/^[\s`]+/, '')
    .split('\n');
  const begins = /^plan(?:\s(.*))?$/i.exec(cleanLine(first));
  if (begins === null) return undefined;
  const behind = begins[1] ?? '';
  if (rest.length > 0) return [behind, ...rest].join('\n').trim();
  const [options, only] = behind.startsWith('--') ? withoutOptions(behind) : ['', behind];
  const lines = atSemicolons(only);
  return options === '' && lines.length < 2 ? undefined : [options, ...lines].join('\n').trim();
}

/** Several that were typed in one line, as in a shell. */
const atSemicolons = (line: string): readonly string[] =>
  (line.match(/(?:"[^"]*"|[^;])+/g) ?? []).map((one) => one.trim()).filter((one) => one !== '');

/** Whether these are options for all lines, and no line yet. */
export const isOnlyOptions = (text: string): boolean => /^--[^\n]*$/.test(text);

export const hasDryRun = (options: string): boolean => /(?:^|\s)--dry-run\b/i.test(options);

/** What was typed in one line: the options before all lines, and the only line. */
function withoutOptions(typed: string): readonly [string, string] {
  const last = /(?:^|\s)--at[\s=](?!.*\s--)(.*)$/.exec(typed)?.[1];
  if (last !== undefined && readStart({ option: 'at', text: last }) !== undefined) return [typed, ''];
  const value = /--dry-run|--[\w-]+(?:[\s=]\s*(?:"[^"]*"|'[^']*'|(?!--)\S+))?/.source;
  const options = new RegExp(`^(?:(?:${value})(?:\\s+|$))+`, 'i').exec(typed)?.[0] ?? typed;
  return [options.trim(), typed.slice(options.length).trim()];
}

/**
 * A plan from a file, as though it was typed below `plan`: each line keeps the number that it has there. Its first line may be
 * `plan` itself, and have options; those that were typed beside the file count before them.
 */
export function planFrom(file: readonly FileLine[], options: string): string {
  const texts = Array.from<string>({ length: file.at(-1)?.number ?? 0 }).fill('');
  for (const { number, text, cells } of file)
    texts[number - 1] = text.startsWith('"') ? (cells[0] ?? '') : text;
  const at = texts.findIndex((text) => text !== '' && !isComment(text));
  const heading = /^(?:plan\b\s*)?((?:--.*)?)$/i.exec(texts[at] ?? '');
  if (heading !== null && at !== -1) texts[at] = '';
  const all = [options, heading?.[1] ?? ''].filter((text) => text !== '').join(' ');
  return [...(all === '' ? [] : [all]), ...texts].join('\n');
}

/** The lines of it: without comments and empty ones, and with the options that stand before them all. */
export function linesIn(text: string): { readonly lines: readonly PlannedLine[]; readonly options: string } {
  const all = text.split('\n').map((line) => cleanLine(withoutMarks(withoutFence(line))));
  const [first = '', ...rest] = all;
  const isOptions = first.startsWith('--');
  const lines = (isOptions ? rest : all).map((line, index) => ({ number: index + 1, text: line }));
  return {
    lines: lines.filter(({ text: line }) => line !== '' && !isComment(line)),
    options: isOptions ? first : '',
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
