import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { type Fault, type SimulatedAppliance, startSimulatedAppliance } from 'simulated-appliance';
import { endLongSessions } from './long-sessions.ts';

const now = new Date('2027-03-01T18:00:00Z');
const key = 'web-api-key';
const list = 'GET /rdpproxy/sessions';
const disconnect = 'POST /rdpproxy/sessions/{id}/disconnect';
/** These have been open since this morning in the simulated appliance. */
const long = ['alice.carter', 'henrik.olsen'];
let appliance: SimulatedAppliance;

beforeEach(async () => {
  appliance = await startSimulatedAppliance({ key, clock: () => now });
});
afterEach(() => appliance.close());

const evening = (patience?: number) => endLongSessions({ url: appliance.url, key, patience }, 6, now);
const orders = () => appliance.requests.filter(({ operation }) => operation === disconnect);

describe('sessions that have been open for six hours', () => {
  test('are ended, and no others', async () => {
    assert.deepEqual(await evening(), { ended: long, left: [] });
    assert.equal(appliance.state.rdp.sessions.size, 13);
    assert.deepEqual(
      orders().map(({ path }) => path),
      ['/rdpproxy/sessions/3/disconnect', '/rdpproxy/sessions/4/disconnect'],
    );
  });

  test('are ended on appliances that do not keep to their documentation', async () => {
    appliance.turn({ generation: 'field-v1' });
    assert.deepEqual(await evening(), { ended: long, left: [] });
    appliance.state.rdp.sessions.clear();
    assert.deepEqual(await evening(), { ended: [], left: [] });
  });

  test('are not asked for where the gateway is not installed, which it says with HTTP 200', async () => {
    appliance.turn({ generation: 'field-v1' });
    appliance.state.software.installed.delete('APP_RDPPROXY');
    await assert.rejects(evening(), { message: 'Feature not enabled, Aborting' });
  });

  test('are not asked for with a wrong key', async () => {
    appliance.turn({ generation: 'field-strict' });
    const wrong = endLongSessions({ url: appliance.url, key: 'another-key' }, 6, now);
    await assert.rejects(wrong, /HTTP 403/);
    assert.equal(appliance.state.rdp.sessions.size, 15);
  });
});

describe('the result of an order is read back', () => {
  const happened: readonly [string, Fault][] = [
    ['the connection breaks', { kind: 'reset' }],
    ['the answer is empty', { kind: 'empty' }],
    ['it says no, and has done it', { kind: 'refuse', error: 'Process crashed!', happens: true }],
  ];
  for (const [what, fault] of happened)
    test(`when ${what}`, async () => {
      appliance.faults.set(disconnect, fault);
      assert.deepEqual(await evening(), { ended: long, left: [] });
      assert.equal(orders().length, 2, 'nothing is sent twice');
    });

  test('when it takes too long', async () => {
    appliance.faults.set(disconnect, { kind: 'slow', ms: 60_000 });
    assert.deepEqual(await evening(100), { ended: [], left: long });
  });

  test('when it says yes, and does nothing', async () => {
    appliance.faults.set(disconnect, { kind: 'forget' });
    assert.deepEqual(await evening(), { ended: [], left: long });
  });

  test('when it refuses', async () => {
    appliance.faults.set(disconnect, { kind: 'refuse', error: 'not now', times: 1 });
    assert.deepEqual(await evening(), { ended: ['henrik.olsen'], left: ['alice.carter'] });
  });
});

test('the script ends nothing if the sessions cannot be listed', async () => {
  for (const fault of [{ kind: 'status', status: 503 }, { kind: 'html' }, { kind: 'hang' }] as const) {
    appliance.faults.set(list, fault);
    await assert.rejects(evening(200));
  }
  assert.equal(orders().length, 0);
  await appliance.close();
  await assert.rejects(evening(), /fetch failed/);
});
