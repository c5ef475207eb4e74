import { describe, expect, test } from 'vitest';
import { factsOf, judge, violationsOf } from './kills/ends.ts';
import { seenBy, stageOf, type Typed } from './kills/in-process.ts';
import { type Kind, kinds } from './kills/kinds.ts';
import { play } from './kills/story.ts';
import { inTurns, type Life, type Lives, lives, range } from './lives.ts';

const minute = 60_000;

/** Plays a story in lives that end after so many steps each, and in a last one that does not. */
async function tell(kind: Kind, ...deaths: readonly number[]) {
  const world = await lives({ branches: kind.branches ?? 0 });
  kind.before?.(world.appliance);
  const typed: Typed = [];
  let again = 0;
  for (const steps of deaths) {
    const life = await world.live(steps);
    again += await play(stageOf(world, life, typed), kind);
  }
  const life = await world.live();
  await life.rest();
  const began = life.steps();
  const stage = stageOf(world, life, typed);
  again += await play(stage, kind);
  const steps = life.steps();
  await settle(world, life);
  const seen = await seenBy(world, stage, life.journal, typed);
  const other = await world.lookIn();
  const facts = { ...(await factsOf(other)), held: await other.takeOver() };
  const verdict = judge(kind, { facts, appliances: world.appliances, ...seen });
  await world.end();
  return { began, steps, again, verdict };
}

/** Lets the clock run until nothing is left to be done. */
async function settle({ clock }: Lives, life: Life): Promise<void> {
  for (const pause of [1, 5, 30]) {
    clock.at += pause * minute;
    life.tick();
    await life.rest();
  }
}

describe('killed after any of its steps, and started again at once, the bot brings to its end a', () => {
  test.each(kinds.map((kind) => [kind.name, kind] as const))('%s', { timeout: 120_000 }, async (_, kind) => {
    const unharmed = await tell(kind);
    expect(violationsOf(unharmed.verdict)).toEqual([]);
    expect(unharmed.verdict.state).toBe(kind.ends);
    const found: string[] = [];
    await inTurns(range(unharmed.began, unharmed.steps), async (step) => {
      const { verdict } = await tell(kind, step);
      found.push(...violationsOf(verdict).map((words) => `killed after step ${step}: ${words}`));
    });
    expect(found).toEqual([]);
  });
});

describe('killed again and again, also while it picks up what the last life left, the bot brings to its end a', () => {
  const some = [
    'slow lookup, announced',
    'its undo',
    'confirmed',
    'change on several appliances',
    'change that owes a compile',
    'destructive, with a password from a form',
  ];
  test.each(kinds.filter(({ name }) => some.includes(name)).map((kind) => [kind.name, kind] as const))(
    '%s',
    { timeout: 120_000 },
    async (_, kind) => {
      const found: string[] = [];
      await inTurns(range(2, 16), async (steps) => {
        const { verdict } = await tell(kind, steps + 5, steps, steps, steps);
        found.push(...violationsOf(verdict).map((words) => `killed after every ${steps} steps: ${words}`));
      });
      expect(found).toEqual([]);
    },
  );
});
