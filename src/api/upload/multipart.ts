import { randomBytes } from 'node:crypto';
import { tell } from '../listener.ts';
import type { OpenContent } from './content.ts';
import { sentName } from './sent-name.ts';

/** Bytes of the file that have been taken so far, and in all where that is known. */
export interface UploadProgress {
  readonly sent: number;
  readonly total?: number;
}

/** A file as it stands in a form. */
export interface SentFile {
  /** The name of the form field. */
  readonly field: string;
  /** As it is sent (`sent-name.ts`). */
  readonly name: string;
  /** Bytes; absent when only the end of a stream will tell. */
  readonly size?: number;
}

export interface Multipart {
  readonly file: SentFile;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
}

/** Bytes. No larger piece goes out at once, and this many go out between two words about the progress. */
const stride = 64 * 1024;

/**
 * One file as a multipart form, piece by piece: whatever its size, only the piece that is on its way is in memory.
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
      // Of a large piece nobody would know for a long time whether any of it is taken.
      for (let start = 0; start < large.length; start += stride) {
        const piece = large.subarray(start, start + stride);
        yield piece;
        // Whoever asks for the next piece has taken this one.
        sent += piece.length;
        if (sent - told >= stride) report();
      }
    }
    if (sent > told) report();
    yield tail;
  }
}
