import type { Contestant } from './contestant.ts';
import { duel } from './duel.ts';
import { createLoad } from './load.ts';
import { bareBolt, type Measurement, row } from './measurement.ts';

const commands = 10_000;
const half = commands / 2;
/** At this many channels none is written to faster than Slack allows, so nothing waits and nothing piles up. */
const channels = 1_000;
const atOnce = 4;
const megabyte = 1024 * 1024;
/**
 * Megabytes that count as no growth: code that is compiled late still moves both a little, the bare app's too. A bot that
 * keeps 200 bytes of each command adds 1 MB to the live heap from the one reading to the other, and fails.
 */
const tolerance = { resident: 2, heap: 1 };

/** Measures the memory of a bot that runs for months, and whether it keeps anything of its answers. */
export const memory: Measurement = {
  name: 'memory',
  method: `after ${commands} answered commands and after the first ${half}, everything given back that can be; against a Bolt app that makes the same calls`,
  measure: () =>
    duel({ bare: 'bare_answers', channels, nodeFlags: probe }, async (contestants) => {
      const [bot, bare] = await Promise.all([run(contestants.bot), run(contestants.bare)]);
      const before = (value: number) => ({ whom: `itself after ${half}`, value });
      return [
        row(
          'Resident memory',
          'MB',
          bot.end.resident,
          { whom: bareBolt, value: bare.end.resident },
          { more: 40 },
        ),
        row('Growth, resident', 'MB', bot.end.resident, before(bot.half.resident), {
          more: tolerance.resident,
        }),
        row('Growth, live heap', 'MB', bot.end.heap, before(bot.half.heap), { more: tolerance.heap }),
      ];
    }),
};

/** Figures of `probe.js`, in bytes; and in megabytes from there on. */
interface Memory {
  /** Resident memory of the process. */
  readonly resident: number;
  /** Live objects of the JavaScript heap. */
  readonly heap: number;
}

export const probe = ['--expose-gc', '--import', new URL('./probe.js', import.meta.url).href];

async function run(contestant: Contestant): Promise<{ readonly half: Memory; readonly end: Memory }> {
  const load = createLoad(contestant);
  await load.type(half, { atOnce }, 'answer');
  const halfway = await measure(contestant);
  await load.type(half, { atOnce }, 'answer');
  return { half: halfway, end: await measure(contestant) };
}

/** In megabytes. */
async function measure(contestant: Contestant): Promise<Memory> {
  // The probe answers nothing else.
  const { resident, heap } = (await contestant.ask('memory')) as Memory;
  return { resident: resident / megabyte, heap: heap / megabyte };
}
