import { DatabaseSync } from 'node:sqlite';
import { createRecorder } from '../src/action/history/recorder.ts';
import { commandByPhrase, commands } from '../src/handlers/registry.ts';
import { newRow, readAction, readOrigin } from '../src/journal/actions/action-row.ts';
import type { State } from '../src/journal/actions/states.ts';
import { digestOf, type Link } from '../src/journal/audit/hash-chain.ts';
import { recordOf } from '../src/journal/audit/record.ts';
import { blockSize, mark } from '../src/journal/audit/search-index.ts';
import { termsOf } from '../src/journal/audit/search-terms.ts';
import { openJournal } from '../src/journal/journal.ts';
import { openSqlite } from '../src/journal/storage/sqlite.ts';
import { createLog } from '../src/telemetry/log.ts';
import { policyOf } from '../test/policy.ts';
import { seeded } from '../test/seeded.ts';

/** A journal as it is after years: who asked what, where and when, and how it is written down in minutes. */

export const recorder = createRecorder(commandByPhrase, () => policyOf({}), createLog('silent'));
/** The first of them are everywhere, the last hardly anywhere. */
export const people = Array.from({ length: 400 }, (_, index) => `U0BENCH${index}`);
export const channels = Array.from({ length: 60 }, (_, index) => `C0BENCH${index}`);
export const appliances = Array.from({ length: 25 }, (_, index) => `branch-${index}`);
export const asked = commands.filter(({ kind }) => kind !== 'info');
export const first = Date.UTC(2024, 0, 1);
/** Two years, for a million. */
export const interval = 63_000;

/** Writes so many actions that are over, and their records, as `journal.record` would one batch after the other. */
export async function grow(file: string, actions: number): Promise<void> {
  const store = openSqlite(file);
  const journal = await openJournal(store, Date.now);
  const raw = new DatabaseSync(file);
  // It is made anew if the machine fails meanwhile.
  raw.exec('pragma synchronous = off; pragma cache_size = -200000');
  const chance = seeded(1);
  let digest = '';
  try {
    for (let next = 1; next <= actions; ) {
      const markings: { seq: number; terms: readonly string[]; found: boolean }[] = [];
      raw.exec('begin');
      for (; markings.length < blockSize && next <= actions; next += 1) {
        const action = endedAction(next, chance);
        const content = requestOf(action.appliance ?? '');
        insert(raw, 'actions', action);
        insert(raw, 'events', {
          action: action.id,
          at: action.changed_at,
          kind: 'request',
          content_json: JSON.stringify(content),
        });
        const record = recordOf(
          {
            action: readAction(action),
            ...readOrigin(action),
            approvals: [],
            events: [{ kind: 'request', at: action.changed_at, content }],
          },
          recorder,
        );
        const link: Link = {
          seq: next,
          action: action.id,
          at: action.changed_at,
          record_json: JSON.stringify(record),
        };
        digest = digestOf(link, digest);
        insert(raw, 'audit', { ...link, digest });
        markings.push({ seq: next, terms: termsOf(record), found: true });
      }
      raw.exec('commit');
      await store.quick.transaction().execute((transaction) => mark(transaction, markings));
    }
  } finally {
    raw.close();
    await journal.close();
  }
}

function endedAction(seq: number, chance: () => number) {
  const at = first + seq * interval;
  const command = pick(asked, chance);
  const isDenied = chance() < 0.03;
  const state: State = isDenied ? 'refused' : chance() < 0.02 ? 'failed' : 'done';
  const code = isDenied ? 'role_missing' : state === 'failed' ? 'unreachable' : 'answered';
  const outcome = { code, says: `${command.summary}: this is how it ended, and so it was told.` };
  const row = newRow(
    {
      ...{
        state: 'done',
        outcome,
        team: 'T0BENCH',
        channel: pick(channels, chance),
        person: pick(people, chance),
      },
      ...{ line: command.example, phrase: command.phrase, effect: command.effect },
      ...{ appliance: pick(appliances, chance), policy: '9f3ab0c4d511', allowedBy: ['viewer', 'operator'] },
    },
    null,
    'bench-1-abcdef',
    at,
  );
  return { ...row, state, changed_at: at + 400, card: '1795284324.223000', recorded: seq };
}

const requestOf = (appliance: string) => ({
  appliance,
  operation: 'acl.listObjects',
  effect: 'read',
  method: 'GET',
  path: '/acl/objects',
  attempt: 1,
  status: 200,
  durationMs: 12,
});

const inserts = new WeakMap<DatabaseSync, Map<string, ReturnType<DatabaseSync['prepare']>>>();

function insert(raw: DatabaseSync, table: string, values: Readonly<Record<string, string | number | null>>) {
  const known = inserts.get(raw) ?? new Map();
  inserts.set(raw, known);
  const columns = Object.keys(values);
  const statement =
    known.get(table) ??
    raw.prepare(`insert into ${table} (${columns.join()}) values (${columns.map(() => '?').join()})`);
  known.set(table, statement);
  statement.run(...Object.values(values));
}

/** The earlier, the likelier: the first twentieth of a list is picked in a good third of all cases. */
const pick = <Item>(items: readonly Item[], chance: () => number): Item => at(items, chance() ** 3);

export const any = <Item>(items: readonly Item[], chance: () => number): Item => at(items, chance());

function at<Item>(items: readonly Item[], share: number): Item {
  const item = items[Math.floor(share * items.length)];
  if (item === undefined) throw new RangeError('There is nothing to pick.');
  return item;
}
