import { expect, test } from 'vitest';
import { alerts } from '../../../tools/watching/alerts.ts';
import { waking } from '../../../tools/watching/pages.ts';
import { watched } from '../watched.ts';
import { ofAppliances } from './appliances.ts';
import { ofHttp } from './http.ts';
import { ofJournal } from './journal.ts';
import { mistakeIn } from './mistakes.ts';
import { ofOthers } from './others.ts';
import { ofProcess } from './process.ts';
import { firing } from './prometheus.ts';
import { ofReplicas } from './replicas.ts';
import { ofSlack } from './slack.ts';

const all = [ofAppliances, ofHttp, ofJournal, ofOthers, ofProcess, ofReplicas, ofSlack].flatMap((scenes) =>
  Object.keys(scenes),
);

test('every row of the table in docs/watching.md is made to happen', () => {
  expect(all.toSorted()).toEqual(waking.map(({ event }) => event.id).toSorted());
});

test('every alert is of something in that table, but for those that tell of the metrics themselves', () => {
  const without = alerts.filter(
    ({ name }) => !waking.some(({ by }) => by.some((alert) => alert.name === name)),
  );
  expect(without.map(({ name }) => name)).toEqual(['ApplianceBotMetricsFail']);
});

test('a bot that has worked wakes nobody; one whose metrics cannot be read does, until they can', async () => {
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
