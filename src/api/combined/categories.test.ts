import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from 'vitest';
import { connectAppliance } from '../index.ts';

const open: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

/** One request of many, with its sites and its number from 1. */
interface Handed {
  readonly sites: readonly string[];
  readonly number: number;
}

type Answer = (handed: Handed, response: ServerResponse) => void;

const addsAll: Answer = ({ sites }, response) =>
  void response.end(JSON.stringify({ status: true, added: sites.length }));

/** An appliance that remembers which sites came together. */
async function appliance(answer: Answer = addsAll, onRequest?: () => void) {
  const requests: string[][] = [];
  const server = createServer(async (request, response) => {
    expect(`${request.method} ${request.url}`).toBe('POST /categories/7/add');
    const sites = new URLSearchParams(await textOf(request)).get('sites')?.split('\n') ?? [];
    requests.push(sites);
    answer({ sites, number: requests.length }, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { categories, close } = connectAppliance({
    name: 'lab',
    url,
    release: '4.50 SP5',
    pace: { perSecond: 10_000 },
    onRequest,
  });
  open.push(async () => {
    await close();
    await new Promise((resolve) => server.close(resolve));
  });
  return { categories, requests };
}

const named = (count: number) => Array.from({ length: count }, (_, index) => `site-${index}.test`);

/** A source that counts its reads, and knows when it is closed. */
function counted(count: number) {
  const state = { read: 0, closed: false };
  function* sites() {
    try {
      for (; state.read < count; ) {
        state.read += 1;
        yield `site-${state.read - 1}.test`;
      }
    } finally {
      state.closed = true;
    }
  }
  return { state, sites: sites() };
}

describe('adding many sites', () => {
  test('takes no text as a list of sites, and does not send its letters', async () => {
    const { categories, requests } = await appliance();
    const sites: unknown = 'abc.example';
    await expect(categories.addManySites({ id: 7, sites: sites as string[] })).rejects.toMatchObject({
      code: 'bad_argument',
      argument: 'sites',
    });
    expect(requests).toEqual([]);
  });

  test('hands them over in chunks, every site once and in its order', async () => {
    const { categories, requests } = await appliance();
    expect(await categories.addManySites({ id: 7, sites: named(25), perRequest: 10, atOnce: 1 })).toEqual({
      accepted: 25,
      count: 25,
      failed: [],
      unsent: [],
      complete: true,
    });
    expect(requests.map(({ length }) => length)).toEqual([10, 10, 5]);
    expect(requests.flat()).toEqual(named(25));
  });

  test('uses chunks of 500 by default', async () => {
    const { categories, requests } = await appliance();
    await categories.addManySites({ id: 7, sites: new Set(named(1_001)) });
    expect(requests.map(({ length }) => length).toSorted()).toEqual([1, 500, 500]);
  });

  test.each([1, 3])('has exactly %d requests under way while there is enough to do', async (atOnce) => {
    const chunks = 11;
    const waiting = new Set<ServerResponse>();
    let most = 0;
    const { categories } = await appliance(({ number }, response) => {
      waiting.add(response);
      most = Math.max(most, waiting.size);
      // Holds all answers until the allowed number waits, and a little longer, so that one too many would be
      // seen.
      if (waiting.size < atOnce && number < chunks) return;
      setTimeout(() => {
        for (const one of waiting) one.end('{"status":true}');
        waiting.clear();
      }, 5);
    });
    const added = await categories.addManySites({ id: 7, sites: named(chunks), perRequest: 1, atOnce });
    expect(added).toMatchObject({ accepted: chunks, complete: true });
    expect(most).toBe(atOnce);
  });

  test('reports progress after every request, and survives a listener that throws', async () => {
    const { categories } = await appliance();
    const told: number[] = [];
    const added = await categories.addManySites({
      ...{ id: 7, sites: named(25), perRequest: 10 },
      onProgress: ({ sites }) => {
        told.push(sites);
        throw new Error('display is gone');
      },
    });
    expect(added).toMatchObject({ accepted: 25, complete: true });
    expect(told).toHaveLength(3);
    expect(told).toEqual(told.toSorted((one, other) => one - other));
    expect(told.at(-1)).toBe(25);
  });

  test('reads an endless source no faster than it sends', async () => {
    const held: ServerResponse[] = [];
    const full = Promise.withResolvers<void>();
    const { categories } = await appliance((_, response) => {
      held.push(response);
      if (held.length === 2) full.resolve();
    });
    const giveUp = new AbortController();
    const source = counted(Number.POSITIVE_INFINITY);
    const sites = (async function* () {
      yield* source.sites;
    })();
    const adding = categories.addManySites(
      { id: 7, sites, perRequest: 10, atOnce: 2 },
      { signal: giveUp.signal },
    );
    await full.promise;
    await new Promise((resolve) => setImmediate(resolve));
    expect(source.state.read).toBe(20);
    giveUp.abort();
    for (const response of held) response.end('{}');
    const { accepted, failed, complete } = await adding;
    expect([accepted, failed.flatMap(({ sites: lost }) => lost).length, complete]).toEqual([0, 20, false]);
    expect(source.state).toEqual({ read: 20, closed: true });
  });

  test('sends nothing without sites', async () => {
    const { categories, requests } = await appliance();
    expect(await categories.addManySites({ id: 7, sites: [] })).toEqual({
      accepted: 0,
      count: 0,
      failed: [],
      unsent: [],
      complete: true,
    });
    expect(requests).toEqual([]);
  });

  test.each(['atOnce', 'perRequest'])('refuses a %s that would never end', async (argument) => {
    const { categories, requests } = await appliance();
    for (const count of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      const source = counted(5);
      await expect(
        categories.addManySites({ id: 7, sites: source.sites, [argument]: count }),
      ).rejects.toMatchObject({
        code: 'bad_argument',
        argument,
        operation: 'categories.addManySites',
        sent: 'no',
      });
      expect(source.state.read).toBe(0);
    }
    expect(requests).toEqual([]);
  });
});

describe('a failed chunk', () => {
  test.each<[string, Answer, object]>([
    [
      'is refused',
      (_, response) => response.end('{"status":false,"info":"locked"}'),
      { code: 'refused', reason: 'locked' },
    ],
    [
      'breaks the connection',
      (_, response) => response.destroy(),
      { code: 'connection_lost', sent: 'maybe' },
    ],
    [
      'gets an error without a status',
      (_, response) => response.end('{"error":"x"}'),
      { code: 'unexpected_reply' },
    ],
    [
      'gets a page',
      (_, response) => response.writeHead(502).end('<h1>busy</h1>'),
      { code: 'http_status', status: 502 },
    ],
  ])(
    'because it %s, no further site is read and every one that was is accounted for',
    async (_, fails, error) => {
      const { categories, requests } = await appliance((handed, response) =>
        (handed.number === 3 ? fails : addsAll)(handed, response),
      );
      const source = counted(100);
      const added = await categories.addManySites({ id: 7, sites: source.sites, perRequest: 10, atOnce: 1 });
      expect(added).toEqual({
        accepted: 20,
        count: 20,
        failed: [{ sites: named(30).slice(20), error: expect.objectContaining(error) }],
        unsent: [],
        complete: false,
      });
      expect(requests).toHaveLength(3);
      expect(source.state).toEqual({ read: 30, closed: true });
    },
  );

  test('waits for the parallel ones and accounts for them', async () => {
    const { categories, requests } = await appliance(({ sites, number }, response) => {
      if (number === 2) response.end('{"status":false}');
      // The others end after the failure was seen.
      else setTimeout(() => response.end(JSON.stringify({ status: true, added: sites.length })), 20);
    });
    const source = counted(1_000);
    const { accepted, count, failed, complete } = await categories.addManySites({
      ...{ id: 7, sites: source.sites, perRequest: 10, atOnce: 3 },
    });
    expect({ accepted, count, complete }).toEqual({ accepted: 20, count: 20, complete: false });
    expect(failed.map(({ sites }) => sites.length)).toEqual([10]);
    expect(requests).toHaveLength(3);
    expect(source.state).toEqual({ read: 30, closed: true });
  });

  test('leaves a chunk that is only begun unsent, without waiting for a slow source', async () => {
    const over = Promise.withResolvers<void>();
    const { categories, requests } = await appliance(
      ({ number }, response) => response.end(number === 1 ? '{"status":false}' : '{"status":true}'),
      () => setImmediate(over.resolve),
    );
    let read = 0;
    const sites = (async function* () {
      for (;;) {
        // The fifth site arrives only after the first chunk, of three, has failed.
        if (read === 4) await over.promise;
        read += 1;
        yield `site-${read}.test`;
      }
    })();
    const { accepted, failed, unsent } = await categories.addManySites({
      ...{ id: 7, sites, perRequest: 3, atOnce: 2 },
    });
    expect({ accepted, failed: failed.flatMap(({ sites: lost }) => lost).length, read }).toEqual({
      ...{ accepted: 0, failed: 3, read: 5 },
    });
    expect(unsent).toEqual(['site-4.test', 'site-5.test']);
    expect(requests).toEqual([['site-1.test', 'site-2.test', 'site-3.test']]);
  });

  test('names the single site that caused it', async () => {
    const { categories, requests } = await appliance();
    const added = await categories.addManySites({ id: 7, sites: ['a.test', 'b c', 'd.test'], perRequest: 2 });
    expect(added.failed).toMatchObject([
      { sites: ['a.test', 'b c'], error: { code: 'bad_argument', argument: 'sites.1', sent: 'no' } },
    ]);
    expect(added.complete).toBe(false);
    expect(requests.length + added.failed.length).toBeLessThanOrEqual(2);
  });
});

describe('the count', () => {
  test('is the sum of what the appliance says it added', async () => {
    const { categories } = await appliance(({ number }, response) =>
      response.end(JSON.stringify({ status: true, items: number })),
    );
    const added = await categories.addManySites({ id: 7, sites: named(30), perRequest: 10, atOnce: 1 });
    expect(added).toMatchObject({ accepted: 30, count: 1 + 2 + 3 });
  });

  test('is absent when one answer does not say', async () => {
    const { categories } = await appliance(({ number }, response) =>
      response.end(number === 2 ? '{"status":true}' : '{"status":true,"items":10}'),
    );
    const added = await categories.addManySites({ id: 7, sites: named(30), perRequest: 10, atOnce: 1 });
    expect(added).toEqual({ accepted: 30, failed: [], unsent: [], complete: true });
  });
});

describe('a caller who aborts', () => {
  test('midway gets the sites that were sent, and the rest is not read', async () => {
    const giveUp = new AbortController();
    const { categories, requests } = await appliance((handed, response) => {
      if (handed.number === 2) giveUp.abort();
      else addsAll(handed, response);
    });
    const source = counted(100);
    const added = await categories.addManySites(
      { id: 7, sites: source.sites, perRequest: 10, atOnce: 1 },
      { signal: giveUp.signal },
    );
    expect(added).toMatchObject({
      accepted: 10,
      failed: [{ error: { code: 'aborted', sent: 'maybe', operation: 'categories.addSites' } }],
      complete: false,
    });
    expect(requests).toHaveLength(2);
    expect(source.state).toEqual({ read: 20, closed: true });
  });

  test('before the start sends nothing', async () => {
    const { categories, requests } = await appliance();
    const source = counted(100);
    const { accepted, failed, unsent, complete } = await categories.addManySites(
      { id: 7, sites: source.sites, perRequest: 10 },
      { signal: AbortSignal.abort() },
    );
    expect({ accepted, complete }).toEqual({ accepted: 0, complete: false });
    expect([...failed.flatMap(({ sites }) => sites), ...unsent]).toHaveLength(source.state.read);
    for (const { error } of failed) expect(error).toMatchObject({ code: 'aborted', sent: 'no' });
    expect(requests).toEqual([]);
  });
});

test('a source that fails ends the call with its own error, after all requests have ended', async () => {
  const failure = new Error('list cannot be read');
  let answered = 0;
  const { categories, requests } = await appliance((handed, response) => {
    setTimeout(() => {
      answered += 1;
      addsAll(handed, response);
    }, 20);
  });
  const told: number[] = [];
  const sites = (async function* () {
    yield* named(25);
    throw failure;
  })();
  await expect(
    categories.addManySites({ id: 7, sites, perRequest: 10, onProgress: (one) => told.push(one.sites) }),
  ).rejects.toBe(failure);
  expect([requests.length, answered, told]).toEqual([2, 2, [10, 20]]);
});
