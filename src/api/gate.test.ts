import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { steadyNow } from '../../test/steady-clock.ts';
import { openGate } from './client.ts';
import { area } from './endpoint.ts';
import { type ApplianceSettings, connectAppliance } from './index.ts';
import { parseReleaseName, type Release } from './release.ts';

const minute = 60_000;
const declare = area({ section: '§0' });
const always = declare('GET /always', { summary: '', effect: 'write' });
const recent = declare('GET /recent', { summary: '', effect: 'write', availableFrom: '4.50 SP5' });
const patched = declare('GET /patched', {
  summary: '',
  effect: 'write',
  availableFrom: '4.30 service pack 141 or later, or as a patch for 4.30',
});

/** A gate with a clock and an appliance that the test controls. */
function gateWith(ask: () => Promise<Release | undefined>) {
  const clock = { time: 0, asked: 0 };
  const gate = openGate(
    () => {
      clock.asked += 1;
      return ask();
    },
    () => clock.time,
  );
  return { gate, clock };
}

const release = async (name: string) => parseReleaseName(name);

describe('the gate', () => {
  test('asks once for many calls at once', async () => {
    const answer = Promise.withResolvers<Release | undefined>();
    const { gate, clock } = gateWith(() => answer.promise);
    const verdicts = Array.from({ length: 50 }, () => gate.supports(recent));
    // However long the appliance takes to answer.
    clock.time += 60 * minute;
    verdicts.push(gate.supports(recent));
    answer.resolve(await release('4.50 SP5'));
    expect(new Set(await Promise.all(verdicts))).toEqual(new Set([true]));
    expect(clock.asked).toBe(1);
  });

  test('asks again after ten minutes, and not before', async () => {
    let name = '4.50 SP4';
    const { gate, clock } = gateWith(() => release(name));
    expect(await gate.supports(recent)).toBe(false);
    name = '4.50 SP5';
    clock.time = 10 * minute - 1;
    expect(await gate.supports(recent)).toBe(false);
    clock.time = 10 * minute;
    expect(await gate.supports(recent)).toBe(true);
    expect(clock.asked).toBe(2);
  });

  test.each<[string, () => Promise<Release | undefined>]>([
    ['fails', () => Promise.reject(new Error('down'))],
    ['cannot be read', async () => undefined],
  ])('asks again after a minute when the answer %s', async (_, ask) => {
    let next = ask;
    const { gate, clock } = gateWith(() => next());
    expect(await gate.supports(recent)).toBeUndefined();
    expect(await gate.release()).toBeUndefined();
    clock.time = minute - 1;
    next = () => release('4.50 SP4');
    expect(await gate.supports(recent)).toBeUndefined();
    clock.time = minute;
    expect(await gate.supports(recent)).toBeUndefined();
    await expect.poll(() => gate.supports(recent)).toBe(false);
    expect(clock.asked).toBe(2);
  });

  test('counts the ten minutes from the answer and not from the question', async () => {
    const answer = Promise.withResolvers<Release | undefined>();
    const { gate, clock } = gateWith(() => answer.promise);
    const verdict = gate.supports(recent);
    clock.time = 5 * minute;
    answer.resolve(await release('4.50 SP5'));
    await verdict;
    clock.time = 15 * minute - 1;
    await gate.supports(recent);
    expect(clock.asked).toBe(1);
  });

  test('asks nothing about operations that every release has', async () => {
    const { gate, clock } = gateWith(() => release('4.30'));
    expect(await gate.supports(always)).toBe(true);
    expect(clock.asked).toBe(0);
  });

  test('leaves undecided whether that release has a patch', async () => {
    const { gate } = gateWith(() => release('4.30'));
    expect(await gate.supports(patched)).toBeUndefined();
  });

  test('delays only the first call: after a silence nobody waits for the next answer', async () => {
    const answers = [Promise.resolve(undefined), new Promise<undefined>(() => undefined)];
    const { gate, clock } = gateWith(() => answers[clock.asked - 1] ?? Promise.resolve(undefined));
    expect(await gate.supports(recent)).toBeUndefined();
    clock.time = minute;
    expect(await gate.supports(recent)).toBeUndefined();
    expect(await gate.release()).toBeUndefined();
    expect(clock.asked).toBe(2);
  });

  test('allows by old knowledge while it asks again, and never forbids by it', async () => {
    const next = Promise.withResolvers<Release | undefined>();
    const answers = [release('4.50 SP5'), next.promise];
    const { gate, clock } = gateWith(() => answers[clock.asked - 1] ?? release('4.30'));
    expect(await gate.supports(recent)).toBe(true);
    clock.time = 10 * minute;
    expect(await gate.supports(recent)).toBe(true);
    expect(clock.asked).toBe(2);
    next.resolve(await release('4.50 SP4'));
    await expect.poll(() => gate.supports(recent)).toBe(false);
    expect(clock.asked).toBe(2);
  });

  test("learns from any caller's answer", async () => {
    const { gate, clock } = gateWith(() => release('4.50 SP4'));
    expect(await gate.supports(recent)).toBe(false);
    gate.heard(await release('4.50 SP5'));
    expect(await gate.supports(recent)).toBe(true);
    expect(clock.asked).toBe(1);
  });
});

const open: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

/** An appliance with this version, which answers true otherwise. */
async function applianceThatTells(
  version: (response: ServerResponse) => void,
  settings: Partial<ApplianceSettings> = {},
) {
  const received: string[] = [];
  const server = createServer((request, response) => {
    received.push(request.url ?? '');
    if (request.url === '/appliance_version') version(response);
    else response.end('{"Status":true,"Items":[]}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(
    () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  );
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const appliance = connectAppliance({ name: 'lab', url, sleep: async () => undefined, ...settings });
  open.push(() => appliance.close());
  return { appliance, received };
}

const tells = (version: object) => (response: ServerResponse) =>
  void response.end(JSON.stringify({ status: true, major: '4', ...version }));

describe('an appliance whose release lacks an operation', () => {
  test.each([
    [{ version: '4.30' }, '4.30'],
    [{ version: '4.30.141' }, '4.30 SP141'],
    [{ version: '4.50 SP4', service_pack: '4' }, '4.50 SP4'],
    [{ version: '4.50', service_pack: 'Service Pack 4' }, '4.50 SP4'],
    [{ version: '4.50 SP4 hotfix 20250524-99' }, '4.50 SP4 hotfix 20250524-99'],
  ])(
    'that is %j does not get the call, and the error names the first release with it',
    async (version, name) => {
      const { appliance, received } = await applianceThatTells(tells(version));
      await expect(appliance.acl.findRecords({ pattern: 'ads' })).rejects.toMatchObject({
        code: 'not_available',
        operation: 'acl.findRecords',
        release: name,
        availableFrom: '4.50 SP5, or 4.50 SP4 hotfix 20250525-12',
        message: expect.stringMatching(`${name} does not support this.*4.50 SP5`),
        sent: 'no',
        mayHaveHappened: false,
      });
      await expect(appliance.acl.deleteRecord({ itemId: 1 })).rejects.toMatchObject({
        code: 'not_available',
      });
      expect(received).toEqual(['/appliance_version']);
      expect(await appliance.supports('acl.findRecords')).toBe(false);
    },
  );

  test.each([
    [{ version: '4.50 SP4', latest_upgrade: 'uploaded 20250525-12' }],
    [{ version: '4.50 SP4 hotfix 20250525-12', service_pack: '4' }],
    [{ version: '4.50 SP4 (20250605-13)' }],
    [{ version: '4.50 SP5' }],
    [{ version: '4.60' }],
  ])('%j has it, by its service pack or the hotfix that it names', async (version) => {
    const { appliance, received } = await applianceThatTells(tells(version));
    expect(await appliance.acl.findRecords({ pattern: 'ads' })).toEqual([]);
    expect(await appliance.supports('acl.findRecords')).toBe(true);
    expect(received).toEqual(['/appliance_version', '/proxy/acls/record/find/ads']);
  });

  test('refuses a bad argument first, because it is wrong in every release', async () => {
    const { appliance, received } = await applianceThatTells(tells({ version: '4.30' }));
    await expect(appliance.acl.findRecords({ pattern: '' })).rejects.toMatchObject({ code: 'bad_argument' });
    expect(received).toEqual([]);
  });
});

describe('an appliance that does not report its release', () => {
  const silent = () => undefined;

  test.each<[string, (response: ServerResponse) => void]>([
    ['answers 404', (response) => response.writeHead(404).end('<h1>Not found</h1>')],
    ['is silent', silent],
    ['hangs up', (response) => response.destroy()],
    ['answers nothing', (response) => response.end()],
    ['answers a page', (response) => response.end('<html>')],
    ['refuses', (response) => response.end('{"status":false,"info":"no licence"}')],
    ['tells none', (response) => response.end('{"status":true}')],
    ['tells two', (response) => response.end('{"status":true,"major":"4","version":"either 4.30 or 4.50"}')],
  ])('because it %s, gets the call anyway', async (_, version) => {
    const { appliance, received } = await applianceThatTells(version, { deadlines: { read: 400 } });
    expect(await appliance.acl.findRecords({ pattern: 'ads' })).toEqual([]);
    expect(received.at(-1)).toBe('/proxy/acls/record/find/ads');
    expect(await appliance.supports('acl.findRecords')).toBeUndefined();
    expect(await appliance.supports('acl.compile')).toBe(true);
  });
});

test('a caller who aborts does not wait for the release, and nothing was sent', async () => {
  const giveUp = new AbortController();
  let answerAtLast = () => {};
  const { appliance, received } = await applianceThatTells((response) => {
    answerAtLast = () => void response.end('{"status":true,"version":"4.30"}');
    giveUp.abort();
  });
  const call = () => appliance.acl.findRecords({ pattern: 'ads' }, { signal: giveUp.signal });
  const began = steadyNow();
  for (const gaveUp of [call, call]) {
    await expect(gaveUp()).rejects.toMatchObject({ code: 'aborted', sent: 'no' });
  }
  // The question itself has a limit of five seconds.
  expect(steadyNow() - began).toBeLessThan(4_000);
  answerAtLast();
  expect(received).toEqual(['/appliance_version']);
});

describe('the version', () => {
  test('is asked once for many calls at once, and again after ten minutes', async () => {
    let now = 0;
    const { appliance, received } = await applianceThatTells(tells({ version: '4.50 SP5' }), {
      now: () => now,
    });
    const questions = () => received.filter((path) => path === '/appliance_version').length;
    const ask = () =>
      Promise.all(
        Array.from({ length: 20 }, (_, index) => appliance.acl.findRecords({ pattern: `a${index}` })),
      );
    await ask();
    expect(questions()).toBe(1);
    now = 10 * minute - 1;
    await ask();
    expect(questions()).toBe(1);
    now = 10 * minute;
    await ask();
    await expect.poll(questions).toBe(2);
  });

  test("is updated by any caller's answer", async () => {
    let version = '4.50 SP4';
    const { appliance, received } = await applianceThatTells((response) => tells({ version })(response));
    expect(await appliance.supports('acl.findRecords')).toBe(false);
    version = '4.50 SP5';
    await appliance.directory.applianceVersion();
    expect(await appliance.supports('acl.findRecords')).toBe(true);
    expect(received).toEqual(['/appliance_version', '/appliance_version']);
  });

  test('is asked even if only one request at a time is allowed', async () => {
    const { appliance } = await applianceThatTells(tells({ version: '4.50 SP5' }), { pace: { atOnce: 1 } });
    const calls = ['a', 'b', 'c'].map((pattern) => appliance.acl.findRecords({ pattern }));
    expect(await Promise.all(calls)).toEqual([[], [], []]);
  });

  test('is not asked if the release is configured', async () => {
    const never = tells({ version: '4.50 SP5' });
    const old = await applianceThatTells(never, { release: '4.50 SP4' });
    await expect(old.appliance.acl.findRecords({ pattern: 'a' })).rejects.toMatchObject({
      code: 'not_available',
      release: '4.50 SP4',
    });
    expect(await old.appliance.supports('acl.findRecords')).toBe(false);
    expect(old.received).toEqual([]);
    const patchedOne = await applianceThatTells(never, { release: '4.50 SP4 hotfix 20250525-12' });
    expect(await patchedOne.appliance.supports('acl.findRecords')).toBe(true);
    expect(await patchedOne.appliance.supports('categories.query')).toBe(false);
    expect(patchedOne.received).toEqual([]);
  });

  test('is not asked for operations that every release has, nor for those of the API that reports it', async () => {
    const { appliance, received } = await applianceThatTells(tells({ version: '4.30' }));
    await appliance.acl.compile();
    // The row of §9 about categories does not list it.
    await appliance.categories.addSite({ id: 252, site: 'a.test' });
    await appliance.directory.connectNtlm();
    expect(received).toEqual(['/proxy/acls/compile', '/categories/252/a.test', '/ntlm_connect']);
  });

  test.each(['', '4', 'SP5', '4.50 or so', '4.50 SP4, or 4.30'])(
    '%j cannot be configured as a release',
    (name) => {
      expect(() => connectAppliance({ name: 'lab', url: 'http://a.test', release: name })).toThrow(
        /^The release of appliance lab must be written like/,
      );
    },
  );
});
