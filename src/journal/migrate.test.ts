import { type Insertable, type RawBuilder, sql, type TableMetadata } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { formerJournal, formerJournals, makeFormer } from '../../test/former-journals.ts';
import { startOne } from '../../test/start-one.ts';
import { type Kind, type Place, stores } from '../../test/stores.ts';
import { digestOf } from './audit/hash-chain.ts';
import { verifyChain } from './audit/verify/chain.ts';
import type { Database } from './database.ts';
import { openJournal, type Recorder } from './journal.ts';
import { migrate } from './migrate.ts';
import { migrations, schemaDigest } from './migrations/index.ts';
import { schemaDigestOf, schemaOf } from './schema.ts';
import type { ActionsTable } from './tables.ts';

type Row = Readonly<Record<string, unknown>>;

async function within<Value>(place: Place, does: (database: Database) => Promise<Value>): Promise<Value> {
  const store = place();
  try {
    return await does(store.quick);
  } finally {
    await store.close();
  }
}

/** A journal as it was made then. */
async function former({ emptyPlace }: Kind, madeBy: string): Promise<Place> {
  const place = await emptyPlace();
  await within(place, (database) => makeFormer(database, formerJournal(madeBy)));
  return place;
}

/** All rows of all tables, and what was made. */
async function contentOf(database: Database): Promise<Readonly<Record<string, readonly Row[]>>> {
  const content: Record<string, readonly Row[]> = {};
  for (const { name } of [...(await database.introspection.getTables()), { name: 'kysely_migration' }]) {
    const { rows } = await sql<Row>`select * from ${sql.table(name)} order by 1`.execute(database);
    content[name] = rows;
  }
  return content;
}

const link = { seq: 1, action: 'a0', at: 7, record_json: '{}' };
/** What does not hold just anything, or is set by a migration. */
const values: Row = {
  'actions.id': 'a1',
  'actions.state': 'done',
  'actions.recorded': null,
  'owed.state': 'applying',
  'leases.state': 'over',
  'audit.seq': link.seq,
  'audit.action': link.action,
  'audit.record_json': link.record_json,
  'audit.digest': digestOf(link, ''),
  'audit_pruned.upto': 0,
  'audit_pruned.digest': '',
};

/** Writes a row into every table, with something in every column. */
async function fill(database: Database): Promise<void> {
  for (const { name: table, columns } of await database.introspection.getTables()) {
    const row = columns.map(({ name, dataType }) => {
      const something = /_json$/.test(name) ? '{}' : `${table}.${name}`;
      const value = values[`${table}.${name}`];
      return value === undefined ? (/text/i.test(dataType) ? something : 7) : value;
    });
    const names = columns.map(({ name }) => sql.ref(name));
    await sql`insert into ${sql.table(table)} (${sql.join(names)}) values (${sql.join(row)})`.execute(
      database,
    );
  }
}

/** What tables and columns were called before 0016. */
const renamedTables: Readonly<Record<string, string>> = {
  leases: 'timed_changes',
  owed: 'pending_applies',
  kept: 'tokens',
  sealed: 'encrypted',
  audit_terms: 'audit_index',
};
/** And before 0019; empty where a column is no longer there. */
const renamedColumns: Readonly<Record<string, string>> = {
  'outbox.lane': 'ordering_key',
  'outbox.in_doubt': 'maybe_delivered',
  'outbox.next_at': 'next_try_at',
  'actions.alike': 'dedupe_key',
  'owed.state': '',
  'owed.claimed_by': 'held_by',
  'owed.attempts': 'tries',
  'owed.next_at': 'next_try_at',
  'leases.claimed_by': 'held_by',
  'leases.claimed_until': '',
  'leases.failures': 'tries',
  'leases.next_at': 'next_try_at',
};
/** Those that 0019 has added, with nothing in them. */
const heldSince = new Set(['outbox', 'owed', 'leases', 'kept', 'deliveries', 'actions']);

/** The same content under today's names. */
function renamed(content: Readonly<Record<string, readonly Row[]>>): Record<string, readonly Row[]> {
  return Object.fromEntries(
    Object.entries(content).map(([table, rows]) => [
      renamedTables[table] ?? table,
      rows.map((row) => ({
        ...Object.fromEntries(
          Object.entries(row).flatMap(([name, value]) => {
            const now = renamedColumns[`${table}.${name}`] ?? name;
            return now === '' ? [] : [[now, value]];
          }),
        ),
        ...(heldSince.has(table) && { held_since: null }),
      })),
    ]),
  );
}

const recorder: Recorder = {
  commandOf: ({ phrase }) => phrase,
  isDenied: () => false,
  previewOf: () => ({ question: '', fields: [] }),
  isWithheld: () => false,
  announce: () => [],
};

describe.each(stores)('a journal of a former commit, in $store', (kind) => {
  const isEmbedded = kind.store === 'SQLite';
  // The statements are the same in both, and a database takes a second; 377393b has everything that there is to mend.
  const some = ['377393b', '3d52012'];
  const kinds = formerJournals.filter(({ madeBy }) => isEmbedded || some.includes(madeBy));

  test.each(kinds)('($madeBy) keeps every row, and goes on', async ({ madeBy, edited }) => {
    const place = await former(kind, madeBy);
    const { kysely_migration: _, ...before } = await within(place, async (database) => {
      await fill(database);
      // Nothing was ever written into this one where it had other columns.
      if (edited.includes('audit')) await sql`delete from audit_terms`.execute(database);
      return contentOf(database);
    });
    const store = place();
    const journal = await openJournal(store, () => 1_000, 'first');
    onTestFinished(() => journal.close());
    const { kysely_migration: made, ...after } = await contentOf(store.quick);
    expect(made?.map(({ name }) => name)).toEqual([...migrations.keys()]);
    expect(after).toMatchObject(renamed(before));

    // Its ends and its records have the columns that they need.
    const from = { action: 'a2', appliance: 'hq', channel: 'C1', person: 'U1', reason: '' };
    const on = { ...from, subject: 'emergency disable', endsAt: 2_000 };
    const timedChange = await startOne(journal, on);
    await journal.reminded(timedChange?.id ?? 0, on.endsAt, '17.5');
    expect((await journal.timedChange('hq', 'emergency disable'))?.reminder).toEqual({
      message: '17.5',
      endsAt: on.endsAt,
    });
    await journal.write({ state: 'done', team: 'T1', channel: 'C1', person: 'U1', line: 'rdp sessions' });
    expect(await journal.record(recorder)).toBe(2);
    const { records } = await journal.findRecords({}, 10);
    expect(records.map(({ record }) => record.line)).toEqual(['rdp sessions', 'actions.line']);
    const recorded = 2 + (before.audit?.length ?? 0);
    expect(await verifyChain(store.quick)).toMatchObject({ rows: recorded, broken: undefined });
  });
});

describe.each(stores)('a journal of the version before the tables had these names, in $store,', (kind) => {
  const isEmbedded = kind.store === 'SQLite';
  const last = '0015-interactions';

  async function withARowInEach(): Promise<Place> {
    const place = await kind.emptyPlace();
    await within(place, async (database) => {
      await sql`create table kysely_migration
        (name varchar(255) not null primary key, timestamp varchar(255) not null)`.execute(database);
      for (const [name, { up }] of migrations) {
        await up(database);
        await sql`insert into kysely_migration values (${name}, '')`.execute(database);
        if (name === last) break;
      }
      await fill(database);
    });
    return place;
  }

  const indexNames = isEmbedded
    ? sql<{ name: string }>`select name from sqlite_schema where type = 'index' and sql is not null`
    : sql<{ name: string }>`select indexname as name from pg_indexes where schemaname = current_schema()`;
  const indexesOf = async (database: Database) =>
    new Set((await indexNames.execute(database)).rows.map(({ name }) => name));

  test('keeps every row, in the columns that a new journal has', async () => {
    const place = await withARowInEach();
    const { kysely_migration: _, ...before } = await within(place, contentOf);
    for (const [table, rows] of Object.entries(before))
      expect({ table, count: rows.length }).toMatchObject({ count: 1 });
    expect(Object.keys(before)).toEqual(expect.arrayContaining(Object.keys(renamedTables)));
    await within(place, migrate);
    const { kysely_migration: made, ...after } = await within(place, contentOf);
    // What later migrations add is theirs.
    expect(after).toMatchObject(renamed(before));
    expect(made?.map(({ name }) => name)).toEqual([...migrations.keys()]);
    const fresh = await kind.emptyPlace();
    await within(fresh, migrate);
    const columnsOf = (all: readonly TableMetadata[]) =>
      new Map(all.map(({ name, columns }) => [name, columns.map((column) => column.name).toSorted()]));
    const tablesOf = async (database: Database) => columnsOf(await database.introspection.getTables());
    expect(await within(place, tablesOf)).toEqual(await within(fresh, tablesOf));
  });

  test('has its indexes under the new names, and still takes no second of what may be there once', async () => {
    const place = await withARowInEach();
    await within(place, migrate);
    await within(place, async (database) => {
      const names = await indexesOf(database);
      for (const name of [
        'tokens_by_until',
        'timed_changes_live',
        'outbox_by_ordering_key',
        'actions_dedupe_key',
      ]) {
        expect(names).toContain(name);
      }
      const former = /^(kept|owed|leases|sealed|audit_terms)_|^outbox_by_lane$|^actions_alike$/;
      expect([...names].filter((name) => former.test(name))).toEqual([]);
      const [action] = await database.selectFrom('actions').selectAll().execute();
      const again = { ...action, id: 'a9', token: null } as Insertable<ActionsTable>;
      expect(action?.dedupe_key).toBe('actions.alike');
      await expect(database.insertInto('actions').values(again).execute()).rejects.toThrow(/unique/i);
    });
  });

  test('takes new rows, with ids that were never given before', async () => {
    const place = await withARowInEach();
    const store = place();
    const journal = await openJournal(store, () => 1_000, 'first');
    onTestFinished(() => journal.close());
    const { id } = await journal.addPendingApply({ appliance: 'hq', what: 'acl', action: 'a1' });
    expect(id).toBeGreaterThan(isEmbedded ? 7 : 0);
    expect((await journal.pendingApplies('hq')).map(({ what }) => what)).toEqual(['acl']);
  });
});

describe.each(stores)('to bring a former journal up to date, in $store,', (kind) => {
  test('is done once, by one of those that start at once', async () => {
    const place = await former(kind, '969986e, 3d52012');
    const start = async () => (await openJournal(place(), () => 1_000)).close();
    // An embedded journal belongs to one process.
    await Promise.all(Array.from({ length: kind.store === 'SQLite' ? 1 : 8 }, start));
    const once = await within(place, contentOf);
    expect(once.kysely_migration?.map(({ name }) => name)).toEqual([...migrations.keys()]);
    await start();
    expect(await within(place, contentOf)).toEqual(once);
  });

  test('keeps the version before from it, which changes nothing', async () => {
    const place = await former(kind, '3d52012');
    await within(place, migrate);
    const after = await within(place, contentOf);
    const before = within(place, (database) => makeFormer(database, formerJournal('3d52012')));
    await expect(before).rejects.toThrow('previously executed migration 0001-actions is missing');
    expect(await within(place, contentOf)).toEqual(after);
  });

  test.each([
    [
      'of a later version',
      sql`insert into kysely_migration values ('9999-later', '')`,
      'it was written by a later version of the bot (unknown migration: 9999-later). No changes were made. Start the later version, or restore the backup from before the update',
    ],
    [
      'that is not as any version made it',
      sql`alter table actions drop column line`,
      'is missing the column line',
    ],
    ['with something in the way', sql`create table replicas (id text)`, 'already exists'],
  ])('is all or nothing: one %s is refused, and left as it is', async (_, change, says) => {
    const place = await former(kind, 'c64f1a6');
    const before = await within(place, async (database) => {
      await change.execute(database);
      return contentOf(database);
    });
    await expect(within(place, migrate)).rejects.toThrow(says);
    expect(await within(place, contentOf)).toEqual(before);
  });
});

describe.each(stores)('a journal whose tables are not those of this version, in $store,', (kind) => {
  async function changedBy(...changes: readonly RawBuilder<unknown>[]): Promise<Place> {
    const place = await kind.emptyPlace();
    await within(place, async (database) => {
      await migrate(database);
      for (const change of changes) await change.execute(database);
    });
    return place;
  }

  test('is told from one that is by the digest that stands beside the migrations', async () => {
    const place = await changedBy();
    expect(
      schemaDigestOf(await within(place, schemaOf)),
      'The migrations make other tables than they did: put this digest beside them (`schemaDigest`).',
    ).toBe(schemaDigest);
  });

  // What is compared is the same in both, and a database takes a second.
  const lacking = [
    [
      'a column',
      sql`alter table events drop column content_json`,
      'the table events is missing the column content_json',
    ],
    ['a table', sql`drop table replicas`, 'the table replicas is missing'],
    [
      'an index',
      sql`drop index actions_to_record`,
      'the table actions is missing the index (recorded, changed_at)',
    ],
    ['a key', sql`drop index actions_dedupe_key`, 'the table actions is missing the unique key (dedupe_key)'],
    [
      'a column that nobody fills',
      [
        sql`drop table encrypted`,
        sql`create table encrypted (id text primary key, content text not null, until bigint not null, salt text not null)`,
      ],
      'the table encrypted has the unexpected column salt (text, never empty)',
    ],
    [
      'a column of another kind',
      [
        sql`drop table encrypted`,
        sql`create table encrypted (id text primary key, content text not null, until text not null)`,
      ],
      'the table encrypted is missing the column until (number, never empty)',
    ],
  ] as const;
  const shown = kind.store === 'SQLite' ? lacking : lacking.filter(([what]) => what === 'an index');

  test.each(shown)(
    'is refused for %s, although all migrations are made, with what to do',
    async (_, change, says) => {
      const place = await changedBy(...(Array.isArray(change) ? change : [change]));
      const before = await within(place, contentOf);
      const refused = within(place, migrate);
      await expect(refused).rejects.toThrow(says);
      await expect(refused).rejects.toThrow(
        /\. The journal was created by another version or changed manually\. No changes were made\. Use the version that created it, or restore a backup$/,
      );
      expect(await within(place, contentOf)).toEqual(before);
    },
  );

  test('is taken with what somebody has added for themselves', async () => {
    const place = await changedBy(
      sql`create index of_mine on actions (person)`,
      sql`alter table actions add column note text`,
      sql`create table notes (id text primary key)`,
    );
    await within(place, migrate);
  });
});

describe.each(stores)('requests for sites that were open before they were actions, in $store,', (kind) => {
  const asker = (person: string) => ({ kind: 'slack', person, channel: 'C0RANDOM01' });
  const requests: readonly Row[] = [
    {
      ...{ id: 'r1', state: 'open', site: 'news.example', open_site: 'news.example', card: '1.2' },
      content_json: JSON.stringify({
        from: asker('U0VIC00001'),
        joined: [{ from: asker('U0ALICE001') }, { from: { kind: 'block_page', said: 'Erika' } }],
      }),
    },
    {
      ...{ id: 'r2', state: 'allowed', site: 'on.example', open_site: null, card: '1.3' },
      content_json: JSON.stringify({ from: asker('U0VIC00001'), joined: [] }),
    },
    {
      ...{ id: 'r3', state: 'checking', site: 'odd.example', open_site: 'odd.example', card: null },
      content_json: '{',
    },
  ];

  test('have to be made again, which those are told who made them and those who were to decide', async () => {
    const place = await kind.emptyPlace();
    const told = await within(place, async (database) => {
      for (const [name, { up }] of migrations) {
        if (name === '0038-one-request') break;
        await up(database);
      }
      for (const request of requests) {
        const row: Row = {
          ...{ revision: 1, team: 'T1', channel: 'C0HELPDESK', appliances: 'hq', reason: 'x', tries: 0 },
          ...{ created_at: 1, closes_at: 2, next_try_at: 0, ...request },
        };
        const [names, given] = [Object.keys(row).map((one) => sql.ref(one)), Object.values(row)];
        await sql`insert into site_requests (${sql.join(names)}) values (${sql.join(given)})`.execute(
          database,
        );
      }
      await sql`insert into outbox (key, kind, ordering_key, content_json, created_at, maybe_delivered, background, tries, next_try_at)
        values ('k', 'request', 'request r1', '{}', 1, 0, 0, 0, 0)`.execute(database);
      await migrations.get('0038-one-request')?.up(database);
      const { rows } = await sql<{
        kind: string;
        content_json: string;
      }>`select * from outbox order by id`.execute(database);
      return rows.map((row) => [row.kind, JSON.parse(row.content_json)]);
    });
    const again = expect.stringContaining('/appliance ask news.example');
    const to = (channel: string, words: unknown) => ['post', { channel, said: { headline: [words] } }];
    expect(told).toEqual([
      to('U0VIC00001', again),
      to('U0ALICE001', again),
      to('C0HELPDESK', expect.stringMatching(/have to be made again.*: news\.example$/)),
    ]);
  });
});
