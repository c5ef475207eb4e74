import { expect, test } from 'vitest';
import { stageOf } from '../kills/in-process.ts';
import { inTurns, range, someOf } from '../kills/in-turns.ts';
import { play } from '../kills/story.ts';
import { lives } from '../lives.ts';
import { inFile, inPostgres } from '../lives-journal.ts';

const line = 'acl object disable google_sni --for 10m --on all';
const kind = { name: '', scenes: [{ types: line }, { presses: 'Disable' }], ends: 'done' } as const;

// Other steps on each; `KILLS=all` tries each of them.
const every = process.env.KILLS === 'all' ? 1 : 4;

test.each([
  ['SQLite', inFile, 0],
  ['PostgreSQL', inPostgres, 2],
] as const)(
  'after a crash at any step, a temporary change on two appliances has an end on both or on none, in %s',
  async (_, journal, from) => {
    const endsAfter = async (steps?: number) => {
      const world = await lives({ branches: 1 }, journal);
      const life = await world.live(steps);
      await play(
        stageOf(world, life, [], new Set(), () => undefined),
        kind,
      );
      const left = await world.lookIn();
      const [action] = (await left.recent()).filter((one) => one.line === line);
      const ends = action === undefined ? [] : await left.timedChangesOf(action.id);
      await world.end();
      return { ends: ends.map(({ appliance }) => appliance), steps: life.steps() };
    };
    const whole = await endsAfter();
    expect(whole.ends).toEqual(['hq', 'branch-2']);
    const found: string[] = [];
    await inTurns(someOf(range(1, whole.steps), { every, from }), async (steps) => {
      found.push((await endsAfter(steps)).ends.join(' and '));
    });
    expect(new Set(found)).toEqual(new Set(['', 'hq and branch-2']));
  },
);
