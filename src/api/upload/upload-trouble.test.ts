import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { type Appliance, type ApplianceSettings, connectAppliance, type RequestReport } from '../index.ts';

/** Failures while a file is sent. */

const open: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A server with these answers, which records the requests that it received completely. */
async function serve(answer: (request: IncomingMessage, response: ServerResponse) => unknown) {
  const requests: IncomingMessage[] = [];
  const gone: Promise<unknown>[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    request.on('error', () => undefined);
    gone.push(new Promise<void>((resolve) => request.socket.once('close', () => resolve())));
    answer(request, response);
  });
  const url = await listen(server);
  open.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    url,
    requests,
    /** Whether each request was complete, once its connection has ended. */
    async complete(): Promise<boolean[]> {
      await Promise.all(gone);
      return requests.map((request) => request.complete);
    },
  };
}

const accept = async (request: IncomingMessage, response: ServerResponse) => {
  try {
    for await (const _piece of request);
    response.end('{"status": true}');
  } catch {}
};

function connect(url: string, settings: Partial<ApplianceSettings> = {}): Appliance {
  const appliance = connectAppliance({
    ...{ name: 'lab', url, directoryUrl: url, sleep: async () => undefined, shellPassword: 'correct-horse' },
    ...settings,
  });
  open.push(() => appliance.close());
  return appliance;
}

async function deadAddress(): Promise<string> {
  const server = createServer();
  const url = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return url;
}

const piece = Buffer.alloc(65_536, 'piece');

/** Until nobody reads any more. */
function endless(): Readable {
  return Readable.from(
    (function* () {
      for (;;) yield piece;
    })(),
  );
}

/** One chunk, then silence. */
function stalled(): Readable {
  const stream = new PassThrough();
  stream.write(piece);
  return stream;
}

describe('a stream that differs from its announcement aborts the upload, and the form stays incomplete:', () => {
  const broken = Object.assign(new Error('EIO: i/o error, read /mnt/share/pack.tgz'), { code: 'EIO' });
  async function* failing() {
    yield piece;
    throw broken;
  }

  test.each<[string, () => AsyncIterable<Uint8Array>, number | undefined, string]>([
    [
      'it is longer',
      () => Readable.from([piece, piece]),
      100_000,
      'pack.tgz is larger than its declared size of 100000 bytes',
    ],
    ['it is shorter', () => Readable.from([piece]), 100_000, 'pack.tgz ended after 65536 of 100000 bytes'],
    ['it is empty', () => Readable.from([]), undefined, 'pack.tgz is empty'],
    ['it fails', failing, undefined, 'the file couldn’t be read to the end (EIO)'],
    ['it fails, with its size told', failing, 100_000, 'the file couldn’t be read to the end (EIO)'],
    [
      'it is text',
      () => Readable.from(['text']),
      undefined,
      'the stream of pack.tgz yielded something other than bytes',
    ],
  ])('%s', async (_how, stream, size, problem) => {
    const { url, complete } = await serve(accept);
    const file = { stream: stream(), name: 'pack.tgz', ...(size === undefined ? {} : { size }) };
    await expect(connect(url).directory.uploadServicePack({ file })).rejects.toMatchObject({
      code: 'upload_failed',
      problem,
      message: `directory.uploadServicePack: the upload was interrupted: ${problem}`,
      sent: 'maybe',
      mayHaveHappened: true,
    });
    expect(await complete()).not.toContain(true);
  });

  test('because it failed before the connection stood, which does not end the process', async () => {
    const { url, complete } = await serve(accept);
    const stream = new PassThrough();
    const upload = connect(url).directory.uploadServicePack({ file: { stream, name: 'pack.tgz' } });
    setImmediate(() => stream.destroy(broken));
    await expect(upload).rejects.toMatchObject({ code: 'upload_failed' });
    expect(await complete()).not.toContain(true);
  });
});

describe('the stream is closed', () => {
  test('after a reset of the connection', async () => {
    const { url } = await serve((request) => request.once('data', () => request.socket.resetAndDestroy()));
    const stream = endless();
    await expect(
      connect(url).directory.uploadServicePack({ file: { stream, name: 'pack.tgz' } }),
    ).rejects.toMatchObject({ code: 'connection_lost', mayHaveHappened: true });
    expect(stream.destroyed).toBe(true);
  });

  test('after a reset while the stream itself is awaited', async () => {
    const { url } = await serve((request) => request.once('data', () => request.socket.resetAndDestroy()));
    const stream = stalled();
    await expect(
      connect(url).directory.uploadServicePack({ file: { stream, name: 'pack.tgz' } }),
    ).rejects.toMatchObject({ code: 'connection_lost', mayHaveHappened: true });
    expect(stream.destroyed).toBe(true);
  });

  test('if the appliance is unreachable, which is tried once', async () => {
    const requests: RequestReport[] = [];
    const { directory } = connect(await deadAddress(), { onRequest: (report) => requests.push(report) });
    const stream = endless();
    await expect(directory.uploadServicePack({ file: { stream, name: 'pack.tgz' } })).rejects.toMatchObject({
      code: 'unreachable',
      sent: 'no',
      mayHaveHappened: false,
    });
    expect(stream.destroyed).toBe(true);
    expect(requests).toMatchObject([{ attempt: 1, error: 'unreachable' }]);
  });

  test.each([
    ['while it is sent', endless],
    ['while it is waited for', stalled],
  ])('if the caller aborts %s', async (_when, make) => {
    const controller = new AbortController();
    const { url, complete } = await serve((request, response) => {
      request.once('data', () => controller.abort());
      return accept(request, response);
    });
    const stream = make();
    const upload = connect(url).directory.uploadServicePack(
      { file: { stream, name: 'pack.tgz' } },
      { signal: controller.signal },
    );
    await expect(upload).rejects.toMatchObject({ code: 'aborted', sent: 'maybe' });
    expect(stream.destroyed).toBe(true);
    expect(await complete()).toEqual([false]);
  });

  test('if the caller had aborted before', async () => {
    const { url, requests } = await serve(accept);
    const stream = endless();
    await expect(
      connect(url).directory.uploadServicePack(
        { file: { stream, name: 'pack.tgz' } },
        { signal: AbortSignal.abort() },
      ),
    ).rejects.toMatchObject({ code: 'aborted', sent: 'no' });
    expect(stream.destroyed).toBe(true);
    expect(requests).toEqual([]);
  });

  test('if the client was closed before', async () => {
    const appliance = connect(await deadAddress());
    await appliance.close();
    const stream = endless();
    await expect(
      appliance.directory.uploadServicePack({ file: { stream, name: 'pack.tgz' } }),
    ).rejects.toMatchObject({ code: 'aborted', sent: 'no' });
    expect(stream.destroyed).toBe(true);
  });

  test('after a success', async () => {
    const { url, complete } = await serve((request, response) => {
      response.shouldKeepAlive = false;
      return accept(request, response);
    });
    const stream = Readable.from([piece]);
    await connect(url).directory.uploadServicePack({ file: { stream, name: 'pack.tgz' } });
    expect(stream.destroyed).toBe(true);
    expect(await complete()).toEqual([true]);
  });
});

describe('an upload is never retried', () => {
  test.each<[string, (request: IncomingMessage, response: ServerResponse) => unknown, string]>([
    ['a reset', (request) => request.once('data', () => request.socket.resetAndDestroy()), 'connection_lost'],
    [
      'a gateway without its appliance',
      (request, response) => request.resume().on('end', () => response.writeHead(503).end()),
      'http_status',
    ],
    [
      'an answer that is cut off',
      (request, response) =>
        request.resume().on('end', () => {
          response.writeHead(200, { 'content-length': '100' }).write('{"status"');
          response.socket?.end();
        }),
      'connection_lost',
    ],
  ])('after %s', async (_what, answer, code) => {
    const { url, requests } = await serve(answer);
    const { directory } = connect(url);
    const bytes = Buffer.alloc(1_000_000);
    await expect(directory.uploadServicePack({ file: { bytes, name: 'pack.tgz' } })).rejects.toMatchObject({
      code,
      mayHaveHappened: true,
    });
    expect(requests).toHaveLength(1);
  });
});

describe('the deadlines', () => {
  test.each([
    ['nothing of it is taken', endless],
    ['nothing comes from its stream', stalled],
  ])('end an upload when %s for a while', async (_what, make) => {
    // Never reads.
    const { url } = await serve(() => undefined);
    const stream = make();
    await expect(
      connect(url, { deadlines: { whole: 100 } }).directory.uploadServicePack({
        file: { stream, name: 'pack.tgz' },
      }),
    ).rejects.toMatchObject({ code: 'timeout', deadline: 'send', milliseconds: 100, mayHaveHappened: true });
    expect(stream.destroyed).toBe(true);
  });

  test('do not end one that makes progress, nor one with a slow answer', async () => {
    const whole = 500;
    const { url } = await serve(async (request, response) => {
      for await (const _piece of request);
      await pause(whole * 1.2);
      response.end('{"status": true}');
    });
    async function* slow() {
      for (let number = 0; number < 6; number += 1) {
        yield piece;
        await pause(whole / 5);
      }
    }
    const { directory } = connect(url, { deadlines: { read: 20, whole, long: 10_000 } });
    expect(await directory.uploadServicePack({ file: { stream: slow(), name: 'pack.tgz' } })).toMatchObject({
      confirmed: true,
    });
  });

  test('end one whose answer never comes', async () => {
    const { url } = await serve((request) => request.resume());
    await expect(
      connect(url, { deadlines: { read: 20, whole: 30, long: 60 } }).directory.uploadServicePack({
        file: { bytes: piece, name: 'pack.tgz' },
      }),
    ).rejects.toMatchObject({ code: 'timeout', milliseconds: 60, mayHaveHappened: true });
  });
});

describe('an early answer is the answer', () => {
  test.each([
    [413, 'close', 'Request Entity Too Large'],
    [403, 'close', 'Forbidden'],
    [413, 'keep-alive', 'Request Entity Too Large'],
    [403, 'keep-alive', 'Forbidden'],
    [500, 'close', 'disk full'],
  ] as const)('%d, and then %s', async (status, connection, text) => {
    const { url, complete } = await serve((_request, response) => {
      response.writeHead(status, { connection, 'content-length': String(text.length) }).end(text);
    });
    const { directory } = connect(url);
    for (let number = 0; number < 20; number += 1) {
      const stream = endless();
      await expect(directory.uploadServicePack({ file: { stream, name: 'pack.tgz' } })).rejects.toMatchObject(
        { code: 'http_status', status, excerpt: text, mayHaveHappened: status === 500 },
      );
      expect(stream.destroyed).toBe(true);
    }
    expect(await complete()).not.toContain(true);
  });

  test('after a part was read', async () => {
    const { url } = await serve((request, response) => {
      let seen = 0;
      request.on('data', ({ length }: Buffer) => {
        seen += length;
        // Closing with unread bytes resets the connection, and the reset may overtake the answer, so keep
        // reading.
        if (seen > 2_000_000 && !response.headersSent) {
          response.writeHead(413).end('Request Entity Too Large');
        }
      });
    });
    const stream = endless();
    await expect(
      connect(url).directory.uploadServicePack({ file: { stream, name: 'pack.tgz' } }),
    ).rejects.toMatchObject({ code: 'http_status', status: 413, excerpt: 'Request Entity Too Large' });
    expect(stream.destroyed).toBe(true);
  });

  test('but an early success is not believed', async () => {
    const { url } = await serve((_request, response) => {
      response.writeHead(200, { connection: 'close' }).end('{"status": true}');
    });
    const stream = endless();
    const upload = connect(url).directory.uploadHotfix({ file: { stream, name: 'hotfix.tgz' } });
    await expect(upload).rejects.toMatchObject({
      code: 'connection_lost',
      reason: 'ANSWERED_EARLY',
      mayHaveHappened: true,
    });
  });

  test('also for a refusal', async () => {
    const { url } = await serve((_request, response) => {
      response.writeHead(200, { connection: 'close' }).end('{"status": false, "info": "no licence"}');
    });
    const stream = endless();
    await expect(
      connect(url).directory.uploadServicePack({ file: { stream, name: 'pack.tgz' } }),
    ).rejects.toMatchObject({ code: 'refused', reason: 'no licence' });
    expect(stream.destroyed).toBe(true);
  });
});
