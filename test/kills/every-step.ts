import { expect } from 'vitest';
import { type Life, type Lives, lives } from '../lives.ts';
import type { OpenLivesJournal } from '../lives-journal.ts';
import { factsOf, judge, violationsOf } from './ends.ts';
import { seenBy, stageOf, type Typed } from './in-process.ts';
import { inTurns, range, someOf } from './in-turns.ts';
import { createTurn, type Kind } from './kind.ts';
import { play } from './story.ts';

const minute = 60_000;

interface Sample {
  readonly every?: number;
  readonly from?: number;
  /** The journal; a file by default. */
  readonly journal?: OpenLivesJournal;
}

/** Plays a story in lives that end after so many steps each, and in a last one that does not. */
async function tell(kind: Kind, journal: OpenLivesJournal | undefined, ...deaths: readonly number[]) {
  const world = await lives(kind, journal);
  kind.before?.(world.appliance);
  const typed: Typed = [];
  const pages = new Set<string>();
  const turn = createTurn(world.appliance);
  let again = 0;
  for (const [index, steps] of deaths.entries()) {
    const life = await world.live(steps);
    if (index > 0) await life.alone();
    again += await play(stageOf(world, life, typed, pages, turn), kind);
  }
  const life = await world.live();
  await (deaths.length > 0 ? life.alone() : life.rest());
  let began = life.steps();
  const stage = stageOf(world, life, typed, pages, turn);
  const missed: string[] = [];
  again += await play(stage, kind, {
    begins: (scene) => {
      if (scene <= (kind.known ?? 0)) began = life.steps();
    },
    misses: (what) => void missed.push(what),
  });
  const steps = life.steps();
  await settle(world, life);
  const seen = await seenBy(world, stage, life.journal, typed);
  const other = await world.lookIn();
  const facts = { ...(await factsOf(other)), held: await other.adoptOrphans() };
  const verdict = judge(kind, { facts, appliances: world.appliances, told: world.told, ...seen });
  await world.end();
  return { began, steps, again, missed, verdict };
}

/** Lets the clock run until nothing is left to be done. */
async function settle({ clock }: Lives, life: Life): Promise<void> {
  for (const pause of [1, 5, 30]) {
    clock.at += pause * minute;
    life.tick();
    await life.rest();
  }
}

/** Without a kill the scenario ends as it should; after a kill at every nth step from this one on, too. */
export async function expectEndAfterSteps(
  kind: Kind,
  { every = 1, from = 0, journal }: Sample = {},
): Promise<void> {
  const unharmed = await tell(kind, journal);
  expect([...unharmed.missed, ...violationsOf(unharmed.verdict)]).toEqual([]);
  expect(unharmed.verdict.state).toBe(kind.ends);
  const found: string[] = [];
  const steps = someOf(range(unharmed.began + 1, unharmed.steps), { every, from });
  await inTurns(steps, async (step) => {
    const { verdict } = await tell(kind, journal, step);
    found.push(...violationsOf(verdict).map((words) => `killed after step ${step}: ${words}`));
  });
  expect(found).toEqual([]);
}

/** Kills it after so many steps of its first incarnation, and of the three that resume the work. */
export async function expectEndAfterLives(
  kind: Kind,
  lengths: readonly number[],
  journal?: OpenLivesJournal,
): Promise<void> {
  const found: string[] = [];
  await inTurns(lengths, async (steps) => {
    const { verdict } = await tell(kind, journal, steps + 5, steps, steps, steps);
    found.push(...violationsOf(verdict).map((words) => `killed after every ${steps} steps: ${words}`));
  });
  expect(found).toEqual([]);
}
