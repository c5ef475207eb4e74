import { describe, expect, test } from 'vitest';
import { asked, type Opened, openIn, recorder } from '../../../../test/audit-records.ts';
import { stores } from '../../../../test/stores.ts';
import type { Action, Recorder } from '../../journal.ts';
import { digestOf } from '../hash-chain.ts';
import { emptyBits, setBit } from '../search-index.ts';
import { verifyRecords } from './verify.ts';

const against = { held: [], keep: () => undefined, now: Date.UTC(2027, 1, 1) };
const name = 'shop\0ping';
const term = 'about:shop\ufffdping';

const aboutName: Recorder = {
  ...recorder,
  aboutOf: ({ args }: Action) => [String((args as { readonly category?: unknown }).category)],
};

async function recordOne({ journal, clock }: Opened): Promise<void> {
  clock.at += 1_000;
  await journal.write({ ...asked, state: 'refused', args: { category: name } });
  expect(await journal.record(aboutName)).toBe(1);
}

/** As versions before this one left it: the text as it came, and in the index only the last of those that had it. */
async function asEarlier({ store }: Opened): Promise<void> {
  const rows = await store.quick.selectFrom('audit').selectAll().orderBy('seq').execute();
  let previous = '';
  for (const row of rows) {
    const link = { ...row, record_json: row.record_json.replaceAll('\ufffd', '\\u0000') };
    expect(link.record_json).not.toBe(row.record_json);
    previous = digestOf(link, previous);
    await store.quick
      .updateTable('audit')
      .set({ record_json: link.record_json, digest: previous })
      .where('seq', '=', row.seq)
      .execute();
  }
  const bits = emptyBits();
  setBit(bits, rows.at(-1)?.seq ?? 0, true);
  await store.quick
    .updateTable('audit_index')
    .set({ bits: bits.toString('base64') })
    .where('term', '=', term)
    .execute();
}

describe.each(stores)('in $store, records of earlier versions with a null character in a name', (kind) => {
  async function opened(): Promise<Opened> {
    const one = await openIn(kind);
    for (let count = 0; count < 3; count += 1) await recordOne(one);
    await asEarlier(one);
    return one;
  }

  test('are told as not indexed, and nobody is said to have changed them; those that come then are found', async () => {
    const one = await opened();
    expect(await verifyRecords(one.store, against)).toMatchObject({
      ...{ broken: undefined, rows: 3, unindexed: [1, 2] },
    });
    await recordOne(one);
    await recordOne(one);
    expect(await verifyRecords(one.store, against)).toMatchObject({
      ...{ broken: undefined, rows: 5, unindexed: [1, 2] },
    });
    const { records } = await one.journal.findRecords({ about: name }, 10);
    expect(records.map(({ seq }) => seq)).toEqual([5, 4, 3]);
    expect((await one.journal.verifyNext(25)).news).toBeUndefined();
  });

  test('that are recorded again are no contradiction', async () => {
    const one = await opened();
    const [first] = await one.journal.recordsAt([1]);
    await one.journal.note(first?.record.action ?? '', { kind: 'revealed', content: { person: 'U1' } });
    await one.journal.record(aboutName);
    expect((await verifyRecords(one.store, against)).broken).toBeUndefined();
  });

  test.each([
    ['another term is missing from the index', 'is not indexed under by:U1 but should be'],
    ['one is found by what it does not say', 'is indexed under about:another but should not be'],
    ['a record is changed', 'its digest differs'],
    ['its action is changed', 'args was changed in the action'],
  ])('but where %s, that is told', async (what, says) => {
    const one = await opened();
    const { quick } = one.store;
    if (what.startsWith('another'))
      await quick.updateTable('audit_index').set({ bits: '' }).where('term', '=', 'by:U1').execute();
    if (what.startsWith('one'))
      await quick
        .updateTable('audit_index')
        .set({ term: 'about:another' })
        .where('term', '=', term)
        .execute();
    if (what.startsWith('a record'))
      await quick
        .updateTable('audit')
        .set(({ fn, val }) => ({
          record_json: fn('replace', ['record_json', val('\\u0000'), val('\ufffd')]),
        }))
        .where('seq', '=', 2)
        .execute();
    if (what.startsWith('its'))
      await quick
        .updateTable('actions')
        .set({ args_json: '{"category":"shopping"}' })
        .where('recorded', '=', 2)
        .execute();
    expect((await verifyRecords(one.store, against)).broken?.says).toContain(says);
  });
});
