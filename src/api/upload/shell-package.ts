import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { Entry, ZipFile } from 'yauzl';
import { BadUpload } from './bad-upload.ts';
import { type OpenContent, openContent, pathOf, type UploadContent } from './content.ts';
import { isFolder, repack, wholeFile } from './repack.ts';
import { checkScript, passwordsIn, scriptEncoding, withPassword } from './shell-script.ts';

const scriptName = 'shell.sh';
/** More would be a list that fills the memory, and no package. */
const mostEntries = 100_000;
/** A script is a page or two; the files it needs lie beside it in the package. */
const largestScript = 1024 ** 2;

export interface ShellPackage extends OpenContent {
  /** The passwords in its script, which must not be quoted back. */
  readonly secrets: readonly string[];
}

/**
 * Opens a package for the shell execution of an appliance (appliance-api.md §4.12): checks its script, and puts the
 * password from the configuration into it. Everything else in the package is passed on as it is, piece by piece.
 * @param signal ends the wait for a stream that is taken in
 * @throws BadUpload with what is wrong with the package
 */
export async function openShellPackage(
  content: UploadContent,
  shellPassword: string | undefined,
  signal?: AbortSignal,
): Promise<ShellPackage> {
  const opened = await openContent(content);
  // A stream that is waited for ends when it is closed.
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
  /** Never rejects: what was done with the package counts, not what remains of it. */
  readonly close: () => Promise<void>;
}

/** A zip is read from its end, so a stream is kept in a private file first. */
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
 * What is unpacked last would win, and nobody has looked at it. Nothing may lie in a link either: `a` leads to `.`, and
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

/** Where it is unpacked: `./shell.sh` and `.//shell.sh` are one. What leads out of the package yauzl has refused. */
const placeOf = ({ fileName }: Entry): string =>
  fileName
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');

/** The bits of a mode that say what a file is, and a symbolic link's (POSIX, sys/stat.h). */
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

/** A code where there is one: the message beside it names places of this machine. */
function wordsFor(error: unknown): string {
  if (!(error instanceof Error)) return 'unreadable';
  return 'code' in error ? String(error.code) : error.message;
}
