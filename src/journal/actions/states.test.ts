import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { initial, leadsTo, type State, transitions } from './states.ts';

// Object.keys loses the key type.
const states = Object.keys(transitions) as State[];
const final = ['refused', 'done', 'failed', 'cancelled', 'expired'] as const;

function reachableFrom(...from: readonly State[]): Set<State> {
  const found = new Set<State>(from);
  for (const state of found) for (const next of transitions[state]) found.add(next);
  return found;
}

test('every state can be reached', () => {
  expect([...reachableFrom(...initial)].sort()).toEqual(states.toSorted());
});

test('what is over stays over', () => {
  for (const state of final) expect(transitions[state]).toEqual([]);
  expect(states.filter((state) => transitions[state].length === 0).sort()).toEqual([...final].sort());
});

test('everything that is begun can come to an end', () => {
  for (const state of states) {
    expect(final.some((end) => reachableFrom(state).has(end))).toBe(true);
  }
});

test('a card is known to tell more than the journal where nothing leads from what it shows to what the journal has', () => {
  expect(leadsTo('done', 'expired')).toBe(false);
  expect(leadsTo('cancelled', 'expired')).toBe(false);
  expect(leadsTo('unknown', 'waiting')).toBe(false);
  expect(leadsTo('waiting', 'expired')).toBe(true);
  expect(leadsTo('waiting', 'done')).toBe(true);
  for (const state of states) expect(leadsTo(state, state)).toBe(true);
});

test('nothing runs twice: no way leads back from running', () => {
  expect(transitions.running.some((next) => reachableFrom(next).has('running'))).toBe(false);
});

test('a question is only answered by somebody: no way from waiting to running but through approved', () => {
  expect(transitions.waiting).not.toContain('running');
  expect(transitions.waiting).toContain('approved');
});

test('a change that can be put back runs without a question, and only as long as none was asked', () => {
  expect(transitions.asked).toContain('running');
  expect(states.filter((state) => transitions[state].includes('asked'))).toEqual([]);
});

test('whoever cancels or lets expire changes nothing on the appliance: neither follows running', () => {
  for (const state of ['cancelled', 'expired', 'refused'] as const) {
    expect(reachableFrom(...transitions.running).has(state)).toBe(false);
  }
});

test('the picture in the documentation shows exactly these states and ways', () => {
  const page = readFileSync(new URL('../../../docs/architecture.md', import.meta.url), 'utf8');
  const [, picture = ''] = /stateDiagram-v2\n(.*?)```/s.exec(page) ?? [];
  const drawn = [...picture.matchAll(/(\S+) --> (\w+)/g)].map(([, from, to]) => `${from} --> ${to}`);
  const legal = states.flatMap((from) => transitions[from].map((to) => `${from} --> ${to}`));
  expect(drawn.sort()).toEqual([...initial.map((to) => `[*] --> ${to}`), ...legal].sort());
});
