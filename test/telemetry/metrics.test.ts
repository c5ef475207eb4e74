import { expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { readExposition, seriesOf } from './exposition.ts';
import { watched } from './watched.ts';

test('commands are counted by effect and outcome, with the requests that they took', async () => {
  const bot = await watched();
  await bot.type('/appliance categorize example.com');
  await bot.type('/appliance rdp disconnect 12');
  await bot.press('Disconnect');
  await bot.type('/appliance emergency enable --for 1h --reason test', 'vic');
  const read = await bot.metrics();
  const commands = (effect: string, outcome: string) =>
    seriesOf(read, 'appliance_bot_commands_total', { effect, outcome });
  expect(commands('read', 'done')).toBe(1);
  expect(commands('destructive', 'done')).toBe(1);
  expect(commands('destructive', 'refused')).toBe(1);
  expect(seriesOf(read, 'appliance_bot_command_duration_seconds_count', { effect: 'read' })).toBe(1);
  const requests = read.get('appliance_bot_appliance_requests_total')?.samples ?? [];
  expect(requests).toContainEqual(
    expect.objectContaining({
      labels: { appliance: 'hq', operation: 'rdp.disconnectSession', outcome: 'ok' },
      value: 1,
    }),
  );
  expect(
    seriesOf(read, 'appliance_bot_appliance_request_duration_seconds_count', { appliance: 'hq' }),
  ).toBeGreaterThan(1);
  expect(seriesOf(read, 'appliance_bot_acknowledgement_seconds_count')).toBe(4);
  expect(seriesOf(read, 'appliance_bot_audit_head')).toBe(3);
});

test('metrics show waiting, temporary and overdue changes while they last', async () => {
  const bot = await watched();
  const now = async (name: string, labels = {}) => seriesOf(await bot.metrics(), name, labels);
  expect(await now('appliance_bot_actions', { state: 'waiting' })).toBe(0);
  await bot.type('/appliance emergency enable --for 30m --reason "directory down"', 'bob');
  expect(await now('appliance_bot_actions', { state: 'waiting' })).toBe(1);
  expect(await now('appliance_bot_approvals_waiting')).toBe(1);
  await bot.press('Approve', 'carol');
  expect(await now('appliance_bot_actions', { state: 'waiting' })).toBe(0);
  expect(await now('appliance_bot_timed_changes')).toBe(1);
  expect(await now('appliance_bot_timed_changes_overdue')).toBe(0);
  bot.wait(31 * 60_000);
  // Before the bot looks at its clock.
  const read = readExposition(await bot.metricsText());
  expect(seriesOf(read, 'appliance_bot_timed_changes_overdue')).toBe(1);
  expect(await now('appliance_bot_timed_changes')).toBe(0);
});

test('metrics name the version and the policy, and show the connection, the journal and the process', async () => {
  const bot = await watched();
  const read = await bot.metrics();
  const [info] = read.get('appliance_bot_info')?.samples ?? [];
  expect(info).toMatchObject({
    labels: { version: packageJson.version, policy: expect.stringMatching(/^[0-9a-f]+$/) },
    value: 1,
  });
  for (const one of ['slack_connected', 'journal_usable', 'replicas'])
    expect(seriesOf(read, `appliance_bot_${one}`)).toBe(1);
  expect(seriesOf(read, 'appliance_bot_metrics_failed')).toBe(0);
  expect(read.get('process_cpu_seconds_total')?.type).toBe('counter');
  expect(seriesOf(read, 'process_resident_memory_bytes')).toBeGreaterThan(10_000_000);
  expect(seriesOf(read, 'process_start_time_seconds')).toBeLessThan(Date.now() / 1_000);
});

test('a bot without a connection to Slack is alive and not ready, and says why until it is connected again', async () => {
  const bot = await watched({ world: { slackTiming: { reconnecting: { pauses: [50], deadline: 5_000 } } } });
  const ready = async () => {
    const answer = await fetch(`${bot.url}/readyz`);
    return `${answer.status} ${await answer.text()}`;
  };
  expect(await ready()).toBe('200 ready\n');
  bot.workspace.faults.next('apps.connections.open', { kind: 'error', error: 'internal_error' }, 10_000);
  bot.workspace.sockets.drop();
  await expect.poll(ready).toBe('503 not ready\n- not connected to Slack\n');
  expect((await fetch(`${bot.url}/healthz`)).status).toBe(200);
  expect(seriesOf(await bot.metrics(), 'appliance_bot_slack_connected')).toBe(0);
  bot.workspace.faults.clear();
  await expect.poll(ready).toBe('200 ready\n');
});

test('no port is open where none is configured', async () => {
  const bot = await watched({ environment: { HEALTH_PORT: '' } });
  await expect(fetch(`${bot.url}/healthz`)).rejects.toThrow();
  expect(bot.linesOf('started')).toMatchObject([{ journal: 'sqlite', node: process.version }]);
});
