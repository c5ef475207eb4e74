import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { plainText } from '../../src/handlers/reply.ts';
import { approve, ask, type Life, type Lives, lives } from '../lives.ts';
import { wordsOf } from '../remembering-chat.ts';
import { inTurns, range, someOf } from './in-turns.ts';

const minute = 60_000;
const enable = 'emergency enable --for 30m --reason "directory down"';
const alone = `${enable} --break-glass`;
const extend = 'emergency extend --for 20m --reason "still down"';

/** A scenario between its beginning and its end, with the events while the bot is down. */
interface Plot {
  readonly line: string;
  readonly isExtended: boolean;
  /** How often the appliance says yes to the end, and stays open. */
  readonly fails: number;
  /** Minutes. */
  readonly down: number;
}

/** The story from the first word to the last, as far as this life goes. Resolves to the step at which it is extended. */
async function play({ clock }: Lives, life: Life, { line, isExtended }: Plot): Promise<number> {
  const asked = async (what: string) =>
    (await life.journal.recent()).some((action) => action.line === what) || life.isDead();
  const pass = async (pauses: readonly number[]) => {
    for (const pause of pauses) {
      if (life.isDead()) return;
      clock.at += pause * minute;
      life.tick();
      await life.rest();
    }
  };
  await life.rest();
  if (!(await asked(line))) ask(life, line);
  await life.rest();
  if (!life.isDead()) await approve(life);
  await life.rest();
  const before = life.steps();
  if (isExtended) {
    await pass([10]);
    if (!(await asked(extend))) ask(life, extend);
    await life.rest();
    if (!life.isDead()) await approve(life);
    await life.rest();
  }
  await pass([25, 5, 1, 15, 5, 60]);
  return before;
}

/** Ends as everything must end: the gate is shut, and whatever was open is reported once. */
async function expectEnd({ appliance, chat }: Lives, life: Life, plot: Plot): Promise<void> {
  expect(appliance.state.directory.emergency).toBe(false);
  expect(await life.journal.timedChanges()).toEqual([]);
  const orders = appliance.requests.filter(({ path }) => path.includes('emergency_enable'));
  expect(orders.length).toBeLessThanOrEqual(1);
  const action = (await life.journal.recent()).find(({ line }) => line === plot.line);
  const timedChanges = action === undefined ? [] : await life.journal.timedChangesOf(action.id);
  expect(timedChanges.length).toBeGreaterThanOrEqual(orders.length);
  const reports = chat.thread.filter(({ said }) => wordsOf(said).includes('Time: from '));
  expect(reports).toHaveLength(timedChanges.length);
  // The bot alone changed it, and no report says otherwise.
  for (const { said } of reports) expect(wordsOf(said)).not.toContain('elsewhere');
  if (timedChanges.length > 0) {
    // A mode that the bot never saw on cannot be seen to be over.
    const ends = action?.state === 'done' ? ['is over'] : ['is over', 'was ended (accepted, not verified)'];
    const headline = plainText([...chat.cards.values()][0]?.headline ?? []);
    expect(ends.map((end) => `Emergency mode on hq ${end}`)).toContain(headline);
  }
  expect(['done', 'unknown', 'cancelled', 'failed', 'expired']).toContain(action?.state);
  if (plot.line !== alone || (action?.state !== 'done' && action?.state !== 'unknown')) return;
  for (const { said } of reports) expect(wordsOf(said)).toContain('nobody: U0BOB used break-glass');
  const told = chat.notes.filter(({ said }) => wordsOf(said).includes('used break-glass'));
  expect(new Set(told.map(({ person }) => person))).toEqual(new Set(['U0CAROL', 'U0CHRIS']));
}

/** A world in which the appliance does not end it at first. */
async function worldFor({ fails }: Plot): Promise<Lives> {
  const world = await lives();
  if (fails > 0) world.appliance.faults.set('- /emergency_disable', { kind: 'forget', times: fails });
  return world;
}

/** How many steps the whole story has when nobody is killed, and after which of them it is extended. */
async function stepsOfAll(plot: Plot) {
  const world = await worldFor(plot);
  const life = await world.live();
  const before = await play(world, life, plot);
  await expectEnd(world, life, plot);
  expect(world.appliance.requests.some(({ path }) => path.includes('emergency_enable'))).toBe(true);
  const words = world.chat.thread.map(({ said }) => wordsOf(said)).join();
  expect(words.includes('Extended: at')).toBe(plot.isExtended);
  await world.end();
  return { all: life.steps(), before };
}

const plain: Plot = { line: enable, isExtended: false, fails: 0, down: 0 };

const told = (words: string) => (error: unknown) => {
  throw new Error(words, { cause: error });
};

/** Killed after every so manieth of its steps, from this one on, and started again. */
export async function expectEndAfterSteps(plot: Plot, { every = 1, from = 0 } = {}): Promise<void> {
  const { all, before } = await stepsOfAll(plot);
  expect(all).toBeGreaterThan(30);
  // The beginning is the same in all of them.
  const isOther = plot.isExtended || plot.fails > 0;
  const boundaries = someOf(range(isOther ? before : 1, all), { every, from });
  await inTurns(boundaries, async (steps) => {
    const world = await worldFor(plot);
    const first = await world.live(steps);
    await play(world, first, plot);
    expect(first.isDead(), `step ${steps}`).toBe(true);
    // Orders that the dead process had sent have arrived by then.
    if (plot.down > 0) await sleep(200);
    world.clock.at += plot.down * minute;
    const second = await world.live();
    if (plot.down > 0) {
      // First thing, and not when it looks at its clock.
      await second.rest();
      expect(world.appliance.state.directory.emergency).toBe(false);
    }
    await play(world, second, plot);
    await expectEnd(world, second, plot).catch(told(`Killed after step ${steps} of ${all}`));
    await world.end();
  });
}

/** Killed in every one of ten lives, each so many steps long. */
export async function expectEndAfterLives(lengths: readonly number[]): Promise<void> {
  const plot: Plot = { ...plain, isExtended: true, fails: 2 };
  await inTurns(lengths, async (steps) => {
    const world = await worldFor(plot);
    for (let lives = 0; lives < 10; lives += 1) await play(world, await world.live(steps), plot);
    const last = await world.live();
    await play(world, last, plot);
    await expectEnd(world, last, plot).catch(told(`Killed after every ${steps} steps`));
    await world.end();
  });
}

/** The ways in which it goes, in words. */
export const plots: readonly (readonly [string, Plot])[] = [
  ['started again at once', plain],
  ['started again when its time is over', { ...plain, down: 45 }],
  ['enabled without an approval, of which every approver hears', { ...plain, line: alone }],
  ['while it is extended', { ...plain, isExtended: true }],
  ['while its end fails', { ...plain, fails: 2 }],
];
