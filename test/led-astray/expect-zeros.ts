import { expect } from 'vitest';
import { faults, judge, type Replayed, tableOf, told } from './figures.ts';
import { kinds, linesOf } from './lines.ts';
import { openStage } from './replay.ts';

/** Types every so many of the lines of each kind, and wants none of them to have led anybody astray. @returns all of it, told */
export async function expectNobodyLedAstray(every: number): Promise<string> {
  const stage = openStage();
  const replayed: Replayed[] = [];
  for (const kind of kinds) {
    for (const line of linesOf(kind).filter((_, index) => index % every === 0))
      replayed.push(judge(line, await stage.hear(line)));
  }
  await stage.close();
  const led = replayed.filter((one) => faults.some((fault) => one.faults.includes(fault)));
  const all = `${tableOf(replayed)}\n\n${replayed.map(told).join('\n')}\n`;
  expect.soft(led.map(told)).toEqual([]);
  return all;
}
