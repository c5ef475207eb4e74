import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished } from 'vitest';
import { openJournal } from '../../../src/journal/journal.ts';
import { openPostgres } from '../../../src/journal/storage/postgres.ts';
import { start } from '../../../src/start.ts';
import { createLog } from '../../../src/telemetry/log.ts';
import { freePort } from '../../free-port.ts';
import { newPostgres } from '../../stores.ts';
import type { Watched, watched } from '../watched.ts';
import type { Scenes } from './scene.ts';

const onPostgres = async (): Promise<Parameters<typeof watched>[0]> => ({
  environment: { DATABASE_URL: await newPostgres() },
});

async function inDatabase({ environment }: Watched, sql: string): Promise<void> {
  const client = new pg.Client(String(environment.DATABASE_URL));
  await client.connect();
  await client.query(sql);
  await client.end();
}

/** Events of a database that replicas share. `test/long/replicas.test.ts` really kills a replica. */
export const ofReplicas: Scenes = {
  replica_gone: {
    options: onPostgres,
    happen: async (bot) => {
      const other = await openJournal(
        await openPostgres(String(bot.environment.DATABASE_URL)),
        Date.now,
        'one that died',
      );
      await other.heartbeat({ isTaking: true });
      await other.close();
      await bot.pass(2_000);
      expect(bot.linesOf('replica_joined')).toMatchObject([{ peer: 'one that died' }]);
      // Evicts it like the first replica that misses it.
      await inDatabase(bot, `delete from replicas where id = 'one that died'`);
      await bot.pass(2_000);
    },
    line: { peer: 'one that died' },
  },
  replica_evicted: {
    options: onPostgres,
    happen: async (bot) => {
      await inDatabase(bot, 'update replicas set epoch = epoch + 1');
      await bot.pass(2_000);
    },
    line: {},
  },
  policies_differ: {
    options: onPostgres,
    happen: async (bot) => {
      const { workspace, data, environment } = bot;
      const file = join(dirname(data), 'appliance-bot.yml');
      const other = join(dirname(data), 'other.yml');
      writeFileSync(other, `${readFileSync(file, 'utf8')}emergency: { longest: 30m }\n`);
      const port = String(await freePort());
      const stranger = await start(
        {
          SLACK_BOT_TOKEN: workspace.botToken,
          SLACK_APP_TOKEN: workspace.appToken,
          SLACK_API_URL: workspace.apiUrl,
          APPLIANCE_BOT_CONFIG: other,
          APPLIANCE_KEY: 'sandbox-web-api-key',
          SHELL_PASSWORD: 'sandbox-shell-password',
          DATABASE_URL: String(environment.DATABASE_URL),
          HEALTH_PORT: port,
        },
        { log: createLog('silent') },
      );
      onTestFinished(() => stranger.stop());
      await stranger.idle();
      bot.beside.push(`http://127.0.0.1:${port}`);
      await bot.pass(2_000);
      await bot.pass(31_000);
    },
    line: { policies: expect.any(Array) },
  },
  journal_slow: {
    options: onPostgres,
    happen: async (bot) => {
      await inDatabase(
        bot,
        `create function slowly() returns trigger language plpgsql as $$ begin perform pg_sleep(0.6); return new; end $$;
         create trigger slowly before insert on actions for each row execute function slowly()`,
      );
      await bot.type('/appliance categorize example.com');
    },
    line: { durationMs: expect.any(Number) },
  },
};
