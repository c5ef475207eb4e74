import { join } from 'node:path';
import { DatabaseSync, type SQLOutputValue, StatementSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { pileUp, statesIn } from './backlog.ts';
import { converse } from './conversation.ts';

const count = 500;

/** The most rows that a journal of this process was asked for at once, until the test ends. */
function mostRows(): { readonly count: number } {
  const most = { count: 0 };
  const all = StatementSync.prototype.all as (...given: unknown[]) => Record<string, SQLOutputValue>[];
  StatementSync.prototype.all = function (this: StatementSync, ...given) {
    const rows = all.apply(this, given);
    // How the tables are made is asked once, at the start.
    if (!this.sourceSQL.includes('sqlite_schema')) most.count = Math.max(most.count, rows.length);
    return rows;
  };
  onTestFinished(() => {
    StatementSync.prototype.all = all;
  });
  return most;
}

function unsentIn(data: string): number {
  const raw = new DatabaseSync(join(data, 'journal.sqlite'), { readOnly: true });
  try {
    return Number(raw.prepare('select count(*) as count from outbox where background = 1').get()?.count);
  } finally {
    raw.close();
  }
}

test(`${count} cards that expired while the bot was down are ended in batches, behind the answers to people`, async () => {
  const { type, restart, pass, data, workspace } = await converse();
  await type('/appliance rdp disconnect 12');
  const { id: alice = '' } = workspace.people.find(({ name }) => name === 'alice') ?? {};
  const card = workspace.snapshot(alice).messages.at(-1)?.ts ?? '';
  // Most of them nobody can find any more.
  const gone = Array.from({ length: 50 }, (_, index) => `1600000000.0000${index + 10}`);
  const most = mostRows();
  await restart(async () => {
    pileUp(data, count, [card, ...gone]);
    workspace.log.clear();
  });
  const called = (method: string) => workspace.log.calls(method).length;
  expect(await type('/appliance categorize example.com', 'bob')).toContain('example.com');
  await pass(0);
  expect(statesIn(data).expired).toBeGreaterThanOrEqual(count);
  expect(most.count).toBeGreaterThan(0);
  expect(most.count).toBeLessThanOrEqual(100);
  // Nearly all of the backlog is unsent, and only its author was looked up in Slack.
  expect(unsentIn(data)).toBeGreaterThan(count);
  expect(called('chat.update')).toBeLessThan(25);
  expect(called('conversations.history')).toBeLessThan(50);
  expect(called('users.info')).toBe(1);
  // People are answered while the backlog waits.
  expect(await type('/appliance categorize example.org', 'carol')).toContain('example.org');
  expect(unsentIn(data)).toBeGreaterThan(count);
});

test('one card that has expired says so at the next look at the clock', async () => {
  const { type, pass, read } = await converse();
  await type('/appliance rdp disconnect 12');
  await pass(5 * 60_000);
  expect(read()).toContain('Nobody confirmed in time, so no changes were made.');
});
