import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import type { Entry, ZipFile } from 'yauzl';
import {
  BadUpload,
  mostBytes,
  type OpenContent,
  openContent,
  pathOf,
  type UploadContent,
} from './content.ts';
import { checkScript, passwordsIn, scriptEncoding, withPassword } from './shell-script.ts';

const scriptName = 'shell.sh';
/** A larger list would fill the memory, and is no package. */
const mostEntries = 100_000;
/** A script is a page or two; its files are beside it in the package. */
const largestScript = 1024 ** 2;

export interface ShellPackage extends OpenContent {
  /** Passwords in its script, which must not be repeated. */
  readonly secrets: readonly string[];
}

/**
 * Opens a package for the appliance's shell execution (appliance-api.md §4.12): checks its script, and inserts
 * the configured password. Everything else is passed on unchanged, chunk by chunk.
 * @param signal aborts reading a stream
 * @throws BadUpload with the problem of the package
 */
export async function openShellPackage(
  content: UploadContent,
  shellPassword: string | undefined,
  signal?: AbortSignal,
): Promise<ShellPackage> {
  const opened = await openContent(content);
  // Closing ends the wait for a stream.
  signal?.addEventListener('abort', opened.close, { once: true });
  if (signal?.aborted) await opened.close();
  const source = await openZip(content, opened).finally(async () => {
    signal?.removeEventListener('abort', opened.close);
    await opened.close();
  });
  try {
    const entries = await entriesOf(source.zip);
    const entry = scriptIn(entries);
    const script = (await buffer(wholeFile(source.zip, entry))).toString(scriptEncoding);
    checkScript(script, shellPassword !== undefined);
    const written = shellPassword === undefined ? script : withPassword(script, shellPassword);
    const files = new Map([[entry.fileName, Buffer.from(written, scriptEncoding)]]);
    const { size, pieces, close } = await repack(opened.name, source.zip, entries, files);
    return {
      name: opened.name,
      size,
      pieces,
      secrets: passwordsIn(written),
      close: async () => {
        close();
        await source.close();
      },
    };
  } catch (error) {
    await source.close();
    throw error;
  }
}

interface Source {
  readonly zip: ZipFile;
  /** Never rejects: leftovers must not change the result. */
  readonly close: () => Promise<void>;
}

/** A zip is read from its end, so a stream is first copied to a private file. */
async function openZip(content: UploadContent, { name, pieces }: OpenContent): Promise<Source> {
  const yauzl = await import('yauzl');
  const options = { lazyEntries: true, autoClose: false, strictFileNames: true } as const;
  const notZip = (error: unknown) => {
    throw new BadUpload(`${name} is not a zip package (${wordsFor(error)})`);
  };
  if (typeof content === 'string' || content instanceof URL) {
    const zip = await yauzl.openPromise(pathOf(content), options).catch(notZip);
    return { zip, close: async () => zip.close() };
  }
  if ('bytes' in content) {
    const { bytes } = content;
    const same = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const zip = await yauzl.fromBufferPromise(same, options).catch(notZip);
    return { zip, close: async () => zip.close() };
  }
  const notTakenIn = (error: unknown) => {
    throw error instanceof BadUpload
      ? error
      : new BadUpload(`couldn’t save a temporary copy of ${name} (${wordsFor(error)})`);
  };
  const folder = await mkdtemp(join(tmpdir(), 'shell-package-')).catch(notTakenIn);
  const remove = () => rm(folder, { recursive: true, force: true }).catch(() => undefined);
  try {
    const path = join(folder, 'package.zip');
    await pipeline(pieces, createWriteStream(path, { mode: 0o600 })).catch(notTakenIn);
    const zip = await yauzl.openPromise(path, options).catch(notZip);
    return {
      zip,
      close: async () => {
        zip.close();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function entriesOf(zip: ZipFile): Promise<Entry[]> {
  if (zip.entryCount > mostEntries) {
    throw new BadUpload(`the package has more than ${mostEntries} files`);
  }
  const entries: Entry[] = [];
  try {
    // Also refuses names that lead out of the package.
    for await (const entry of zip.eachEntry()) entries.push(entry);
  } catch (error) {
    throw new BadUpload(`couldn’t read the package (${wordsFor(error)})`);
  }
  const locked = entries.find((entry) => entry.isEncrypted());
  if (locked !== undefined) {
    throw new BadUpload(`${locked.fileName} in the package is encrypted, and the appliance can’t decrypt it`);
  }
  const strange = entries.find((entry) => !entry.canDecodeFileData());
  if (strange !== undefined) {
    throw new BadUpload(
      `${strange.fileName} in the package uses an unsupported compression method (${strange.compressionMethod})`,
    );
  }
  refuseDoubles(entries);
  return entries;
}

/**
 * The last one unpacked would win, unchecked. Nothing may be inside a link either: if `a` links to `.`, then
 * `a/shell.sh` is the script.
 */
function refuseDoubles(entries: readonly Entry[]): void {
  const places = new Map<string, Entry>();
  for (const entry of entries) {
    const place = placeOf(entry);
    const other = places.get(place);
    if (other !== undefined && !(isFolder(entry) && isFolder(other))) {
      throw new BadUpload(
        other.fileName === entry.fileName
          ? `the package contains more than one ${entry.fileName}`
          : `the package contains ${place} twice (${other.fileName} and ${entry.fileName})`,
      );
    }
    places.set(place, entry);
  }
  const isFile = (place: string) => {
    const entry = places.get(place);
    return entry !== undefined && !isFolder(entry);
  };
  const inFile = entries.find((entry) => foldersOf(placeOf(entry)).some(isFile));
  if (inFile !== undefined) {
    throw new BadUpload(`${inFile.fileName} in the package is inside something that is not a folder`);
  }
}

const foldersOf = (place: string): readonly string[] =>
  [...place.matchAll(/\//g)].map(({ index }) => place.slice(0, index));

/** The unpacked path: `./shell.sh` and `.//shell.sh` are one. yauzl has refused paths out of the package. */
const placeOf = ({ fileName }: Entry): string =>
  fileName
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');

/** The file-type bits of a mode, and those of a symbolic link (POSIX, sys/stat.h). */
const fileType = 0o170000;
const link = 0o120000;

function scriptIn(entries: readonly Entry[]): Entry {
  const script = entries.find((entry) => placeOf(entry) === scriptName && !isFolder(entry));
  if (script === undefined) {
    const inside = entries.find(({ fileName }) => fileName.endsWith(`/${scriptName}`));
    throw new BadUpload(
      inside === undefined
        ? 'the package has no shell.sh at the top level'
        : `the package has shell.sh in a folder (${inside.fileName}); move it to the top level`,
    );
  }
  if (((script.externalFileAttributes >>> 16) & fileType) === link) {
    throw new BadUpload('shell.sh is a symbolic link; include the script itself');
  }
  if (script.uncompressedSize > largestScript) throw new BadUpload('shell.sh is larger than 1 MiB');
  return script;
}

/** Prefers the code, because messages name local paths. */
function wordsFor(error: unknown): string {
  if (!(error instanceof Error)) return 'unreadable';
  return 'code' in error ? String(error.code) : error.message;
}

interface Repacked {
  readonly size: number;
  readonly pieces: AsyncIterable<Uint8Array>;
  /** Stops reading, even inside a file. The source stays open. */
  readonly close: () => void;
}

/**
 * A zip with the files of another one, some of them replaced, read while it is sent. Files are stored
 * uncompressed, so that the length is known before the first byte is sent.
 * @param files replacements by name
 * @throws BadUpload if it becomes larger than 2 GiB, or has content that no zip can have
 */
async function repack(
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
  // A stream may fail before anybody reads, and without a listener that would end the process. The reader gets
  // the error.
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
    // Folders first: yazl recurses for each folder that waits behind a file, until the stack overflows.
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
 * Bytes of the new zip. Computed here because yazl's own forecast is wrong for packages of a thousand files:
 * from a directory of 64 KiB on it counts the records for zips above 4 GiB, but does not write them.
 */
function sizeOf(entries: readonly Entry[], files: ReadonlyMap<string, Buffer>): number {
  const each = entries.map((entry) => {
    const { fileName, uncompressedSize } = entry;
    const replaced = files.get(fileName);
    // A file that is read while it is sent has its checksum behind it.
    const content = isFolder(entry) ? 0 : replaced === undefined ? uncompressedSize + 16 : replaced.length;
    const nameLength = Buffer.byteLength(fileName);
    const inDirectory = 46 + nameLength + 9;
    return 30 + nameLength + content + inDirectory;
  });
  const end = 22 + (entries.length < 0xffff ? 0 : 76);
  return each.reduce((sum, size) => sum + size, end);
}

/**
 * The content of a file in a zip, verified by its checksum: repacking must not give damaged content a valid
 * one. Rejects with a BadUpload and nothing else.
 */
async function* wholeFile(zip: ZipFile, entry: Entry): AsyncGenerator<Uint8Array> {
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

function isFolder({ fileName }: Entry): boolean {
  return fileName.endsWith('/');
}

/** Never before 1970, which yazl cannot write. */
function timeOf(entry: Entry): Date {
  return new Date(Math.max(0, entry.getLastModDate().getTime()));
}

/** Permission bits; empty if the zip's system does not store them. */
function modeOf({ externalFileAttributes }: Entry): { readonly mode?: number } {
  const mode = externalFileAttributes >>> 16;
  return mode === 0 ? {} : { mode };
}
