import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type SimulatedAppliance, startSimulatedAppliance } from '../sandbox/appliance/index.ts';
import { type Appliance, operations } from '../src/api/index.ts';
import { accepted } from '../src/api/reading/reply-reader.ts';
import { call, connect, given, key, object, withArguments } from './operations.ts';

/**
 * Client and simulated appliance were written apart from each other, after the same document. Here every operation
 * goes over real HTTP from one to the other, at the address that is its own.
 */

let simulated: SimulatedAppliance;
let appliance: Appliance;

beforeEach(async () => {
  simulated = await startSimulatedAppliance({ key });
  appliance = connect(simulated);
});
afterEach(async () => {
  await appliance.close();
  await simulated.close();
});

describe('every operation', () => {
  test.each([...operations])(
    '%s is carried out by the simulated appliance and understood by the client',
    async (name, endpoint) => {
      const answer = await call(name, simulated, appliance);
      expect(answer).toBeDefined();
      if (endpoint.reply === accepted) expect(answer).toMatchObject({ confirmed: true });
      const asked = simulated.requests.at(-1);
      expect(asked?.service).toBe(endpoint.service);
      expect(asked?.method).toBe(endpoint.method);
    },
  );

  test('takes arguments where the tests give it some', () => {
    expect(Object.keys(given).filter((name) => !withArguments.has(name))).toEqual([]);
  });
});

describe('an appliance’s success answer is no proof:', () => {
  test('enabling and disabling an unknown record answers Status true, and changes nothing', async () => {
    const was = structuredClone(simulated.state.acl);
    expect(await appliance.acl.disableRecord({ itemId: 999_999 })).toMatchObject({ confirmed: true });
    expect(await appliance.acl.enableRecord({ itemId: 999_999 })).toMatchObject({ confirmed: true });
    expect(simulated.state.acl).toEqual(was);
  });

  test('an added record filters nothing until the compile', async () => {
    const { objectId } = object(simulated);
    const patterns = () => {
      const { objects, live } = simulated.state.acl;
      return [objects, live].map((map) =>
        [...(map.get(objectId)?.records.values() ?? [])].map((one) => one.pattern),
      );
    };
    await appliance.acl.addRecords({ objectId, patterns: ['new.example', '^b/[0-9],x$'] });
    const [configured, stillLive] = patterns();
    expect(configured).toEqual(expect.arrayContaining(['new.example', '^b/[0-9],x$']));
    expect(stillLive).not.toContain('new.example');
    await appliance.acl.compile();
    expect(patterns()[1]).toEqual(configured);
  });

  test('a forgotten order is found out by reading back', async () => {
    simulated.faults.set('GET /categories/{id}/{site}', { kind: 'forget' });
    expect(await appliance.categories.addSite({ id: 252, site: 'new.example' })).toMatchObject({
      confirmed: true,
    });
    expect((await appliance.categories.query({ domain: 'new.example' })).categories).toEqual([]);
  });
});
