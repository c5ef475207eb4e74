import { expect, test } from 'vitest';
import type { Action, PendingApply } from '../../journal/journal.ts';
import { shownToStore } from '../base/stored.ts';
import { tellLive } from './live.ts';

const row = (tries = 0): PendingApply => ({
  ...{ id: 1, appliance: 'hq', what: 'acl', action: 'a1', state: 'applying', since: 0 },
  ...{ tries, lastProblem: undefined, nextTryAt: 0, heldBy: undefined },
});

/** A change that is over on so many appliances, as far as it counts here. */
function changeOn(appliances: number, more: Partial<Action> = {}): ReadonlyMap<string, Action> {
  const targets = Array.from({ length: appliances }, (_, index) => ({
    ...{ appliance: `branch-${index}`, args: {}, fingerprint: {} },
  }));
  const preview = shownToStore({ question: [], fields: [], targets });
  const outcome = { code: 'checked', says: 'Disabled.' };
  const action: Partial<Action> = { id: 'a1', state: 'done', card: '1.0', preview, outcome, ...more };
  return new Map([['a1', action as Action]]);
}

const told = (actions: ReadonlyMap<string, Action>, tries = 0) => {
  const { messages, evidence = [] } = tellLive({
    ...{
      appliance: 'hq',
      at: 0,
      live: [row(tries)],
      left: [],
      answers: new Map(),
      undone: new Set(),
      actions,
    },
    ...{ names: [{ what: 'acl', name: undefined }], mentions: new Map() },
  });
  return [messages.map(({ kind }) => kind), evidence.length];
};

test('a card with room shows since when its change is live, and nobody is called', () => {
  expect(told(changeOn(1))).toEqual([['draw'], 1]);
  expect(told(changeOn(3))).toEqual([['draw'], 1]);
});

test('of more appliances than a card has room for the thread tells', () => {
  expect(told(changeOn(4))).toEqual([['tell'], 0]);
});

test('whoever has read in the thread that it was not live is told there, too', () => {
  expect(told(changeOn(1), 1)).toEqual([['draw', 'tell'], 1]);
});

test('where there is no card that can show it, the thread tells', () => {
  expect(told(changeOn(1, { outcome: undefined }))).toEqual([['tell'], 0]);
  expect(told(changeOn(1, { card: undefined }))).toEqual([['tell'], 0]);
  expect(told(new Map())).toEqual([['tell'], 0]);
});
