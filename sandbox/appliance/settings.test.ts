import { X509Certificate } from 'node:crypto';
import { get as getHttps } from 'node:https';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { selfSigned } from './certificate.ts';
import { startSimulatedAppliance } from './index.ts';
import type { SimulatedApplianceSettings } from './settings.ts';

async function start(settings: SimulatedApplianceSettings) {
  const appliance = await startSimulatedAppliance(settings);
  onTestFinished(() => appliance.close());
  return appliance;
}

/** As somebody gives them who has no types. */
const untyped = (settings: object) => startSimulatedAppliance(settings as SimulatedApplianceSettings);

describe('a setting', () => {
  test.each<[settings: object, problem: string]>([
    [{ prot: 9503 }, 'A simulated appliance has no setting prot. Did you mean port?'],
    [{ license: 'expired' }, 'A simulated appliance has no setting license. Did you mean licence?'],
    [{ constructor: 1 }, 'A simulated appliance has no setting constructor.'],
    [{ ports: { wbe: 1 } }, 'A simulated appliance has no setting ports.wbe. Did you mean web?'],
    [{ generation: 'field' }, 'generation is document or field-v1 or field-strict.'],
    [{ licence: true }, 'licence is valid or expired.'],
    [{ key: '' }, 'key is empty'],
  ])('with an unknown name is refused with a suggestion: %j', async (settings, problem) => {
    await expect(untyped(settings)).rejects.toThrow(RangeError);
    await expect(untyped(settings)).rejects.toThrow(problem);
  });

  test('with the value undefined is left out', async () => {
    const appliance = await untyped({ licence: undefined, key: undefined, port: undefined });
    onTestFinished(() => appliance.close());
    expect(appliance.state.directory.licence).toBe('valid');
  });

  test('for a switch applies at the start, and again after a reset', async () => {
    const appliance = await start({ licence: 'expired', generation: 'field-v1' });
    const licence = () => appliance.switches().find(({ name }) => name === 'licence')?.value;
    expect(licence()).toBe('expired');
    appliance.turn({ licence: 'valid', generation: 'document' });
    expect([licence(), appliance.state.ways.generation]).toEqual(['valid', 'document']);
    appliance.reset();
    expect([licence(), appliance.state.ways.generation]).toEqual(['expired', 'field-v1']);
  });
});

describe('an appliance with https', () => {
  const version = (url: string, ca: string | undefined) =>
    new Promise<string>((resolve, reject) => {
      getHttps(`${url}/appliance_version`, { ca }, (response) => resolve(text(response))).on('error', reject);
    });

  test('is trusted by its own certificate, at each of its addresses, and by nothing else', async () => {
    const { url, urls, certificate } = await start({ https: true });
    expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    for (const address of [url, url.replace('127.0.0.1', 'localhost'), urls.directory])
      expect(JSON.parse(await version(address, certificate))).toMatchObject({ status: true });
    await expect(version(url, undefined)).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    await expect(version(url, selfSigned().cert)).rejects.toThrow(/self-signed|signature/);
  });

  test('may have the certificate of somebody else', async () => {
    const own = selfSigned();
    const { url, certificate } = await start({ https: own });
    expect(certificate).toBe(own.cert);
    expect(JSON.parse(await version(url, own.cert))).toMatchObject({ status: true });
  });

  test('breaks a connection in the middle of an answer, and stands', async () => {
    const { url, certificate, faults } = await start({ https: true });
    faults.set('- /appliance_version', { kind: 'reset', times: 1 });
    await expect(version(url, certificate)).rejects.toThrow('aborted');
    expect(JSON.parse(await version(url, certificate))).toMatchObject({ status: true });
  });

  test('has one that lasts, and is of no other than itself', () => {
    const certificate = new X509Certificate(selfSigned().cert);
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(certificate.validTo).toBe('Dec 31 23:59:59 9999 GMT');
    expect(certificate.subjectAltName).toBe('DNS:localhost, IP Address:127.0.0.1');
    expect(certificate.serialNumber).not.toBe(new X509Certificate(selfSigned().cert).serialNumber);
  });

  test('is steered as one without it is', async () => {
    const { url, certificate } = await start({ https: true });
    const guide = new Promise<string>((resolve) => {
      getHttps(`${url}/_simulator`, { ca: certificate }, (response) => resolve(text(response)));
    });
    expect(await guide).toContain(`curl -X POST ${url}/_simulator/reset`);
  });
});

describe('a request', () => {
  test('is kept with its body, which printing it hides', async () => {
    const { url, requests } = await start({});
    await fetch(`${url}/sqldb/users/create`, {
      method: 'POST',
      body: new URLSearchParams({ username: 'new', password: 'secret' }),
    });
    const [request] = requests;
    expect(request?.body).toBe('username=new&password=secret');
    expect(JSON.stringify(requests)).not.toContain('secret');
    const told = await (await fetch(`${url}/_simulator/requests`)).text();
    expect(told).toContain('/sqldb/users/create');
    expect(told).not.toContain('secret');
    await fetch(`${url}/sqldb/users`);
    expect(requests[1]?.body).toBeUndefined();
  });

  test('keeps only the beginning of a very large body', async () => {
    const { url, requests } = await start({});
    await fetch(`${url}/categories/252/add`, { method: 'POST', body: 'x'.repeat(100_000) });
    expect(requests[0]?.body).toHaveLength(65_536);
  });
});

describe('somebody who waits for a request', () => {
  const list = 'GET /categories/list';

  test('gets it when it is over, earlier ones as well, and as many as asked for', async () => {
    const appliance = await start({});
    const waiting = appliance.received(list);
    appliance.faults.set(list, { kind: 'slow', ms: 30 });
    const calls = Promise.all([1, 2].map(() => fetch(`${appliance.url}/categories/list`)));
    const [first] = await waiting;
    expect(first).toMatchObject({ operation: list, fault: 'slow', outcome: 'answered', status: 200 });
    await calls;
    const both = await appliance.received(list, 2);
    expect(both.map(({ id }) => id)).toEqual([1, 2]);
  });

  test('hears which requests came instead', async () => {
    const appliance = await start({});
    await fetch(`${appliance.url}/rdpproxy/sessions`);
    await fetch(`${appliance.url}/nowhere`);
    await expect(appliance.received(list, 1, 20)).rejects.toThrow(
      'What else has arrived: GET /rdpproxy/sessions (answered), GET /nowhere (answered).',
    );
    await expect(appliance.received('GET /category/list')).rejects.toThrow(`did you mean ${list}?`);
  });
});

test('an appliance in a using block is closed at the end of the block', async () => {
  let url = '';
  {
    await using appliance = await startSimulatedAppliance();
    url = appliance.url;
    expect((await fetch(`${url}/status`)).status).toBe(200);
  }
  await expect(fetch(`${url}/status`)).rejects.toThrow();
});

test('an unknown fault is not set', async () => {
  const { faults } = await start({});
  // As somebody gives them who has no types.
  const set = (fault: object) =>
    faults.set('GET /categories/list', fault as Parameters<typeof faults.set>[1]);
  expect(() => set({ kind: 'slwo' })).toThrow('"slwo" is no kind; there are slow, hang');
  expect(() => set({ kind: 'slow', msec: 5 })).toThrow('slow has no msec; it takes ms, times, happens.');
  expect(faults.active()).toEqual([]);
});
