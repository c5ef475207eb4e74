import { Readable } from 'node:stream';
import type { Argument } from '../../handlers/argument.ts';
import { FileFailure, type Files } from '../../handlers/context.ts';
import { type Asked, lineOf } from '../../handlers/language/asked.ts';
import type { Match } from '../../handlers/language/match.ts';
import { readAsked } from '../../handlers/language/reading.ts';
import { linesOfFile } from '../../handlers/lists/lines.ts';
import {
  filesAmong,
  type GivenValue,
  type PostedFile,
  wordsAmong,
} from '../../handlers/lists/posted-file.ts';
import { type ListedValues, type RefusedValue, valuesOf } from '../../handlers/lists/values.ts';
import { isOnlyOptions, planFrom } from '../../handlers/plan/lines.ts';
import { code, type Field, plural, say, type Text } from '../../handlers/reply.ts';
import { number } from '../../handlers/wording/quantities.ts';
import { shorten } from '../../handlers/wording/shorten.ts';
import { wantedWith } from '../authority/asked-of.ts';
import type { Invocation } from '../base/chat.ts';
import { type After, saidWhenSlow } from '../base/timeout.ts';
import type { Parts } from '../ground/ground.ts';
import type { Fault } from '../wording/faults.ts';
import { leftOut } from '../wording/misread/misfits.ts';
import { type AboutGiven, takesFile } from './attached.ts';

/** The files in what is asked, by slot, where what stands in them is meant. */
export const filesIn = ({ command, typed }: Asked): readonly (readonly [string, readonly PostedFile[]])[] =>
  Object.entries(typed).flatMap(([slot, given]) => {
    const files = takesFile(command, slot) ? filesAmong(given) : [];
    return files.length === 0 ? [] : [[slot, files] as const];
  });

/** The same as though one value stood in the place of each file: what else is wrong or missing shows before a file is read. */
const withoutFiles = (asked: Asked) =>
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
async function readFiles(files: Pick<Files, 'open'>, asked: Asked): Promise<FilesRead> {
  const typed: Record<string, readonly GivenValue[]> = {};
  const label: Record<string, readonly GivenValue[]> = {};
  const sources: Field[] = [];
  const refused: RefusedLine[] = [];
  let of = 0;
  try {
    for (const [slot, posted] of filesIn(asked)) {
      const argument = asked.command.args[slot];
      if (argument === undefined) throw new Error(`${asked.command.phrase} declares no argument ${slot}`);
      const words = wordsAmong(asked.typed[slot]);
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

/** What is asked once the files in it are read, or why it cannot be. */
type Taken =
  | {
      readonly kind: 'found';
      readonly invocation: Invocation;
      readonly line: string;
      readonly found: Match;
    }
  | { readonly kind: 'refused'; readonly line: string; readonly fault: Fault; readonly found: Match };

/** Puts what stands in files in their place. Nothing is fetched for somebody who may not run it, and nothing that would not do anyway. */
export async function fromFiles(
  parts: Parts & { readonly after: After },
  to: Invocation,
  { asked, isGuess, pasted }: AboutGiven,
): Promise<Taken> {
  const { authority, filesFor, whisper, after } = parts;
  const source =
    pasted === undefined ? filesFor(to.person) : { open: async () => Readable.from([Buffer.from(pasted)]) };
  const line = lineOf(asked);
  const invocation: Invocation = { ...to, ...(isGuess && { guess: true }) };
  const found = (one: Match): Taken => ({ kind: 'found', invocation, line, found: one });
  const probe = withoutFiles(asked);
  const wanted: Match = { ...asked, kind: 'missing', argument: filesIn(asked)[0]?.[0] ?? '' };
  if (probe.kind === 'missing') {
    const { argument } = probe;
    return found({ ...wanted, ...(pasted !== undefined && (await withEntries(asked, source))), argument });
  }
  if (probe.kind !== 'command') return found(probe);
  const { person, channel } = to;
  const access = asked.dryRun ? 'dryRun' : 'run';
  const { allow } = await authority.decide({
    person,
    channel,
    ...wantedWith(asked, channel, parts),
    access,
  });
  if (!allow) return found(wanted);
  const words = say`Still reading what is in the file. No changes were made so far.`;
  const given = await saidWhenSlow(after, () => whisper(to, { headline: words }), readFiles(source, asked));
  if (given.kind === 'fault') return { kind: 'refused', line, fault: given.fault, found: wanted };
  const { slot: argument, refused: lines, asked: rest, label, of } = given;
  if (lines.length > 0 && rest.typed[argument]?.length === 0) {
    const fault: Fault = { code: 'lines_refused', asked: rest, argument, lines };
    return { kind: 'refused', line, fault, found: wanted };
  }
  const sources = [...given.sources, ...(lines.length === 0 ? [] : [leftOut(rest, argument, lines, of)])];
  return {
    kind: 'found',
    // Whoever asks agrees to what is left of the list.
    invocation: { ...invocation, sources, ...(lines.length > 0 && { guess: true }) },
    // What was pasted is told as it would be typed; what is in a file is not.
    line: lineOf(pasted === undefined ? label : rest),
    found: readAsked(rest),
  };
}

/** A form keeps no pasted list: it opens with all entries, so that what is none is refused there and not lost. */
async function withEntries(asked: Asked, source: Pick<Files, 'open'>): Promise<Asked> {
  const given = await readFiles(source, asked);
  if (given.kind === 'fault') return asked;
  const none = given.refused.map(({ word }) => word);
  const words = given.asked.typed[given.slot] ?? [];
  return { ...given.asked, typed: { ...given.asked.typed, [given.slot]: [...words, ...none] } };
}
