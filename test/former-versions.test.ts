import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { auditTool } from '../cli/audit.ts';
import packageJson from '../package.json' with { type: 'json' };
import { converse } from './conversation.ts';
import { made } from './journals/lines.ts';
import { emptyPostgres } from './stores.ts';

/** The journals that released versions left behind: as files, and as what a PostgreSQL held. */
const versions = globSync(join(import.meta.dirname, 'journals/*.gz')).map((file) => {
  const [version = '', kind] = basename(file, '.gz').split(/\.(?=sqlite$|postgres)/);
  const journal = gunzipSync(readFileSync(file));
  return {
    version,
    store: kind === 'sqlite' ? 'SQLite' : 'PostgreSQL',
    /** A bot of this version on a copy of it, an hour later. */
    open: async () => {
      const url = kind === 'sqlite' ? undefined : await postgresWith(String(journal));
      const ways = url === undefined ? { journal } : { environment: { DATABASE_URL: url } };
      const conversation = await converse({ ...ways, from: made + hour });
      return { ...conversation, environment: { APPLIANCE_BOT_DATA: conversation.data, DATABASE_URL: url } };
    },
  };
});

const hour = 3_600_000;

async function postgresWith(statements: string): Promise<string> {
  const url = await emptyPostgres();
  const client = new pg.Client(url);
  await client.connect();
  await client.query(statements).finally(() => client.end());
  return url;
}

test.each(['SQLite', 'PostgreSQL'])(
  'the journal of every version is here, the present one among them: %s',
  (kind) => {
    const there = versions.filter(({ store }) => store === kind).map(({ version }) => version);
    expect(there).toEqual(expect.arrayContaining(['0.1.0', packageJson.version]));
  },
);

describe.each(versions)('the journal of $version on $store', ({ open }) => {
  test('is opened by this version, which continues its records, its temporary and its planned changes', async () => {
    const { type, bot } = await open();
    const audit = await type('/appliance audit --since 7d', 'dana');
    expect(audit).toMatch(/@bob +acl object disable google_sni on hq +✅ ACL object google_sni disabled/);
    expect(audit).toMatch(/@alice +acl object disable google_sni on hq +🚫/);
    expect(audit).toMatch(/@bob +rdp disconnect 12 on hq +✅/);
    expect(await type('/appliance temporary', 'bob')).toMatch(/former\.example\.net.*@bob/s);
    expect(await type('/appliance planned', 'bob')).toMatch(/1 planned change .*planned\.example\.net/s);
    await bot.idle();
  });

  test('has records whose chain is unbroken, before and after this version has written more', async () => {
    const { type, stopBot, environment } = await open();
    await type('/appliance rdp sessions', 'bob');
    await type('/appliance audit', 'bob');
    await stopBot(0);
    let said = '';
    const write = async (text: string) => {
      said += text;
    };
    const code = await auditTool(['verify'], { environment, write, complain: write, now: () => made + hour });
    expect({ code, said }).toEqual({ code: 0, said: expect.stringMatching(/^OK: \d+ records, unchanged\./) });
    expect(Number(/\d+/.exec(said)?.[0])).toBeGreaterThanOrEqual(7);
  });
});
