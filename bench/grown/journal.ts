import { DatabaseSync } from 'node:sqlite';
import { createRecorder } from '../../src/action/history/recorder.ts';
import { commandByPhrase } from '../../src/handlers/registry.ts';
import { readAction, readOrigin } from '../../src/journal/actions/action-row.ts';
import { digestOf, type Link } from '../../src/journal/audit/hash-chain.ts';
import { recordOf } from '../../src/journal/audit/record.ts';
import { blockSize, mark } from '../../src/journal/audit/search-index.ts';
import { termsOf } from '../../src/journal/audit/search-terms.ts';
import { openJournal } from '../../src/journal/journal.ts';
import { openSqlite } from '../../src/journal/storage/sqlite.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { policyOf } from '../../test/policy.ts';
import { seeded } from '../../test/seeded.ts';
import { type House, house, type Life, lives } from './lives.ts';

/** A journal after years of use, with the bot's own rows, written in minutes. */

export const recorder = createRecorder(commandByPhrase, () => policyOf({}), createLog('silent'));
export const first = Date.UTC(2024, 0, 1);
/** Two years, for a million. */
export const interval = 63_000;

/** How much there is to be, when the first of it ended, and how much later each next one. In milliseconds. */
interface Span {
  readonly actions: number;
  readonly from?: number;
  readonly every?: number;
  readonly within?: House;
}

/** How much of it is not over. */
const open = { waiting: 20, planned: 10 };
const day = 24 * 60 * 60_000;

/** Writes so many actions that are over, and their records, as `journal.record` would one batch after the other; and some that wait. */
export async function grow(
  file: string,
  { actions, from = first, every = interval, within = house }: Span,
): Promise<void> {
  const store = openSqlite(file);
  const journal = await openJournal(store, Date.now);
  const raw = new DatabaseSync(file);
  // The journal is made anew if the machine fails meanwhile.
  raw.exec('pragma synchronous = off; pragma cache_size = -400000');
  const insert = inserter(raw);
  const { over, open: standing } = lives(seeded(1), within);
  const until = from + (actions + 1) * every;
  let digest = '';
  const write = ({ action, events, approvals, timed, tokens }: Life) => {
    insert('actions', action);
    for (const { kind, at, content } of events)
      insert('events', { action: action.id, at, kind, content_json: JSON.stringify(content) });
    for (const one of approvals) insert('approvals', one);
    for (const one of timed) insert('timed_changes', one);
    // The bot deletes expired tokens.
    for (const one of tokens) if (one.until > until) insert('tokens', one);
    if (action.created_at > until - day && action.delivery !== null) {
      const { delivery: key, created_at: at, channel, person } = action;
      insert('deliveries', { key, at, channel, person, held_by: null, held_since: null });
    }
  };
  try {
    for (let next = 1; next <= actions; ) {
      const markings: { seq: number; terms: readonly string[]; found: boolean }[] = [];
      raw.exec('begin');
      for (; markings.length < blockSize && next <= actions; next += 1) {
        const life = over(from + next * every, until);
        const action = { ...life.action, recorded: next };
        write({ ...life, action });
        const record = recordOf(
          {
            action: readAction(action),
            ...readOrigin(action),
            approvals: life.approvals,
            events: life.events,
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
        insert('audit', { ...link, digest });
        markings.push({ seq: next, terms: termsOf(record), found: true });
      }
      raw.exec('commit');
      await store.quick.transaction().execute((transaction) => mark(transaction, markings));
    }
    for (const state of ['waiting', 'planned'] as const)
      for (let count = 0; count < open[state]; count += 1) write(standing(state, until));
  } finally {
    raw.close();
    await journal.close();
  }
}

/** Writes rows, with a statement for each table. */
function inserter(raw: DatabaseSync) {
  const known = new Map<string, ReturnType<DatabaseSync['prepare']>>();
  return (table: string, values: Readonly<Record<string, unknown>>) => {
    const columns = Object.keys(values);
    const statement =
      known.get(table) ??
      raw.prepare(`insert into ${table} (${columns.join()}) values (${columns.map(() => '?').join()})`);
    known.set(table, statement);
    // All that stands in a journal is text, a number or nothing.
    statement.run(...(Object.values(values) as (string | number | null)[]));
  };
}
