import { expect, test } from 'vitest';
import type { WorkspaceOptions } from '../../sandbox/workspace/workspace.ts';
import { inOwnProcess } from '../own-process.ts';

const count = 60;
const people = Array.from({ length: count }, (_, index) => ({ id: `U0P${index}`, name: `p${index}` }));
const channels = Array.from({ length: count }, (_, index) => ({ id: `C0P${index}`, name: `c${index}` }));
const lines = ['categorize example.com', 'rdp sessions', 'rdp disconnect 12', 'help', 'gibber'];
const mentions = ['categorize example.com', 'rdp disconnect 12'];

/**
 * Everybody writes at once, each in a channel of their own; the bot is killed so long after its first acknowledgement, and started
 * again. Resolves to who was acknowledged, and what the bot has said to each.
 */
async function killedAmid(text: (index: number) => string, pause: number, options: WorkspaceOptions = {}) {
  const { workspace, start } = await inOwnProcess({
    workspace: { people, channels, ...options },
    channels: channels.map(({ id }) => id),
  });
  const { child, exited } = await start();
  const acknowledged = () => workspace.log.envelopes().filter(({ ackedAt }) => ackedAt !== undefined);
  const killed = expect.poll(() => acknowledged().length, { interval: 1 }).toBeGreaterThan(0);
  const typed = people.map(({ id }, index) =>
    workspace.act({ act: 'type', as: id, channel: channels[index]?.id ?? '', text: text(index) }),
  );
  await killed;
  await new Promise((resolve) => setTimeout(resolve, pause));
  child.kill('SIGKILL');
  await exited;
  const taken = (await Promise.all(typed)).flatMap(({ ok }, index) => (ok ? [index] : []));
  await start();
  const saidTo = (index: number) =>
    workspace
      .snapshot(people[index]?.id ?? '')
      .messages.filter(
        ({ user, channel }) => user === workspace.botUserId && channel === channels[index]?.id,
      );
  return { taken, saidTo };
}

test.each([0, 20])(
  'a bot that is killed %i ms after its first acknowledgement, amid many lines, answers every acknowledged one',
  async (pause) => {
    const lineOf = (index: number) => lines[index % lines.length];
    const { taken, saidTo } = await killedAmid((index) => `/appliance ${lineOf(index)}`, pause);
    expect(taken.length).toBeGreaterThan(0);
    await expect.poll(() => taken.filter((index) => saidTo(index).length === 0).map(lineOf)).toEqual([]);
  },
);

// Slack sends again what was not acknowledged, three times (slack-facts.md §5); here it waits less long.
test('a bot that is killed amid many mentions answers every one, and makes no card twice', async () => {
  const everybody = [...people.keys()];
  const { saidTo } = await killedAmid((index) => `@appliance-bot ${mentions[index % mentions.length]}`, 0, {
    ackTimeoutMs: 500,
    eventRetryDelaysMs: [200, 2_000, 4_000],
  });
  await expect.poll(() => everybody.filter((index) => saidTo(index).length === 0)).toEqual([]);
  const cards = everybody.map(
    (index) => saidTo(index).filter(({ text }) => /session 12|example\.com is in/.test(text)).length,
  );
  expect(Math.max(...cards)).toBeLessThanOrEqual(1);
}, 30_000);
