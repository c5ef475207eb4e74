import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { grow } from '../bench/grown/journal.ts';
import { openJournal } from '../src/journal/journal.ts';
import { openSqlite } from '../src/journal/storage/sqlite.ts';
import { type Conversation, converse } from './conversation.ts';
import { countSqlite } from './counting.ts';
import { freePort } from './free-port.ts';
import { emptyJournal } from './lives-journal.ts';
import { type ReadingThrough, readingThrough } from './reading-through.ts';

/** Tables that get a row for whatever is asked, and keep it for as long as the policy wants records. */
const growing = [
  ...['actions', 'events', 'approvals', 'audit', 'audit_index', 'audit_pruned'],
  ...['timed_changes', 'site_requests', 'tokens', 'deliveries'],
];

const hour = 60 * 60_000;
const day = 24 * hour;
const begins = Date.UTC(2026, 0, 5);

/** Who works in the sandbox, and where. */
const within = {
  people: ['U0BOB00001', 'U0DANA0001', 'U0ALICE001'],
  channels: ['C0HELPDESK', 'C0INCIDENT'],
  appliances: ['hq'],
};

/** A small journal of the shape of a grown one: an action an hour. */
async function grown(actions: number): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'grown-'));
  const file = join(folder, 'journal.sqlite');
  try {
    await grow(file, { actions, from: begins, every: hour, within });
    return readFileSync(file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What is asked of a bot on one day, and what it does by itself meanwhile; ten days of records are older than it is to keep. */
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

async function live(
  actions: number,
  journal: Buffer | undefined,
  environment: Readonly<Record<string, string>>,
) {
  const port = await freePort();
  const house = await converse({
    ...(journal && { journal }),
    from: begins + (actions + 2) * hour,
    policy: { audit: { keep: `${Math.floor((actions * hour) / day) - 10}d` } },
    environment: { HEALTH_PORT: String(port), ...environment },
  });
  await oneDay(house, `http://127.0.0.1:${port}`);
  return house;
}

/**
 * What may be gone through, or found by what most have in common, because it is little all the same. Each with the statements that it
 * is about.
 */
const allowed: readonly (readonly [why: string, step: RegExp, of?: RegExp])[] = [
  [
    'the newest or the oldest, at most so many',
    /^SCAN/,
    /^select (?!.* where ).* order by "\w+"(?: desc)? limit \?$/,
  ],
  ['what is on', /^SCAN timed_changes USING INDEX timed_changes_live$/],
  [
    'what is on, or not reported',
    /timed_changes_by_state/,
    /"?state"? (?:in \(\?, \?\)|= (?:\?|'on'|'ending'))/,
  ],
  ['what waits', /actions_by_state|actions_waiting/, /"?state"? = (?:'waiting'|\?)/],
  ['plans that are under way', /actions_by_state/, /"phrase" in .*"state" in \(\?, \?, \?, \?\) or /],
  [
    'what was done since a moment',
    /\((?:\w+=\? AND )?(?:created_at|changed_at|at)>\?(?: AND created_at<\?)?\)$/,
  ],
  ['what is over, at most so many', /_by_(?:until|time) \((?:until|at)<\?\)$/, / limit \?/],
  ['what is deleted with so many records', /actions_to_record \(recorded<\?\)|rowid<\?|block<\?/, /^delete/],
];

const notAllowed = (all: readonly ReadingThrough[]) =>
  all.filter(
    ({ step, of }) =>
      !allowed.some(([, allowedStep, allowedOf = /./]) => allowedStep.test(step) && allowedOf.test(of)),
  );

let journal: Buffer;
beforeAll(async () => {
  // Its tables are made before anybody listens.
  await emptyJournal();
  journal = await grown(2_000);
}, 60_000);

test('nothing that is asked, drawn, counted or tidied up on a day reads through what grows with the years', async () => {
  const counter = countSqlite();
  const { data } = await live(2_000, journal, {});
  const through = notAllowed(readingThrough(join(data, 'journal.sqlite'), counter.given, growing));
  expect(through).toEqual([]);
});

test('nor does what is asked of a journal less often', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'grown-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'journal.sqlite');
  writeFileSync(file, journal);
  const counter = countSqlite();
  const at = begins + 2_000 * hour;
  const store = openSqlite(file);
  const opened = await openJournal(store, () => at);
  const [person = '', channel = ''] = [within.people[0], within.channels[0]];
  const [action] = await opened.recent(1);
  const id = action?.id ?? '';
  await opened.waitingOf(channel, person);
  await opened.waitingIn([channel], 20);
  await opened.requestsOf(person, at - hour);
  await opened.duePlanned(at, 20);
  await opened.begunPlanned();
  await opened.plannedIn([channel], 20);
  await opened.movedIn([channel], 20);
  await opened.plansIn(channel, ['plan'], at - 7 * day, 20);
  await opened.stepsOf(id);
  await opened.sequelsOf(id);
  await opened.timedChangesOfPlan(id);
  await opened.undosSince(channel, at - day);
  await opened.undoneSince(id, at - day);
  await opened.actionOfDelivery('a delivery', at - hour);
  await opened.timedChangesEndedBy(id);
  await opened.timedChangesOf(id);
  await opened.timedChange('hq', id);
  await opened.changesIn(at - day, at);
  await opened.changesIn(at - day, at, ['acl object disable <object>']);
  await opened.under('1795668276.880000', 20);
  await opened.lastIn('D0BENCH1');
  await opened.byReference('A-VCZCJKX1');
  await opened.recentIn(channel, at - day, 20);
  await opened.askedBy(person, at - day, 20);
  await opened.usedBy(person, at - 30 * day, 20);
  await opened.askedNext([id], hour);
  await opened.siteRequestsIn([channel]);
  await opened.siteRequestsOf(person, at - day);
  await opened.claimSiteRequests();
  await opened.missed(() => []);
  await opened.offerBehind(id);
  await opened.keptOf(id, 'offer');
  await opened.newestMoment();
  await opened.hasRecord(1, '');
  await opened.reloads();
  await opened.overdue(at, 20);
  await opened.clockSetBack();
  await opened.close();
  const through = notAllowed(readingThrough(file, counter.given, growing));
  expect(through).toEqual([]);
});
