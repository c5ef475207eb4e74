import { appendFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { GenerationName } from '../../sandbox/appliance/generations/names.ts';
import { commands } from '../../src/handlers/registry.ts';
import { falsehoodsIn, tableOf, wayOf } from '../truth/judge.ts';
import { type Case, linesForSeveral, startMatrix } from '../truth/matrix.ts';

/**
 * The bot's claims agree with the appliance's own state: for the example of every command, on an appliance of every
 * generation, under every fault seen in the field. The outcome is compared with the state before and after, and with the
 * changes of a faultless run. `TRUTH=all` tries every way with every command. `TRUTH_TABLE` names a file for a table of
 * results, and one beside it (`.jsonl`) for every case as soon as it is known. `TRUTH_PART` is the prefix of the commands
 * to try, such as `rdp`.
 */

/** The number of ways with each command, different ones for the next: all of them would take an hour and more. */
const each = 1;
const generations: readonly GenerationName[] = ['field-v1', 'field-strict', 'document'];
const { TRUTH, TRUTH_TABLE: table, TRUTH_PART: part = '' } = process.env;
const isWhole = TRUTH === 'all';

test.each(generations)(
  'on an appliance that answers as %s does, the bot claims nothing that its state does not show',
  async (generation) => {
    const matrix = await startMatrix(generation);
    const cases: Case[] = [];
    const note = (one: Case) => {
      cases.push(one);
      if (table !== undefined) appendFileSync(`${table}.jsonl`, `${JSON.stringify(one, plain)}\n`);
    };
    // Other ways with the same command on the next generation.
    let next = 13 * generations.indexOf(generation);
    try {
      for (const command of commands) {
        if (command.kind === 'info' || !command.phrase.startsWith(part)) continue;
        const clean = await matrix.clean(command);
        const { ways } = clean;
        if (ways.length === 0) continue;
        note(clean.result);
        for (const typed of linesForSeveral(command)) note((await matrix.clean(command, typed)).result);
        const tried = isWhole ? ways : ways.map((_, at) => ways[(next + at) % ways.length]).slice(0, each);
        next += tried.length;
        for (const way of tried) {
          if (way === undefined) continue;
          const first = await matrix.play(command, clean, way);
          // A lie repeats itself. An order of the case before that comes late on a busy machine does not.
          note(falsehoodsIn(first).length === 0 ? first : await matrix.play(command, clean, way));
        }
      }
    } finally {
      await matrix.examples.sandbox.stop();
    }
    if (table !== undefined) appendFileSync(table, `${generation}\n\n${tableOf(cases)}\n\n`);
    const told = cases.flatMap((one) =>
      falsehoodsIn(one).map(
        (what) => `${what}: ${one.command}, ${wayOf(one)}: ${one.looks.at(-1)?.headline}`,
      ),
    );
    expect(told).toEqual([]);
    if (part === '') expect(cases.length).toBeGreaterThan(200);
  },
  // Hours where every way is tried with every command.
  isWhole ? 6 * 60 * 60_000 : 20 * 60_000,
);

const plain = (_: string, value: unknown) => (value instanceof Set ? [...value] : value);
