import { randomBytes } from 'node:crypto';
import { lettersOf } from '../../graphemes.ts';
import { tell } from '../listener.ts';
import type { OpenContent } from './content.ts';

/** Bytes of the file taken so far, and the total if it is known. */
export interface UploadProgress {
  readonly sent: number;
  readonly total?: number;
}

export interface SentFile {
  readonly field: string;
  /** As it is sent (`sentName`). */
  readonly name: string;
  /** Bytes; absent if only the end of a stream shows it. */
  readonly size?: number;
}

export interface Multipart {
  readonly file: SentFile;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
}

/** Bytes. The size of the largest chunk, and the distance of progress reports. */
const stride = 64 * 1024;

/**
 * One file as a multipart form, chunk by chunk. Only the current chunk is in memory, whatever the size.
 * @param field the name of the form field
 */
export function multipart(
  { name: given, size, pieces }: OpenContent,
  field: string,
  onProgress: ((progress: UploadProgress) => void) | undefined,
): Multipart {
  const name = sentName(given);
  const boundary = `appliance-${randomBytes(18).toString('base64url')}`;
  const head = Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`,
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    file: { field, name, ...(size === undefined ? {} : { size }) },
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      ...(size === undefined ? {} : { 'content-length': String(head.length + size + tail.length) }),
    },
    body: body(),
  };

  async function* body(): AsyncGenerator<Uint8Array> {
    let sent = 0;
    let told = 0;
    const report = () => {
      told = sent;
      tell(onProgress, { sent, ...(size === undefined ? {} : { total: size }) });
    };
    yield head;
    for await (const large of pieces) {
      // A large chunk would hide for a long time whether any of it is taken.
      for (let start = 0; start < large.length; start += stride) {
        const piece = large.subarray(start, start + stride);
        yield piece;
        // Asking for the next chunk means that this one was taken.
        sent += piece.length;
        if (sent - told >= stride) report();
      }
    }
    if (sent > told) report();
    yield tail;
  }
}

/** Bytes that every file system accepts, with room for a prefix of the appliance. */
const most = 150;

/**
 * Characters to replace: all but visible letters, digits, and the few signs without a meaning in a shell, a
 * path or a form.
 */
const other = /[^\p{L}\p{M}\p{N}._+() -]|[\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/gu;

/**
 * The name under which a file is uploaded: a bare name. Folders before it are dropped, and unusual characters
 * become `_`.
 */
export function sentName(given: string): string {
  const base = given.normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const [ending = ''] = /\.[a-z0-9]{1,10}$/i.exec(base) ?? [];
  const stem = base
    .slice(0, base.length - ending.length)
    .replaceAll(other, '_')
    // No hidden file, no option, no folder.
    .replace(/^[-. ]+/, '')
    .replace(/(?<![. ])[. ]+$/, '');
  return `${shortened(stem, most - ending.length) || 'file'}${ending}`;
}

function shortened(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text;
  let kept = '';
  let room = bytes;
  for (const letter of lettersOf(text)) {
    room -= Buffer.byteLength(letter);
    if (room < 0) break;
    kept += letter;
  }
  return kept;
}
