import { execFile } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { appendFile, mkdir, mkdtemp, readdir, readlink, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mostBytes, openContent, type UploadContent } from './content.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'upload-content-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function fileOf(name: string, bytes: Uint8Array | string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
}

async function fileOfSize(name: string, size: number): Promise<string> {
  const path = await fileOf(name, '');
  await truncate(path, size);
  return path;
}

const bytes = Buffer.from('first piece, second piece');

async function* inPieces() {
  yield bytes.subarray(0, 13);
  yield bytes.subarray(13);
}

describe('uploadable content', () => {
  test.each<[string, () => Promise<UploadContent> | UploadContent, number | undefined]>([
    ['a file by its path', () => fileOf('pack.tgz', bytes), 25],
    ['a file by its address', async () => pathToFileURL(await fileOf('pack.tgz', bytes)), 25],
    ['bytes', () => ({ bytes, name: 'pack.tgz' }), 25],
    [
      'a part of a larger buffer',
      () => ({ bytes: Buffer.concat([bytes, bytes]).subarray(25), name: 'pack.tgz' }),
      25,
    ],
    ['a stream', () => ({ stream: Readable.from(inPieces()), name: 'pack.tgz' }), undefined],
    [
      'a stream that says its size',
      () => ({ stream: Readable.from(inPieces()), name: 'pack.tgz', size: 25 }),
      25,
    ],
    ['a generator', () => ({ stream: inPieces(), name: 'pack.tgz' }), undefined],
    ['a web stream', () => ({ stream: new Blob([bytes]).stream(), name: 'pack.tgz' }), undefined],
  ])('%s comes whole, with its name and as much of its size as is known', async (_what, make, size) => {
    const opened = await openContent(await make());
    expect(opened).toMatchObject({ name: 'pack.tgz', size });
    expect(await buffer(opened.pieces)).toEqual(bytes);
    await opened.close();
  });

  test('exactly 2 GiB is not too much', async () => {
    const opened = await openContent(await fileOfSize('large.tgz', mostBytes));
    expect(opened.size).toBe(2_147_483_648);
    await opened.close();
  });
});

describe('unusable content is refused with one sentence', () => {
  const stream = () => Readable.from(inPieces());
  const wrong = (content: unknown) => content as UploadContent;

  test.each<[string, () => Promise<UploadContent> | UploadContent, string]>([
    ['a missing file', () => join(folder, 'none.tgz'), 'none.tgz does not exist'],
    [
      'a path through a file',
      async () => join(await fileOf('a.tgz', bytes), 'b.tgz'),
      'couldn’t read b.tgz (ENOTDIR)',
    ],
    ['a path that none can be', () => 'a\0b', 'couldn’t read a\0b (ERR_INVALID_ARG_VALUE)'],
    ['an empty file', () => fileOf('empty.tgz', ''), 'empty.tgz is empty'],
    ['a file above 2 GiB', () => fileOfSize('huge.tgz', mostBytes + 1), 'huge.tgz is larger than 2 GiB'],
    ['a device', () => '/dev/zero', 'zero is not a file'],
    [
      'an address elsewhere',
      () => new URL('http://user:hush@host/a.tgz'),
      'its URL does not point to a file on this machine',
    ],
    ['no bytes', () => ({ bytes: Buffer.of(), name: 'a.tgz' }), 'a.tgz is empty'],
    ['a stream of nothing', () => ({ stream: stream(), name: 'a.tgz', size: 0 }), 'a.tgz is empty'],
    [
      'a stream above 2 GiB',
      () => ({ stream: stream(), name: 'a.tgz', size: mostBytes + 1 }),
      'a.tgz is larger than 2 GiB',
    ],
    [
      'a size that none can be',
      () => ({ stream: stream(), name: 'a.tgz', size: 1.5 }),
      '1.5 is not a valid size for a.tgz',
    ],
    [
      'a size that is no number',
      () => ({ stream: stream(), name: 'a.tgz', size: Number.NaN }),
      'NaN is not a valid size for a.tgz',
    ],
    ['a stream without a name', () => ({ stream: stream(), name: '' }), 'it has no name'],
    ['nothing', () => wrong(undefined), 'it is not a file path, a stream or bytes'],
    ['a number', () => wrong(12), 'it is not a file path, a stream or bytes'],
    [
      'text instead of bytes',
      () => wrong({ bytes: 'text', name: 'a' }),
      'it is not a file path, a stream or bytes',
    ],
    [
      'something that is no stream',
      () => wrong({ stream: {}, name: 'a' }),
      'it is not a file path, a stream or bytes',
    ],
  ])('%s', async (_what, make, sentence) => {
    await expect(openContent(await make())).rejects.toMatchObject({ name: 'BadUpload', message: sentence });
  });

  test('a folder', async () => {
    await mkdir(join(folder, 'pack'));
    await expect(openContent(join(folder, 'pack'))).rejects.toThrow(/^pack is not a file$/);
  });

  test.skipIf(process.platform === 'win32')('a pipe, without waiting for a writer', async () => {
    await promisify(execFile)('mkfifo', [join(folder, 'pipe')]);
    await expect(openContent(join(folder, 'pipe'))).rejects.toThrow(/^pipe is not a file$/);
  });

  test('a stream that was read before', async () => {
    const used = stream();
    await buffer(used);
    await expect(openContent({ stream: used, name: 'a.tgz' })).rejects.toThrow(
      /^the stream of a.tgz was already read or closed$/,
    );
  });

  test('a web stream with another reader', async () => {
    const taken = new Blob([bytes]).stream();
    taken.getReader();
    await expect(openContent({ stream: taken, name: 'a.tgz' })).rejects.toThrow(
      /^the stream of a.tgz is already being read$/,
    );
  });

  test('and its stream is closed', async () => {
    const refused = stream();
    await expect(openContent({ stream: refused, name: 'a.tgz', size: mostBytes + 1 })).rejects.toThrow();
    expect(refused.destroyed).toBe(true);
  });
});

describe('the announced size of a stream', () => {
  test.each<[number | undefined, unknown[], string]>([
    [24, [bytes], 'a.tgz is larger than its declared size of 24 bytes'],
    [26, [bytes], 'a.tgz ended after 25 of 26 bytes'],
    [undefined, [], 'a.tgz is empty'],
    [undefined, ['text'], 'the stream of a.tgz yielded something other than bytes'],
  ])('is enforced for %s bytes', async (size, pieces, sentence) => {
    const opened = await openContent({
      stream: Readable.from(pieces),
      name: 'a.tgz',
      ...(size === undefined ? {} : { size }),
    });
    await expect(buffer(opened.pieces)).rejects.toMatchObject({ name: 'BadUpload', message: sentence });
  });

  test('limits how much is sent', async () => {
    const { pieces } = await openContent({ stream: inPieces(), name: 'a.tgz', size: 20 });
    const out: Uint8Array[] = [];
    await expect(async () => {
      for await (const piece of pieces) out.push(piece);
    }).rejects.toThrow();
    expect(Buffer.concat(out)).toEqual(bytes.subarray(0, 13));
  });

  test('may be missing, and then 2 GiB end the stream', async () => {
    const piece = Buffer.alloc(256 * 1024 ** 2);
    const { pieces } = await openContent({
      stream: (async function* () {
        for (;;) yield piece;
      })(),
      name: 'a.tgz',
    });
    let seen = 0;
    await expect(async () => {
      for await (const { length } of pieces) seen += length;
    }).rejects.toThrow(/^a.tgz is larger than 2 GiB$/);
    expect(seen).toBe(mostBytes);
  });

  test('is enforced for a file that grows while it is read', async () => {
    const path = await fileOf('log.tgz', bytes);
    const { pieces } = await openContent(path);
    await appendFile(path, 'more');
    await expect(buffer(pieces)).rejects.toThrow(/^log.tgz is larger than its declared size of 25 bytes/);
  });
});

describe('opened content', () => {
  test('does not end the process when its stream fails before anybody reads it, and its reader gets the error', async () => {
    const missing = createReadStream(join(folder, 'none.tgz'));
    const opened = await openContent({ stream: missing, name: 'a.tgz' });
    await new Promise<void>((resolve) => missing.once('close', () => resolve()));
    await expect(buffer(opened.pieces)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('closes a stream that nobody read', async () => {
    const stream = new PassThrough();
    await (await openContent({ stream, name: 'a.tgz' })).close();
    expect(stream.destroyed).toBe(true);
  });

  test.each(['that nobody read', 'that is waited for'])('cancels a web stream %s', async (when) => {
    const cancelled = Promise.withResolvers<void>();
    const stream = new ReadableStream<Uint8Array>({ cancel: () => cancelled.resolve() });
    const opened = await openContent({ stream, name: 'a.tgz' });
    const read = when === 'that nobody read' ? undefined : buffer(opened.pieces).catch(() => 'broken off');
    await turn();
    await opened.close();
    await cancelled.promise;
    if (read) expect(await read).toBe('broken off');
  });

  test('ends a generator that was begun', async () => {
    const ended = Promise.withResolvers<void>();
    const stream = (async function* () {
      try {
        for (;;) yield bytes;
      } finally {
        ended.resolve();
      }
    })();
    const opened = await openContent({ stream, name: 'a.tgz' });
    await opened.pieces[Symbol.asyncIterator]().next();
    await opened.close();
    await ended.promise;
  });

  test.skipIf(process.platform !== 'linux')('closes a file that nobody read', async () => {
    const path = await fileOf('unread.tgz', bytes);
    const opened = await openContent(path);
    expect(await openFiles()).toContain(path);
    await opened.close();
    await expect.poll(openFiles).not.toContain(path);
  });
});

async function openFiles(): Promise<string[]> {
  const numbers = await readdir('/proc/self/fd');
  return Promise.all(numbers.map((number) => readlink(`/proc/self/fd/${number}`).catch(() => '')));
}
