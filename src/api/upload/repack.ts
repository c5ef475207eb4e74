import { PassThrough, Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import type { Entry, ZipFile } from 'yauzl';
import { BadUpload } from './bad-upload.ts';
import { mostBytes } from './content.ts';

export interface Repacked {
  /** Bytes. */
  readonly size: number;
  readonly pieces: AsyncIterable<Uint8Array>;
  /** Stops reading, in the middle of a file too. The source stays open. */
  readonly close: () => void;
}

/**
 * A zip with the files of another one, some of them replaced, read while it is sent. They are stored and not
 * compressed, so that its length is known before the first byte goes out.
 * @param files what takes the place of those with the same name
 * @throws BadUpload when it becomes larger than 2 GiB, or has what no zip can have
 */
export async function repack(
  name: string,
  source: ZipFile,
  entries: readonly Entry[],
  files: ReadonlyMap<string, Buffer>,
): Promise<Repacked> {
  const size = sizeOf(entries, files);
  if (size > mostBytes) throw new BadUpload(`${name} is larger than 2 GiB when unpacked`);
  const { ZipFile: NewZip } = await import('yazl');
  const made = new NewZip();
  const output = new PassThrough();
  // It may fail before anybody reads, and without a listener that would end the process. Whoever reads is told.
  output.on('error', () => undefined);
  const fail = (error: Error) => void output.destroy(error);
  let current: Readable | undefined;
  const close = () => {
    output.destroy();
    current?.destroy();
  };
  made.on('error', fail);
  made.outputStream.pipe(output);
  try {
    // Folders first: yazl goes one call deeper for each folder that waits behind a file, until no call is left.
    for (const entry of entries.toSorted((one, other) => Number(isFolder(other)) - Number(isFolder(one)))) {
      const { fileName } = entry;
      const kept = { mtime: timeOf(entry), ...modeOf(entry) };
      const replaced = files.get(fileName);
      if (isFolder(entry)) made.addEmptyDirectory(fileName, kept);
      else if (replaced !== undefined) made.addBuffer(replaced, fileName, { ...kept, compress: false });
      else {
        const options = { ...kept, compress: false, size: entry.uncompressedSize };
        made.addReadStreamLazy(fileName, options, (hand) => {
          current = Readable.from(wholeFile(source, entry)).on('error', fail);
          hand(null, current);
        });
      }
    }
    made.end();
    return { size, pieces: output, close };
  } catch (error) {
    close();
    throw new BadUpload(`couldn’t repack ${name} (${error})`);
  }
}

/**
 * Bytes of the new zip. It is reckoned here because yazl's own forecast is wrong for packages of a thousand files: from
 * a directory of 64 KiB on it counts the records for zips above 4 GiB, which it then does not write.
 */
function sizeOf(entries: readonly Entry[], files: ReadonlyMap<string, Buffer>): number {
  const each = entries.map((entry) => {
    const { fileName, uncompressedSize } = entry;
    const replaced = files.get(fileName);
    // What is read while it is sent has its checksum behind it.
    const content = isFolder(entry) ? 0 : replaced === undefined ? uncompressedSize + 16 : replaced.length;
    const nameLength = Buffer.byteLength(fileName);
    const inDirectory = 46 + nameLength + 9;
    return 30 + nameLength + content + inDirectory;
  });
  const end = 22 + (entries.length < 0xffff ? 0 : 76);
  return each.reduce((sum, size) => sum + size, end);
}

/**
 * The content of a file in a zip, held to its checksum: what is damaged must not be made whole by getting a new one.
 * Rejects with a BadUpload and nothing else.
 */
export async function* wholeFile(zip: ZipFile, entry: Entry): AsyncGenerator<Uint8Array> {
  let sum = 0;
  try {
    for await (const piece of await zip.openReadStreamPromise(entry)) {
      sum = crc32(piece, sum);
      yield piece;
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : 'broken';
    throw new BadUpload(`couldn’t unpack ${entry.fileName} from the package (${why})`);
  }
  if (sum !== entry.crc32) throw new BadUpload(`${entry.fileName} in the package is damaged`);
}

export function isFolder({ fileName }: Entry): boolean {
  return fileName.endsWith('/');
}

/** Never before 1970, which yazl cannot write. */
function timeOf(entry: Entry): Date {
  return new Date(Math.max(0, entry.getLastModDate().getTime()));
}

/** Who may read, write and run it; nothing where the zip was made by a system that does not tell. */
function modeOf({ externalFileAttributes }: Entry): { readonly mode?: number } {
  const mode = externalFileAttributes >>> 16;
  return mode === 0 ? {} : { mode };
}
