import { createGunzip } from 'node:zlib';

/** Checks a streaming archive for completeness, without keeping it. */
interface ArchiveCheck {
  readonly take: (piece: Uint8Array) => Promise<void>;
  /** The problem, to follow "the archive": "ends early". Undefined without a problem, or for other files. */
  readonly end: () => Promise<string | undefined>;
}

const early = 'ends early';

/** The most bytes to unpack; takes seconds. Upgrades are never packed this densely. */
const mostUnpacked = 8 * 1024 ** 3;

/** The bytes needed to recognise the kind. */
const shortest = 4;

export function checkArchive(): ArchiveCheck {
  let head = Buffer.alloc(0);
  let chosen: ArchiveCheck | undefined;

  async function choose(): Promise<ArchiveCheck> {
    const { kind } = kindOf(head);
    const check = kind === 'gzip' ? checkGzip() : kind === 'zip' ? checkZip() : anything;
    await check.take(head);
    return check;
  }

  return {
    take: async (piece) => {
      if (chosen !== undefined) return chosen.take(piece);
      head = Buffer.concat([head, piece]);
      if (head.length >= shortest) chosen = await choose();
    },
    end: async () => {
      chosen ??= await choose();
      return chosen.end();
    },
  };
}

const anything: ArchiveCheck = { take: async () => undefined, end: async () => undefined };

/** Unpacks it, which checks its checksum. */
function checkGzip(): ArchiveCheck {
  const gunzip = createGunzip();
  let problem: string | undefined;
  let isOver = false;
  let unpacked = 0;
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  gunzip.on('data', (piece: Buffer) => {
    unpacked += piece.length;
    if (unpacked > mostUnpacked) gunzip.destroy();
  });
  gunzip.on('error', (error: NodeJS.ErrnoException) => {
    problem = error.code === 'Z_BUF_ERROR' ? early : 'is damaged';
  });
  gunzip.on('close', () => {
    isOver = true;
    end();
  });
  return {
    take: async (piece) => {
      if (isOver || gunzip.write(piece)) return;
      const drained = new Promise<void>((resolve) => void gunzip.once('drain', resolve));
      await Promise.race([drained, over]);
    },
    end: async () => {
      if (!isOver) gunzip.end();
      await over;
      return problem;
    },
  };
}

/** The directory is at the end, followed by a record with a comment of at most 64 KiB. */
const record = { length: 22, signature: 'PK\x05\x06', longest: 22 + 0xffff };

function checkZip(): ArchiveCheck {
  let tail = Buffer.alloc(0);
  return {
    take: async (piece) => {
      tail = Buffer.concat([tail, piece.subarray(-record.longest)]).subarray(-record.longest);
    },
    end: async () => {
      const at = tail.lastIndexOf(record.signature, undefined, 'latin1');
      const isWhole =
        at >= 0 &&
        at + record.length <= tail.length &&
        at + record.length + tail.readUInt16LE(at + 20) <= tail.length;
      return isWhole ? undefined : early;
    },
  };
}

/** The kind of a file by its first bytes, independent of its name. */
export interface FileKind {
  readonly kind: 'gzip' | 'zip' | 'other';
  /** Completes "it is": "a gzip archive". */
  readonly words: string;
}

/** Signatures as the formats define them; `at` is an offset in bytes. */
const signatures: readonly (FileKind & { readonly bytes: string; readonly at?: number })[] = [
  { kind: 'gzip', words: 'a gzip archive', bytes: '\x1f\x8b' },
  { kind: 'zip', words: 'a zip archive', bytes: 'PK\x03\x04' },
  { kind: 'other', words: 'an empty zip archive', bytes: 'PK\x05\x06' },
  { kind: 'other', words: 'a tar archive that is not compressed', bytes: 'ustar', at: 257 },
  { kind: 'other', words: 'an xz archive', bytes: '\xfd7zXZ' },
  { kind: 'other', words: 'a bzip2 archive', bytes: 'BZh' },
  { kind: 'other', words: 'a zstd archive', bytes: '\x28\xb5\x2f\xfd' },
  { kind: 'other', words: 'a 7-Zip archive', bytes: '7z\xbc\xaf\x27\x1c' },
  { kind: 'other', words: 'a RAR archive', bytes: 'Rar!' },
  { kind: 'other', words: 'a program for Linux', bytes: '\x7fELF' },
  { kind: 'other', words: 'a program for Windows', bytes: 'MZ' },
  { kind: 'other', words: 'a script', bytes: '#!' },
  { kind: 'other', words: 'a PDF document', bytes: '%PDF' },
  { kind: 'other', words: 'a picture', bytes: '\x89PNG' },
  { kind: 'other', words: 'a picture', bytes: '\xff\xd8\xff' },
  { kind: 'other', words: 'a picture', bytes: 'GIF8' },
  { kind: 'other', words: 'a picture', bytes: 'WEBP', at: 8 },
  { kind: 'other', words: 'a picture', bytes: 'ftyphei', at: 4 },
  { kind: 'other', words: 'a video', bytes: 'ftyp', at: 4 },
  { kind: 'other', words: 'a document of an older Office', bytes: '\xd0\xcf\x11\xe0' },
];

export function kindOf(head: Uint8Array): FileKind {
  if (head.length === 0) return { kind: 'other', words: 'empty' };
  const text = Buffer.from(head).toString('latin1');
  const found = signatures.find(({ bytes, at = 0 }) => text.startsWith(bytes, at));
  if (found !== undefined) return { kind: found.kind, words: found.words };
  if (/^\s*<(?:!doctype html|html)/i.test(text)) return { kind: 'other', words: 'a web page' };
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what no text has
  const isText = !/[\x00-\x08\x0e-\x1f]/.test(text);
  return { kind: 'other', words: isText ? 'plain text' : 'not a known archive type' };
}
