import { describe, expect, test } from 'vitest';
import { stores } from '../../../test/stores.ts';
import type { NewAction } from './action.ts';
import type { ToKeep } from './tokens.ts';

const undo: ToKeep = {
  kind: 'offer',
  content: { phrase: 'acl object enable <object>', args: { object: 12 } },
  channel: 'C1',
  action: 'action-1',
  until: 5_000,
};

describe.each(stores)('in $store', ({ newPlace, open }) => {
  describe('what is kept', () => {
    test('is found by its token, as it was', async () => {
      const journal = await open();
      const token = await journal.keep({ ...undo, person: 'U1' });
      expect(await journal.kept(token)).toEqual({
        ...undo,
        token,
        person: 'U1',
        takenBy: undefined,
        takenAt: undefined,
      });
    });

    test('needs no person and no action', async () => {
      const journal = await open();
      const token = await journal.keep({ kind: 'form', content: null, channel: 'C1', until: 5_000 });
      expect(await journal.kept(token)).toMatchObject({
        content: null,
        person: undefined,
        action: undefined,
      });
    });

    test('keeps every character of its content', async () => {
      const journal = await open();
      const content = [
        "'; drop table tokens; --",
        '🦆 \u202e \u0000 \ud800',
        { deep: [null, 1.5, true, []] },
      ];
      const token = await journal.keep({ ...undo, content });
      expect(await journal.kept(token)).toMatchObject({ content });
    });

    test('has a token that nobody guesses, and each its own', async () => {
      const journal = await open();
      const tokens = await Promise.all(Array.from({ length: 20 }, () => journal.keep(undo)));
      expect(new Set(tokens).size).toBe(20);
      for (const token of tokens) expect(token).toMatch(/^[\w-]{22}$/);
      expect(await journal.kept('another')).toBeUndefined();
    });

    test('outlives the process, taken or not', async () => {
      const place = newPlace();
      const before = await open(place);
      const [free, taken] = [await before.keep(undo), await before.keep(undo)];
      await before.take(taken, 'U1');
      await before.close();
      const after = await open(place);
      expect(await after.kept(free)).toMatchObject({ content: undo.content, takenBy: undefined });
      expect(await after.kept(taken)).toMatchObject({ takenBy: 'U1', takenAt: 1_000 });
      expect(await after.take(taken, 'U2')).toBeUndefined();
      expect(await after.take(free, 'U2')).toBeDefined();
    });

    test('is over to the millisecond: neither found, nor taken, nor offered', async () => {
      const clock = { at: 4_999 };
      const journal = await open(newPlace(), clock);
      const token = await journal.keep(undo);
      expect(await journal.kept(token)).toBeDefined();
      clock.at = 5_000;
      expect(await journal.kept(token)).toBeUndefined();
      expect(await journal.take(token, 'U1')).toBeUndefined();
      expect(await journal.keptOf('action-1', 'offer')).toEqual([]);
      // And it was not taken all the same, behind our backs.
      clock.at = 4_999;
      expect(await journal.kept(token)).toMatchObject({ takenBy: undefined });
    });

    test('is forgotten when its time is over, and only then', async () => {
      const clock = { at: 1_000 };
      const journal = await open(newPlace(), clock);
      const [early, late] = [await journal.keep(undo), await journal.keep({ ...undo, until: 5_001 })];
      await journal.forgetOver(4_999, 50);
      expect(await journal.kept(early)).toBeDefined();
      await journal.forgetOver(5_000, 50);
      expect(await journal.kept(early)).toBeUndefined();
      expect(await journal.kept(late)).toBeDefined();
    });
  });

  describe('what is kept is taken', () => {
    test('once: everybody after the first gets nothing and can see who was first', async () => {
      const clock = { at: 1_000 };
      const journal = await open(newPlace(), clock);
      const token = await journal.keep(undo);
      clock.at = 2_000;
      expect(await journal.take(token, 'U1')).toEqual({
        ...undo,
        token,
        person: undefined,
        takenBy: 'U1',
        takenAt: 2_000,
      });
      clock.at = 3_000;
      expect(await journal.take(token, 'U2')).toBeUndefined();
      expect(await journal.take(token, 'U1')).toBeUndefined();
      expect(await journal.kept(token)).toMatchObject({ takenBy: 'U1', takenAt: 2_000 });
    });

    test('by one of fifty who try at the same time', async () => {
      const journal = await open();
      const token = await journal.keep(undo);
      const takes = Array.from({ length: 50 }, (_, click) => journal.take(token, `U${click}`));
      const won = (await Promise.all(takes)).filter((taken) => taken !== undefined);
      expect(won).toHaveLength(1);
      expect(await journal.kept(token)).toEqual(won[0]);
    });

    test('by one, when two processes try at the same time', async () => {
      const place = newPlace();
      const [one, other] = [await open(place), await open(place)];
      for (let round = 0; round < 10; round += 1) {
        const token = await one.keep(undo);
        const takes = [one, other, one, other].map((journal) => journal.take(token, 'U1'));
        expect((await Promise.all(takes)).filter((taken) => taken !== undefined)).toHaveLength(1);
      }
    });

    test('by nobody but the person it is kept for', async () => {
      const journal = await open();
      const token = await journal.keep({ ...undo, person: 'U1' });
      expect(await journal.take(token, 'U2')).toBeUndefined();
      expect(await journal.kept(token)).toMatchObject({ takenBy: undefined });
      expect(await journal.take(token, 'U1')).toMatchObject({ takenBy: 'U1' });
    });

    test('and nothing else with it', async () => {
      const journal = await open();
      const [one, other] = [await journal.keep(undo), await journal.keep(undo)];
      await journal.take(one, 'U1');
      expect(await journal.take('another', 'U1')).toBeUndefined();
      expect(await journal.kept(other)).toMatchObject({ takenBy: undefined });
    });

    test('and given back by whoever took it, for anybody to take again', async () => {
      const journal = await open();
      const token = await journal.keep(undo);
      await journal.take(token, 'U1');
      await journal.release(token, 'U2');
      expect(await journal.kept(token)).toMatchObject({ takenBy: 'U1' });
      await journal.release(token, 'U1');
      expect(await journal.kept(token)).toMatchObject({ takenBy: undefined, takenAt: undefined });
      expect(await journal.take(token, 'U2')).toMatchObject({ takenBy: 'U2' });
    });
  });

  test('the offers of an action are its own, taken or not, in the order they were made', async () => {
    const journal = await open();
    const offers = [await journal.keep({ ...undo, until: 9_000 }), await journal.keep(undo)];
    await journal.keep({ ...undo, action: 'action-2' });
    await journal.keep({ ...undo, kind: 'result' });
    await journal.take(offers[0] ?? '', 'U1');
    expect(await journal.keptOf('action-1', 'offer')).toMatchObject([
      { token: offers[0], takenBy: 'U1' },
      { token: offers[1], takenBy: undefined },
    ]);
    expect(await journal.keptOf('action-3', 'offer')).toEqual([]);
    const [taken = ''] = offers;
    await journal.wasTaken(taken, 'action-4');
    expect(await journal.offerBehind('action-4')).toMatchObject({ token: taken, action: 'action-1' });
    expect(await journal.offerBehind('action-1')).toBeUndefined();
  });

  describe('a form', () => {
    const form: ToKeep = { kind: 'form', content: null, person: 'U1', channel: 'C1', until: 5_000 };
    const lookup: NewAction = { state: 'done', team: 'T1', channel: 'C1', person: 'U1', line: 'x' };

    test('tells the action that it was opened as how often was searched in it: when it is taken, or its time is over', async () => {
      const journal = await open();
      const [sent, left, unsearched] = await Promise.all([1, 2, 3].map(() => journal.keep(form)));
      const actions = await Promise.all([1, 2, 3].map(() => journal.write(lookup)));
      for (const [index, token = ''] of [sent, left, unsearched].entries()) {
        await journal.formOpened(token, actions[index]?.id ?? '');
      }
      for (const token of [sent, sent, left, sent]) await journal.formSearched(token ?? '');
      const told = () =>
        Promise.all(
          actions.map(async ({ id }) =>
            (await journal.eventsOf(id)).map(({ kind, content }) => [kind, content]),
          ),
        );
      expect(await told()).toEqual([[], [], []]);
      await journal.take(sent ?? '', 'U1');
      await journal.take(sent ?? '', 'U1');
      expect(await told()).toEqual([[['searched', { count: 3 }]], [], []]);
      await journal.forgetOver(5_000, 50);
      await journal.forgetOver(5_000, 50);
      expect(await told()).toEqual([[['searched', { count: 3 }]], [['searched', { count: 1 }]], []]);
    });

    test('that is opened again tells the earlier action what was searched until then, and nothing overtakes it', async () => {
      const journal = await open();
      const token = await journal.keep(form);
      const [first, second] = [await journal.write(lookup), await journal.write(lookup)];
      // The first search can be there before it is written down that the form is open.
      await journal.formSearched(token);
      await journal.formOpened(token, first.id);
      await journal.formSearched(token);
      await journal.formOpened(token, second.id);
      await journal.formSearched(token);
      await journal.take(token, 'U1');
      expect(await journal.eventsOf(first.id)).toMatchObject([{ content: { count: 2 } }]);
      expect(await journal.eventsOf(second.id)).toMatchObject([{ content: { count: 1 } }]);
    });
  });
});
