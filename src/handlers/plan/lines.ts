import type { Argument } from '../argument.ts';
import { cleanLine } from '../language/line.ts';

/** Lines as they were typed, each a command of its own. They come word by word where they were typed in one line. */
export const plannedLines: Argument<string> = {
  what: 'lines to run',
  example: 'category add shop.example.net to 252',
  input: 'text',
  isLine: 'command',
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
  return begins === null || rest.length === 0 ? undefined : [begins[1] ?? '', ...rest].join('\n').trim();
}

/** The lines of it: without comments and empty ones, and with the options that stand before them all. */
export function linesIn(text: string): { readonly lines: readonly PlannedLine[]; readonly options: string } {
  const all = text.split('\n').map((line) => cleanLine(withoutFence(line)));
  const [first = '', ...rest] = all;
  const isOptions = first.startsWith('--');
  const lines = (isOptions ? rest : all).map((line, index) => ({ number: index + 1, text: line }));
  return {
    lines: lines.filter(({ text: line }) => line !== '' && !line.startsWith('#')),
    options: isOptions ? first : '',
  };
}

/** A code block begins and ends with three backticks, in a line of their own or beside the first and the last one. */
function withoutFence(line: string): string {
  const bare = line.trim();
  return bare.slice(bare.startsWith('```') ? 3 : 0, bare.endsWith('```') ? -3 : undefined);
}
