import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KyselyPlugin, RootOperationNode } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { grow } from '../bench/grown-journal.ts';
import { audit } from '../src/journal/audit/audit.ts';
import type { Store } from '../src/journal/database.ts';
import { figureStore } from '../src/journal/figures.ts';
import { openSqlite } from '../src/journal/storage/sqlite.ts';

/**
 * What may be gone through: what is still to be sent, what is on for a time, a row for each restore, and one row at an end of the
 * records.
 */
const small =
  /^SCAN (?:outbox|webhooks|generations|timed_changes USING INDEX timed_changes_live)\b|^SCAN audit, of select [\w", ]+ from "audit" order by "seq"(?: desc)? limit \?$/;

/** A small journal of the shape of a grown one, and how SQLite goes about what is asked of it. */
async function grown() {
  const folder = mkdtempSync(join(tmpdir(), 'grown-'));
  const file = join(folder, 'journal.sqlite');
  await grow(file, 600);
  const store = openSqlite(file);
  onTestFinished(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    store,
    /** The steps of all that is asked meanwhile that read every row of a table that grows. */
    throughAll: async (ask: (watched: Store) => Promise<unknown>): Promise<readonly string[]> => {
      const asked: RootOperationNode[] = [];
      const noting: KyselyPlugin = {
        transformQuery: ({ node }) => {
          asked.push(node);
          return node;
        },
        transformResult: async ({ result }) => result,
      };
      await ask({ ...store, quick: store.quick.withPlugin(noting) });
      expect(asked.length).toBeGreaterThan(0);
      const executor = store.quick.getExecutor();
      const steps: string[] = [];
      for (const node of asked) {
        const compiled = executor.compileQuery(node, { queryId: 'plan' });
        const plan = { ...compiled, sql: `explain query plan ${compiled.sql}` };
        const { rows } = await executor.executeQuery<{ readonly detail: string }>(plan);
        steps.push(...rows.map(({ detail }) => `${detail}, of ${compiled.sql}`));
      }
      return steps.filter((step) => step.startsWith('SCAN') && !small.test(step));
    },
  };
}

test('what whoever watches asks every few seconds goes through nothing that grows with the years', async () => {
  const { throughAll } = await grown();
  const through = await throughAll((store) => figureStore(store, Date.now).figures());
  expect(through).toEqual([]);
});

test('what the audit is asked goes through what is open and what is found, and not through everything', async () => {
  const { throughAll } = await grown();
  const tidying = { flush: async () => undefined };
  const through = await throughAll(async (store) => {
    const { findRecords, unrecorded } = audit(store, Date.now, tidying);
    await unrecorded(500);
    const [since, until] = [Date.UTC(2024, 0, 1, 2), Date.UTC(2024, 0, 1, 5)];
    const { count } = await findRecords({ by: 'U0BENCH0', since, until }, 7);
    expect(count).toBeGreaterThan(0);
    await findRecords({ denied: true }, 7, 400);
  });
  expect(through).toEqual([]);
});
