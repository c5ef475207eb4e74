import { describe, expect, onTestFinished, test } from 'vitest';
import { startOne } from '../../../test/start-one.ts';
import { type Place, stores } from '../../../test/stores.ts';
import type { NewAction } from '../actions/action.ts';
import { actions } from '../actions/actions.ts';
import { outbox } from '../delivery/outbox.ts';
import { createTidying } from '../delivery/tidying.ts';
import { newId } from '../id.ts';
import type { Journal } from '../journal.ts';
import { pendingApplies } from '../timed/pending-applies.ts';
import { timedChangeStore } from '../timed/timed-changes.ts';
import { createLease, Evicted } from './lease.ts';
import { replicas } from './replicas.ts';

const asked: NewAction = {
  state: 'asked',
  team: 'T1',
  channel: 'C1',
  person: 'U1',
  line: 'rdp disconnect 12',
  effect: 'destructive',
};

const change: NewAction = { ...asked, line: 'rdp disconnect 14' };

/** What each replica measures itself: milliseconds that only grow. */
const elapsed = { at: 0 };
const clock = { at: 1_000 };
const seconds = 1_000;

async function replicaAt(place: Place | Promise<Place>, name: string) {
  const store = (await place)(name);
  onTestFinished(() => store.close());
  await store.migrate();
  const now = () => clock.at;
  const lease = createLease(name, store.isShared, () => elapsed.at);
  const tidying = createTidying(store, name, now);
  return {
    ...actions(store, name, now, tidying, lease),
    ...timedChangeStore(store, name, now),
    ...pendingApplies(store, name, now),
    ...outbox(store, name, now, tidying),
    ...replicas(store, name, now, { elapsed: () => elapsed.at, lease }),
    exclusively: store.exclusively,
  };
}

type Replica = Awaited<ReturnType<typeof replicaAt>>;

async function threeAt(place: Place | Promise<Place>): Promise<readonly [Replica, Replica, Replica]> {
  return [await replicaAt(place, 'one'), await replicaAt(place, 'two'), await replicaAt(place, 'three')];
}

/** Time passes, in which these live, and the others do not. */
async function pass(milliseconds: number, ...living: readonly Replica[]): Promise<void> {
  for (let left = milliseconds; left > 0; left -= 2 * seconds) {
    elapsed.at += Math.min(left, 2 * seconds);
    for (const one of living) await one.heartbeat();
  }
}

const idsOf = (rows: readonly { readonly id: string | number }[]) => rows.map(({ id }) => id).toSorted();

/** What a replica holds of every kind. */
async function holdOfEach(replica: Replica) {
  const action = await replica.write(asked);
  await startOne(replica, {
    ...{ action: action.id, appliance: 'hq', channel: 'C1', person: 'U1', reason: 'r', endsAt: clock.at },
    subject: 'emergency disable',
  });
  const [timedChange] = await replica.claimEnds();
  const pendingApply = await replica.addPendingApply({ appliance: 'hq', what: 'acl', action: action.id });
  await replica.startApply('hq');
  const key = newId();
  await replica.post([{ key, kind: 'said', orderingKey: key, content: {} }]);
  return { action: action.id, timedChange: timedChange?.id, pendingApply: pendingApply.id, key };
}

describe('replicas of one PostgreSQL', () => {
  const postgres = stores.find(({ store }) => store === 'PostgreSQL');
  if (postgres === undefined) throw new Error('No PostgreSQL');
  const { newPlace } = postgres;

  test('know who lives: whoever shows no beat for twelve seconds is gone', async () => {
    const [one, two] = await threeAt(newPlace());
    await one.heartbeat();
    await two.heartbeat();
    await one.heartbeat();
    expect((await one.alive()).toSorted()).toEqual(['one', 'two']);
    await pass(11 * seconds, one);
    expect(await one.alive()).toContain('two');
    await pass(1 * seconds, one);
    expect(await one.alive()).toEqual(['one']);
    await two.heartbeat();
    await one.heartbeat();
    expect(await one.alive()).toContain('two');
  });

  test('leave to a live one what it holds', async () => {
    const [one, two] = await threeAt(newPlace());
    await one.heartbeat();
    const { key } = await holdOfEach(one);
    await two.heartbeat();
    await pass(30 * seconds, one, two);
    expect(await two.adoptOrphans()).toEqual([]);
    expect(await two.claimEnds()).toEqual([]);
    expect(await two.startApply('hq')).toEqual([]);
    expect(await two.dueOrderingKeys(20, 'awaited')).not.toContain(key);
    expect(await two.claimOrderingKey(key)).toEqual([]);
  });

  test('take over the actions of one that died, each by one of two that do it at once', async () => {
    const [dead, one, two] = await threeAt(newPlace());
    for (let round = 0; round < 5; round += 1) {
      await dead.heartbeat();
      const left = await Promise.all(Array.from({ length: 20 }, () => dead.write(asked)));
      await pass(14 * seconds, one, two);
      const taken = await Promise.all([
        one.adoptOrphans(),
        two.adoptOrphans(),
        one.adoptOrphans(),
        two.adoptOrphans(),
      ]);
      expect(idsOf(taken.flat())).toEqual(idsOf(left));
    }
    expect(await one.adoptOrphans()).toEqual([]);
    expect(await two.adoptOrphans()).toEqual([]);
  });

  test('go on with the claims of one that died: ends, applies, and messages, which are in doubt', async () => {
    const [dead, one] = await threeAt(newPlace());
    await dead.heartbeat();
    const { timedChange, pendingApply, key } = await holdOfEach(dead);
    await pass(14 * seconds, one);
    await one.adoptOrphans();
    expect(idsOf(await one.claimEnds())).toEqual([timedChange]);
    expect(idsOf(await one.startApply('hq'))).toEqual([pendingApply]);
    expect(await one.dueOrderingKeys(20, 'awaited')).toEqual([key]);
    expect(await one.claimOrderingKey(key)).toMatchObject([{ key, isMaybeDelivered: true }]);
  });

  test('give what one leaves behind to the others at once', async () => {
    const [one, two] = await threeAt(newPlace());
    await one.heartbeat();
    await two.heartbeat();
    const { id } = await one.write(asked);
    await one.leave();
    await two.heartbeat();
    expect(idsOf(await two.adoptOrphans())).toEqual([id]);
  });

  test('end the sessions of one that they evict, so that what it has locked is free', async () => {
    const [frozen, one] = await threeAt(newPlace());
    await frozen.heartbeat();
    const asked = Promise.withResolvers<void>();
    const woken = Promise.withResolvers<void>();
    const holding = frozen.exclusively('hq', 1_000, async () => {
      asked.resolve();
      await woken.promise;
    });
    await asked.promise;
    await pass(10 * seconds, one);
    await one.adoptOrphans();
    expect(await one.exclusively('hq', 100, async () => 'mine')).toBeUndefined();
    await pass(4 * seconds, one);
    await one.adoptOrphans();
    expect(await one.exclusively('hq', 2_000, async () => 'mine')).toEqual({ value: 'mine' });
    woken.resolve();
    await holding;
    // It is one of them again, under its own name.
    expect(await frozen.heartbeat()).toMatchObject({ wasEvicted: true });
    expect(await frozen.heartbeat()).toMatchObject({ wasEvicted: false });
    expect(await frozen.exclusively('hq', 2_000, async () => 'again')).toEqual({ value: 'again' });
  });

  test('let one that was evicted write no intent and send no order when it wakes', async () => {
    const [frozen, one] = await threeAt(newPlace());
    await frozen.heartbeat();
    const [approved, running, early] = [
      await frozen.write(change),
      await frozen.move(await frozen.write(change), 'running'),
      await frozen.move(await frozen.write(change), 'running'),
    ];
    if (running === undefined || early === undefined) throw new Error('It did not move');
    const fence = await frozen.fence(early.id);
    expect(fence?.holds()).toBe(true);
    await pass(14 * seconds, one);
    const left = await one.adoptOrphans();
    expect(idsOf(left)).toEqual(idsOf([approved, running, early]));
    // Nobody has told it: by its own clock it knows that it may have been evicted.
    expect(fence?.holds()).toBe(false);
    expect(await frozen.move(approved, 'running')).toBeUndefined();
    await expect(frozen.fence(running.id)).rejects.toThrow(Evicted);
    await expect(fence?.renew()).rejects.toThrow(Evicted);
    // Back among them, it has what it begins from now on, and nothing of what it had.
    expect(await frozen.move(approved, 'running')).toBeUndefined();
    await expect(fence?.renew()).rejects.toThrow(Evicted);
    await expect(frozen.fence(running.id)).rejects.toThrow(Evicted);
    const anew = await frozen.move(await frozen.write(change), 'running');
    expect((await frozen.fence(anew?.id))?.holds()).toBe(true);
  });

  test('leave one that nobody has evicted what it was at, however long it stood still', async () => {
    const [one] = await threeAt(newPlace());
    await one.heartbeat();
    const running = await one.move(await one.write(change), 'running');
    const fence = await one.fence(running?.id);
    elapsed.at += 60 * seconds;
    expect(fence?.holds()).toBe(false);
    await fence?.renew();
    expect(fence?.holds()).toBe(true);
    // Whoever has never said that it is there can have been evicted by nobody.
    const [tool] = await threeAt(newPlace());
    expect(await tool.fence()).toBeUndefined();
    expect(await tool.move(await tool.write(change), 'running')).toMatchObject({ state: 'running' });
  });

  test('leave alone whoever has begun since they last looked', async () => {
    const [one, two, three] = await threeAt(newPlace());
    await one.heartbeat();
    await two.heartbeat();
    const { key } = await holdOfEach(two);
    expect(await one.adoptOrphans()).toEqual([]);
    expect(await one.claimOrderingKey(key)).toEqual([]);
    expect(await one.startApply('hq')).toEqual([]);
    // Nor is it unknown to others from then on.
    await three.heartbeat();
    expect(await three.alive()).toContain('two');
  });

  test('do not take each other for dead when nobody could look for a while', async () => {
    const [one, two] = await threeAt(newPlace());
    await pass(4 * seconds, one, two);
    await one.write(asked);
    // The database was away for a minute, and one comes back before the other.
    elapsed.at += 60 * seconds;
    await two.heartbeat();
    expect(await two.adoptOrphans()).toEqual([]);
    await pass(4 * seconds, two);
    expect(await two.adoptOrphans()).toEqual([]);
    await pass(10 * seconds, two);
    expect(await two.adoptOrphans()).toHaveLength(1);
  });
});

test('what another process has left in an embedded journal is taken over at once: nobody else can be at it', async () => {
  const sqlite = stores.find(({ store }) => store === 'SQLite');
  const [dead, one] = await threeAt(sqlite?.newPlace() ?? Promise.reject(new Error('No SQLite')));
  await dead.heartbeat();
  const { action, timedChange, pendingApply } = await holdOfEach(dead);
  expect(idsOf(await one.adoptOrphans())).toEqual([action]);
  expect(idsOf(await one.claimEnds())).toEqual([timedChange]);
  expect(idsOf(await one.startApply('hq'))).toEqual([pendingApply]);
});

describe.each(stores)('of three replicas at once, in $store', ({ newPlace }) => {
  /** All three do it, several times each, at the same moment: nobody has to connect first. */
  const atOnce = async <Value>(
    three: readonly Replica[],
    does: (replica: Replica) => Promise<Value>,
  ): Promise<readonly Value[]> => {
    const all = <Each>(each: (replica: Replica) => Promise<Each>) =>
      Promise.all(Array.from({ length: 5 }, () => three.map(each)).flat());
    await all((replica) => replica.recent(1));
    return all(does);
  };

  test('one writes a line down, and the others are shown that one', async () => {
    const three = await threeAt(newPlace());
    for (let round = 0; round < 5; round += 1) {
      const again = { ...asked, line: `rdp disconnect ${round}` };
      const written = await atOnce(three, (replica) => replica.writeOnce(again, 60 * seconds));
      expect(written.filter(({ isNew }) => isNew)).toHaveLength(1);
      expect(new Set(written.map(({ action }) => action.id)).size).toBe(1);
    }
  });

  test('a line that has ended, or takes too long, is written anew', async () => {
    const [one, two] = await threeAt(newPlace());
    const first = await one.writeOnce(asked, 60 * seconds);
    await one.move(first.action, 'refused');
    const second = await two.writeOnce(asked, 60 * seconds);
    expect(second.isNew).toBe(true);
    clock.at += 60 * seconds;
    expect((await one.writeOnce(asked, 60 * seconds)).isNew).toBe(true);
  });

  test('each message goes to one', async () => {
    const three = await threeAt(newPlace());
    const keys = Array.from({ length: 30 }, newId);
    await three[0].post(
      keys.map((key, index) => ({ key, kind: 'said', orderingKey: `${index % 5}`, content: {} })),
    );
    await three[0].releaseMessages(keys);
    const claimAll = async (replica: Pick<Journal, 'dueOrderingKeys' | 'claimOrderingKey'>) => {
      const claims = (await replica.dueOrderingKeys(20, 'awaited')).map((orderingKey) =>
        replica.claimOrderingKey(orderingKey),
      );
      return (await Promise.all(claims)).flat();
    };
    const claimed = (await Promise.all(three.map(claimAll))).flat();
    expect(claimed.map(({ key }) => key).toSorted()).toEqual(keys.toSorted());
  });

  test('each end goes to one', async () => {
    const three = await threeAt(newPlace());
    for (let round = 0; round < 5; round += 1) {
      for (let number = 0; number < 20; number += 1) {
        const from = { action: 'a', channel: 'C1', person: 'U1', reason: 'r', endsAt: clock.at };
        const timedChange = { ...from, subject: 'emergency disable' };
        await startOne(three[0], { ...timedChange, appliance: `branch-${number}` });
      }
      const claimed = (await atOnce(three, (replica) => replica.claimEnds())).flat();
      expect(claimed).toHaveLength(20);
      expect(new Set(claimed.map(({ id }) => id)).size).toBe(20);
      for (const { id } of claimed) await three[0].endTimedChange(id, { how: 'ended', says: '' });
    }
  });

  test('each debt goes to one', async () => {
    const three = await threeAt(newPlace());
    for (let number = 0; number < 20; number += 1) {
      await three[0].addPendingApply({ appliance: 'hq', what: 'acl', action: `a${number}` });
    }
    const started = (await atOnce(three, (replica) => replica.startApply('hq'))).flat();
    expect(started).toHaveLength(20);
    expect(new Set(started.map(({ id }) => id)).size).toBe(20);
  });
});
