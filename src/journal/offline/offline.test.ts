import { expect, onTestFinished, test, vi } from 'vitest';
import { startOne } from '../../../test/start-one.ts';
import { stores } from '../../../test/stores.ts';
import type { NewAction } from '../actions/action.ts';
import type { Journal } from '../journal.ts';
import { type JournalTrouble, JournalUnavailable } from '../unavailable.ts';
import type { Notices } from './database.ts';
import { offline } from './offline.ts';

const person = { team: 'T1', channel: 'C1', person: 'U1' };
const lookup: NewAction = { ...person, state: 'running', line: 'rdp sessions', effect: 'read' };
const change: NewAction = { ...person, state: 'asked', line: 'rdp disconnect 12', effect: 'destructive' };
const outcome = { code: 'done', says: 'Done.' };

/**
 * A journal whose database can be switched off: `away`, or `mute` when it does what it is asked and nobody hears of it,
 * as when the connection breaks right after a commit.
 */
async function open() {
  const [sqlite] = stores;
  if (sqlite === undefined) throw new Error('No store');
  const clock = { at: 1_000 };
  const database = { is: 'there' as 'there' | 'away' | 'mute', goesAfter: '' };
  const place = await sqlite.newPlace();
  const dead = await sqlite.open(place, clock);
  const real = await sqlite.open(place, clock);
  const unreliable = new Proxy(real, {
    get: (from, name) => {
      const value: unknown = Reflect.get(from, name);
      if (typeof value !== 'function' || name === 'close') return value;
      return async (...given: unknown[]) => {
        if (database.is === 'away') throw new JournalUnavailable(new Error('switched off'));
        const result: unknown = await Reflect.apply(value, from, given);
        if (database.goesAfter === name) database.is = 'away';
        if (database.is === 'mute') throw new JournalUnavailable(new Error('cut off'));
        return result;
      };
    },
    ownKeys: (from) => Reflect.ownKeys(from),
  });
  const told: string[] = [];
  const notices: Notices = {
    away: () => told.push('away'),
    back: (written) => told.push(`back ${written}`),
    lost: (what) => told.push(`lost ${what}`),
  };
  // As `offline` sees it: every method of its own.
  const given = Object.fromEntries(
    Object.keys(real).map((name) => [name, Reflect.get(unreliable, name)]),
  ) as unknown as Journal;
  const journal = offline(given, notices, () => clock.at);
  onTestFinished(() => journal.close());
  return {
    ...{ journal, real, dead, clock, told },
    goAway: (how: 'away' | 'mute' = 'away') => {
      database.is = how;
    },
    goAwayAfter: (method: keyof Journal) => {
      database.goesAfter = method;
    },
    comeBack: async () => {
      database.is = 'there';
      const before = told.length;
      await vi.waitFor(() => expect(told.slice(before).join()).toContain('back'), { timeout: 30_000 });
    },
  };
}

test('a look-up is answered while the database is away, and written when it is back, as it ended', async () => {
  const { journal, real, goAway, comeBack, told } = await open();
  goAway();
  const action = await journal.write(lookup);
  await journal.placed(action.id, '17.1');
  await journal.note(action.id, { kind: 'request', content: { path: '/rdp' } });
  expect(await journal.move(action, 'done', { outcome })).toMatchObject({
    state: 'done',
    card: '17.1',
    outcome,
  });
  expect(await journal.move(action, 'failed')).toBeUndefined();
  expect(await journal.byId(action.id)).toMatchObject({ state: 'done' });
  expect(await real.recent()).toEqual([]);
  await comeBack();
  expect(await real.recent()).toEqual([await journal.byId(action.id)]);
  expect(await real.byId(action.id)).toMatchObject({ ...lookup, state: 'done', card: '17.1', outcome });
  expect(await real.eventsOf(action.id)).toMatchObject([{ kind: 'request', content: { path: '/rdp' } }]);
  expect(told).toEqual(['away', 'back 1']);
});

test('a look-up that was under way when the database went is written once, with its end', async () => {
  const { journal, real, goAway, comeBack } = await open();
  const before = await journal.write({ ...lookup, allowedBy: ['viewer'] });
  goAway('mute');
  const during = await journal.write(lookup);
  goAway();
  const events = [{ kind: 'request', content: { path: '/rdp' } }] as const;
  await journal.move(before, 'done', { outcome, events });
  await journal.move(during, 'done', { outcome });
  await comeBack();
  expect(await real.eventsOf(before.id)).toMatchObject(events);
  expect((await real.recent()).map(({ id, state }) => ({ id, state }))).toEqual(
    expect.arrayContaining([
      { id: before.id, state: 'done' },
      { id: during.id, state: 'done' },
    ]),
  );
  expect(await real.recent()).toHaveLength(2);
  expect(await real.adoptOrphans()).toEqual([]);
});

test('a change is not begun, and none moves towards the appliance', async () => {
  const { journal, real, goAway, comeBack } = await open();
  const asked = await journal.write(change);
  const waiting = await journal.move(await journal.write(change), 'waiting', { token: 'token' });
  const approved = await journal.move(await journal.write(change), 'waiting');
  if (waiting === undefined || approved === undefined) throw new Error('It did not move');
  goAway();
  await expect(journal.write(change)).rejects.toThrow(JournalUnavailable);
  await expect(journal.writeOnce(change, 60_000)).rejects.toThrow(JournalUnavailable);
  await expect(journal.move(asked, 'running')).rejects.toThrow(JournalUnavailable);
  await expect(journal.byToken('token')).rejects.toThrow(JournalUnavailable);
  await expect(journal.move(waiting, 'approved', {}, 'token')).rejects.toThrow(JournalUnavailable);
  await expect(journal.move(waiting, 'cancelled', {}, 'token')).rejects.toThrow(JournalUnavailable);
  await expect(journal.exclusively('hq', 1_000, async () => 'sent')).rejects.toThrow(JournalUnavailable);
  await comeBack();
  const begun = (await real.recent()).filter(({ state }) => state === 'asked' || state === 'waiting');
  expect(begun).toHaveLength(3);
  expect(await journal.move(waiting, 'approved', {}, 'token')).toMatchObject({ state: 'approved' });
});

test('what a change has come to is known at once, and written when the database is back', async () => {
  const { journal, real, goAway, comeBack } = await open();
  const running = await journal.move(await journal.write(change), 'running');
  if (running === undefined) throw new Error('It did not move');
  goAway();
  const messages = [{ key: 'k', kind: 'tell', orderingKey: 'card', content: { says: 'done' } }];
  expect(await journal.move(running, 'unknown', { outcome })).toMatchObject({ state: 'unknown' });
  expect(await journal.move({ ...running, state: 'unknown' }, 'done', { outcome, messages })).toMatchObject({
    state: 'done',
  });
  expect(await journal.move(running, 'failed')).toBeUndefined();
  await journal.addPendingApply({ appliance: 'hq', what: 'acl', action: running.id });
  expect(await journal.pendingApplies('hq')).toMatchObject([{ what: 'acl' }]);
  expect(await journal.claimOrderingKey('card')).toMatchObject([{ key: 'k' }]);
  await journal.acknowledge('k');
  expect(await real.byId(running.id)).toMatchObject({ state: 'running' });
  await comeBack();
  expect(await real.byId(running.id)).toMatchObject({ state: 'done', outcome });
  expect(await real.pendingApplies()).toMatchObject([{ appliance: 'hq', action: running.id }]);
  expect(await real.unsent()).toEqual([]);
  expect(await journal.adoptOrphans()).toEqual([]);
});

test('what another replica has ended meanwhile is drawn as it stands in the journal when the database is back', async () => {
  const { journal, real, goAway, comeBack } = await open();
  const running = there(await journal.move(await journal.write(change), 'running'));
  goAway();
  const message = (kind: string) => ({ key: kind, kind, orderingKey: 'card', content: { says: kind } });
  await journal.move(running, 'done', { outcome, messages: [message('draw'), message('tell')] });
  const asSeen = { code: 'checked', says: 'Another one has looked.' };
  await real.move(running, 'failed', { outcome: asSeen });
  for (const { key } of await journal.claimOrderingKey('card')) await journal.acknowledge(key);
  await comeBack();
  expect(await real.byId(running.id)).toMatchObject({ state: 'failed', outcome: asSeen });
  expect(await real.unsent()).toMatchObject([{ kind: 'draw', action: undefined }]);
  expect(await real.dueOrderingKeys(20, 'awaited')).toEqual(['card']);
});

test('a line that could not be written down is in the journal as what its person was told: refused', async () => {
  const { journal, real, goAway, comeBack } = await open();
  goAway();
  await expect(journal.write(change)).rejects.toThrow(JournalUnavailable);
  await comeBack();
  // It was written, and nobody heard of it.
  goAway('mute');
  await expect(journal.writeOnce(change, 60_000)).rejects.toThrow(JournalUnavailable);
  await comeBack();
  expect(await real.recent()).toMatchObject(
    [1, 2].map(() => ({ ...change, state: 'refused', outcome: { code: 'journal_unavailable' } })),
  );
  expect(await journal.adoptOrphans()).toEqual([]);
  // Whoever types it again is not told that it is under way.
  expect(await journal.writeOnce(change, 60_000)).toMatchObject({ isNew: true });
});

test('a step that was written although nobody heard of it is taken back without another word', async () => {
  const { clock, journal, real, goAway, comeBack } = await open();
  const waiting = there(
    await journal.move(await journal.write(change), 'waiting', { token: 'token', card: '17.1' }),
  );
  await real.placed(waiting.id, '17.1');
  goAway('mute');
  await expect(journal.move(waiting, 'approved', {}, 'token')).rejects.toThrow(JournalUnavailable);
  await comeBack();
  expect(await journal.adoptOrphans()).toEqual([]);
  expect(await real.byId(waiting.id)).toMatchObject({ state: 'waiting', token: 'token' });
  // Its click was told to have done nothing, and so it can be done again.
  const approved = there(await journal.move(waiting, 'approved', {}, 'token'));
  goAway('mute');
  await expect(journal.move(approved, 'running')).rejects.toThrow(JournalUnavailable);
  goAway();
  const told = { code: 'journal_unavailable', says: 'No changes were made.' };
  await journal.move(approved, 'cancelled', { outcome: told });
  await comeBack();
  expect(await journal.adoptOrphans()).toEqual([]);
  expect(await real.byId(waiting.id)).toMatchObject({ state: 'failed', outcome: told });
  clock.at += 60_000;
  expect(await real.forgotten()).toEqual([]);
});

test('a step that the database takes only when it wakes is taken back as well', async () => {
  const { journal, real, goAway, comeBack } = await open();
  const waiting = there(await journal.move(await journal.write(change), 'waiting', { token: 'token' }));
  goAway();
  await expect(journal.move(waiting, 'approved', {}, 'token')).rejects.toThrow(JournalUnavailable);
  await comeBack();
  expect(await journal.adoptOrphans()).toEqual([]);
  await real.move(waiting, 'approved', {}, 'token');
  expect(await journal.adoptOrphans()).toEqual([]);
  expect(await real.byId(waiting.id)).toMatchObject({ state: 'waiting' });
});

test('what was taken over right before the database goes away is not lost with what is in doubt', async () => {
  const { journal, real, dead, goAway, goAwayAfter, comeBack } = await open();
  const waiting = there(await journal.move(await journal.write(change), 'waiting', { token: 'token' }));
  goAway('mute');
  await expect(journal.move(waiting, 'approved', {}, 'token')).rejects.toThrow(JournalUnavailable);
  await comeBack();
  const left = await dead.write({ ...change, line: 'rdp disconnect 13' });
  goAwayAfter('adoptOrphans');
  expect(await journal.adoptOrphans()).toMatchObject([{ id: left.id }]);
  goAwayAfter('close');
  await comeBack();
  expect(await real.byId(waiting.id)).toMatchObject({ state: 'approved' });
  expect(await journal.adoptOrphans()).toEqual([]);
  expect(await real.byId(waiting.id)).toMatchObject({ state: 'waiting' });
});

test('a button that was taken although nobody heard of it can be pressed again, and one that was taken before cannot', async () => {
  const { journal, clock, goAway, comeBack } = await open();
  const offer = { kind: 'offer', content: {}, channel: 'C1', until: 9_000 } as const;
  const [unheard, taken] = [await journal.keep(offer), await journal.keep(offer)];
  await journal.take(taken, 'U1');
  clock.at += 1;
  goAway('mute');
  await expect(journal.take(unheard, 'U1')).rejects.toThrow(JournalUnavailable);
  await expect(journal.take(taken, 'U1')).rejects.toThrow(JournalUnavailable);
  await comeBack();
  expect(await journal.take(unheard, 'U1')).toMatchObject({ takenBy: 'U1' });
  expect(await journal.take(taken, 'U1')).toBeUndefined();
});

test('what was not written, and was pressed again since, is nobody’s to end', async () => {
  const { journal, goAway, comeBack } = await open();
  const waiting = await journal.move(await journal.write(change), 'waiting', {
    token: 'token',
    card: '17.1',
  });
  if (waiting === undefined) throw new Error('It did not move');
  await journal.placed(waiting.id, '17.1');
  goAway();
  await expect(journal.move(waiting, 'approved', {}, 'token')).rejects.toThrow(JournalUnavailable);
  await comeBack();
  expect(await journal.move(waiting, 'approved', {}, 'token')).toMatchObject({ state: 'approved' });
  expect(await journal.adoptOrphans()).toEqual([]);
});

test('a message waits here in its order until it has got out, or is written for whoever lives then', async () => {
  const { journal, real, goAway, comeBack, clock } = await open();
  await journal.post([{ key: 'before', kind: 'tell', orderingKey: 'card 0', content: {} }]);
  goAway();
  const message = (key: string, orderingKey: string) => ({
    key,
    kind: 'tell',
    orderingKey,
    content: { says: key },
  });
  await journal.post([message('a', 'card 1'), message('b', 'card 1'), message('c', 'card 2')]);
  expect((await journal.claimOrderingKey('card 1')).map(({ key }) => key)).toEqual(['a', 'b']);
  await journal.acknowledge('a');
  await journal.retryLater('b', 9_000, true);
  await journal.releaseMessages(['c']);
  expect(await journal.dueOrderingKeys(20, 'awaited')).toEqual(['card 2']);
  expect(await journal.claimOrderingKey('card 1')).toEqual([]);
  await journal.acknowledge('before');
  await comeBack();
  expect(await real.unsent()).toMatchObject([
    { key: 'b', tries: 1, isMaybeDelivered: true, content: { says: 'b' } },
    { key: 'c', tries: 0 },
  ]);
  expect(await journal.dueOrderingKeys(20, 'awaited')).toEqual(['card 2']);
  clock.at = 9_000;
  expect((await journal.dueOrderingKeys(20, 'awaited')).toSorted()).toEqual(['card 1', 'card 2']);
});

test('a message of a step that was written although nobody heard of it goes out once', async () => {
  const { journal, real, goAway, comeBack } = await open();
  const running = there(await journal.move(await journal.write(change), 'running'));
  goAway('mute');
  const message = (key: string) => ({ key, kind: 'tell', orderingKey: 'card', content: { says: key } });
  await journal.move(running, 'done', { outcome, messages: [message('out'), message('waits')] });
  expect((await real.unsent()).map(({ key }) => key)).toEqual(['out', 'waits']);
  expect(await journal.claimOrderingKey('card')).toHaveLength(2);
  await journal.acknowledge('out');
  await journal.releaseMessages(['waits']);
  await comeBack();
  expect(await real.unsent()).toMatchObject([{ key: 'waits', content: { says: 'waits' } }]);
  expect(await real.dueOrderingKeys(20, 'awaited')).toEqual(['card']);
});

test('a button that was offered while offline works, once, and is kept when the database is back', async () => {
  const { journal, real, goAway, comeBack } = await open();
  goAway();
  const thing = {
    kind: 'offer',
    content: { line: 'rdp sessions' },
    channel: 'C1',
    action: 'a',
    until: 9_000,
  } as const;
  const [free, taken] = [await journal.keep({ ...thing, person: 'U1' }), await journal.keep(thing)];
  expect(await journal.keptOf('a', 'offer')).toHaveLength(2);
  expect(await journal.take(free, 'U2')).toBeUndefined();
  expect(await journal.take(taken, 'U2')).toMatchObject({ takenBy: 'U2' });
  expect(await journal.take(taken, 'U3')).toBeUndefined();
  await comeBack();
  expect(await real.kept(free)).toMatchObject({ content: thing.content, takenBy: undefined });
  expect(await real.kept(taken)).toMatchObject({ takenBy: 'U2' });
});

test('a delivery is taken once, and known when the database is back', async () => {
  const { journal, real, goAway, comeBack } = await open();
  goAway();
  expect([await journal.claimDelivery('E1'), await journal.claimDelivery('E1')]).toEqual([true, false]);
  await comeBack();
  expect(await real.claimDelivery('E1')).toBe(false);
});

test('of a delivery that comes twice just when the database is lost, one is taken', async () => {
  const { journal, goAway } = await open();
  goAway();
  const both = ['E1', 'E1'].map((key) => journal.claimDelivery(key));
  expect(await Promise.all(both)).toEqual([true, false]);
});

test('the same line typed twice is one look-up', async () => {
  const { journal, goAway } = await open();
  goAway();
  const first = await journal.writeOnce(lookup, 60_000);
  expect(await journal.writeOnce(lookup, 60_000)).toEqual({ isNew: false, action: first.action });
  expect(await journal.writeOnce(lookup, 60_000, 'another file')).toMatchObject({ isNew: true });
  await journal.move(first.action, 'done');
  expect(await journal.writeOnce(lookup, 60_000)).toMatchObject({ isNew: true });
});

test('what is on for a time is known as it was last seen, and its end is not lost', async () => {
  const { journal, real, goAway, comeBack } = await open();
  const timedChange = await startOne(journal, {
    ...{ action: 'a', appliance: 'hq', channel: 'C1', person: 'U1', reason: 'r', endsAt: 5_000 },
    subject: 'emergency disable',
  });
  goAway();
  await expect(startOne(journal, { ...there(timedChange), appliance: 'branch' })).rejects.toThrow(
    JournalUnavailable,
  );
  expect(await journal.timedChange('hq', 'emergency disable')).toEqual(timedChange);
  expect(await journal.endTimedChange(there(timedChange).id, { how: 'person', says: 'seen' })).toMatchObject({
    state: 'over',
  });
  expect(await journal.timedChange('hq', 'emergency disable')).toBeUndefined();
  await comeBack();
  expect(await real.timedChangesOf('a')).toMatchObject([{ state: 'over', ended: { how: 'person' } }]);
});

test('of too much the oldest is given up, and said to be; what a change has come to never is', async () => {
  const { journal, real, goAway, comeBack, told } = await open();
  const running = await journal.move(await journal.write(change), 'running');
  goAway();
  await journal.move(there(running), 'done', { outcome });
  for (let count = 0; count < 10_002; count += 1)
    await journal.write({ ...lookup, state: 'done', line: `line ${count}` });
  expect(told).toEqual(['away', 'lost line 0 of U1', 'lost line 1 of U1', 'lost line 2 of U1']);
  await comeBack();
  expect(await real.byId(there(running).id)).toMatchObject({ state: 'done' });
});

test('trouble that becomes another one is told again, and people hear of the one there is now', async () => {
  const sqlite = stores[0] ?? expect.unreachable();
  const real = await sqlite.open();
  let trouble: JournalTrouble = 'locked';
  const refuse = () => Promise.reject(new JournalUnavailable(new Error('refused'), trouble));
  const told: string[] = [];
  const notices: Notices = {
    away: (why) => told.push(why.trouble),
    back: () => told.push('back'),
    lost: (what) => told.push(`lost ${what}`),
  };
  const journal = offline({ ...real, write: refuse, probe: refuse }, notices, () => 1_000);
  onTestFinished(() => journal.close());
  await expect(journal.write(change)).rejects.toMatchObject({ trouble: 'locked' });
  trouble = 'full';
  await vi.waitFor(() => expect(told).toEqual(['locked', 'full']), { timeout: 15_000 });
  await expect(journal.write(change)).rejects.toMatchObject({ trouble: 'full' });
});

test('what could not be written before the bot stops is said to be lost', async () => {
  const { journal, goAway, told } = await open();
  goAway();
  await journal.write(lookup);
  await journal.close();
  expect(told).toEqual(['away', 'lost rdp sessions of U1']);
});

function there<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('There is none');
  return value;
}
