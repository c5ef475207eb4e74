import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { stores } from '../../test/stores.ts';
import { type State, transitions } from './actions/states.ts';
import type { Database } from './database.ts';
import { newId } from './id.ts';
import { type Action, type Journal, type NewAction, openJournal } from './journal.ts';
import type { Survives } from './storage/group-commit.ts';
import { openSqlite } from './storage/sqlite.ts';
import { openFile } from './storage/sqlite-connection.ts';

const asked: NewAction = {
  state: 'asked',
  team: 'T1',
  channel: 'C1',
  person: 'U1',
  line: 'rdp disconnect 12',
  phrase: 'rdp disconnect <session>',
  appliance: 'hq',
  args: { session: 12 },
};

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'journal-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'journal.sqlite');
}

/** A legal way to every state, from the one in which a change is written down. */
const ways: Readonly<Record<State, readonly State[]>> = {
  asked: ['asked'],
  refused: ['asked', 'refused'],
  waiting: ['asked', 'waiting'],
  planned: ['asked', 'waiting', 'approved', 'planned'],
  approved: ['asked', 'waiting', 'approved'],
  running: ['asked', 'waiting', 'approved', 'running'],
  done: ['asked', 'waiting', 'approved', 'running', 'done'],
  failed: ['asked', 'waiting', 'approved', 'running', 'failed'],
  unknown: ['asked', 'waiting', 'approved', 'running', 'unknown'],
  cancelled: ['asked', 'waiting', 'cancelled'],
  expired: ['asked', 'waiting', 'expired'],
};
/** An action as somebody last saw it. */
const seen = (id: string, state: State) => ({ id, state, effect: undefined });

// Object.keys loses the key type.
const states = Object.keys(transitions) as State[];

async function actionIn(journal: Journal, state: State): Promise<Action> {
  let action = await journal.write(asked);
  for (const next of ways[state].slice(1)) {
    const moved = await journal.move(action, next);
    if (moved === undefined) throw new Error(`No way to ${next}`);
    action = moved;
  }
  return action;
}

describe.each(stores)('in $store', ({ newPlace, open }) => {
  describe('what is written down', () => {
    test('may hold a zero character, for which a sign stands, and a fraction of a millisecond, which is left out', async () => {
      const journal = await open(newPlace(), { at: 1_000.4 });
      const { id } = await journal.write({ ...asked, line: 'rdp \0 list' });
      expect(await journal.byId(id)).toMatchObject({ line: 'rdp \ufffd list', createdAt: 1_000 });
    });

    test('is there again, word for word', async () => {
      const journal = await open();
      const action = await journal.write(asked);
      expect(action).toMatchObject({ ...asked, createdAt: 1_000, changedAt: 1_000 });
      expect(action).toMatchObject({
        token: undefined,
        outcome: undefined,
        card: undefined,
        preview: undefined,
      });
      expect(await journal.byId(action.id)).toMatchObject(action);
    });

    test('survives the end of the process, in every state', async () => {
      const place = newPlace();
      const before = await open(place);
      const actions = [];
      for (const state of states) actions.push(await actionIn(before, state));
      await before.close();
      const after = await open(place);
      for (const action of actions) expect(await after.byId(action.id)).toMatchObject(action);
      expect(await after.recent()).toHaveLength(states.length);
    });

    test('is kept as it was typed, however odd', async () => {
      const journal = await open();
      const line = `'; drop table actions; -- 🦆 \u202e ${'x'.repeat(3_000)}`;
      const { id } = await journal.write({ ...asked, line, args: { a: [null, true, { b: "'" }] } });
      expect(await journal.byId(id)).toMatchObject({ line, args: { a: [null, true, { b: "'" }] } });
    });

    test('may be over from the start: a refusal with its outcome', async () => {
      const journal = await open();
      const outcome = { code: 'role_missing', says: 'That takes helpdesk.' };
      const { id } = await journal.write({
        state: 'refused',
        team: 'T1',
        channel: 'C1',
        person: 'U1',
        line: 'xyzzy',
        outcome,
      });
      expect(await journal.byId(id)).toMatchObject({
        state: 'refused',
        outcome,
        phrase: undefined,
        args: {},
      });
    });
  });

  describe('an action moves on', () => {
    const pairs = states.flatMap((from) =>
      states.map((to) => ({ from, to, legal: transitions[from].includes(to) })),
    );

    test.each(pairs.filter(({ legal }) => legal))('from $from to $to', async ({ from, to }) => {
      const journal = await open();
      const { id } = await actionIn(journal, from);
      expect(await journal.move(seen(id, from), to)).toMatchObject({ id, state: to });
      expect(await journal.byId(id)).toMatchObject({ state: to });
    });

    test('and in no other way', async () => {
      const journal = await open();
      for (const { from, to } of pairs.filter(({ legal }) => !legal)) {
        const { id } = await actionIn(journal, from);
        await expect(journal.move(seen(id, from), to)).rejects.toThrow(`cannot go from ${from} to ${to}`);
        expect(await journal.byId(id)).toMatchObject({ state: from });
      }
    });

    test('with everything that changed together, and the time of it', async () => {
      const clock = { at: 1_000 };
      const journal = await open(newPlace(), clock);
      const { id } = await journal.write(asked);
      clock.at = 2_000;
      const changes = {
        token: newId(),
        expiresAt: 9_000,
        preview: { question: ['Disconnect?'] },
        card: '171.001',
        decidedBy: 'U2',
      };
      expect(await journal.move(seen(id, 'asked'), 'waiting', changes)).toMatchObject({
        ...changes,
        createdAt: 1_000,
        changedAt: 2_000,
      });
      const moved = await journal.move(seen(id, 'waiting'), 'approved');
      expect(moved).toMatchObject(changes);
    });

    test('and its outcome is kept', async () => {
      const journal = await open();
      const { id } = await actionIn(journal, 'running');
      const outcome = { code: 'done', says: 'Session 12 disconnected' };
      await journal.move(seen(id, 'running'), 'done', { outcome });
      expect(await journal.byId(id)).toMatchObject({ state: 'done', outcome });
    });

    test('only from where it stands: the second of two learns that it is the second', async () => {
      const journal = await open();
      const { id } = await actionIn(journal, 'waiting');
      expect(await journal.move(seen(id, 'waiting'), 'approved', { decidedBy: 'U1' })).toBeDefined();
      expect(await journal.move(seen(id, 'waiting'), 'cancelled', { decidedBy: 'U2' })).toBeUndefined();
      expect(await journal.byId(id)).toMatchObject({ state: 'approved', decidedBy: 'U1' });
    });

    test('and one that does not exist does not', async () => {
      const journal = await open();
      expect(await journal.move(seen('nobody', 'waiting'), 'approved')).toBeUndefined();
    });

    test('once, when fifty try at the same time', async () => {
      const journal = await open();
      const { id } = await actionIn(journal, 'waiting');
      const moves = Array.from({ length: 50 }, (_, click) =>
        journal.move(seen(id, 'waiting'), 'approved', { decidedBy: `U${click}` }),
      );
      const won = (await Promise.all(moves)).filter((moved) => moved !== undefined);
      expect(won).toHaveLength(1);
      expect(await journal.byId(id)).toEqual(won[0]);
    });

    test('once, when two processes try at the same time', async () => {
      const place = newPlace();
      const [one, other] = [await open(place), await open(place)];
      for (let round = 0; round < 10; round += 1) {
        const { id } = await actionIn(one, 'waiting');
        const moves = [one, other, one, other].map((journal) =>
          journal.move(seen(id, 'waiting'), 'approved'),
        );
        expect((await Promise.all(moves)).filter((moved) => moved !== undefined)).toHaveLength(1);
      }
    });
  });

  describe('an action is found', () => {
    test('by the token of its buttons, and not by an older one', async () => {
      const journal = await open();
      const { id } = await journal.write(asked);
      await journal.move(seen(id, 'asked'), 'waiting', { token: 'first' });
      expect(await journal.byToken('first')).toMatchObject({ id });
      await journal.move(seen(id, 'waiting'), 'approved');
      await journal.move(seen(id, 'approved'), 'waiting', { token: 'second' });
      expect(await journal.byToken('first')).toBeUndefined();
      expect(await journal.byToken('second')).toMatchObject({ id, state: 'waiting' });
      // Somebody who still holds the earlier question cannot act on the one that has taken its place.
      expect(await journal.move(seen(id, 'waiting'), 'approved', {}, 'first')).toBeUndefined();
      await journal.move(seen(id, 'waiting'), 'cancelled', {}, 'second');
      expect(await journal.byToken('second')).toMatchObject({ id, state: 'cancelled' });
    });

    test('and no token belongs to two', async () => {
      const journal = await open();
      const [one, other] = [await journal.write(asked), await journal.write(asked)];
      await journal.move(seen(one.id, 'asked'), 'waiting', { token: 'same' });
      await expect(journal.move(seen(other.id, 'asked'), 'waiting', { token: 'same' })).rejects.toThrow();
    });

    test('among the newest, at most so many', async () => {
      const clock = { at: 0 };
      const journal = await open(newPlace(), clock);
      for (clock.at = 1; clock.at <= 5; clock.at += 1) await journal.write(asked);
      expect((await journal.recent(3)).map(({ createdAt }) => createdAt)).toEqual([5, 4, 3]);
    });

    test('when it waits for longer than it may', async () => {
      const journal = await open();
      const expiring = async (at: number) => {
        const { id } = await journal.write(asked);
        await journal.move(seen(id, 'asked'), 'waiting', { expiresAt: at });
        return id;
      };
      const [first, second, third] = [await expiring(10), await expiring(20), await expiring(30)];
      await journal.move(seen(first, 'waiting'), 'approved');
      expect((await journal.overdue(19, 50)).map(({ id }) => id)).toEqual([]);
      expect((await journal.overdue(20, 50)).map(({ id }) => id)).toEqual([second]);
      expect((await journal.overdue(99, 50)).map(({ id }) => id)).toEqual([second, third]);
    });

    test('with the place of its card', async () => {
      const journal = await open();
      const { id } = await journal.write(asked);
      await journal.placed(id, '171.001');
      expect(await journal.byId(id)).toMatchObject({ card: '171.001', state: 'asked', changedAt: 1_000 });
    });
  });
});

test('only what must outlive a power cut waits for the disk', async () => {
  const written: Survives[] = [];
  const watched: typeof openFile = (file, parts) => {
    const { durable, quick, write, close } = openFile(file, parts);
    const heard = (database: Database, survives: Survives) =>
      database.withPlugin({
        transformQuery: ({ node }) => {
          if (node.kind !== 'SelectQueryNode') written.push(survives);
          return node;
        },
        transformResult: async ({ result }) => result,
      });
    return {
      close,
      durable: heard(durable, 'power_cut'),
      quick: heard(quick, 'crash'),
      write: (level, batch) => {
        const before = written.length;
        const done = write(level, batch);
        // However many changes it consists of.
        written.splice(before, written.length, level === 'durable' ? 'power_cut' : 'crash');
        return done;
      },
    };
  };
  const journal = await openJournal(openSqlite(newFile(), watched), () => 1_000);
  onTestFinished(() => journal.close());
  const sinceLast = () => written.splice(0);
  sinceLast();

  await journal.move(await journal.write({ ...asked, state: 'running', effect: 'read' }), 'done');
  expect(sinceLast()).toEqual(['crash', 'crash']);
  await journal.move(await journal.write({ ...asked, effect: 'write' }), 'running');
  expect(sinceLast()).toEqual(['power_cut', 'power_cut']);

  const token = await journal.keep({ kind: 'offer', content: {}, channel: 'C1', until: 5_000 });
  expect(sinceLast()).toEqual(['crash']);
  await journal.take(token, 'U1');
  expect(sinceLast()).toEqual(['power_cut']);
  await journal.release(token, 'U1');
  await journal.forgetOver(5_000, 50);
  expect(sinceLast()).toEqual(['crash', 'crash']);

  const { id } = await journal.addPendingApply({ appliance: 'hq', what: 'acl', action: 'action-1' });
  await journal.startApply('hq');
  await journal.failApply([id], 'No answer.', 1_500);
  await journal.startApply('hq');
  await journal.settleApply('hq', [id], 2_000);
  expect(sinceLast()).toEqual(Array(5).fill('power_cut'));
});

test('nobody guesses a token: 128 bits, never the same', () => {
  const ids = new Set(Array.from({ length: 1_000 }, newId));
  expect(ids.size).toBe(1_000);
  for (const id of ids) expect(id).toMatch(/^[\w-]{22}$/);
});
