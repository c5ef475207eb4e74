import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { Workspace } from '../sandbox/workspace/workspace.ts';
import type { Consent } from '../src/action/base/consent.ts';
import { steadyNow } from './steady-clock.ts';

const hour = 60 * 60_000;
const consent = JSON.stringify({
  needs: [{ by: ['approver'], count: 1, delegates: false, holders: [] }],
  ...{ requester: false, open: hour, reason: 'A printer is stuck', unattended: false },
} satisfies Consent);

/**
 * As if so many cards had been asked for and the bot had been down since: each is the one that waits in the journal, under
 * an ID of its own, on one of these messages. Every other one waits for approval, the rest for whoever asked.
 */
export function pileUp(data: string, count: number, cards: readonly string[]): void {
  const raw = new DatabaseSync(join(data, 'journal.sqlite'));
  try {
    const [one] = raw.prepare("select * from actions where state = 'waiting'").all();
    if (one === undefined) throw new Error('No card waits in the journal');
    const columns = Object.keys(one);
    const insert = raw.prepare(
      `insert into actions (${columns.join()}) values (${columns.map(() => '?').join()})`,
    );
    const at = Date.now() - 12 * hour;
    raw.exec('begin');
    for (let index = 0; index < count; index += 1) {
      const copy: Record<string, SQLInputValue | undefined> = {
        ...one,
        ...{ id: randomUUID(), token: randomUUID(), dedupe_key: null, held_by: null, held_since: null },
        ...{ created_at: at + index, changed_at: at + index, expires_at: at + index + hour },
        card: cards[index % cards.length] ?? '',
        consent_json: index % 2 === 0 ? consent : null,
      };
      insert.run(...columns.map((column) => copy[column] ?? null));
    }
    raw.exec('commit');
  } finally {
    raw.close();
  }
}

/** How many actions are in each state. */
export function statesIn(data: string): Readonly<Record<string, number>> {
  const raw = new DatabaseSync(join(data, 'journal.sqlite'), { readOnly: true });
  try {
    const rows = raw.prepare('select state, count(*) as count from actions group by state').all();
    return Object.fromEntries(rows.map(({ state, count }) => [String(state), Number(count)]));
  } finally {
    raw.close();
  }
}

/** Somebody types a line that is answered in the channel: how long until it is acknowledged, and answered, in milliseconds. */
export async function typed(
  workspace: Workspace,
  as: string,
  channel: string,
  text: string,
  answer: RegExp,
  timeout: number,
): Promise<{ readonly acknowledged: number; readonly answered: number }> {
  const began = steadyNow();
  const answered = Promise.withResolvers<number>();
  const stop = workspace.onChange((change) => {
    if (change.type !== 'message' || change.channel !== channel || !answer.test(change.message.text)) return;
    answered.resolve(steadyNow() - began);
  });
  const timer = setTimeout(() => answered.resolve(Number.POSITIVE_INFINITY), timeout);
  try {
    const acted = await workspace.act({ act: 'type', as, channel, text });
    const acknowledged = acted.ok ? steadyNow() - began : Number.POSITIVE_INFINITY;
    return { acknowledged, answered: await answered.promise };
  } finally {
    stop();
    clearTimeout(timer);
  }
}
