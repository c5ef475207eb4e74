import { expect, onTestFinished, test } from 'vitest';
import { expectToStand } from '../attacks/broken-requests.ts';
import { startHttpBot } from '../attacks/http-bot.ts';

// Each tenth waits until its connection is closed, so it is the clock and not the processor that takes the time.
const timeout = 900_000;

test('over HTTP, 10,000 broken requests leave the bot alive, and it goes on serving Slack', {
  timeout,
}, async () => {
  const bot = await startHttpBot();
  onTestFinished(bot.stop);
  for (let seed = 1; seed <= 10; seed += 1) await expectToStand(bot, 1_000, seed);
  expect(bot.written()).not.toContain('    at ');
});
