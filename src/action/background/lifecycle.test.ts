import { expect, test } from 'vitest';
import type { Journal } from '../../journal/journal.ts';
import { createLog } from '../../telemetry/log.ts';
import { createAuditCheck, type SchedulerParts, startScheduler } from './lifecycle.ts';

/** A scheduler that says what it does; a test lets it look at the clock. */
function scheduled({
  isShared = true,
  isOnTime = true,
  journal = {},
  recover = async () => {},
  keep = undefined as number | undefined,
} = {}) {
  const done: string[] = [];
  const does = (name: string) => async () => {
    done.push(name);
    return [];
  };
  /** Whatever is called is done at once, and comes to nothing. */
  const anything = new Proxy(
    { isShared },
    { get: (known, name) => Reflect.get(journal, name) ?? Reflect.get(known, name) ?? does(String(name)) },
  );
  const under: Promise<unknown>[] = [];
  const run = (task: () => Promise<void>) => void under.push(task());
  let look = () => {};
  const scheduler = startScheduler({
    ...({
      journal: anything,
      timedChanges: { tick: does('timed changes') },
      plannedChanges: { tick: does('planned changes') },
    } as object),
    ...{
      applies: { tick: does('applies') },
      outbox: { tick: does('outbox') },
      viewers: { tick: does('viewers') },
      watches: { tick: does('watches') },
      steps: { tick: does('watches') },
      webhooks: { tick: does('webhooks') },
      checkAudit: does('checkAudit'),
    },
    confirmation: { expireOverdue: does('expireOverdue') },
    watch: {
      heartbeat: async () => {
        done.push('heartbeat');
        return isOnTime;
      },
    },
    ...{
      restored: { isDone: async () => true },
      recover,
      audit: () => ({ keep }),
      now: () => 0,
      certainlyOver: () => 0,
    },
    every: (_: number, callback: () => void) => {
      look = callback;
      return () => {
        look = () => {};
      };
    },
    work: { track: run, later: run },
  } as unknown as SchedulerParts);
  const tick = async () => {
    done.splice(0);
    look();
    while (under.length > 0) await Promise.all(under.splice(0));
    return [...done];
  };
  return { scheduler, tick };
}

test('while what is under way comes to its end, a replica only shows that it lives', async () => {
  const { scheduler, tick } = scheduled();
  expect(await tick()).toEqual(expect.arrayContaining(['heartbeat', 'adoptOrphans', 'timed changes']));
  scheduler.drain();
  expect(await tick()).toEqual(['heartbeat']);
  scheduler.stop();
  expect(await tick()).toEqual([]);
});

test('a replica whose clock is off does nothing that is due by it, and goes on with all else', async () => {
  const done = await scheduled({ isOnTime: false }).tick();
  expect(done).toEqual(expect.arrayContaining(['heartbeat', 'adoptOrphans', 'forgotten', 'outbox']));
  for (const due of [
    'timed changes',
    'planned changes',
    'expireOverdue',
    'applies',
    'forgetOver',
    'forgetDeliveries',
  ]) {
    expect(done).not.toContain(due);
  }
});

test('where nobody else can be, it does nothing then', async () => {
  const { scheduler, tick } = scheduled({ isShared: false });
  expect(await tick()).not.toContain('heartbeat');
  scheduler.drain();
  expect(await tick()).toEqual([]);
});

test('of what others have left only so much is brought to its end at a time', async () => {
  const wanted: number[] = [];
  const over = Promise.withResolvers<void>();
  const adoptOrphans = async (most: number) => {
    wanted.push(most);
    return Array.from({ length: Math.min(most, 30) }, (_, index) => ({ id: String(index) }));
  };
  const { tick } = scheduled({ journal: { adoptOrphans }, recover: () => over.promise });
  const ticks: Promise<unknown>[] = [];
  for (const most of [50, 20, 0]) {
    ticks.push(tick());
    await expect.poll(() => wanted).toHaveLength(ticks.length);
    expect(wanted.at(-1)).toBe(most);
  }
  over.resolve();
  await Promise.all(ticks);
  await tick();
  expect(wanted.at(-1)).toBe(50);
});

test('what is older than it is to be kept goes in small pieces, a few at one look, and at the next hour once all of it is gone', async () => {
  const pieces: number[] = [];
  let left = 600;
  const prune = async (_: number, most: number) => {
    const gone = Math.min(left, most);
    left -= gone;
    pieces.push(gone);
    return gone;
  };
  const { tick } = scheduled({ journal: { prune }, keep: 1 });
  for (const gone of [[50, 50, 50, 50, 50], [50, 50, 50, 50, 50], [50, 50, 0], []]) {
    await tick();
    expect(pieces.splice(0)).toEqual(gone);
  }
});

/** A journal with so many records to be verified. */
function checked(left: number, news: Awaited<ReturnType<Journal['verifyNext']>>['news'] = undefined) {
  const pieces: number[] = [];
  const lines: string[] = [];
  const clock = { at: 0 };
  const state = { left, news, isStopping: false };
  const verifyNext = async (most: number) => {
    pieces.push(most);
    state.left -= most;
    const told = state.news;
    state.news = undefined;
    return { isMore: state.left > 0, news: told };
  };
  const log = createLog('info', { write: (line: string) => void lines.push(JSON.parse(line)) });
  const check = createAuditCheck({ journal: { verifyNext }, now: () => clock.at }, log);
  const look = async (after = 2_000) => {
    clock.at += after;
    await check(() => state.isStopping);
    return pieces.splice(0);
  };
  return { look, lines, state };
}

test('however many records there are, at one look some hundred are verified, a few at a time', async () => {
  const { look } = checked(1_000_000);
  for (let looks = 0; looks < 3; looks += 1) {
    const pieces = await look();
    expect(Math.max(...pieces)).toBeLessThanOrEqual(25);
    expect(pieces.reduce((sum, piece) => sum + piece, 0)).toBe(500);
  }
});

test('when all are verified, the journal is asked again ten seconds later, or when the clock was set back', async () => {
  const { look } = checked(30);
  expect(await look()).toHaveLength(2);
  expect(await look()).toEqual([]);
  expect(await look(7_000)).toEqual([]);
  expect(await look(1_000)).toHaveLength(1);
  expect(await look(-60_000)).toHaveLength(1);
});

test('a bot that is being stopped verifies nothing more', async () => {
  const { look, state } = checked(1_000);
  state.isStopping = true;
  expect(await look()).toEqual([]);
});

test('what is found is one line with the number of the record, and that it is over is one', async () => {
  const { look, lines, state } = checked(1_000, { seq: 7, says: 'Record 7 is gone.' });
  await look();
  expect(lines).toMatchObject([{ event: 'audit_broken', record: 7, reason: 'Record 7 is gone.' }]);
  state.news = 'intact';
  await look();
  expect(lines).toMatchObject([{}, { event: 'audit_intact' }]);
});
