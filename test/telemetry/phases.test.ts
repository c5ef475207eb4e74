import { describe, expect, test } from 'vitest';
import { seriesOf } from './exposition.ts';
import { type Watched, watched } from './watched.ts';

const minute = 60_000;

/** How often a phase was over, and how many seconds all of them took. */
async function phases(bot: Watched): Promise<Readonly<Record<string, { count: number; seconds: number }>>> {
  const read = await bot.metrics();
  const names = new Set(
    read.get('appliance_bot_phase_seconds')?.samples.map(({ labels }) => labels.phase ?? '') ?? [],
  );
  const of = (phase: string, what: string) =>
    seriesOf(read, `appliance_bot_phase_seconds_${what}`, { phase }) ?? 0;
  return Object.fromEntries(
    [...names].map((phase) => [phase, { count: of(phase, 'count'), seconds: of(phase, 'sum') }]),
  );
}

const approvals = async (bot: Watched) => {
  const read = await bot.metrics();
  return Object.fromEntries(
    ['given', 'denied', 'withdrawn', 'expired'].map((outcome) => [
      outcome,
      seriesOf(read, 'appliance_bot_approvals_total', { outcome }),
    ]),
  );
};

test('each phase of a confirmed change is timed: understood, previewed, confirmed, previewed again, ordered, read back, reported', async () => {
  const bot = await watched();
  bot.appliance.faults.set('POST /rdpproxy/sessions/{id}/disconnect', { kind: 'slow', ms: 200, times: 1 });
  await bot.type('/appliance rdp disconnect 12');
  await bot.pass(2 * minute);
  await bot.press('Disconnect');
  const found = await phases(bot);
  for (const phase of ['understanding', 'preview', 'confirmation', 'recheck', 'order', 'verification'])
    expect(found[phase]?.count, phase).toBe(1);
  expect(found.telling?.count).toBeGreaterThan(0);
  expect(found.confirmation?.seconds).toBeGreaterThanOrEqual(120);
  expect(found.confirmation?.seconds).toBeLessThan(150);
  expect(found.order?.seconds).toBeGreaterThanOrEqual(0.2);
  for (const phase of ['understanding', 'preview', 'recheck', 'verification', 'telling'])
    expect(found[phase]?.seconds, phase).toBeLessThan(30);
  expect(found).not.toHaveProperty('approval');
  // In the log as well, with the action.
  const [over] = bot.linesOf('command_over');
  expect(bot.linesOf('phase_over').filter(({ action }) => action === over?.action)).not.toEqual([]);
});

test('a lookup is understood and answered, and has nothing to confirm', async () => {
  const bot = await watched();
  await bot.type('/appliance categorize example.com');
  expect(Object.keys(await phases(bot)).toSorted()).toEqual(['telling', 'understanding']);
});

test('a message that is late because Slack does not answer shows in the time of its phase', async () => {
  const bot = await watched();
  bot.workspace.faults.next('chat.postMessage', { kind: 'http', status: 503 }, 1);
  await bot.type('/appliance categorize example.com');
  await bot.pass(5 * minute);
  expect((await phases(bot)).telling?.seconds).toBeGreaterThanOrEqual(5);
});

describe('an approval is counted by how it ended, and timed, when it', () => {
  const line = '/appliance emergency enable --for 30m --reason "directory down"';

  test.each<readonly [string, (bot: Watched) => Promise<unknown>]>([
    ['given', (bot) => bot.press('Approve', 'carol')],
    [
      'denied',
      async (bot) => {
        await bot.press('Deny…', 'carol');
        await bot.person('carol').fill({ Reason: 'no' });
        await bot.person('carol').submit();
      },
    ],
    ['withdrawn', (bot) => bot.press('Withdraw', 'bob')],
    ['expired', (bot) => bot.pass(25 * 60 * minute)],
  ])('is %s', async (outcome, end) => {
    const bot = await watched();
    await bot.type(line, 'bob');
    expect(await approvals(bot)).toEqual({ given: 0, denied: 0, withdrawn: 0, expired: 0 });
    await bot.pass(3 * minute);
    await end(bot);
    expect(await approvals(bot)).toEqual({ given: 0, denied: 0, withdrawn: 0, expired: 0, [outcome]: 1 });
    const { approval } = await phases(bot);
    expect(approval?.count).toBe(1);
    expect(approval?.seconds).toBeGreaterThanOrEqual(180);
    expect(bot.linesOf('approval_over')).toMatchObject([{ level: 'info', outcome, channel: 'C0HELPDESK' }]);
  });
});
