import { expect, test } from 'vitest';
import { mistakeIn } from '../telemetry/waking/mistakes.ts';
import { firing } from '../telemetry/waking/prometheus.ts';
import { watched } from '../telemetry/watched.ts';

test('a bot that has worked fires no alert; one with unreadable metrics does, until they are back', async () => {
  const unread = mistakeIn('figures');
  const bot = await watched({ world: unread.world });
  const before = await bot.metricsText();
  await bot.type('/appliance categorize example.com');
  await bot.type('/appliance rdp disconnect 12');
  await bot.press('Disconnect');
  await bot.type('/appliance frobnicate');
  await bot.pass(0);
  const well = await bot.metricsText();
  expect(firing(before, well)).toEqual([]);
  unread.begin();
  expect(firing(well, await bot.metricsText())).toEqual(['ApplianceBotMetricsFail']);
});
