import { describe, expect, test } from 'vitest';
import { type AskedAppliance, IncompleteList, type ListExtent, withExtent } from '../api/index.ts';
import { listing } from './listing.ts';

/** The entries of a list, and the answer's own statements about its extent. */
interface Said extends Partial<ListExtent> {
  readonly ids: readonly number[];
}

/** A list whose successive reads return these answers; the last one repeats. */
function members(
  said: readonly Said[],
  more: { readonly count?: number | undefined; readonly isUp?: boolean } = {},
) {
  let reads = 0;
  const appliance = {} as AskedAppliance;
  const list = listing<{ readonly id: number }>({
    things: 'members',
    read: async () => {
      const { ids, ...extent } = said[Math.min(reads, said.length - 1)] ?? { ids: [] };
      reads += 1;
      return withExtent(
        ids.map((id) => ({ id })),
        { operation: 'rdp.listMembers', namesMore: false, isWritten: true, ...extent },
      );
    },
    keyOf: ({ id }) => id,
    count: async () => more.count,
    isUp: async () => more.isUp === true,
  });
  /** Whether member 7 is found gone, with the list as it was before. */
  const isGone = async (before?: readonly number[]) => {
    const shown = before === undefined ? {} : { inventory: JSON.stringify(before.map(String)) };
    try {
      const { found, all } = await list.seek(appliance, ({ id }) => id === 7, { shown, without: [7] });
      return found === undefined ? `gone, ${all.length} left` : 'there';
    } catch (error) {
      if (error instanceof IncompleteList) return error.problem;
      throw error;
    }
  };
  return { list, appliance, isGone };
}

describe('something is gone', () => {
  test.each<[string, Parameters<typeof members>, readonly number[] | undefined, string]>([
    ['where all others are still there', [[{ ids: [1, 2, 9] }]], [1, 2, 7], 'gone, 3 left'],
    ['where as many came as there are', [[{ ids: [1], total: 1 }]], [1, 2, 7], 'gone, 1 left'],
    [
      'where nobody knows who was there, and the list says nothing of more',
      [[{ ids: [1] }]],
      undefined,
      'gone, 1 left',
    ],
    ['where each came twice', [[{ ids: [1, 2, 1, 2] }]], [1, 2, 7], 'gone, 2 left'],
    [
      'where it was the last, and the list says that there is none',
      [[{ ids: [], total: 0, isWritten: false }]],
      [7],
      'gone, 0 left',
    ],
    [
      'where it was the last, and another answer counts none',
      [[{ ids: [], isWritten: false }], { count: 0 }],
      [7],
      'gone, 0 left',
    ],
    [
      'where it was the last, and the list stays empty while the service runs',
      [[{ ids: [] }], { isUp: true }],
      [7],
      'gone, 0 left',
    ],
    [
      'where others went as well, and another answer counts those that are left',
      [[{ ids: [1] }], { count: 1 }],
      [1, 2, 7],
      'gone, 1 left',
    ],
  ])('%s', async (_, given, before, says) => {
    expect(await members(...given).isGone(before)).toBe(says);
  });
});

describe('a missing entry is not reported as gone', () => {
  const unproven =
    'lists no members, which does not prove that there are none: a service that restarts answers so, too';
  test.each<[string, Parameters<typeof members>, readonly number[] | undefined, string]>([
    [
      'by an empty list where there were others',
      [[{ ids: [] }], { isUp: true }],
      [1, 7],
      'no longer lists the other members, so its list may be incomplete',
    ],
    [
      'by a count of none in the same answer where there were others',
      [[{ ids: [], total: 0 }]],
      [1, 7],
      'no longer lists the other members, so its list may be incomplete',
    ],
    ['by null, although the service runs', [[{ ids: [], isWritten: false }], { isUp: true }], [7], unproven],
    ['by an empty list of a service that is not seen to run', [[{ ids: [] }]], [7], unproven],
    ['by an empty list that does not stay so', [[{ ids: [] }, { ids: [7] }], { isUp: true }], [7], unproven],
    [
      'where another answer counts some',
      [[{ ids: [] }], { count: 1, isUp: true }],
      [7],
      'lists no members, although it counts 1 elsewhere',
    ],
    [
      'by a list that was cut without a word',
      [[{ ids: [1, 2] }]],
      [1, 2, 3, 7],
      'no longer lists some of the other members, so its list may be incomplete',
    ],
    ['by a part of a list', [[{ ids: [1, 2], total: 12 }]], [1, 2, 7], 'listed only 2 of 12 members'],
    [
      'by a list that names more',
      [[{ ids: [1, 2], namesMore: true }]],
      [1, 2, 7],
      'listed only the first 2 members',
    ],
    [
      'where some came twice and others not at all',
      [[{ ids: [1, 1], total: 2 }]],
      [1, 7],
      'listed only 1 of 2 members',
    ],
  ])('%s', async (_, given, before, says) => {
    expect(await members(...given).isGone(before)).toBe(says);
  });
});

test('an entry in the list exists, however little of the list came', async () => {
  expect(await members([{ ids: [7], total: 12, namesMore: true }]).isGone([1, 2, 7])).toBe('there');
});

test('a sample of a long list is noted from start to end, and a shortened list lacks some of it', async () => {
  const all = Array.from({ length: 5_000 }, (_, at) => at + 10);
  const { list, appliance } = members([{ ids: all }]);
  const inventory = await list.inventory(appliance);
  expect(inventory.length).toBeLessThan(500);
  const cut = members([{ ids: all.slice(0, 4_900) }]);
  await expect(cut.list.seek(cut.appliance, ({ id }) => id === 7, { shown: { inventory } })).rejects.toThrow(
    'some of the other members',
  );
});
