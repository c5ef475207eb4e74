import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { openJournal } from '../src/journal/journal.ts';
import { openSqlite } from '../src/journal/storage/sqlite.ts';
import { countSqlite } from './counting.ts';
import { begins, day, growing, grown, hour, live, within } from './grown-day.ts';
import { emptyJournal } from './lives-journal.ts';
import { type ReadingThrough, readingThrough } from './reading-through.ts';

/** Statements that may scan a table, or search by a common value, because it stays small. Each with the reason. */
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
  ['records that are verified at once', /\((?:rowid|recorded)>\? AND (?:rowid|recorded)<\?\)$/],
  ['the next of them, at most so many', /^SEARCH audit .*\(rowid>\?\)$/, / order by "seq" limit \?$/],
  ['what comes behind the last', /actions_to_record \(recorded>\?\)$/, / order by "recorded" desc limit \?$/],
  ['what is deleted with so many records', /actions_to_record \(recorded<\?\)|rowid<\?|block<\?/, /^delete/],
];

const notAllowed = (all: readonly ReadingThrough[]) =>
  all.filter(
    ({ step, of }) =>
      !allowed.some(([, allowedStep, allowedOf = /./]) => allowedStep.test(step) && allowedOf.test(of)),
  );

const actions = 2_000;
let journal: Buffer;

beforeAll(async () => {
  // Its tables are made before anybody listens.
  await emptyJournal();
  const folder = mkdtempSync(join(tmpdir(), 'grown-'));
  const file = join(folder, 'journal.sqlite');
  await grown(file, actions);
  journal = readFileSync(file);
  rmSync(folder, { recursive: true, force: true });
});

test('no daily request, page, metric or cleanup scans a growing table', async () => {
  const counter = countSqlite();
  const { data } = await live(actions, { journal });
  const through = notAllowed(readingThrough(join(data, 'journal.sqlite'), counter.given, growing));
  expect(through).toEqual([]);
});

test('rarer requests to a journal do not either', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'grown-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'journal.sqlite');
  writeFileSync(file, journal);
  const counter = countSqlite();
  const at = begins + actions * hour;
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
  await opened.onlyOne('a site');
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
