import { describe, expect, test } from 'vitest';
import { allOf, answered, asked, openIn, recorder, recordSome } from '../../../test/audit-records.ts';
import { stores } from '../../../test/stores.ts';
import type { Store } from '../database.ts';
import type { NewAction } from '../journal.ts';
import { verifyChain } from './verify/chain.ts';

describe.each(stores)('in $store', (kind) => {
  const open = () => openIn(kind);

  describe('a record', () => {
    test('tells everything about a change, from the line to what reading back showed', async () => {
      const opened = await open();
      const { journal, clock } = opened;
      const action = await journal.write(asked);
      clock.at += 1_000;
      const waiting = await journal.move(action, 'waiting', { token: 'q1', preview: { question: 'Bob?' } });
      await journal.note(action.id, { kind: 'shown', content: { question: 'Ann?' } });
      await journal.placed(action.id, '17.5');
      await journal.approve(action.id, 'q0', { person: 'U8', human: 'H8' });
      await journal.approve(action.id, 'q1', { person: 'U9', human: 'H9' });
      await journal.note(action.id, {
        kind: 'click_refused',
        content: { person: 'U7', button: 'confirm', code: 'not_yours' },
      });
      if (waiting === undefined) throw new Error('It waits');
      const approved = await journal.move(waiting, 'approved', { decidedBy: 'U9' });
      if (approved === undefined) throw new Error('It is approved');
      const running = await journal.move(approved, 'running');
      const request = {
        ...{ appliance: 'hq', operation: 'rdp.disconnectSession', effect: 'destructive', method: 'GET' },
        ...{ path: '/rdpproxy/x', attempt: 1, durationMs: 7, status: 200 },
      };
      if (running === undefined) throw new Error('It runs');
      clock.at += 1_000;
      await journal.move(running, 'done', {
        outcome: { code: 'checked', says: 'Session 12 disconnected.' },
        events: [{ kind: 'request', content: request }],
      });
      expect(await journal.record(recorder)).toBe(1);
      const [{ record, seq, digest } = { record: undefined }] = await allOf(journal);
      expect(seq).toBe(1);
      expect(digest).toMatch(/^[0-9a-f]{64}$/);
      const second = '2027-01-01T00:00:01.000Z';
      expect(record).toEqual({
        version: 1,
        ...{ action: action.id, team: 'T1', channel: 'C1', person: 'U1', line: 'rdp disconnect 12' },
        ...{ command: 'rdp disconnect', phrase: 'rdp disconnect <session>', effect: 'destructive' },
        ...{ appliances: ['hq'], args: { session: 12 } },
        asked: '2027-01-01T00:00:00.000Z',
        ended: '2027-01-01T00:00:02.000Z',
        decision: { allowed: true, roles: ['helpdesk', 'admin'], code: null, reason: null, policy: 'abc123' },
        preview: { question: 'Bob?', fields: [] },
        earlierPreviews: [{ at: second, question: 'Ann?', fields: [] }],
        approvals: [
          { person: 'U8', human: 'H8', at: second, counts: false },
          { person: 'U9', human: 'H9', at: second, counts: true },
        ],
        decidedBy: 'U9',
        ...{ understoodAs: null, interaction: null, ticket: null },
        revealed: [],
        searches: [],
        refusedClicks: [{ person: 'U7', button: 'confirm', code: 'not_yours', at: second }],
        requests: [{ ...request, at: '2027-01-01T00:00:02.000Z' }],
        state: 'done',
        verification: 'checked',
        outcome: { code: 'checked', says: 'Session 12 disconnected.', headline: null },
        card: '17.5',
        replica: 'first',
      });
    });

    test('says of a refusal why, and whether rights were missing or words', async () => {
      const { journal } = await open();
      const refused = { ...asked, state: 'refused' as const };
      await journal.write({ ...refused, outcome: { code: 'role_missing', says: 'Not you.' } });
      await journal.write({
        ...{ state: 'refused', team: 'T1', channel: 'C1', person: 'U1', line: 'rdp what' },
        outcome: { code: 'not_understood', says: 'What?' },
      });
      await journal.record(recorder);
      const [unclear, denied] = (await allOf(journal)).map(({ record }) => record);
      expect(denied?.decision).toMatchObject({ allowed: false, code: 'role_missing', reason: 'Not you.' });
      expect(unclear).toMatchObject({ command: null, verification: null });
      expect(unclear?.decision).toMatchObject({ allowed: null, code: 'not_understood' });
    });

    test('tells what a line was taken for that was typed in other words', async () => {
      const { journal } = await open();
      const line = 'who is connected';
      await journal.write({ ...asked, line, understoodAs: 'rdp sessions', state: 'done', outcome: answered });
      await journal.record(recorder);
      expect((await allOf(journal)).map(({ record }) => record)).toMatchObject([
        { line, understoodAs: 'rdp sessions' },
      ]);
    });

    test('leads to what the same person asked for next in the same channel, if that was soon', async () => {
      const { journal, clock } = await open();
      const typed = async (more: Partial<NewAction> = {}) => {
        clock.at += 1_000;
        return (await journal.write({ ...asked, state: 'done', outcome: answered, ...more })).id;
      };
      const unclear = { phrase: undefined, line: 'kick bob', state: 'refused' } as const;
      const first = await typed(unclear);
      const again = await typed(unclear);
      await typed({ person: 'U2' });
      await typed({ channel: 'C2' });
      await typed({ interaction: { kind: 'form', form: 'command', of: null } });
      const meant = await typed({ line: 'rdp disconnect bob' });
      await typed({ line: 'rdp disconnect alice' });
      const late = await typed({ ...unclear, person: 'U2' });
      clock.at += 300_000;
      await typed({ person: 'U2' });
      const next = await journal.askedNext([first, again, late], 300_000);
      expect([...next].map(([id, { id: then }]) => [id, then]).toSorted()).toEqual(
        [
          [first, meant],
          [again, meant],
        ].toSorted(),
      );
    });

    test('is written when it is over, and of what is unknown when nobody looks any more', async () => {
      const { journal } = await open();
      const action = await journal.write({ ...asked, state: 'running' });
      expect(await journal.record(recorder)).toBe(0);
      const held = await journal.move(action, 'unknown', { held: true });
      expect(await journal.record(recorder)).toBe(0);
      if (held === undefined) throw new Error('It is unknown');
      const unknown = await journal.move(held, 'unknown', {
        outcome: { code: 'not_yet', says: 'Who knows.' },
      });
      expect(await journal.record(recorder)).toBe(1);
      // It turns out later: what was recorded stays, and is not found any more.
      if (unknown === undefined) throw new Error('It is unknown still');
      await journal.move(unknown, 'done', { outcome: { code: 'checked', says: 'Yes.' } });
      expect(await journal.record(recorder)).toBe(1);
      expect((await allOf(journal)).map(({ seq, record }) => [seq, record.state])).toEqual([[2, 'done']]);
    });

    test('is written anew when something comes to it after its end, and announced with what was there before', async () => {
      const opened = await open();
      const { journal, store } = opened;
      const action = await journal.write({ ...asked, state: 'done', outcome: answered });
      await journal.record(recorder);
      await journal.note(action.id, {
        kind: 'click_refused',
        content: { person: 'U2', button: 'confirm', code: 'already' },
      });
      const heard: (string | undefined)[] = [];
      await journal.record({
        ...recorder,
        announce: (_, earlier) => {
          heard.push(earlier?.state);
          return [];
        },
      });
      expect(heard).toEqual(['done']);
      expect((await allOf(journal)).map(({ seq, record }) => [seq, record.refusedClicks.length])).toEqual([
        [2, 1],
      ]);
      expect((await verifyChain(store.quick)).rows).toBe(2);
    });

    test('holds what was noted and is not understood any more as it was found', async () => {
      const { journal, clock } = await open();
      const action = await journal.write({ ...asked, state: 'done', outcome: answered });
      const [click, other] = [{ code: 7 }, { person: 'U2', button: 'confirm', code: 'already', more: 1 }];
      await journal.note(action.id, { kind: 'click_refused', content: click });
      await journal.note(action.id, { kind: 'click_refused', content: other });
      await journal.record(recorder);
      const [record] = (await allOf(journal)).map((one) => one.record);
      const at = new Date(clock.at).toISOString();
      expect(record?.unreadable).toEqual([{ kind: 'click_refused', content: click, at }]);
      expect(record?.refusedClicks, 'what was noted of it beside that stays').toEqual([{ ...other, at }]);
    });

    test('goes into the outbox with what is to be said of it', async () => {
      const { journal, clock } = await open();
      await journal.write({ ...asked, state: 'done', outcome: answered });
      // Of the same moment either may be the first.
      clock.at += 1;
      await journal.write({ ...asked, state: 'done', effect: 'read', outcome: answered });
      await journal.record(recorder);
      expect((await journal.unsent()).map(({ key }) => key)).toEqual(['audit-1']);
    });

    test('is written once by two recorders at once, and the chain has no gap', async () => {
      const opened = await open();
      const { journal, store } = opened;
      const other = await opened.other();
      for (let number = 0; number < 300; number += 1) {
        await journal.write({ ...asked, state: 'done', outcome: answered });
      }
      const counts = await Promise.all(
        [journal, other, journal, other, journal, other].map((one) => one.record(recorder, 100)),
      );
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(300);
      expect((await allOf(journal)).length).toBe(300);
      expect(await verifyChain(store.quick)).toMatchObject({ rows: 300, broken: undefined });
    });
  });

  describe('finding', () => {
    test('gives nothing where nothing can be meant', async () => {
      const opened = await open();
      await recordSome(opened, 3);
      for (const filter of [{ command: 'stat' }, { on: [] }, { since: opened.clock.at + 1 }]) {
        expect(await opened.journal.findRecords(filter, 10)).toEqual({ records: [], count: 0 });
      }
    });
  });

  describe('verifying', () => {
    test('finds an untouched chain in order, an empty one too', async () => {
      const opened = await open();
      expect(await verifyChain(opened.store.quick)).toEqual({
        ...{ rows: 0, head: undefined, prunedUpTo: 0, broken: undefined, restores: [] },
      });
      await recordSome(opened, 40);
      const { rows, head, broken } = await verifyChain(opened.store.quick);
      expect([rows, head?.seq, broken]).toEqual([40, 40, undefined]);
    });

    test.each<[string, (store: Store) => Promise<unknown>, string]>([
      [
        'a word of a record',
        ({ quick }) =>
          quick
            .updateTable('audit')
            .set({ record_json: '{"version":1,"line":"nothing"}' })
            .where('seq', '=', 7)
            .execute(),
        'Record 7',
      ],
      [
        'whose it is',
        ({ quick }) => quick.updateTable('audit').set({ action: 'x' }).where('seq', '=', 7).execute(),
        'Record 7',
      ],
      [
        'when it was',
        ({ quick }) => quick.updateTable('audit').set({ at: 5 }).where('seq', '=', 7).execute(),
        'Record 7',
      ],
      [
        'its digest',
        ({ quick }) => quick.updateTable('audit').set({ digest: 'f00' }).where('seq', '=', 7).execute(),
        'Record 7',
      ],
      [
        'that it is there',
        ({ quick }) => quick.deleteFrom('audit').where('seq', '=', 7).execute(),
        'Record 7 is missing before record 8',
      ],
      [
        'that the first ones are',
        ({ quick }) => quick.deleteFrom('audit').where('seq', '<', 7).execute(),
        'Records 1 to 6 are missing before record 7',
      ],
      [
        'that the last ones are',
        ({ quick }) => quick.deleteFrom('audit').where('seq', '>', 7).execute(),
        'Records 8 to 20 are missing at the end',
      ],
      [
        'the order',
        async ({ quick }) => {
          for (const [from, to] of [
            [7, 0],
            [8, 7],
            [0, 8],
          ] as const) {
            await quick.updateTable('audit').set({ seq: to }).where('seq', '=', from).execute();
          }
        },
        'Record 7',
      ],
      [
        'where it begins',
        ({ quick }) => quick.insertInto('audit_pruned').values({ upto: 3, digest: 'f00', at: 0 }).execute(),
        'Record 1',
      ],
    ])('names the first broken record when somebody changes %s', async (_, tamper, says) => {
      const opened = await open();
      await recordSome(opened, 20);
      await tamper(opened.store);
      const { broken } = await verifyChain(opened.store.quick);
      expect(broken?.says).toContain(says);
    });

    test('notices a record that was changed together with its own digest', async () => {
      const opened = await open();
      await recordSome(opened, 20);
      const { quick } = opened.store;
      const sixth = await quick
        .selectFrom('audit')
        .selectAll()
        .where('seq', '=', 6)
        .executeTakeFirstOrThrow();
      const seventh = await quick
        .selectFrom('audit')
        .selectAll()
        .where('seq', '=', 7)
        .executeTakeFirstOrThrow();
      const { digestOf } = await import('./hash-chain.ts');
      const forged = { ...seventh, record_json: '{}' };
      await quick
        .updateTable('audit')
        .set({ record_json: '{}', digest: digestOf(forged, sixth.digest) })
        .where('seq', '=', 7)
        .execute();
      expect((await verifyChain(opened.store.quick)).broken).toMatchObject({ seq: 8 });
    });
  });

  describe('pruning', () => {
    test('takes the oldest away with their actions, and the chain goes on from there', async () => {
      const opened = await open();
      const { journal, store, clock } = opened;
      const began = clock.at;
      await recordSome(opened, 30);
      const first = (await allOf(journal)).at(-1)?.record.action ?? '';
      await journal.note(first, { kind: 'request', content: {} });
      while ((await journal.record(recorder)) > 0);
      // The first action was recorded again, and is as old as its newest record.
      expect(await journal.prune(began + 10_001)).toBe(10);
      expect(await journal.prune(began + 10_001)).toBe(0);
      expect((await allOf(journal)).map(({ seq }) => seq)).toEqual(
        Array.from({ length: 21 }, (_, index) => 31 - index),
      );
      expect(await verifyChain(store.quick)).toMatchObject({ rows: 21, prunedUpTo: 10, broken: undefined });
      expect(await journal.recent(100)).toHaveLength(21);
      expect(await journal.eventsOf(first)).toHaveLength(1);
      await recordSome(opened, 1);
      expect(await verifyChain(store.quick)).toMatchObject({ rows: 22, broken: undefined });
    });

    test('takes everything away if it must, and the next record still follows', async () => {
      const opened = await open();
      const { journal, store, clock } = opened;
      await recordSome(opened, 5);
      expect(await journal.prune(clock.at + 1, 3)).toBe(3);
      expect(await journal.prune(clock.at + 1, 3)).toBe(2);
      expect(await allOf(journal)).toEqual([]);
      await recordSome(opened, 1);
      expect((await allOf(journal)).map(({ seq }) => seq)).toEqual([6]);
      expect((await verifyChain(store.quick)).broken).toBeUndefined();
    });

    test('leaves what is still under way or pending', async () => {
      const opened = await open();
      const { journal, clock } = opened;
      const running = await journal.write({ ...asked, state: 'running' });
      const done = await journal.write({ ...asked, state: 'done', outcome: answered });
      await journal.addPendingApply({ appliance: 'hq', what: 'acl', action: done.id });
      await journal.record(recorder);
      expect(await journal.prune(clock.at + 1)).toBe(1);
      expect(await journal.byId(running.id)).toBeDefined();
      expect(await journal.byId(done.id)).toBeDefined();
    });
  });
});
