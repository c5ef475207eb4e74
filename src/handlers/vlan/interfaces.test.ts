import { expect, test } from 'vitest';
import type { AskedAppliance, IdentifiedEntry } from '../../api/index.ts';
import { plainText } from '../reply.ts';
import { calledBy, describe as describeOne, interfaces, stateOf } from './interfaces.ts';

/** An appliance with this list and nothing else. */
const listing = (...all: readonly IdentifiedEntry[]) =>
  ({ vlan: { list: async () => all } }) as unknown as AskedAppliance;

const theInterfaces = async (appliance: AskedAppliance) => (await interfaces.look(appliance)).all;

test.each([
  ['up', true],
  ['UP', true],
  ['1', true],
  ['down', false],
  ['0', false],
  ['lower layer down', undefined],
  ['', undefined],
])('the state %j is read as meant, and never guessed', async (State, up) => {
  const [one] = await theInterfaces(listing({ id: 3, fields: { ID: '3', State } }));
  expect(one?.up).toBe(up);
});

test.each([
  [{ Active: '0', State: 'down' }, 'down'],
  [{ Enabled: '0', State: 'down' }, 'disabled'],
  [{ Enabled: '0', State: 'up' }, 'up'],
  [{ Enabled: '1', State: 'down' }, 'down'],
])('%j is shown as %s', async (fields, words) => {
  const [one] = await theInterfaces(listing({ id: 3, enabled: false, fields }));
  expect(one && stateOf(one)).toBe(words);
});

test('an interface known by its ID alone shows other fields as not reported', async () => {
  const [one] = await theInterfaces(listing({ id: 3, fields: { ID: '3' } }));
  if (one === undefined) throw new Error('One is listed');
  expect(calledBy(one)).toBe('number 3');
  expect(describeOne(one).map(({ name, value }) => `${name}: ${plainText(value)}`)).toEqual([
    'Interface: number 3, ID 3',
    'State: not reported',
    'Traffic: not reported',
  ]);
});

test('nested counters are found, and other text stays as it is', async () => {
  const [one] = await theInterfaces(
    listing({
      id: 3,
      name: 'eth1.31',
      fields: { stats: '{"rx_bytes":1500,"tx_bytes":20}', note: '{not json' },
    }),
  );
  expect(one).toMatchObject({
    received: 1500,
    sent: 20,
    fields: { 'stats.rx_bytes': '1500', note: '{not json' },
  });
});
