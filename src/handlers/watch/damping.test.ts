import { describe, expect, test } from 'vitest';
import { say } from '../text.ts';
import { firstSeen, look, type WatchMemory } from './damping.ts';
import type { Observation } from './observation.ts';

type State = Extract<Observation, { kind: 'state' }>;
const state = (is: State['is'], key: string, says = key): State => ({
  ...{ kind: 'state', is, key },
  says: say`${says}`,
});
const fine = state('fine', 'fine');
const unasked = state('unasked', 'unasked');
const [one, other, third] = ['a', 'b', 'c'].map((key) => state('problem', key)) as [State, State, State];

/** The posts at each look, seconds apart, and the final memory. */
function looks(first: Observation, ...sights: readonly Observation[]) {
  let seen: WatchMemory = firstSeen(first, 0);
  let isInDoubt = false;
  const told = sights.map((sight, index) => {
    const verdict = look(seen, sight, (index + 1) * 6_000, false);
    ({ seen, isInDoubt } = verdict);
    const { say: said } = verdict;
    return said === undefined ? '' : said.kind === 'news' ? 'news' : `${said.kind} ${said.now.key}`;
  });
  return { told, seen, isInDoubt };
}

describe('an observation', () => {
  test('is posted when it was seen twice in a row', () => {
    expect(looks(fine, one, fine, one, one).told).toEqual(['', '', '', 'changed a']);
  });

  test('with another problem at the second look is still a problem', () => {
    expect(looks(fine, one, other).told).toEqual(['', 'changed b']);
    expect(looks(fine, unasked, other).told).toEqual(['', 'changed b']);
    expect(looks(one, other, third, other, third).told.filter((words) => words !== '')).toEqual([
      'changed c',
    ]);
  });

  test.each([
    ['fine and not askable', unasked],
    ['fine and broken otherwise', other],
  ])('that alternates between %s differs from before, and is not repeated at once forever', (_, sight) => {
    const { told, isInDoubt } = looks(one, fine, sight, fine, sight);
    expect(told).toEqual(['', '', '', `changed ${sight.key}`]);
    expect(isInDoubt).toBe(false);
  });

  test('with other numbers is the same, and the last numbers are kept', () => {
    expect(looks(one, state('problem', 'a', '7 wait')).seen.now?.says).toEqual(say`7 wait`);
  });

  test('of events reports first whether they can be read, and then the events in between', () => {
    const news = (...ids: readonly string[]): Observation => ({
      ...{ kind: 'news', all: ids, mayBeCut: false },
      entries: ids.map((id) => ({ id, says: say`${id}` })),
    });
    expect(looks(news('1'), unasked, unasked, news('1', '2'), news('1', '2'), news('1', '2')).told).toEqual([
      ...['', 'changed unasked', 'news', 'recovered readable', ''],
    ]);
  });
});
