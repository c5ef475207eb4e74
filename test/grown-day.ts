import { grow } from '../bench/grown/journal.ts';
import type { SandboxOptions } from '../sandbox/sandbox.ts';
import { openJournal } from '../src/journal/journal.ts';
import { openSqlite } from '../src/journal/storage/sqlite.ts';
import { type Conversation, converse } from './conversation.ts';
import { freePort } from './free-port.ts';

/** Tables that get a row for whatever is asked, and keep it for as long as the policy wants records. */
export const growing = [
  ...['actions', 'events', 'approvals', 'audit', 'audit_index', 'audit_pruned'],
  ...['timed_changes', 'tokens', 'deliveries'],
];

export const hour = 60 * 60_000;
export const day = 24 * hour;
export const begins = Date.UTC(2026, 0, 5);

/** The people who work in the sandbox, and their channel. */
export const within = {
  people: ['U0BOB00001', 'U0DANA0001', 'U0ALICE001'],
  channels: ['C0HELPDESK', 'C0INCIDENT'],
  appliances: ['hq'],
};

/** A small journal of the shape of a grown one: an action an hour, verified like a real one. */
export async function grown(file: string, actions: number): Promise<void> {
  await grow(file, { actions, from: begins, every: hour, within });
  const journal = await openJournal(openSqlite(file), () => begins + (actions + 2) * hour);
  while ((await journal.verifyNext(500)).isMore);
  await journal.close();
}

/** A day's requests to a bot, and its own work meanwhile. Ten days of records are past the retention. */
async function oneDay({ type, press, person, pass, restart }: Conversation, metrics: string) {
  for (const line of [
    ...['help', 'help categorize', 'whoami', 'status', 'categorize example.com', 'temporary', 'planned'],
    ...[
      'audit',
      'audit --since 7d',
      'audit since last night',
      'audit today',
      'audit --by @bob',
      'audit ticket CHG-7',
    ],
    ...[
      'audit --command "acl object"',
      'audit everywhere --denied',
      'audit --not-understood',
      'audit plan P-1',
    ],
    ...[
      'timeline',
      'who blocked example.com',
      'what did @bob change',
      'history of this channel',
      'plans',
      'show',
    ],
  ])
    await type(`/appliance ${line}`, 'dana');
  await type('/appliance acl object disable google_sni', 'bob');
  await press('Undo', 'bob');
  await type('/appliance category add shop.example.net to 252 --for 2h', 'bob');
  await press('Extend', 'bob').catch(() => '');
  await type('/appliance end shop.example.net', 'bob');
  await press('End now', 'bob');
  await type('/appliance category add later.example.net to 252 --at "tomorrow 23:00"', 'bob');
  await type('/appliance rdp disconnect 12', 'bob');
  await press('Disconnect', 'bob');
  await type('/appliance acl object disable google_sni', 'alice');
  await type('/appliance plan history --since 3h', 'bob');
  await type('/appliance undo', 'bob');
  await type('/appliance watch status', 'dana');
  await type('/appliance ask shop.example.org', 'alice');
  await person('bob').openHome();
  await person('alice').openHome();
  await (await fetch(`${metrics}/metrics`)).text();
  await (await fetch(`${metrics}/readyz`)).text();
  await restart();
  // Two looks at the clock, and what falls due.
  for (const gone of [0, 3 * hour, 61 * 60_000, 0]) await pass(gone);
}

/** A bot works for a day on a journal with so many actions, and deletes the records of the first ten days. */
export async function live(
  actions: number,
  { environment, ...options }: Pick<SandboxOptions, 'journal' | 'environment'>,
): Promise<Conversation> {
  const port = await freePort();
  const house = await converse({
    ...options,
    from: begins + (actions + 2) * hour,
    policy: { audit: { keep: `${Math.floor((actions * hour) / day) - 10}d` } },
    environment: { HEALTH_PORT: String(port), ...environment },
  });
  await oneDay(house, `http://127.0.0.1:${port}`);
  return house;
}
