import type { Argument } from '../../handlers/argument.ts';
import { FileFailure, type Files } from '../../handlers/context.ts';
import type { Asked } from '../../handlers/language/asked.ts';
import { readAsked } from '../../handlers/language/reading.ts';
import { linesOfFile } from '../../handlers/lists/lines.ts';
import { type PostedFile, readPosted } from '../../handlers/lists/posted-file.ts';
import { type ListedValues, type RefusedValue, valuesOf } from '../../handlers/lists/values.ts';
import { isOnlyOptions, planFrom } from '../../handlers/plan/lines.ts';
import { code, type Field, plural, say, type Text } from '../../handlers/reply.ts';
import { number } from '../../handlers/wording/quantities.ts';
import { shorten } from '../../handlers/wording/shorten.ts';
import type { Fault } from '../wording/faults.ts';
import { takesFile } from './attached.ts';

/** The files among the words of what is asked, by slot: only the bot itself puts them there (`posted-file.ts`). */
export const filesIn = ({ command, typed }: Asked): readonly (readonly [string, readonly PostedFile[]])[] =>
  Object.entries(typed).flatMap(([slot, words = []]) => {
    const files = takesFile(command, slot) ? words.flatMap((word) => readPosted(word) ?? []) : [];
    return files.length === 0 ? [] : [[slot, files] as const];
  });

/** The same as though one value stood in the place of each file: what else is wrong or missing shows before a file is read. */
export const withoutFiles = (asked: Asked) =>
  readAsked({
    ...asked,
    typed: {
      ...asked.typed,
      ...Object.fromEntries(
        filesIn(asked).map(([slot]) => [slot, [asked.command.args[slot]?.example ?? '']]),
      ),
    },
  });

type FilesRead =
  | {
      readonly kind: 'read';
      /** With what stands in them in the place of the files. */
      readonly asked: Asked;
      /** The same for people: so many values from a file. */
      readonly label: Asked;
      readonly sources: readonly Field[];
      readonly refused: readonly RefusedLine[];
      /** How many lines there are in all. */
      readonly of: number;
      /** Of which argument those are. */
      readonly slot: string;
    }
  | { readonly kind: 'fault'; readonly fault: Fault };

const onePlan =
  'A plan takes its lines from one file, or as they are typed, and not from both. Send one of them.';

/** A line of a file that is none of what is wanted. */
interface RefusedLine extends RefusedValue {
  readonly file: string;
}

/** Reads the files among the words of what is asked. */
export async function readFiles(files: Pick<Files, 'open'>, asked: Asked): Promise<FilesRead> {
  const typed: Record<string, readonly string[]> = {};
  const label: Record<string, readonly string[]> = {};
  const sources: Field[] = [];
  const refused: RefusedLine[] = [];
  let of = 0;
  try {
    for (const [slot, posted] of filesIn(asked)) {
      const argument = asked.command.args[slot];
      if (argument === undefined) throw new Error(`${asked.command.phrase} declares no argument ${slot}`);
      const words = asked.typed[slot]?.filter((word) => readPosted(word) === undefined) ?? [];
      if (argument.isLine === 'command') {
        const [file] = posted;
        const options = words.join(' ').trim();
        if (file === undefined || posted.length > 1 || (options !== '' && !isOnlyOptions(options)))
          return { kind: 'fault', fault: { code: 'file', why: onePlan } };
        const lines = await linesOfFile(files, file);
        typed[slot] = [planFrom(lines, options)];
        label[slot] = [`lines in ${file.name}`];
        sources.push({
          name: 'From',
          value: say`${code(file.name)}; each line has the number that it has there`,
        });
        continue;
      }
      const values: string[] = [];
      for (const file of posted) {
        const lines = await linesOfFile(files, file);
        const found = await valuesOf(lines, argument);
        if (found.nowhereIn !== undefined)
          return { kind: 'fault', fault: { code: 'file', why: noneIn(file, found.nowhereIn, argument) } };
        for (const word of found.words) values.push(word);
        for (const one of found.refused) refused.push({ ...one, file: file.name });
        of += lines.length;
        sources.push({ name: 'From', value: describe(file, lines.length, found) });
      }
      typed[slot] = [...words, ...values];
      const names = posted.map(({ name }) => name).join(', ');
      label[slot] = [...words, `${number(values.length)} in ${names}`];
    }
  } catch (error) {
    if (error instanceof FileFailure) return { kind: 'fault', fault: { code: 'file', why: error.message } };
    throw error;
  }
  return {
    kind: 'read',
    asked: { ...asked, typed: { ...asked.typed, ...typed } },
    label: { ...asked, typed: { ...asked.typed, ...label } },
    sources,
    refused,
    of,
    slot: Object.keys(typed)[0] ?? '',
  };
}

function noneIn({ name }: PostedFile, columns: readonly string[], { what }: Argument): string {
  const named = columns.map((cell) => (cell === '' ? '(empty)' : shorten(cell))).join(', ');
  return `None of the ${columns.length} columns of ${name} has ${what} in it. Its first line is: ${named}. Post a file in which one of the columns does, or one with ${what} in each line.`;
}

/** *blocklist.csv, 5,003 lines; skipped: the names of its columns, 3 comments, 12 duplicates* */
function describe({ name }: PostedFile, lines: number, found: ListedValues): Text {
  const { duplicates, comments, frame, header, column } = found;
  const skipped = [
    ...(header === undefined ? [] : ['the names of its columns']),
    ...(comments === 0 ? [] : [counted(comments, 'comment')]),
    ...(frame === 0 ? [] : [`${counted(frame, 'line')} of its format`]),
    ...(duplicates === 0 ? [] : [counted(duplicates, 'duplicate')]),
  ];
  const read =
    column === undefined
      ? []
      : [
          `column ${column.number} of ${column.of}${column.name === undefined ? '' : `, ${shorten(column.name)}`}`,
        ];
  const rest = [...read, ...(skipped.length === 0 ? [] : [`skipped: ${skipped.join(', ')}`])].join('; ');
  return say`${code(name)}, ${counted(lines, 'line')}${rest === '' ? '' : `; ${rest}`}`;
}

const counted = (count: number, what: string): string => plural(count, what).replace(/^\d+/, number(count));
