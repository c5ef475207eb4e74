import pg from 'pg';
import { expect, test } from 'vitest';
import { auditTool } from '../cli/audit.ts';
import { transcript } from '../sandbox/workspace/transcript.ts';
import { converse } from './conversation.ts';
import { inSql } from './journals/in-sql.ts';
import { emptyPostgres } from './stores.ts';

const minute = 60_000;

/** A bot whose journal is in a PostgreSQL, and PostgreSQL's own tools on it. */
async function onPostgres() {
  const url = await emptyPostgres();
  const query = async <Value>(does: (client: pg.Client) => Promise<Value>): Promise<Value> => {
    const client = new pg.Client(url);
    await client.connect();
    return does(client).finally(() => client.end());
  };
  const conversation = await converse({
    environment: { DATABASE_URL: url },
    policy: { audit: { channel: 'C0INCIDENT' } },
    from: Date.UTC(2026, 9, 7, 9),
  });
  return {
    ...conversation,
    environment: { DATABASE_URL: url },
    backUp: () => query(inSql),
    /** In the place of the database that was: without anything that it had. */
    restore: (backup: string, sparing: readonly string[] = []) =>
      query(async (client) => {
        const { rows } = await client.query('select tablename as name from pg_tables where schemaname = $1', [
          'public',
        ]);
        for (const { name } of rows.filter(({ name }) => !sparing.includes(name)))
          await client.query(`drop table ${name}`);
        await client.query(backup);
      }),
  };
}

test('a bot restored from a backup reports the loss, leaves later messages, and runs its planned changes', async () => {
  const house = await onPostgres();
  const { type, press, read, pass, appliance, workspace, environment } = house;
  const live = () => appliance.state.categories.all.get(252)?.live;
  await type('/appliance rdp disconnect 14');
  await type('/appliance category add later.example to 252 --at "in 2h"', 'bob');
  const backup = await house.backUp();
  await press('Disconnect');
  await type('/appliance category add since.example to 252 --for 30m', 'bob');
  await pass(2_000);
  await pass(2_000);
  const channel = read();
  expect(channel).toContain('✅ Session 14');

  await house.restart(() => house.restore(backup));
  await house.bot.idle();
  await pass(minute);
  expect(read()).toBe(channel);
  const told = transcript(workspace.snapshot('U0DANA0001'), 'appliance-bot');
  expect(told.match(/The bot’s journal is older than what the bot posted and did/g)).toHaveLength(1);
  expect(told).toContain('Temporary changes made in between stay on: take them back by a command.');
  expect(await type('/appliance temporary', 'bob')).toContain('Nothing is temporary in this channel.');
  await pass(40 * minute);
  expect(live()).toContain('since.example');
  await pass(79 * minute);
  expect(live()).toContain('later.example');

  let said = '';
  const write = (text: string) => {
    said += text;
  };
  const terminal = { environment, write, complain: write, now: Date.now };
  expect(await auditTool(['verify'], terminal)).toBe(0);
  expect(said).toMatch(/^OK: [\s\S]*RESTORED: .* New records start with number 10001\./);
});

test('a backup restored over a newer journal is refused with the remedy, and nothing is changed', async () => {
  const house = await onPostgres();
  const backup = await house.backUp();
  // A backup of the version before, which did not know the last table yet.
  const earlier = backup
    .replaceAll(/^(?:create table told \([^;]*|insert into told [^;]*|alter table told [^;]*);\n/gm, '')
    .replace(/^insert into kysely_migration values \('0030-told'[^;]*;\n/m, '');
  const restart = house.restart(() => house.restore(earlier, ['told']));
  await expect(restart).rejects.toThrow(
    'relation "told" already exists, although no migration has made it: a backup was restored over a newer journal. No changes were made. Restore the backup into an empty database.',
  );
  await house.restore(earlier);
  await house.startBot(0);
  expect(await house.type('/appliance temporary', 'bob')).toContain('Nothing is temporary in this channel.');
});
