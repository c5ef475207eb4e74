import { expect, onTestFinished, test } from 'vitest';
import { expectToStand } from '../attacks/broken-requests.ts';
import { startHttpBot } from '../attacks/http-bot.ts';

test('over HTTP, 10,000 broken requests leave the bot alive and at the service of Slack', async () => {
  const bot = await startHttpBot();
  onTestFinished(bot.stop);
  for (let seed = 1; seed <= 10; seed += 1) await expectToStand(bot, 1_000, seed);
  expect(bot.written()).not.toContain('    at ');
});
