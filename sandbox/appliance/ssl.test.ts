import { afterEach, beforeEach, expect, test } from 'vitest';
import { type SimulatedAppliance, startSimulatedAppliance } from './index.ts';

let appliance: SimulatedAppliance;

beforeEach(async () => {
  appliance = await startSimulatedAppliance();
});

afterEach(() => appliance.close());

async function get(path: string): Promise<unknown> {
  return (await fetch(appliance.url + path)).json();
}

interface Rule {
  Id: number;
  Order: number;
  Objects: { ID: number; GroupName: string }[];
}

async function rules(): Promise<Rule[]> {
  // The appliance answers an array without an envelope.
  return (await get('/proxy/acls/ssl/rules')) as Rule[];
}

const live = () => appliance.state.ssl.live.map(({ id }) => id);

test('the rules are a bare array, in their order, with the ACL objects they use', async () => {
  const listed = await rules();
  expect(listed.map(({ Id }) => Id)).toEqual([1, 2, 4, 5, 7, 9, 10, 14, 12]);
  expect(listed.find(({ Id }) => Id === 9)).toEqual({
    Description: 'Google for everybody but guests',
    Id: 9,
    Crypt: 1,
    Order: 60,
    Enabled: 1,
    Objects: [
      {
        Gpid: 3,
        ID: 3,
        Negation: 0,
        ZOrder: 0,
        GroupType: 'ssl_sni',
        GroupName: 'google_sni',
        Params: '',
      },
      { Gpid: 24, ID: 24, Negation: 1, ZOrder: 1, GroupType: 'src', GroupName: 'guest_network', Params: '' },
    ],
  });
});

test('every object of a rule is an ACL object', async () => {
  const used = appliance.state.ssl.configured.flatMap(({ objects }) =>
    objects.map(({ objectId }) => objectId),
  );
  const listed = (await rules()).flatMap(({ Objects }) => Objects);
  expect(listed).toHaveLength(used.length);
});

test('a rule from the web console goes live with a build, unless it is disabled', async () => {
  expect(live()).toEqual([1, 2, 4, 5, 7, 9, 12]);
  expect(await get('/proxy/ssl/build')).toMatchObject({ Status: true });
  expect(live()).toEqual([1, 2, 4, 5, 7, 9, 14, 12]);
});

test('a deleted object leaves its rules at once, but the live rules only with a build', async () => {
  const objects = () => appliance.state.ssl.live.find(({ id }) => id === 5)?.objects.length;
  await get('/proxy/acls/object/delete/7');
  expect((await rules()).find(({ Id }) => Id === 5)?.Objects.map(({ ID }) => ID)).toEqual([6]);
  expect(objects()).toBe(2);
  await get('/proxy/ssl/build');
  expect(objects()).toBe(1);
});
