import { createGunzip } from 'node:zlib';
import { kindOf } from './file-kind.ts';

/** Looks whether an archive is whole while it streams by; keeps none of it. */
export interface ArchiveCheck {
  readonly take: (piece: Uint8Array) => Promise<void>;
  /** How it goes wrong, to go on after "the archive": "ends early". Undefined where nothing is found, or it is no archive. */
  readonly end: () => Promise<string | undefined>;
}

const early = 'ends early';

/** Of what is packed more densely than any upgrade, no more is unpacked, in bytes: so much takes seconds. */
const mostUnpacked = 8 * 1024 ** 3;

/** What its kind is looked for in. */
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

/** Unpacks it, with its checksum. */
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

/** Its directory stands at its end, and before it a record with a comment of 64 KiB at most. */
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
