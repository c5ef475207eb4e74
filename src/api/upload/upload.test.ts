import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Busboy } from '@fastify/busboy';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type SimulatedAppliance, startSimulatedAppliance } from '../../../sandbox/appliance/index.ts';
import { type Appliance, type ApplianceSettings, connectAppliance, type RequestReport } from '../index.ts';
import type { UploadContent } from './content.ts';
import type { UploadProgress } from './multipart.ts';

/** An upload to an independent server. Failures are in upload-trouble.test.ts. */

interface Received {
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly field: string;
  readonly name: string;
  readonly bytes: Buffer;
}

const open: (() => Promise<unknown>)[] = [];
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'upload-test-'));
  open.push(() => rm(folder, { recursive: true }));
});
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

/** Accepts every form, and confirms it at its end. */
async function serve(take: (request: IncomingMessage) => Promise<unknown>): Promise<string> {
  const server = createServer(async (request, response) => {
    await take(request);
    response.end('{"status": true, "info": "uploaded"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function serveForms() {
  const received: Received[] = [];
  const url = await serve(async (request) => received.push(await formIn(request)));
  return { received, url };
}

function formIn(request: IncomingMessage): Promise<Received> {
  return new Promise((resolve, reject) => {
    const { headers, url: path } = request;
    const busboy = new Busboy({ headers: { 'content-type': headers['content-type'] ?? '' } });
    let file: Promise<Received> | undefined;
    busboy.on('file', (field, stream, name) => {
      file = buffer(stream).then((bytes) => ({ path, headers, field, name, bytes }));
    });
    busboy.on('finish', () => (file ? resolve(file) : reject(new Error('There is no file in the form.'))));
    busboy.on('error', reject);
    request.pipe(busboy);
  });
}

function connect(url: string, settings: Partial<ApplianceSettings> = {}): Appliance {
  const appliance = connectAppliance({ name: 'lab', url, directoryUrl: url, ...settings });
  open.push(() => appliance.close());
  return appliance;
}

async function fileOf(name: string, content: Uint8Array | string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

async function* inPieces(bytes: Uint8Array, length = 70_000) {
  for (let start = 0; start < bytes.length; start += length) yield bytes.subarray(start, start + length);
}

describe('a file arrives byte for byte', () => {
  const bytes = randomBytes(300_001);
  const name = 'pack.tgz';

  test.each<[string, () => Promise<UploadContent> | UploadContent, 'known' | 'unknown']>([
    ['its path', () => fileOf(name, bytes), 'known'],
    ['its address', async () => pathToFileURL(await fileOf(name, bytes)), 'known'],
    ['bytes', () => ({ bytes, name }), 'known'],
    ['a stream that says its size', () => ({ stream: inPieces(bytes), name, size: bytes.length }), 'known'],
    ['a stream', () => ({ stream: Readable.from(inPieces(bytes)), name }), 'unknown'],
    ['a web stream', () => ({ stream: new Blob([bytes]).stream(), name }), 'unknown'],
    ['a stream of single bytes', () => ({ stream: inPieces(bytes.subarray(0, 500), 1), name }), 'unknown'],
  ])('from %s', async (_from, make, size) => {
    const { received, url } = await serveForms();
    const answer = await connect(url).directory.uploadServicePack({ file: await make() });
    expect(answer).toEqual({ confirmed: true, info: 'uploaded' });
    const [form, ...more] = received;
    expect(more).toEqual([]);
    expect(form).toMatchObject({ path: '/service_pack', field: 'servicepack', name });
    expect(form?.bytes.equals(form.bytes.length === 500 ? bytes.subarray(0, 500) : bytes)).toBe(true);
    // With a length if it is known, otherwise in chunks, and never both.
    expect(form?.headers['transfer-encoding']).toBe(size === 'known' ? undefined : 'chunked');
    expect(form?.headers['content-length'] === undefined).toBe(size === 'unknown');
  });

  test.each([
    ['uploadHotfix', '/system/appliance/hotfix', 'hotfix'],
    ['uploadServicePack', '/service_pack', 'servicepack'],
    ['uploadServicePackAlternate', '/softwares/service_pack', 'servicepack'],
  ] as const)('by %s to %s in the field %s', async (operation, path, field) => {
    const { received, url } = await serveForms();
    await connect(url).directory[operation]({ file: { bytes, name } });
    expect(received).toMatchObject([{ path, field, name }]);
  });

  test.each([
    ['Größe 试验.tgz', 'Größe 试验.tgz'],
    ['a "quoted" name.tgz', 'a _quoted_ name.tgz'],
    ['two\r\nlines.tgz', 'two__lines.tgz'],
    ["it's 100%; x=y.tgz", 'it_s 100__ x_y.tgz'],
  ])('under a safe name, %j', async (given, arrived) => {
    const { received, url } = await serveForms();
    const { directory } = connect(url);
    await directory.uploadServicePack({ file: { bytes, name: given } });
    await directory.uploadServicePack({ file: await fileOf(given, bytes) });
    expect(received.map((form) => form.name)).toEqual([arrived, arrived]);
  });

  test('several at once', async () => {
    const { received, url } = await serveForms();
    const { directory } = connect(url);
    const files = Array.from({ length: 12 }, (_, index) => ({
      bytes: randomBytes(200_000),
      name: `${index}`,
    }));
    await Promise.all(files.map((file) => directory.uploadHotfix({ file })));
    expect(received.map((form) => Number(form.name)).toSorted((one, other) => one - other)).toHaveLength(12);
    for (const form of received)
      expect(form.bytes.equals(files[Number(form.name)]?.bytes ?? Buffer.of())).toBe(true);
  });
});

test('300 MB pass through without being kept, and are read only as fast as they are taken', async () => {
  const megabyte = 1024 ** 2;
  const size = 300 * megabyte;
  // Independent of when garbage is collected.
  setFlagsFromString('--expose-gc');
  const tidy: () => void = runInNewContext('gc');
  const held = () => {
    tidy();
    // Buffers are released in the background, so wait one turn.
    tidy();
    return process.memoryUsage().arrayBuffers;
  };
  const before = held();
  let made = 0;
  let arrived = 0;
  let furthest = 0;
  let most = 0;
  let isWhole = true;
  /** Each megabyte is filled with its number. */
  const numbered = (number: number) => Buffer.alloc(megabyte, number);
  let expected = { number: 0, bytes: numbered(0) };
  const compare = (piece: Buffer) => {
    const number = Math.floor(arrived / megabyte);
    if (number !== expected.number) expected = { number, bytes: numbered(number) };
    const own = piece.subarray(0, (number + 1) * megabyte - arrived);
    isWhole &&= own.equals(expected.bytes.subarray(0, own.length));
    arrived += own.length;
    if (own.length < piece.length) compare(piece.subarray(own.length));
  };
  const url = await serve(async (request) => {
    const busboy = new Busboy({
      headers: { 'content-type': request.headers['content-type'] ?? '' },
      limits: { fileSize: Number.POSITIVE_INFINITY },
    });
    busboy.on('file', (_field, file) => {
      file.on('data', compare);
    });
    await new Promise((resolve) => request.pipe(busboy).on('finish', resolve));
  });
  async function* source() {
    for (let number = 0; number < 300; number += 1) {
      const piece = numbered(number);
      made += piece.length;
      furthest = Math.max(furthest, made - arrived);
      if (number % 100 === 99) most = Math.max(most, held());
      yield piece;
    }
  }

  const { directory } = connect(url);
  const file = { stream: source(), name: 'pack.tgz', size };
  expect(await directory.uploadServicePack({ file })).toMatchObject({ confirmed: true });
  expect([made, arrived]).toEqual([size, size]);
  expect(isWhole).toBe(true);
  // Bytes on their way are in the buffers of the two sockets, which belong to the system.
  expect(furthest).toBeLessThan(64 * megabyte);
  expect(most - before).toBeLessThan(64 * megabyte);
});

describe('the progress', () => {
  const progressOf = async (file: UploadContent, listener?: () => void) => {
    const { url } = await serveForms();
    const all: UploadProgress[] = [];
    const onProgress = (progress: UploadProgress) => {
      all.push(progress);
      listener?.();
    };
    await connect(url).directory.uploadServicePack({ file, onProgress });
    return all;
  };
  const bytes = randomBytes(1_000_000);

  test.each<[string, () => Promise<UploadContent> | UploadContent, number | undefined]>([
    ['a file', () => fileOf('pack.tgz', bytes), 1_000_000],
    ['bytes', () => ({ bytes, name: 'pack.tgz' }), 1_000_000],
    ['a stream', () => ({ stream: inPieces(bytes), name: 'pack.tgz' }), undefined],
  ])('of %s only grows, and ends at its size', async (_what, make, total) => {
    const all = await progressOf(await make());
    const sent = all.map((progress) => progress.sent);
    expect(sent.length).toBeGreaterThan(5);
    expect(sent).toEqual([...new Set(sent)].toSorted((one, other) => one - other));
    expect(sent.at(-1)).toBe(1_000_000);
    expect(new Set(all.map((progress) => progress.total))).toEqual(new Set([total]));
  });

  test('survives a listener that fails', async () => {
    const all = await progressOf({ bytes, name: 'pack.tgz' }, () => {
      throw new Error('the page is gone');
    });
    expect(all.at(-1)).toEqual({ sent: 1_000_000, total: 1_000_000 });
  });
});

describe('unusable content is refused before anything is sent:', () => {
  const cases: [string, () => Promise<UploadContent> | UploadContent, string][] = [
    ['a missing file', () => join(folder, 'none.tgz'), 'none.tgz does not exist'],
    ['a folder', async () => folderOf('pack'), 'pack is not a file'],
    ['an empty file', () => fileOf('empty.tgz', ''), 'empty.tgz is empty'],
    ['more than 2 GiB', () => sparse('huge.tgz', 2 * 1024 ** 3 + 1), 'huge.tgz is larger than 2 GiB'],
    ['no bytes', () => ({ bytes: Buffer.of(), name: 'a.tgz' }), 'a.tgz is empty'],
    [
      // The types exclude this, but callers may not use them.
      'no file at all',
      () => undefined as unknown as UploadContent,
      'it is not a file path, a stream or bytes',
    ],
  ];

  async function folderOf(name: string): Promise<string> {
    await mkdir(join(folder, name));
    return join(folder, name);
  }
  async function sparse(name: string, size: number): Promise<string> {
    const path = await fileOf(name, '');
    await truncate(path, size);
    return path;
  }

  test.each(cases)('%s', async (_what, make, sentence) => {
    const { received, url } = await serveForms();
    const requests: RequestReport[] = [];
    const { directory } = connect(url, { onRequest: (report) => requests.push(report) });
    for (const operation of ['uploadServicePack', 'uploadShellPackage'] as const) {
      await expect(directory[operation]({ file: await make() })).rejects.toMatchObject({
        code: 'bad_argument',
        argument: 'file',
        problem: `cannot be uploaded: ${sentence}`,
        message: `directory.${operation}: the argument file cannot be uploaded: ${sentence}`,
        sent: 'no',
      });
      await rm(folder, { recursive: true });
      await mkdir(folder);
    }
    expect([received, requests]).toEqual([[], []]);
  });
});

describe('the simulated appliance', () => {
  let simulated: SimulatedAppliance;
  beforeEach(async () => {
    simulated = await startSimulatedAppliance();
    open.push(() => simulated.close());
  });

  test('accepts a service pack, and installs it', async () => {
    const bytes = randomBytes(2_000_000);
    const { directory } = connect(simulated.url);
    const answer = await directory.uploadServicePack({ file: await fileOf('pack.tgz', bytes) });
    expect(answer).toMatchObject({ confirmed: true });
    expect(simulated.state.directory.upgrade?.file).toMatchObject({
      filename: 'pack.tgz',
      size: 2_000_000,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
    await expect(directory.uploadHotfix({ file: { bytes, name: 'hotfix.tgz' } })).rejects.toMatchObject({
      code: 'refused',
      mayHaveHappened: false,
    });
  });
});
