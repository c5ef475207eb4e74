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

/** What is told at each look, seconds apart, and what is known in the end. */
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

describe('what is seen', () => {
  test('once is not told, and twice in a row it is', () => {
    expect(looks(fine, one, fine, one, one).told).toEqual(['', '', '', 'changed a']);
  });

  test('as wrong in another way at the second look is wrong', () => {
    expect(looks(fine, one, other).told).toEqual(['', 'changed b']);
    expect(looks(fine, unasked, other).told).toEqual(['', 'changed b']);
    expect(looks(one, other, third, other, third).told.filter((words) => words !== '')).toEqual([
      'changed c',
    ]);
  });

  test.each([
    ['fine and not askable', unasked],
    ['fine and broken otherwise', other],
  ])('as %s in turns is not what it was, and is not looked at again at once for ever', (_, sight) => {
    const { told, isInDoubt } = looks(one, fine, sight, fine, sight);
    expect(told).toEqual(['', '', '', `changed ${sight.key}`]);
    expect(isInDoubt).toBe(false);
  });

  test('as the same with other numbers is known with those of the last look', () => {
    expect(looks(one, state('problem', 'a', '7 wait')).seen.now?.says).toEqual(say`7 wait`);
  });

  test('of what brings news is told whether it can be asked, and the news of meanwhile after that', () => {
    const news = (...ids: readonly string[]): Observation => ({
      ...{ kind: 'news', all: ids, mayBeCut: false },
      entries: ids.map((id) => ({ id, says: say`${id}` })),
    });
    expect(looks(news('1'), unasked, unasked, news('1', '2'), news('1', '2'), news('1', '2')).told).toEqual([
      ...['', 'changed unasked', 'news', 'recovered readable', ''],
    ]);
  });
});
