import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startSimulatedAppliance } from '../../sandbox/appliance/index.ts';
import { personIn } from '../../sandbox/person.ts';
import { openJournal } from '../../src/journal/journal.ts';
import { openSqlite } from '../../src/journal/storage/sqlite.ts';
import { seriesOf } from './exposition.ts';
import { type Watched, watched } from './watched.ts';

const minute = 60_000;
const sessions = 'GET /rdpproxy/sessions';

/** How often the metrics say that it happened. */
const counted = async (bot: Watched, event: string) =>
  seriesOf(await bot.metrics(), 'appliance_bot_events_total', { event });
const isUp = async (bot: Watched) =>
  seriesOf(await bot.metrics(), 'appliance_bot_appliance_up', { appliance: 'hq' });

describe('the log says once, and not with every request,', () => {
  test('when an appliance does not answer, and when it answers again', async () => {
    const bot = await watched();
    expect(await isUp(bot)).toBe(1);
    bot.appliance.faults.set(sessions, { kind: 'reset', happens: false });
    for (let asked = 0; asked < 3; asked += 1) await bot.type('/appliance rdp sessions');
    expect(bot.linesOf('appliance_away')).toMatchObject([
      { level: 'error', appliance: 'hq', operation: 'rdp.listSessions', error: 'connection_lost' },
    ]);
    expect(await isUp(bot)).toBe(0);
    expect(await counted(bot, 'appliance_away')).toBe(1);
    bot.appliance.faults.clear();
    await bot.type('/appliance rdp sessions');
    await bot.type('/appliance rdp sessions');
    expect(bot.linesOf('appliance_answers')).toMatchObject([{ level: 'info', appliance: 'hq' }]);
    expect(await isUp(bot)).toBe(1);
  });

  test('when an appliance refuses the bot, also while it answers other calls, and when it accepts it again', async () => {
    const bot = await watched();
    bot.appliance.faults.set(sessions, { kind: 'status', status: 403 });
    for (let asked = 0; asked < 3; asked += 1) {
      await bot.type('/appliance rdp sessions');
      await bot.type('/appliance categorize example.com');
    }
    expect(bot.linesOf('appliance_refuses')).toMatchObject([
      { level: 'error', appliance: 'hq', status: 403 },
    ]);
    expect(await isUp(bot)).toBe(0);
    bot.appliance.faults.clear();
    await bot.type('/appliance rdp sessions');
    expect(bot.linesOf('appliance_accepts')).toHaveLength(1);
    expect(await isUp(bot)).toBe(1);
  });

  // ../shared/field-notes.md: each comes with HTTP 200.
  test.each([
    ['Your IP address [203.0.113.9] is not allowed to perform this operation', 'address'],
    ['Authentication failed', 'key_refused'],
    ['Fatal error while checking security accesses ( see syslog messages ).', 'access_check'],
    ['The enterprise licence has expired: this operation needs a valid licence', 'license'],
    ['You are not logged in', 'login_page'],
  ])('when an appliance refuses the bot in words, with HTTP 200: %s', async (error, obstacle) => {
    const bot = await watched();
    bot.appliance.faults.set(sessions, { kind: 'refuse', error, key: 'info' });
    await bot.type('/appliance rdp sessions');
    await bot.type('/appliance rdp sessions');
    expect(bot.linesOf('appliance_refuses')).toMatchObject([
      { level: 'error', appliance: 'hq', operation: 'rdp.listSessions', status: 200, obstacle },
    ]);
    expect(await isUp(bot)).toBe(0);
    const outcome = {
      operation: 'rdp.listSessions',
      outcome: obstacle === 'license' ? 'refused' : 'not_served',
    };
    expect(seriesOf(await bot.metrics(), 'appliance_bot_appliance_requests_total', outcome)).toBe(2);
    bot.appliance.faults.clear();
    await bot.type('/appliance rdp sessions');
    expect(bot.linesOf('appliance_accepts')).toHaveLength(1);
    expect(await isUp(bot)).toBe(1);
  });

  test.each([
    'Category service disabled on this server',
    'Feature not enabled, Aborting',
    'Process crashed! size:0 bytes',
    'Unable to understand foo command',
    'No such session',
  ])('only the failed call, where the appliance refuses that and not the bot: %s', async (error) => {
    const bot = await watched();
    bot.appliance.faults.set(sessions, { kind: 'refuse', error, key: 'info' });
    await bot.type('/appliance rdp sessions');
    expect(bot.linesOf('appliance_refuses')).toEqual([]);
    expect(await isUp(bot)).toBe(1);
  });

  test('when an appliance is back, by the first call that gets through, and which area of it still refuses', async () => {
    const bot = await watched();
    const web = Number(new URL(bot.appliance.urls.web).port);
    await bot.type('/appliance rdp sessions');
    await bot.appliance.close();
    await bot.type('/appliance rdp sessions');
    await bot.type('/appliance categorize example.com');
    expect(await isUp(bot)).toBe(0);
    const again = await startSimulatedAppliance({ ports: { web } });
    onTestFinished(() => again.close());
    await bot.type('/appliance acl objects');
    expect(bot.linesOf('appliance_answers')).toMatchObject([
      { appliance: 'hq', operation: 'acl.listObjects' },
    ]);
    expect(await isUp(bot)).toBe(1);
    again.faults.set(sessions, { kind: 'status', status: 403 });
    await bot.type('/appliance rdp sessions');
    const areas = async (area: string) =>
      seriesOf(await bot.metrics(), 'appliance_bot_appliance_area_up', { appliance: 'hq', area });
    expect([await areas('rdp'), await areas('acl'), await isUp(bot)]).toEqual([0, 1, 0]);
  });

  test('when an appliance is down, whichever call finds out', async () => {
    const bot = await watched();
    await bot.appliance.close();
    await bot.type('/appliance rdp sessions');
    await bot.type('/appliance categorize example.com');
    expect(bot.linesOf('appliance_away')).toMatchObject([{ appliance: 'hq', error: 'unreachable' }]);
    expect(await isUp(bot)).toBe(0);
  });
});

test('an emergency mode that cannot be ended is an error with each try, is overdue meanwhile, and is logged when it is over', async () => {
  const bot = await watched();
  await bot.type('/appliance emergency enable --for 30m --reason "directory down"', 'bob');
  await bot.press('Approve', 'carol');
  bot.appliance.faults.set('- /emergency_disable', { kind: 'forget' });
  await bot.pass(30 * minute);
  expect(bot.linesOf('timed_change_not_ended')).toMatchObject([
    {
      level: 'error',
      appliance: 'hq',
      command: 'emergency enable',
      tries: 1,
      reason: expect.stringContaining('still on'),
    },
  ]);
  expect(seriesOf(await bot.metrics(), 'appliance_bot_timed_changes_overdue')).toBe(1);
  for (let passed = 0; passed < 180; passed += 5) await bot.pass(5 * minute);
  expect(bot.linesOf('timed_change_people_called').length).toBeGreaterThan(0);
  expect(await counted(bot, 'timed_change_people_called')).toBe(
    bot.linesOf('timed_change_people_called').length,
  );
  bot.appliance.faults.clear();
  await bot.pass(61 * minute);
  expect(bot.linesOf('timed_change_ended')).toMatchObject([{ appliance: 'hq', how: 'ended' }]);
  expect(seriesOf(await bot.metrics(), 'appliance_bot_timed_changes_overdue')).toBe(0);
});

test('a change with an unknown outcome is an error with its action, and an outcome of its own', async () => {
  const bot = await watched({ timeouts: { read: 0.6, whole: 0.9 } });
  bot.appliance.faults.set('POST /rdpproxy/sessions/{id}/disconnect', { kind: 'slow', ms: 2_000 });
  await bot.type('/appliance rdp disconnect 12');
  await bot.press('Disconnect');
  await bot.pass(0);
  const [line] = bot.linesOf('outcome_unknown');
  expect(line).toMatchObject({ level: 'error', command: 'rdp disconnect', appliances: ['hq'] });
  expect((await bot.bot.journal.recent()).map(({ id }) => id)).toContain(line?.action);
  const labels = { effect: 'destructive', outcome: 'unknown' };
  expect(seriesOf(await bot.metrics(), 'appliance_bot_commands_total', labels)).toBe(1);
});

test('work that a crash left half-way is logged with its actions when it is resumed', async () => {
  const bot = await watched();
  let left = '';
  await bot.restart(async () => {
    const journal = await openJournal(
      openSqlite(join(bot.data, 'journal.sqlite')),
      Date.now,
      'one that died',
    );
    const action = await journal.write({
      ...{ team: 'T0THETEAM1', channel: 'C0HELPDESK', person: 'U0ALICE001', state: 'running' },
      ...{ line: 'categorize example.com', phrase: 'categorize <domain>', effect: 'read' },
    });
    left = action.id;
    await journal.close();
  });
  await bot.bot.idle();
  expect(bot.linesOf('actions_taken_up')).toMatchObject([{ level: 'warn', left: 1, actions: [left] }]);
  expect(await counted(bot, 'actions_taken_up')).toBe(1);
});

test('each request during the stop is one log line, and the process has a first line and a last', async () => {
  const bot = await watched();
  bot.appliance.faults.set('GET /categories/query/{domain}', { kind: 'slow', ms: 600 });
  const hastily = (name: string) => personIn(bot.workspace, { idle: async () => undefined }, name);
  const before = bot.appliance.requests.length;
  await hastily('alice').type('helpdesk', '/appliance categorize example.com');
  await expect.poll(() => bot.appliance.requests.length).toBeGreaterThan(before);
  const stopped = bot.bot.stop();
  await hastily('bob').type('helpdesk', '/appliance rdp sessions');
  await expect
    .poll(() => bot.linesOf('refused_while_stopping'))
    .toMatchObject([
      { level: 'warn', channel: 'C0HELPDESK', person: expect.stringContaining('BOB'), what: 'line' },
    ]);
  expect(await counted(bot, 'refused_while_stopping')).toBe(1);
  await stopped;
  expect(bot.linesOf('started')).toMatchObject([
    { journal: 'sqlite', node: process.version, health: bot.url, appliances: ['hq'] },
  ]);
  expect(bot.lines.filter(({ level }) => level !== 'debug').at(-1)?.event).toBe('stopped');
});

test('a log line about an action has the action’s name in Slack', async () => {
  const bot = await watched();
  await bot.type('/appliance categorize example.com');
  await bot.pass(0);
  const called = bot.linesOf('command_over')[0]?.called;
  expect(called).toMatch(/^A-[0-9A-Z]{8}$/);
  const request = bot.linesOf('appliance_request').find(({ operation }) => operation === 'categories.query');
  expect(request?.called).toBe(called);
  expect(await bot.type(`/appliance show ${called}`)).toContain('example.com is in 1 category');
});

test('each finished command is one log line, with person, place, command and outcome', async () => {
  const bot = await watched();
  await bot.type('/appliance categorize example.com');
  await bot.type('/appliance frobnicate');
  await bot.pass(0);
  const over = bot.linesOf('command_over');
  expect(over).toMatchObject([
    {
      level: 'info',
      command: 'categorize',
      effect: 'read',
      outcome: 'done',
      channel: 'C0HELPDESK',
      appliances: ['hq'],
    },
    { level: 'info', outcome: 'refused' },
  ]);
  expect(over[0]?.durationMs).toBeLessThan(10_000);
  // The typed line stays in the journal.
  expect(JSON.stringify(over)).not.toContain('frobnicate');
});

test('each commit of the journal is timed', async () => {
  const bot = await watched();
  await bot.type('/appliance categorize example.com');
  const count = seriesOf(await bot.metrics(), 'appliance_bot_journal_write_seconds_count');
  expect(count).toBeGreaterThan(0);
});
