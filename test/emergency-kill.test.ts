import { describe, expect, test } from 'vitest';
import { plainText } from '../src/handlers/reply.ts';
import { approve, ask, type Life, type Lives, lives, wordsOf } from './lives.ts';

const minute = 60_000;
const enable = 'emergency enable --for 30m --reason "directory down"';

/** The story from the first word to the last, as far as this life goes. */
async function play({ clock }: Lives, life: Life): Promise<void> {
  await life.rest();
  if ((await life.journal.recent(1)).length === 0) {
    ask(life, enable);
    await life.rest();
  }
  if (life.isDead()) return;
  await approve(life);
  await life.rest();
  for (const pause of [25, 5, 1, 60, 60]) {
    if (life.isDead()) return;
    clock.at += pause * minute;
    life.tick();
    await life.rest();
  }
}

/** Ends as everything must end: the gate is shut, and whatever was open is reported once. */
async function expectEnd({ appliance, chat }: Lives, life: Life): Promise<void> {
  expect(appliance.state.directory.emergency).toBe(false);
  expect(await life.journal.leases()).toEqual([]);
  const orders = appliance.requests.filter(({ path }) => path.includes('emergency_enable'));
  expect(orders.length).toBeLessThanOrEqual(1);
  const [action] = await life.journal.recent(1);
  const leases = action === undefined ? [] : await life.journal.leasesOf(action.id);
  expect(leases.length).toBeGreaterThanOrEqual(orders.length);
  const reports = chat.thread.filter(({ said }) => wordsOf(said).includes('Asked by: U0BOB'));
  expect(reports).toHaveLength(leases.length);
  if (leases.length > 0) {
    expect(plainText([...chat.cards.values()][0]?.headline ?? [])).toBe('Emergency mode on hq is over');
  }
  expect(['done', 'unknown', 'cancelled', 'failed', 'expired']).toContain(action?.state);
}

/** How many steps the whole story has, when nobody is killed. */
async function stepsOfAll(): Promise<number> {
  const world = await lives();
  const life = await world.live();
  await play(world, life);
  await expectEnd(world, life);
  expect(world.appliance.requests.some(({ path }) => path.includes('emergency_enable'))).toBe(true);
  await world.end();
  return life.steps();
}

describe('killed after any of its steps, the bot ends emergency mode and reports it once', () => {
  test.each([
    ['started again at once', 0],
    ['started again when its time is over', 45],
  ])('%s', { timeout: 120_000 }, async (_, down) => {
    const all = await stepsOfAll();
    expect(all).toBeGreaterThan(30);
    for (let steps = 1; steps <= all; steps += 1) {
      const world = await lives();
      const first = await world.live(steps);
      await play(world, first);
      expect(first.isDead(), `step ${steps}`).toBe(true);
      world.clock.at += down * minute;
      const second = await world.live();
      await play(world, second);
      await expectEnd(world, second).catch((error: unknown) => {
        throw new Error(`Killed after step ${steps} of ${all}`, { cause: error });
      });
      await world.end();
    }
  });
});
