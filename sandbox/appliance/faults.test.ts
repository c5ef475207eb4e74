import { request } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Fault, startSimulatedAppliance } from './index.ts';
import { type FaultKind, fieldFaults, kinds, wordsFor } from './kinds.ts';
import { readFault } from './read-fault.ts';

const listSessions = 'GET /rdpproxy/sessions';
const disconnect = 'POST /rdpproxy/sessions/{id}/disconnect';
const listCategories = 'GET /categories/list';

async function start() {
  const appliance = await startSimulatedAppliance();
  onTestFinished(() => appliance.close());
  return appliance;
}

/** An order with a consequence, under a fault. */
async function disconnectUnder(fault: Fault) {
  const appliance = await start();
  appliance.faults.set(disconnect, fault);
  const answer = fetch(`${appliance.url}/rdpproxy/sessions/12/disconnect`, {
    method: 'POST',
    redirect: 'manual',
  });
  return { appliance, answer, gone: () => !appliance.state.rdp.sessions.has(12) };
}

describe('the order is carried out although its answer is faulty:', () => {
  test.each<[Fault, number, RegExp]>([
    [{ kind: 'slow', ms: 30 }, 200, /^\{"Status":true,"Error":""\}$/],
    [{ kind: 'empty' }, 200, /^$/],
    [{ kind: 'broken_json' }, 200, /^\{"Status":true[^}]*$/],
    [{ kind: 'html' }, 200, /<html>/],
    [{ kind: 'text' }, 200, /^Command executed$/],
    [{ kind: 'text', text: 'busy' }, 200, /^busy$/],
    [{ kind: 'content_type' }, 200, /^\{"Status":true,"Error":""\}$/],
    [{ kind: 'huge', bytes: 300_000 }, 200, /^\{"Status":true,"Info":"x+"\}$/],
    [{ kind: 'casing' }, 200, /^\{"status":true,"error":""\}$/],
    [{ kind: 'stringly' }, 200, /^\{"Status":"True","Error":""\}$/],
    [{ kind: 'missing_status' }, 200, /^\{"Error":""\}$/],
    [{ kind: 'extra_keys' }, 200, /^\{"Status":true,"Error":"",".+\}$/],
    [{ kind: 'status', status: 504, happens: true }, 504, /504 Gateway Timeout/],
    [{ kind: 'redirect', happens: true }, 302, /302 Found/],
    [{ kind: 'empty', body: '{}' }, 200, /^\{\}$/],
    [{ kind: 'refuse', happens: true }, 200, /^\{"Status":false,"Error":"operation not permitted"\}$/],
  ])('%j', async (fault, status, text) => {
    const { answer, gone } = await disconnectUnder(fault);
    const response = await answer;
    expect(response.status).toBe(status);
    expect(await response.text()).toMatch(text);
    expect(gone()).toBe(true);
  });

  test('reset: the connection breaks in the middle of the answer', async () => {
    const { answer, gone } = await disconnectUnder({ kind: 'reset' });
    await expect(answer.then((response) => response.text())).rejects.toThrow();
    expect(gone()).toBe(true);
  });

  test('hang: nothing comes, until the appliance is stopped', async () => {
    const { appliance, answer, gone } = await disconnectUnder({ kind: 'hang' });
    await expect.poll(gone).toBe(true);
    await appliance.close();
    await expect(answer).rejects.toThrow();
  });
});

describe('the order is not carried out:', () => {
  test.each<[Fault, number, RegExp]>([
    [{ kind: 'status' }, 500, /500 Internal Server Error/],
    [{ kind: 'status', status: 404 }, 404, /404 Not Found/],
    [{ kind: 'status', status: 403 }, 403, /403 Forbidden/],
    [{ kind: 'redirect' }, 302, /302 Found/],
    [{ kind: 'forget' }, 200, /^\{"Status":true/],
    [
      { kind: 'refuse', error: 'database is locked' },
      200,
      /^\{"Status":false,"Error":"database is locked"\}$/,
    ],
    [{ kind: 'licence' }, 200, /^\{"Status":false,"Error":"The enterprise licence has expired[^"]*"\}$/],
    [{ kind: 'empty', happens: false }, 200, /^$/],
    [{ kind: 'later', happens: false }, 200, /^\{"Status":true/],
  ])('%j', async (fault, status, text) => {
    const { answer, gone } = await disconnectUnder(fault);
    const response = await answer;
    expect(response.status).toBe(status);
    expect(await response.text()).toMatch(text);
    expect(gone()).toBe(false);
  });
});

describe('by the clock of the appliance,', () => {
  async function startAt() {
    let now = Date.parse('2026-11-20T12:00:00Z');
    const appliance = await startSimulatedAppliance({ clock: () => new Date(now) });
    onTestFinished(() => appliance.close());
    const order = () => fetch(`${appliance.url}/rdpproxy/sessions/12/disconnect`, { method: 'POST' });
    const listed = async () => {
      const reply = await (await fetch(`${appliance.url}/rdpproxy/sessions`)).json();
      return (reply as { Sessions: { id: number }[] }).Sessions.some(({ id }) => id === 12);
    };
    const pass = (ms: number) => {
      now += ms;
    };
    return { appliance, order, listed, pass };
  }

  test('an order is answered at once and carried out later', async () => {
    const { appliance, order, listed, pass } = await startAt();
    appliance.faults.set(disconnect, { kind: 'later', ms: 60_000, times: 1 });
    expect(await (await order()).json()).toMatchObject({ Status: true });
    pass(59_999);
    expect([await listed(), appliance.state.rdp.sessions.has(12)]).toEqual([true, true]);
    pass(1);
    expect([await listed(), appliance.state.rdp.sessions.has(12)]).toEqual([false, false]);
  });

  test('a reset forgets a postponed order', async () => {
    const { appliance, order, pass } = await startAt();
    appliance.faults.set(disconnect, { kind: 'later' });
    await order();
    appliance.reset();
    pass(60_000);
    expect(appliance.state.rdp.sessions.has(12)).toBe(true);
  });

  test('an old answer comes from a copy for so long; the order is carried out at once', async () => {
    const { appliance, order, listed, pass } = await startAt();
    appliance.faults.set(listSessions, { kind: 'stale', ms: 60_000 });
    pass(30_000);
    await order();
    expect([await listed(), appliance.state.rdp.sessions.has(12)]).toEqual([true, false]);
    pass(29_999);
    expect(await listed()).toBe(true);
    pass(1);
    expect(await listed()).toBe(false);
  });

  test('an order that gets an old answer is carried out, and does not show in the copy', async () => {
    const { appliance, order, listed } = await startAt();
    appliance.faults.set(disconnect, { kind: 'stale' });
    appliance.faults.set(listSessions, { kind: 'stale' });
    expect(await (await order()).json()).toMatchObject({ Status: true });
    expect(await (await order()).json()).toMatchObject({ Status: true });
    expect([await listed(), appliance.state.rdp.sessions.has(12)]).toEqual([true, false]);
  });
});

describe('one call fails as in the field, and the next does not:', () => {
  test.each<[name: keyof typeof fieldFaults, isDone: boolean, status: number, text: RegExp]>([
    ['refusal', false, 200, /^\{"status":false,"info":"Category service disabled on this server"\}$/],
    ['crash', false, 200, /^\{"status":false,"info":"Process crashed! size:0 bytes"\}$/],
    ['html', false, 500, /<html>/],
    ['html404', false, 404, /<html>/],
    ['empty', true, 200, /^$/],
    ['braces', true, 200, /^\{\}$/],
    ['done-but-false', true, 200, /^\{"status":false,"info":"Process crashed! size:0 bytes"\}$/],
  ])('%s', async (name, isDone, status, text) => {
    const { appliance, answer, gone } = await disconnectUnder(fieldFaults[name]);
    const response = await answer;
    expect({ status: response.status, text: await response.text() }).toEqual({
      status,
      text: expect.stringMatching(text),
    });
    expect(gone()).toBe(isDone);
    expect(appliance.faults.active()).toEqual([]);
  });

  test('late: when the client has left the order is carried out all the same', async () => {
    const { url, faults, state } = await start();
    faults.set(disconnect, { ...fieldFaults.late, ms: 300 });
    const call = fetch(`${url}/rdpproxy/sessions/12/disconnect`, {
      method: 'POST',
      signal: AbortSignal.timeout(50),
    });
    await expect(call).rejects.toThrow();
    expect(state.rdp.sessions.has(12)).toBe(true);
    await expect.poll(() => state.rdp.sessions.has(12)).toBe(false);
  });

  test('cut: the connection breaks when the order is carried out', async () => {
    const { answer, gone } = await disconnectUnder(fieldFaults.cut);
    await expect(answer.then((response) => response.text())).rejects.toThrow();
    expect(gone()).toBe(true);
  });
});

describe('the answer', () => {
  async function listUnder(fault: Fault, operation = listCategories): Promise<unknown> {
    const { url, faults } = await start();
    faults.set(operation, fault);
    return (await fetch(url + operation.replace('GET ', ''))).json();
  }

  test('has the other casing in every key, nested ones too, and values as they were', async () => {
    expect(await listUnder({ kind: 'casing' })).toMatchObject({
      status: true,
      categories: expect.arrayContaining([
        expect.objectContaining({ CATEGORY_NAME: 'shopping', CATEGORY_ID: 252 }),
      ]),
    });
  });

  test('has strings where numbers and booleans belong', async () => {
    expect(await listUnder({ kind: 'stringly' })).toMatchObject({
      Status: 'True',
      Categories: expect.arrayContaining([expect.objectContaining({ category_id: '252', rpz_enabled: '0' })]),
    });
  });

  test('has null where an array belongs', async () => {
    expect(await listUnder({ kind: 'nulls' })).toMatchObject({ Status: true, Categories: null });
  });

  const sessions = async (fault: Fault, query = '') => {
    const { url, faults, state } = await start();
    faults.set(listSessions, fault);
    const reply = await (await fetch(`${url}/rdpproxy/sessions${query}`)).json();
    return { reply: reply as { Sessions: { id: number }[] }, total: state.rdp.sessions.size };
  };

  test('has lists without entries', async () => {
    expect((await sessions({ kind: 'empty_lists' })).reply).toMatchObject({ Status: true, Sessions: [] });
  });

  test('has the first entries of its lists, and says how many there are', async () => {
    const { reply, total } = await sessions({ kind: 'cut_lists', entries: 5 });
    expect(reply).toMatchObject({ Status: true, Total: total, Next: 5 });
    expect(reply.Sessions).toHaveLength(5);
    const whole = await sessions({ kind: 'cut_lists', entries: total });
    expect(whole.reply).not.toHaveProperty('Total');
    expect(whole.reply.Sessions).toHaveLength(total);
  });

  test('has its lists in pages, each with the address of the next', async () => {
    const { url, faults, state } = await start();
    faults.set(listSessions, { kind: 'paged', entries: 6 });
    const ids: number[] = [];
    let next: string | undefined = '/rdpproxy/sessions?sort=user';
    const pages = [];
    while (next !== undefined) {
      pages.push(next);
      const reply = (await (await fetch(url + next)).json()) as { Sessions: { id: number }[]; Next?: string };
      ids.push(...reply.Sessions.map(({ id }) => id));
      next = reply.Next;
    }
    expect(ids).toEqual([...state.rdp.sessions.keys()]);
    expect(pages).toEqual(
      Array.from({ length: Math.ceil(ids.length / 6) }, (_, at) =>
        at === 0 ? '/rdpproxy/sessions?sort=user' : `/rdpproxy/sessions?sort=user&page=${at + 1}`,
      ),
    );
  });

  test('has every entry of its lists twice', async () => {
    const { reply, total } = await sessions({ kind: 'twice' });
    const ids = reply.Sessions.map(({ id }) => id);
    expect([ids.length, new Set(ids).size]).toEqual([2 * total, total]);
  });

  test('is off by hours in every time', async () => {
    const { url, faults } = await start();
    const times = async () => {
      const text = await (await fetch(`${url}/rdpproxy/sessions`)).text();
      return [...text.matchAll(/"started_at":"([^"]+)"/g)].map(([, time = '']) => Date.parse(time));
    };
    const right = await times();
    faults.set(listSessions, { kind: 'clock', hours: -3 });
    expect(right.length).toBeGreaterThan(1);
    expect(await times()).toEqual(right.map((time) => time - 3 * 3_600_000));
  });

  test('names another appliance', async () => {
    const { url, faults } = await start();
    const version = async () => (await fetch(`${url}/appliance_version`)).json();
    const right = (await version()) as object;
    faults.set('- /appliance_version', { kind: 'identity', hostname: 'gw-7', service_pack: '9' });
    expect(await version()).toEqual({
      ...right,
      hostname: 'gw-7',
      service_pack: '9',
      version: '4.50 Service Pack 9',
    });
  });

  test('has keys that no document names, but no entry that does not exist', async () => {
    const { url, faults, state } = await start();
    state.categories.shape = 'B';
    faults.set(listCategories, { kind: 'extra_keys' });
    const reply = (await (await fetch(`${url}/categories/list`)).json()) as Record<string, object>;
    expect(Object.keys(reply)).toContain('Debug');
    expect(Object.keys(reply.categories ?? {})).toEqual([...state.categories.all.keys()].map(String));
    expect(reply.categories).toMatchObject({ 252: { Debug: {}, name: 'shopping' } });
  });

  test('is JSON under the name of a page', async () => {
    const { url, faults } = await start();
    faults.set(listSessions, { kind: 'content_type' });
    const response = await fetch(`${url}/rdpproxy/sessions`);
    expect(response.headers.get('content-type')).toMatch(/^text\/html/);
    expect(await response.json()).toMatchObject({ Status: true });
  });

  test('leads to a login page, which is a page for people', async () => {
    const { url, faults } = await start();
    faults.set(listSessions, { kind: 'redirect' });
    const response = await fetch(`${url}/rdpproxy/sessions`);
    expect(response.url).toBe(`${url}/login`);
    expect(await response.text()).toContain('Sign in');
  });

  test('refuses in the spelling of the operation', async () => {
    const { url, faults, catalogue } = await start();
    const reply = async (operation: string, path: string) => {
      faults.set(operation, { kind: 'refuse', error: 'no' });
      return (await fetch(url + path)).json();
    };
    expect(await reply(listSessions, '/rdpproxy/sessions')).toEqual({ Status: false, Error: 'no' });
    expect(catalogue.map(({ name }) => name)).toContain('- /appliance_version');
    expect(await reply('- /appliance_version', '/appliance_version')).toEqual({ status: false, info: 'no' });
  });

  test('reports an expired licence the same way, by fault and by switch', async () => {
    const { url, faults, turn } = await start();
    const version = async () => (await fetch(`${url}/appliance_version`)).json();
    faults.set('- /appliance_version', { kind: 'licence' });
    const byFault = await version();
    faults.clear();
    turn({ licence: 'expired' });
    expect(await version()).toEqual(byFault);
  });

  test.each(kinds.zdate.only)('fails near zdate for %s, and for nothing else', async (operation) => {
    const { url, faults } = await start();
    faults.set(operation, { kind: 'zdate' });
    expect(
      await (await fetch(url + operation.replace('GET ', '').replace('{itemId}', '1'))).json(),
    ).toMatchObject({
      Status: false,
      Info: expect.stringContaining('zdate'),
    });
    expect(() => faults.set(listSessions, { kind: 'zdate' })).toThrow(/can only happen to GET \/proxy/);
  });

  test('has ten million bytes when it is huge, unless told otherwise', async () => {
    const { url, faults } = await start();
    faults.set(listSessions, { kind: 'huge' });
    expect((await (await fetch(`${url}/rdpproxy/sessions`)).text()).length).toBeGreaterThan(10_000_000);
  });

  test('ends for a reader who left', async () => {
    const { url, faults, requests } = await start();
    faults.set(listSessions, { kind: 'huge' });
    await new Promise<void>((resolve) => {
      const call = request(`${url}/rdpproxy/sessions`, (response) => {
        response.once('data', () => call.destroy());
        response.once('close', resolve);
      });
      call.end();
    });
    await expect.poll(() => requests[0]?.outcome).toBe('broken');
    faults.clear();
    expect(await (await fetch(`${url}/rdpproxy/sessions`)).json()).toMatchObject({ Status: true });
  });
});

describe('a fault', () => {
  test('lasts as many times as asked, or until it is cleared', async () => {
    const { url, faults } = await start();
    const status = async () => (await fetch(`${url}/rdpproxy/sessions`)).status;
    faults.set(listSessions, { kind: 'status', times: 2 });
    expect(await status()).toBe(500);
    expect(faults.active()).toEqual([{ operation: listSessions, kind: 'status', times: 1 }]);
    expect([await status(), await status()]).toEqual([500, 200]);
    expect(faults.active()).toEqual([]);
    faults.set(listSessions, { kind: 'status', status: 503 });
    expect([await status(), await status()]).toEqual([503, 503]);
    faults.clear(listSessions);
    expect(await status()).toBe(200);
  });

  test('for a misspelt operation is refused at once, with a suggestion', async () => {
    const { faults } = await start();
    expect(() => faults.set('POST /rdpproxy/session/{id}/disconnect', { kind: 'hang' })).toThrow(RangeError);
    expect(() => faults.set('POST /rdpproxy/session/{id}/disconnect', { kind: 'hang' })).toThrow(
      `did you mean ${disconnect}?`,
    );
  });

  test('for a misspelt operation is not cleared either', async () => {
    const { faults } = await start();
    faults.set(disconnect, { kind: 'hang' });
    expect(() => faults.clear('POST /rdpproxy/session/{id}/disconnect')).toThrow(
      `did you mean ${disconnect}?`,
    );
    expect(faults.active()).toHaveLength(1);
  });

  test.each<[given: unknown, problem: string]>([
    [null, 'A misbehaviour is a JSON object'],
    [{ kind: 'lazy' }, '"lazy" is no kind; there are slow, hang'],
    [{ kind: 'constructor' }, '"constructor" is no kind'],
    [{ kind: 'slow', ms: '5' }, 'ms is a whole number from 0 to 600000.'],
    [{ kind: 'slow', seconds: 5 }, 'slow has no seconds; it takes ms, times, happens.'],
    [{ kind: 'status', seconds: 5 }, 'status has no seconds; it takes status, text, times, happens.'],
    [{ kind: 'forget', happens: true }, 'forget has no happens; it takes times.'],
    [{ kind: 'empty', happens: 'no' }, 'happens is true or false.'],
    [{ kind: 'refuse', error: 7 }, 'error is a text'],
    [{ kind: 'hang', times: 0 }, 'times is a whole number from 1'],
  ])('%j from outside is refused', (given, problem) => {
    expect(() => readFault(given)).toThrow(problem);
  });

  test('can be set from outside in every kind, with every option', () => {
    for (const [kind, { options }] of Object.entries(kinds)) {
      const values = Object.entries(options).map(([name, option]) => [name, option.default]);
      const fault = { kind, times: 2, ...Object.fromEntries(values) };
      expect(readFault(fault)).toEqual(fault);
    }
  });

  test('can be said in a few words', () => {
    expect(wordsFor({ kind: 'slow' })).toBe('Slow, 3,000 ms');
    expect(wordsFor({ kind: 'status', status: 404 })).toBe('HTTP error, 404');
    expect(wordsFor({ kind: 'empty', happens: true })).toBe('Empty answer');
    expect(wordsFor({ kind: 'empty', happens: false })).toBe('Empty answer, order not carried out');
    expect(wordsFor({ kind: 'status', happens: false })).toBe('HTTP error, 500');
    expect(wordsFor({ kind: 'clock', hours: -5 })).toBe('Wrong clock, -5 hours');
    expect(wordsFor({ kind: 'status', happens: true })).toBe('HTTP error, 500, order carried out');
  });

  test('has a name and a sentence of its own', () => {
    // The table's keys are the kinds.
    const all = Object.keys(kinds) as FaultKind[];
    expect(new Set(all.map((kind) => kinds[kind].label)).size).toBe(all.length);
    expect(new Set(all.map((kind) => kinds[kind].says)).size).toBe(all.length);
  });
});
