import { expect, test } from 'vitest';
import { fieldFaults } from '../../sandbox/appliance/kinds.ts';
import { commands } from '../../src/handlers/registry.ts';
import { type Case, falsehoodIn, startMatrix, type Way } from '../truth/matrix.ts';

/**
 * What the bot says happened is what the appliance's own state shows: the example of every command, on an appliance of every
 * generation, whose orders or questions are answered in every way seen in the field. How it ended is held against the state
 * before and after, and against what the same example changes where nothing goes wrong.
 */

const ways = Object.keys(fieldFaults) as Exclude<Way, 'yes'>[];
/** What comes late costs its time: it is tried with every so many commands. */
const seldom = { late: 8 };

test.each([
  ['field-v1', ways],
  ['field-strict', ['refusal', 'done-but-false', 'cut']],
  ['document', ['refusal', 'done-but-false', 'cut', 'html', 'empty']],
] as const)(
  'on an appliance that answers as %s does, nothing is told that its state does not show',
  async (generation, tried) => {
    const matrix = await startMatrix(generation);
    const cases: Case[] = [];
    try {
      for (const [number, command] of commands.entries()) {
        if (command.kind === 'info') continue;
        const clean = await matrix.clean(command);
        const of = command.kind === 'change' ? 'order' : 'questions';
        // What the bot keeps itself asks no appliance.
        if ((of === 'order' ? clean.orders : clean.questions).length === 0) continue;
        cases.push(clean.result);
        for (const way of tried) {
          if (way === 'late' && number % seldom.late !== 0) continue;
          cases.push(await matrix.play(command, clean, way, of));
        }
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
    expect(cases.length).toBeGreaterThan(300);
  },
);
