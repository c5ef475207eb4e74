import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { buildConnector, Pool } from 'undici';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type ExchangeBounds, exchange } from './exchange.ts';

const open: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  for (const close of open.splice(0).toReversed()) await close();
});

test('a request that was aborted before its connection stood is never written afterwards', async () => {
  const received: string[] = [];
  const server = createServer((request, response) => {
    received.push(request.url ?? '');
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  // The connection stands only when the test says so.
  const connector = buildConnector({});
  const ready = Promise.withResolvers<void>();
  const pool = new Pool(`http://127.0.0.1:${port}`, {
    connections: 1,
    pipelining: 0,
    connect: (options, callback) => void ready.promise.then(() => connector(options, callback)),
  });
  const bounds = { connect: 10_000, read: 10_000, send: 1_000, replyBytes: 1_000 };
  const giveUp = new AbortController();
  const post = (path: string, signal: AbortSignal) =>
    exchange(pool, { method: 'POST', path, headers: {} }, bounds, signal);

  const given = post('/restart', giveUp.signal);
  const patient = post('/status', new AbortController().signal);
  giveUp.abort();
  await expect(given).rejects.toMatchObject({ kind: 'ended', left: false });
  ready.resolve();
  // The second waits behind the first on the only connection, so it proves that the first one's turn is over.
  await expect(patient).resolves.toMatchObject({ status: 200, text: '{}' });
  expect(received).toEqual(['/status']);

  await pool.close();
  await new Promise((resolve) => server.close(resolve));
});

/** A server, and a function that posts a body in chunks to it. */
async function uploadTo(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const pool = new Pool(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { pipelining: 0 });
  open.push(async () => {
    await pool.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    requests: () => requests,
    stop: () => new Promise((resolve) => server.close(resolve)),
    post: (body: AsyncIterable<Uint8Array>, bounds: Partial<ExchangeBounds> = {}, signal?: AbortSignal) =>
      exchange(
        pool,
        { method: 'POST', path: '/upload', headers: {}, body },
        { connect: 5_000, read: 5_000, send: 5_000, replyBytes: 1_000, ...bounds },
        signal ?? new AbortController().signal,
      ),
  };
}

/** A source that records how much was taken and whether it was closed. */
function source(pieces: (number: number) => Uint8Array | Promise<Uint8Array> | undefined) {
  const closed = Promise.withResolvers<void>();
  const state = { taken: 0, closed: closed.promise };
  async function* read() {
    try {
      for (;;) {
        const piece = await pieces(state.taken);
        if (piece === undefined) return;
        state.taken += 1;
        yield piece;
      }
    } finally {
      closed.resolve();
    }
  }
  return { state, body: read() };
}

const block = new Uint8Array(64 * 1024);
const endless = () => source(() => block);

describe('a body in chunks', () => {
  test('is sent while it is read, and read only as fast as it is taken', async () => {
    const first = Promise.withResolvers<void>();
    const { post } = await uploadTo(async (request, response) => {
      request.once('data', () => first.resolve());
      response.end(await text(request));
    });
    // The second chunk is there only after the first one has arrived.
    const { state, body } = source(async (number) => {
      if (number === 1) await first.promise;
      return new TextEncoder().encode(['one ', 'two'][number]);
    });
    const pieces = { [Symbol.asyncIterator]: () => stopAfter(body, 2) };
    expect(await post(pieces)).toMatchObject({ status: 200, text: 'one two' });
    await state.closed;
  });

  test('that the appliance stops taking ends after the deadline, and its source is closed', async () => {
    const { post, requests } = await uploadTo(() => undefined);
    const { state, body } = endless();
    await expect(post(body, { send: 100 })).rejects.toMatchObject({
      kind: 'silent',
      reason: 'SEND_TIMEOUT',
      left: true,
    });
    await state.closed;
    expect(requests()).toBe(1);
  });

  test('may take any time while its chunks are taken', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { post } = await uploadTo(async (request, response) => response.end(await text(request)));
    const { body } = source((number) => {
      if (number === 12) return undefined;
      vi.advanceTimersByTime(900);
      return new Uint8Array([0x78]);
    });
    expect(await post(body, { send: 1_000, read: 1_000 })).toMatchObject({ text: 'x'.repeat(12) });
  });

  test('that was taken and never answered ends with the read deadline', async () => {
    const { post } = await uploadTo((request) => request.resume());
    const { body } = source((number) => (number === 0 ? block : undefined));
    await expect(post(body, { read: 60 })).rejects.toMatchObject({ kind: 'silent', reason: 'READ_TIMEOUT' });
  });

  test.each(['before anything was read', 'in the middle'])(
    'is closed when the connection breaks %s',
    async (when) => {
      const { post } = await uploadTo((request) => {
        if (when === 'in the middle') request.once('data', () => request.socket.resetAndDestroy());
        else request.socket.resetAndDestroy();
      });
      const { state, body } = endless();
      await expect(post(body)).rejects.toMatchObject({ kind: 'lost', left: true });
      await state.closed;
      const { taken } = state;
      await new Promise((resolve) => setImmediate(resolve));
      expect(state.taken).toBe(taken);
    },
  );

  test('is closed when the caller aborts', async () => {
    const giveUp = new AbortController();
    const { post } = await uploadTo((request) => request.once('data', () => giveUp.abort()));
    const { state, body } = endless();
    await expect(post(body, {}, giveUp.signal)).rejects.toMatchObject({ kind: 'ended', left: true });
    await state.closed;
  });

  test('is not begun when nobody listens', async () => {
    const { post, stop } = await uploadTo(() => undefined);
    await stop();
    const { state, body } = endless();
    await expect(post(body)).rejects.toMatchObject({ kind: 'connect', reason: 'ECONNREFUSED', left: false });
    expect(state.taken).toBe(0);
  });

  test('is not begun when the caller has already aborted', async () => {
    const { post, requests } = await uploadTo(() => undefined);
    const { state, body } = endless();
    await expect(post(body, {}, AbortSignal.abort())).rejects.toMatchObject({ kind: 'ended', left: false });
    expect(state.taken).toBe(0);
    expect(requests()).toBe(0);
  });

  test.each([[new Error('disk failed')], [Object.assign(new Error('read'), { code: 'EIO' })]])(
    'that cannot be read to its end is told as such: %s',
    async (error) => {
      let complete: boolean | undefined;
      const gone = Promise.withResolvers<void>();
      const { post } = await uploadTo((request) => {
        request.resume().once('close', () => {
          complete = request.complete;
          gone.resolve();
        });
      });
      const { body } = source((number) => (number < 3 ? block : Promise.reject(error)));
      await expect(post(body)).rejects.toMatchObject({ kind: 'source', left: true, cause: error });
      await gone.promise;
      expect(complete).toBe(false);
    },
  );

  test('is not read on when the answer comes before its end', async () => {
    const { post } = await uploadTo((_, response) => response.writeHead(413).end('too much'));
    const { state, body } = endless();
    expect(await post(body)).toMatchObject({ status: 413, text: 'too much' });
    await state.closed;
  });

  test('that fails after the answer has no effect', async () => {
    const answered = Promise.withResolvers<void>();
    const { post } = await uploadTo((_, response) => response.writeHead(413).end('too much'));
    const { state, body } = source(async (number) => {
      if (number === 0) return block;
      await answered.promise;
      throw new Error('disk failed');
    });
    expect(await post(body)).toMatchObject({ status: 413 });
    // An error without a listener would end the process, and this test run with it.
    answered.resolve();
    await state.closed;
    await new Promise((resolve) => setImmediate(resolve));
  });

  test('leaves no timer when another chunk arrives after the answer', async () => {
    const answered = Promise.withResolvers<void>();
    const { post } = await uploadTo((_, response) => response.writeHead(413).end('too much'));
    const { state, body } = source(async (number) => {
      if (number > 0) await answered.promise;
      return block;
    });
    // Recognised among all timers of this process by their length.
    const begun = vi.spyOn(globalThis, 'setTimeout');
    const stopped = vi.spyOn(globalThis, 'clearTimeout');
    await post(body, { connect: 4_321, read: 4_321, send: 4_321 });
    answered.resolve();
    await state.closed;
    await new Promise((resolve) => setImmediate(resolve));
    const ours = begun.mock.results.filter((_, call) => begun.mock.calls[call]?.[1] === 4_321);
    expect(ours.length).toBeGreaterThan(0);
    for (const { value } of ours) expect(stopped.mock.calls.flat()).toContain(value);
  });
});

/** Takes the first chunks of a source, and then closes it. */
async function* stopAfter(body: AsyncIterable<Uint8Array>, most: number) {
  let number = 0;
  for await (const piece of body) {
    yield piece;
    number += 1;
    if (number === most) return;
  }
}
