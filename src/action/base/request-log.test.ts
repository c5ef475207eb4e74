import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { RequestReport } from '../../api/index.ts';
import type { Action, ActionEvent, Changes } from '../../journal/journal.ts';
import { currentActions, inAction, outside, recorded, withRequestLog } from './request-log.ts';

const request = (path: string, effect: RequestReport['effect'] = 'read'): RequestReport => ({
  ...{ appliance: 'hq', operation: 'rdp.listSessions', effect, method: 'GET', path },
  ...{ attempt: 1, durationMs: 1.6, status: 200 },
});

/** A journal that remembers what was noted and moved, as `a1 /path`. */
function watched() {
  const noted: string[] = [];
  const paths = (events: readonly ActionEvent[] = []) =>
    events.map(({ content }) => (content as { path: string }).path).join(' ');
  const moves = { isLegal: true };
  const journal = {
    note: async (action: string, ...events: readonly ActionEvent[]) => {
      noted.push(`${action} ${paths(events)}`);
    },
    move: async ({ id }: Pick<Action, 'id'>, to: string, changes?: Changes) => {
      noted.push(`${id} ${to} ${paths(changes?.events)}`);
      return moves.isLegal ? ({} as Action) : undefined;
    },
  };
  return { noted, moves, parts: { journal, now: () => 5 }, kept: withRequestLog(journal) };
}

const action = { id: 'a1', state: 'running', effect: 'read' } as const;

test('what was only read goes with the next step of the action, which does not wait for more', async () => {
  const { noted, parts, kept } = watched();
  await inAction(parts, ['a1'], async () => {
    await sleep(1);
    recorded(request('/one'));
    recorded(request('/two'));
    expect(noted).toEqual([]);
    await kept.move(action, 'done');
    recorded(request('/three'));
  });
  expect(noted).toEqual(['a1 done /one /two', 'a1 /three']);
});

test('the log tells for which actions a request is made, however deep in the calls', async () => {
  const { parts } = watched();
  const deep = async () => {
    await sleep(1);
    return currentActions();
  };
  expect(await inAction(parts, ['a1', 'a2'], deep)).toEqual(['a1', 'a2']);
  expect(currentActions()).toEqual([]);
});

test('what may have changed something is noted at once, with what was read before it', async () => {
  const { noted, parts } = watched();
  await inAction(parts, ['a1', 'a2'], async () => {
    recorded(request('/one'));
    recorded(request('/order', 'destructive'));
    await sleep(1);
    expect(noted).toEqual(['a1 /one /order', 'a2 /one /order']);
  });
  expect(noted).toHaveLength(2);
});

test('actions at the same time do not hear each other, and another one’s step takes nothing', async () => {
  const { noted, parts, kept } = watched();
  const one = (id: string) =>
    inAction(parts, [id], async () => {
      await sleep(2);
      recorded(request(`/${id}`));
      await kept.move({ ...action, id: 'other' }, 'done');
      await sleep(2);
    });
  await Promise.all([one('a1'), one('a2')]);
  expect(noted.toSorted()).toEqual(['a1 /a1', 'a2 /a2', 'other done ', 'other done ']);
});

test('a step that somebody else was faster with loses nothing', async () => {
  const { noted, moves, parts, kept } = watched();
  moves.isLegal = false;
  await inAction(parts, ['a1'], async () => {
    recorded(request('/one'));
    await kept.move(action, 'done');
  });
  expect(noted).toEqual(['a1 done /one', 'a1 /one']);
});

test('what belongs to no action is not noted, nor what looks again and again', async () => {
  const { noted, parts } = watched();
  recorded(request('/nobody', 'write'));
  await inAction(parts, ['a1'], async () => {
    await outside(async () => recorded(request('/later', 'write')));
  });
  await inAction(
    parts,
    ['a1'],
    async () => {
      recorded(request('/look'));
      recorded(request('/order', 'write'));
    },
    { reads: false },
  );
  expect(noted).toEqual(['a1 /order']);
});

test('an action that fails has its requests all the same', async () => {
  const { noted, parts } = watched();
  const failing = inAction(parts, ['a1'], async () => {
    recorded(request('/one'));
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(noted).toEqual(['a1 /one']);
});
