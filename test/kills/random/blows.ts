import { setTimeout as sleep } from 'node:timers/promises';
import type { PostgresServer } from '../../postgres.ts';
import type { Supervised } from './supervised.ts';
import type { RandomWorld } from './world.ts';

/** Blows from outside the bot. */
export const blowNames = ['kill', 'freeze', 'disk full', 'database away', 'clock'] as const;
export type BlowName = (typeof blowNames)[number];

/** Something that happened, and when. */
export interface Blow {
  readonly at: number;
  readonly name: BlowName;
  readonly words: string;
}

export interface Blows {
  /** Everything so far, in its order. */
  readonly dealt: readonly Blow[];
  /** Deals one after a random while; resolves when it is over. */
  readonly deal: () => Promise<void>;
  /** Resolves when everything is as it should be again. */
  readonly end: () => Promise<void>;
}

const day = 86_400_000;

/** A chance in a hundred; the rest are kills. */
const chances: Readonly<Partial<Record<BlowName, number>>> = {
  ...{ freeze: 12, 'disk full': 10, 'database away': 10, clock: 10 },
};

export function createBlows(
  { bots, disk }: RandomWorld,
  random: () => number,
  /** Blows beside kills; all by default. */
  only: readonly BlowName[],
  postgres?: PostgresServer,
): Blows {
  const dealt: Blow[] = [];
  const between = (least: number, most: number) => Math.round(least + random() * (most - least));
  const note = (name: BlowName, words: string) => dealt.push({ at: Date.now(), name, words });
  const nameOf = (bot: Supervised) => (bots.length === 1 ? 'the bot' : `replica ${bots.indexOf(bot) + 1}`);
  /** Blows that go on while others follow. */
  const under = new Set<Promise<void>>();

  const kill = (bot: Supervised) => {
    note('kill', nameOf(bot));
    bot.kill();
  };

  async function freeze(bot: Supervised): Promise<void> {
    // Now and then long enough to be missed.
    const pause = bots.length > 1 && random() < 0.2 ? between(12_500, 15_000) : between(50, 3_500);
    const dies = random() < 0.3;
    note('freeze', `${nameOf(bot)} for ${pause} ms`);
    bot.freeze();
    await sleep(pause);
    if (dies) kill(bot);
    else bot.wake();
  }

  async function fill(bot: Supervised): Promise<void> {
    const pause = between(100, 2_500);
    const dies = random() < 0.4;
    note('disk full', `for ${pause} ms`);
    disk?.fill(bot);
    await sleep(pause * (dies ? random() : 1));
    if (dies) {
      kill(bot);
      await sleep(pause / 2);
    }
    disk?.free(bot);
  }

  async function takeAway(server: PostgresServer): Promise<void> {
    const pause = between(100, 5_000);
    const stops = random() < 0.4;
    note('database away', `${stops ? 'stopped' : 'frozen'} for ${pause} ms`);
    if (stops) await server.stop();
    else server.freeze();
    await sleep(pause);
    if (stops) await server.start();
    else server.wake();
  }

  async function turnClock(bot: Supervised): Promise<void> {
    const pause = between(100, 3_000);
    const ahead = random() < 0.5 ? day : -day;
    const dies = random() < 0.3;
    note('clock', `${nameOf(bot)} ${ahead > 0 ? 'a day ahead' : 'a day behind'} for ${pause} ms`);
    bot.setClock(ahead);
    await sleep(pause / 2);
    if (dies) kill(bot);
    await sleep(pause / 2);
    bot.setClock(0);
  }

  /** Others meet the replicas that are left. */
  const aside = async (task: Promise<void>) => {
    if (bots.length === 1) return task;
    under.add(task);
    void task.finally(() => under.delete(task));
  };

  return {
    dealt,
    deal: async () => {
      const bot = bots[Math.floor(random() * bots.length)] as Supervised;
      // Some meet it while it starts.
      if (random() > 0.15) await Promise.race([bot.connected(), sleep(10_000)]);
      await sleep(between(0, bots.length === 1 ? 1_000 : 1_600));
      let chance = random() * 100;
      const is = (name: BlowName) => {
        chance -= only.includes(name) ? (chances[name] ?? 0) : 0;
        return chance < 0;
      };
      if (is('freeze')) return aside(freeze(bot));
      if (is('clock')) return aside(turnClock(bot));
      if (disk !== undefined && is('disk full')) return fill(bot);
      if (postgres !== undefined && is('database away')) return takeAway(postgres);
      kill(bot);
      // All of them at once, now and then.
      if (bots.length > 1 && random() < 0.04) for (const other of bots) kill(other);
    },
    end: async () => {
      await Promise.all(under);
    },
  };
}
