import { FileFailure, type Files } from '../context.ts';
import { kindOf } from '../upgrade/archive.ts';
import { type FileLine, linesIn } from './cells.ts';
import type { PostedFile } from './posted-file.ts';

/** In bytes. A larger file is no list that people have made. */
const largest = 4 * 1024 * 1024;
const mostLines = 100_000;

/**
 * Reads a posted list or table: a snippet, a text file, a CSV. Every reader of lists uses it. Drops empty lines
 * but keeps comments (`isComment`). Rejects with a `FileFailure` if the file is unavailable or no text.
 */
export async function linesOfFile(
  files: Pick<Files, 'open'>,
  posted: PostedFile,
): Promise<readonly FileLine[]> {
  const { name } = posted;
  if (posted.size > largest) throw tooLarge(name);
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of await files.open(posted)) {
    size += piece.length;
    if (size > largest) throw tooLarge(name);
    pieces.push(piece);
  }
  const bytes = Buffer.concat(pieces);
  const text = decode(bytes);
  const kind = kindOf(bytes.subarray(0, 512));
  if (text === undefined || kind.words === 'a web page') {
    const isUnknown = kind.words === 'not a known archive type';
    const words = isUnknown ? 'a file of a program, not of text' : kind.words;
    const what = kind.kind === 'zip' ? 'a zip archive, as Excel workbooks are' : words;
    throw new FileFailure(
      'not_text',
      `${name} can’t be read as text: it is ${what}. Post the list as CSV or as plain text.`,
    );
  }
  const lines = await linesIn(text, mostLines);
  if (lines === undefined) {
    const most = mostLines.toLocaleString('en');
    throw new FileFailure('too_large', `${name} has more than ${most} lines, the most for a list. Split it.`);
  }
  if (lines.length === 0) throw new FileFailure('not_text', `There is nothing in ${name}.`);
  return lines;
}

const tooLarge = (name: string): FileFailure =>
  new FileFailure(
    'too_large',
    `${name} is larger than ${largest / 1024 / 1024} MB, the most for a list. Split it.`,
  );

/**
 * Decodes a text file: UTF-8 with or without its mark, UTF-16 as Excel and Notepad save it, and otherwise
 * Windows Latin. Undefined if it is no text.
 */
function decode(bytes: Uint8Array): string | undefined {
  // Some programs end lines and pages with marks of their own.
  const text = decoded(bytes)
    .replace(/^\ufeff+/, '')
    .replace(/[\u2028\u2029\u0085\v\f]/g, '\n');
  return hasControls.test(text) ? undefined : text;
}

/** Control characters other than tabs, line ends and page breaks, which no text has. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const hasControls = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/;

function decoded(bytes: Uint8Array): string {
  const wide = wideIn(bytes);
  if (wide !== undefined) return new TextDecoder(wide).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** By its byte-order mark. Without one, every other byte of Latin letters is zero. */
function wideIn(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const head = bytes.subarray(0, 512);
  if (head.length < 4 || head.length % 2 === 1) return undefined;
  const empty = [0, 1].map((odd) => head.every((byte, index) => index % 2 !== odd || byte === 0));
  if (empty[0] === empty[1]) return undefined;
  return empty[1] ? 'utf-16le' : 'utf-16be';
}
