import { FileFailure, type Files } from '../context.ts';
import { kindOf } from '../upgrade/file-kind.ts';
import { type FileLine, linesIn } from './cells.ts';
import { decode } from './decode.ts';
import type { PostedFile } from './posted-file.ts';

/** More is no list that people have put together, in bytes. */
const largest = 4 * 1024 * 1024;
const mostLines = 100_000;

/**
 * The one way to read a list or a table that somebody has handed over: a snippet, a text file, a CSV. Lines with nothing in
 * them are left out; comments are not, and `isComment` tells them. Rejects with a `FileFailure` where it cannot be had, or is no text.
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
