import { expect, test } from 'vitest';
import { alerts } from '../../../tools/watching/alerts.ts';
import { waking } from '../../../tools/watching/pages.ts';
import { ofAppliances } from './appliances.ts';
import { ofHttp } from './http.ts';
import { ofJournal } from './journal.ts';
import { ofOthers } from './others.ts';
import { ofProcess } from './process.ts';
import { ofReplicas } from './replicas.ts';
import { ofSlack } from './slack.ts';

const all = [ofAppliances, ofHttp, ofJournal, ofOthers, ofProcess, ofReplicas, ofSlack].flatMap((scenes) =>
  Object.keys(scenes),
);

test('every row of the table in docs/metrics.md is tested', () => {
  expect(all.toSorted()).toEqual(waking.map(({ event }) => event.id).toSorted());
});

test('every alert is of something in that table, but for those that tell of the metrics themselves', () => {
  const without = alerts.filter(
    ({ name }) => !waking.some(({ by }) => by.some((alert) => alert.name === name)),
  );
  expect(without.map(({ name }) => name)).toEqual(['ApplianceBotMetricsFail']);
});
