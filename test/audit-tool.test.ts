import { hash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { auditTool } from '../cli/audit.ts';
import { digestOf } from '../src/journal/audit/hash-chain.ts';
import { openJournal, type Recorder } from '../src/journal/journal.ts';
import { openPostgres } from '../src/journal/storage/postgres.ts';
import { openSqlite } from '../src/journal/storage/sqlite.ts';
import { newPostgres } from './stores.ts';

const noon = Date.UTC(2027, 0, 1, 12);
const hour = 3_600_000;

const recorder: Recorder = {
  commandOf: ({ phrase }) => phrase,
  isDenied: ({ state }) => state === 'refused',
  previewOf: () => ({ question: '', fields: [] }),
  isWithheld: () => false,
  announce: () => [],
};

/** A data folder with so many records, one an hour, the last one at noon. */
async function dataWith(count: number) {
  const folder = mkdtempSync(join(tmpdir(), 'audit-tool-'));
  const clock = { at: noon - count * hour };
  const store = openSqlite(join(folder, 'journal.sqlite'));
  const journal = await openJournal(store, () => clock.at);
  onTestFinished(async () => {
    await journal.close();
    rmSync(folder, { recursive: true, force: true });
  });
  for (let number = 1; number <= count; number += 1) {
    clock.at += hour;
    await journal.write({
      state: number % 2 === 0 ? 'refused' : 'done',
      ...{ team: 'T1', channel: 'C1', person: `U${number % 3}`, line: `rdp sessions, für ${number}` },
      ...{ phrase: 'rdp sessions', effect: 'read', appliance: 'hq' },
      outcome: { code: 'answered', says: 'So it is.' },
    });
  }
  while ((await journal.record(recorder)) > 0);
  return { folder, store, journal };
}

async function run(words: readonly string[], folder: string, database?: string, config?: string) {
  let text = '';
  let complaints = '';
  const code = await auditTool(words, {
    environment: { APPLIANCE_BOT_DATA: folder, DATABASE_URL: database, APPLIANCE_BOT_CONFIG: config },
    write: async (more) => {
      text += more;
    },
    complain: (more) => {
      complaints += more;
    },
    now: () => noon,
  });
  return { code, text, complaints };
}

test.each([
  ['postgres://bot:top#secret@127.0.0.1:1/x', /^DATABASE_URL is not/],
  ['postgres://bot:topsecret@127.0.0.1:1/x', /ECONNREFUSED/],
  ['bot:topsecret@db', /^DATABASE_URL is not/],
])(
  'an unreadable database is not a broken chain, and its password is shown to nobody',
  async (url, words) => {
    const { code, text, complaints } = await run(['verify'], '/nowhere', url);
    expect({ code, text }).toEqual({ code: 2, text: '' });
    expect(complaints).toMatch(words);
    expect(complaints).not.toMatch(/secret/);
  },
);

describe('verify', () => {
  test('accepts an untouched journal, while the bot has it open', async () => {
    const { folder } = await dataWith(5);
    const { code, text } = await run(['verify'], folder);
    expect(code).toBe(0);
    expect(text).toMatch(
      /^OK: 5 records, unchanged\.\nThe newest record is number 5 with the digest [0-9a-f]{64}\.\nNote for the next check: --holds 5:[0-9a-f]{24}@2027-01-01T12:00:00Z\n$/,
    );
  });

  test('distinguishes a record of an earlier version with a text no database holds from an edited one', async () => {
    const { folder, store, journal } = await dataWith(1);
    await journal.write({
      ...{ state: 'refused', team: 'T1', channel: 'C1', person: 'U1', line: 'status', ticket: 'A\0' },
    });
    await journal.record(recorder);
    // As it stood in the record, while the index had another word for it.
    const [before, row] = await store.quick.selectFrom('audit').selectAll().orderBy('seq').execute();
    if (before === undefined || row === undefined) throw new Error('Two are recorded');
    const earlier = { ...row, record_json: row.record_json.replace('A\ufffd', 'A\\u0000') };
    const digest = digestOf(earlier, before.digest);
    await store.quick
      .updateTable('audit')
      .set({ record_json: earlier.record_json, digest })
      .where('seq', '=', 2)
      .execute();
    await store.quick.deleteFrom('audit_index').where('term', '=', 'ticket:a\ufffd').execute();
    const { code, text } = await run(['verify'], folder);
    expect(text).toContain(
      'OK: 2 records, unchanged.\nNOTE: Record 2 is not found by every name, because an earlier version could not index a name with a character that no database holds (a null character, or half of an emoji). The digests are intact: nobody has changed anything.\n',
    );
    expect(code).toBe(0);
    expect(JSON.parse((await run(['export', '--ticket', 'a\ufffd'], folder)).text)).toMatchObject({ seq: 2 });
  });

  test('names the first broken record, and ends with 1', async () => {
    const { folder, store } = await dataWith(5);
    await store.quick.updateTable('audit').set({ at: 1 }).where('seq', '>=', 3).execute();
    const { code, text } = await run(['verify'], folder);
    expect(code).toBe(1);
    expect(text).toMatch(
      /^BROKEN: Record 3 \(action [\w-]+\) was changed.*\nThe digests of 2 records, up to number 2, are intact\.\n$/,
    );
  });

  test('compares records with digests from elsewhere, such as the audit channel', async () => {
    const { folder, store } = await dataWith(3);
    const { digest } = await store.quick
      .selectFrom('audit')
      .select('digest')
      .where('seq', '=', 2)
      .executeTakeFirstOrThrow();
    expect((await run(['verify', '--holds', `2:${digest.slice(0, 12)}`], folder)).code).toBe(0);
    const other = await run(['verify', '--holds', '2:000000000000'], folder);
    expect(other.code).toBe(1);
    expect(other.text).toContain(
      `BROKEN: Record 2 has the digest ${digest}, but 000000000000 was expected.\n`,
    );
    expect((await run(['verify', '--holds', '9:000000000000'], folder)).text).toContain(
      'Record 9 is missing',
    );
    expect((await run(['verify', '--holds', 'x'], folder)).complaints).toContain('--holds takes a number');
  });

  test('names the last pruned record', async () => {
    const { folder, journal } = await dataWith(5);
    await journal.prune(noon - 2 * hour);
    const { code, text } = await run(['verify'], folder);
    expect(code).toBe(0);
    expect(text).toContain('OK: 3 records, unchanged. Records up to number 2 were pruned.');
  });

  test('ends with 2 where there is no journal, and creates none', async () => {
    const { code, complaints } = await run(['verify'], '/nowhere');
    expect(code).toBe(2);
    expect(complaints).toContain('There is no journal in /nowhere.');
  });
});

describe('verify and export, on a journal that they cannot read,', () => {
  test('leave one of an earlier version as it is', async () => {
    const { folder, store } = await dataWith(1);
    await sql`delete from kysely_migration where name like '%audit'`.execute(store.quick);
    const { code, complaints } = await run(['verify'], folder);
    expect(code).toBe(2);
    expect(complaints).toContain('This journal was written by an earlier version of the bot.');
  });

  test('take one with dated migration names for an earlier version', async () => {
    const { folder, store } = await dataWith(1);
    await sql`update kysely_migration set name = '2026-11-24-audit' where name = '0009-audit'`.execute(
      store.quick,
    );
    expect((await run(['verify'], folder)).complaints).toContain(
      'This journal was written by an earlier version of the bot.',
    );
  });

  test('do not read one of a later version', async () => {
    const { folder, store } = await dataWith(1);
    await sql`insert into kysely_migration values ('2099-01-01-more', '')`.execute(store.quick);
    expect((await run(['export'], folder)).complaints).toContain('written by a later version');
  });

  test('say that a database is unreachable', async () => {
    let complaints = '';
    const code = await auditTool(['verify'], {
      environment: { DATABASE_URL: 'postgres://bot:hush@127.0.0.1:1/none' },
      write: async () => undefined,
      complain: (text) => {
        complaints += text;
      },
      now: () => noon,
    });
    expect(code).toBe(2);
    expect(complaints).toContain('The PostgreSQL database in DATABASE_URL is unreachable: ');
    expect(complaints).not.toContain('hush');
  });
});

describe('in a PostgreSQL', () => {
  test('both work as in a file', async () => {
    const url = await newPostgres();
    const journal = await openJournal(openPostgres(url), () => noon);
    onTestFinished(() => journal.close());
    await journal.write({
      ...{ state: 'done', team: 'T1', channel: 'C1', person: 'U1', line: 'status' },
      outcome: { code: 'answered', says: 'Fine.' },
    });
    await journal.record(recorder);
    let text = '';
    const terminal = {
      environment: { DATABASE_URL: url },
      write: async (more: string) => {
        text += more;
      },
      complain: () => undefined,
      now: () => noon,
    };
    expect(await auditTool(['verify'], terminal)).toBe(0);
    expect(await auditTool(['export', '--since', '1d'], terminal)).toBe(0);
    expect(text).toContain('OK: 1 record, unchanged');
    expect(text).toContain('"line":"status"');
  });
});

describe('export', () => {
  const seqs = (text: string) =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line).seq);

  test('writes a line a record, the oldest first, from which the digests can be computed again', async () => {
    const { folder } = await dataWith(5);
    const { code, text } = await run(['export'], folder);
    expect(code).toBe(0);
    let previous = '';
    for (const line of text.trimEnd().split('\n')) {
      const { seq, at, action, digest, record } = JSON.parse(line);
      expect(record).toMatchObject({ version: 1, action, line: `rdp sessions, für ${seq}` });
      const written = line.slice(line.indexOf(',"record":') + ',"record":'.length, -1);
      expect(hash('sha256', [seq, previous, action, at, written].join('\n'))).toBe(digest);
      previous = digest;
    }
  });

  test.each<[readonly string[], readonly number[]]>([
    [
      ['--since', '2h'],
      [3, 4, 5],
    ],
    [
      ['--since', new Date(noon - hour).toISOString().slice(0, 10)],
      [1, 2, 3, 4, 5],
    ],
    [
      ['--until', '2h'],
      [1, 2, 3],
    ],
    [
      ['--since', '3h', '--until', '1h'],
      [2, 3, 4],
    ],
    [
      ['--by', 'U1'],
      [1, 4],
    ],
    [
      ['--denied', '--command', 'rdp'],
      [2, 4],
    ],
    [['--on', 'branch'], []],
    [['--changes'], []],
  ])('takes %j', async (words, wanted) => {
    const { folder } = await dataWith(5);
    expect(seqs((await run(['export', ...words], folder)).text)).toEqual(wanted);
  });

  test('reads hours and days in the policy file’s zone, as in Slack, and includes all of a last day', async () => {
    const { folder } = await dataWith(5);
    const config = join(folder, 'policy.yml');
    const policy = (zone: string) =>
      writeFileSync(config, `appliances: { hq: { url: http://x } }\ntime_zone: ${zone}\nchannels: {}\n`);
    const taken = async (...words: readonly string[]) =>
      seqs((await run(['export', ...words], folder, undefined, config)).text);
    // The records are of 8:00 to 12:00 UTC.
    policy('UTC');
    expect(await taken('--since', '10:30')).toEqual([4, 5]);
    expect(await taken('--until', '1 jan')).toEqual([1, 2, 3, 4, 5]);
    policy('Asia/Kolkata');
    expect(await taken('--since', '15:15')).toEqual([3, 4, 5]);
    policy('Pacific/Auckland');
    expect(await taken('--since', 'today')).toEqual([4, 5]);
    expect(await taken('--until', 'yesterday')).toEqual([1, 2, 3]);
    policy('Mars/Olympus');
    const { code, complaints } = await run(['export', '--since', 'today'], folder, undefined, config);
    expect({ code, complaints }).toEqual({
      code: 2,
      complaints: expect.stringMatching(/^The time zone cannot be read: .*policy\.yml has errors\./),
    });
  });

  test('waits for a slow reader, and holds no more than a part of it', async () => {
    const { folder } = await dataWith(2_500);
    const pieces: number[] = [];
    let busy = false;
    await auditTool(['export'], {
      environment: { APPLIANCE_BOT_DATA: folder },
      write: async (text) => {
        expect(busy).toBe(false);
        busy = true;
        await new Promise((resolve) => setTimeout(resolve, 5));
        busy = false;
        pieces.push(seqs(text).length);
      },
      complain: () => undefined,
      now: () => noon,
    });
    expect(pieces).toEqual([1_000, 1_000, 500]);
  });

  test('prints its usage for anything else', async () => {
    expect((await run(['export', '--since', 'soon'], '/nowhere')).complaints).toContain(
      '--since takes a time such as 7d',
    );
    expect((await run(['export', '--by', '@bob'], '/nowhere')).complaints).toContain(
      '--by takes the Slack ID',
    );
    expect((await run(['export', '--in', '#it'], '/nowhere')).complaints).toContain(
      '--in takes the Slack ID',
    );
    expect((await run(['erase'], '/nowhere')).complaints).toContain(
      'Unknown command erase. Use verify or export.',
    );
    expect((await run(['--help'], '/nowhere')).text).toContain('appliance-bot audit export');
  });
});
