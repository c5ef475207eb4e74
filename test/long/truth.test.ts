import { expect, test } from 'vitest';
import type { GenerationName } from '../../sandbox/appliance/generations/names.ts';
import { fieldFaults } from '../../sandbox/appliance/kinds.ts';
import { commands } from '../../src/handlers/registry.ts';
import { type Case, falsehoodIn, startMatrix, type Way } from '../truth/matrix.ts';

/**
 * What the bot says happened is what the appliance's own state shows: the example of every command, on an appliance of every
 * generation, whose orders or questions are answered in every way seen in the field. How it ended is held against the state
 * before and after, and against what the same example changes where nothing goes wrong. `TRUTH=all` tries every way with
 * every command.
 */

const ways = Object.keys(fieldFaults) as Exclude<Way, 'yes'>[];

/** So many of the ways with each command, other ones with the next: all of them together would take half an hour. */
const each: Readonly<Record<GenerationName, number>> = { 'field-v1': 1, 'field-strict': 1, document: 1 };
const isWhole = process.env.TRUTH === 'all';

test.each(Object.keys(each) as GenerationName[])(
  'on an appliance that answers as %s does, nothing is told that its state does not show',
  async (generation) => {
    const matrix = await startMatrix(generation);
    const cases: Case[] = [];
    let next = 0;
    try {
      for (const command of commands) {
        if (command.kind === 'info') continue;
        const clean = await matrix.clean(command);
        const of = command.kind === 'change' ? 'order' : 'questions';
        // What the bot keeps itself asks no appliance.
        if ((of === 'order' ? clean.orders : clean.questions).length === 0) continue;
        cases.push(clean.result);
        const tried = isWhole
          ? ways
          : ways.map((_, at) => ways[(next + at) % ways.length]).slice(0, each[generation]);
        next += tried.length;
        for (const way of tried)
          if (way !== undefined) cases.push(await matrix.play(command, clean, way, of));
      }
    } finally {
      await matrix.examples.sandbox.stop();
    }
    const counts = Object.entries(Object.groupBy(cases, ({ claim, shows }) => `${claim}, ${shows}`));
    const figures = counts.map(([what, some]) => `${some?.length} ${what}`).join('; ');
    process.stdout.write(`${generation}, ${cases.length} cases: ${figures}\n`);
    const told = cases.flatMap((one) => {
      const falsehood = falsehoodIn(one);
      return falsehood === undefined ? [] : [`${falsehood}: ${one.command}, ${one.way}: ${one.said}`];
    });
    expect(told).toEqual([]);
    expect(cases.length).toBeGreaterThan(200);
  },
  // An hour and more where every way is tried with every command.
  isWhole ? 2 * 60 * 60_000 : 10 * 60_000,
);
