import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { ReadableStream } from 'node:stream/web';
import { fileURLToPath } from 'node:url';

/** Content to upload: a file by its path, a stream, or bytes. */
export type UploadContent =
  | string
  | URL
  | {
      /** Closed after the call, whatever the result. */
      readonly stream: AsyncIterable<Uint8Array>;
      readonly name: string;
      readonly size?: number;
    }
  | { readonly bytes: Uint8Array; readonly name: string };

export const mostBytes = 2 * 1024 ** 3;

export interface OpenContent {
  readonly name: string;
  /** Bytes; undefined if only the end of the stream shows it. */
  readonly size: number | undefined;
  /** The chunks, once. */
  readonly pieces: AsyncIterable<Uint8Array>;
  /** Closes the source, even if nobody read from it. */
  readonly close: () => Promise<void>;
}

/**
 * Checks and opens the content, without reading it.
 * @throws BadUpload if the file is missing, empty, or larger than 2 GiB
 */
export async function openContent(content: UploadContent): Promise<OpenContent> {
  if (typeof content === 'string' || content instanceof URL) return openPath(pathOf(content));
  checkKind(content);
  const { name } = content;
  if ('bytes' in content) {
    const { bytes } = content;
    checkSize(name, bytes.length);
    return { name, size: bytes.length, pieces: once(bytes), close: async () => undefined };
  }
  const stream = readableOf(name, content.stream);
  try {
    if (content.size !== undefined) checkSize(name, content.size);
    if (!stream.readable) throw new BadUpload(`the stream of ${name} was already read or closed`);
  } catch (error) {
    stream.destroy();
    throw error;
  }
  return openStream(name, stream, content.size);
}

/** @throws BadUpload for an address that is no file on this machine */
export function pathOf(path: string | URL): string {
  if (typeof path === 'string') return path;
  try {
    return fileURLToPath(path);
  } catch {
    throw new BadUpload('its URL does not point to a file on this machine');
  }
}

async function openPath(path: string): Promise<OpenContent> {
  const name = basename(path);
  const cannotBeRead = (error: NodeJS.ErrnoException) => {
    throw new BadUpload(
      error.code === 'ENOENT'
        ? `${name} does not exist`
        : `couldn’t read ${name} (${error.code ?? error.name})`,
    );
  };
  const found = await stat(path).catch(cannotBeRead);
  if (!found.isFile()) throw new BadUpload(`${name} is not a file`);
  checkSize(name, found.size);
  const file = await open(path).catch(cannotBeRead);
  return openStream(name, file.createReadStream({ highWaterMark: 256 * 1024 }), found.size);
}

function openStream(name: string, stream: Readable, size: number | undefined): OpenContent {
  // A stream may fail before anybody reads, and without a listener that would end the process. The reader gets
  // the error.
  stream.on('error', () => undefined);
  return { name, size, pieces: bounded(name, stream, size), close: async () => void stream.destroy() };
}

/** Any stream as one that can be closed at any time, even while it is waiting. */
function readableOf(name: string, stream: AsyncIterable<Uint8Array>): Readable {
  if (stream instanceof Readable) return stream;
  if (!(stream instanceof ReadableStream)) return Readable.from(stream);
  if (stream.locked) throw new BadUpload(`the stream of ${name} is already being read`);
  return Readable.fromWeb(stream);
}

/** The types say this, but callers may not use them. */
function checkKind(content: Exclude<UploadContent, string | URL>): void {
  const { name, bytes, stream }: { name?: unknown; bytes?: unknown; stream?: unknown } = Object(content);
  if (!(bytes instanceof Uint8Array) && !(Object(stream)[Symbol.asyncIterator] instanceof Function)) {
    throw new BadUpload('it is not a file path, a stream or bytes');
  }
  if (typeof name !== 'string' || name === '') throw new BadUpload('it has no name');
}

function checkSize(name: string, size: number): void {
  if (!Number.isSafeInteger(size) || size < 0) throw new BadUpload(`${size} is not a valid size for ${name}`);
  if (size === 0) throw new BadUpload(`${name} is empty`);
  if (size > mostBytes) throw new BadUpload(`${name} is larger than 2 GiB`);
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Limits a stream to the announced size, or to the maximum. */
async function* bounded(
  name: string,
  source: AsyncIterable<unknown>,
  size: number | undefined,
): AsyncGenerator<Uint8Array> {
  let seen = 0;
  for await (const piece of source) {
    // A stream with an encoding yields text, whose bytes may differ from the file's.
    if (!(piece instanceof Uint8Array))
      throw new BadUpload(`the stream of ${name} yielded something other than bytes`);
    seen += piece.length;
    if (size !== undefined && seen > size)
      throw new BadUpload(`${name} is larger than its declared size of ${size} bytes`);
    if (seen > mostBytes) throw new BadUpload(`${name} is larger than 2 GiB`);
    yield piece;
  }
  if (seen === 0) throw new BadUpload(`${name} is empty`);
  if (size !== undefined && seen < size) {
    throw new BadUpload(`${name} ended after ${seen} of ${size} bytes`);
  }
}

/** A file that cannot be uploaded as it is. The message is one plain sentence for its author. */
export class BadUpload extends Error {
  constructor(problem: string) {
    super(problem);
    this.name = 'BadUpload';
  }
}
