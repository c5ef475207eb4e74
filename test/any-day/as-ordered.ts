import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import pg from 'pg';
import { expect, test } from 'vitest';
import { machine } from '../../sandbox/machine.ts';
import { emptyPostgres } from '../stores.ts';
import { type Facts, facts } from './facts.ts';
import type { Ordered } from './stage.ts';

/** Whether a circumstance is what `npm run test:any-day` has ordered; without that no row of its table would say anything. */
const ordered: Ordered = JSON.parse(process.env.ANY_DAY ?? '');

test('is what a test finds', () => expectOrdered(facts()));

test('is what a process finds that a test starts with settings of its own', async () => {
  const { HOME } = process.env;
  const options = { env: { ...machine(), HOME } };
  const { stdout } = await promisify(execFile)(process.execPath, ['test/any-day/facts.ts'], options);
  expectOrdered(JSON.parse(stdout));
});

test('is what PostgreSQL finds', async () => {
  const client = new pg.Client(await emptyPostgres());
  await client.connect();
  const { rows } = await client.query<{ now: Date }>('select now()');
  await client.end();
  expect(Math.abs(Date.now() - (rows[0]?.now.getTime() ?? 0))).toBeLessThan(5_000);
});

function expectOrdered({ now, ...others }: Facts): void {
  const { begins, ...rest } = ordered;
  expect(others).toMatchObject(rest);
  if (begins === undefined) return;
  // The clock goes on from there, and it is not long ago.
  expect(now).toBeGreaterThanOrEqual(begins);
  expect(now).toBeLessThan(begins + 5 * 60_000);
}
