import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import { personIn } from '../../sandbox/person.ts';
import { createLog } from '../../src/log.ts';
import { converse } from '../conversation.ts';
import { attacks } from './rows.ts';

const people = { alice: 'U0ALICE001', bob: 'U0BOB00001', vic: 'U0VIC00001' } as const;
type Name = keyof typeof people;

/**
 * A bot in a workspace that takes messages as slowly as Slack. Its clock stands still: what waits goes out when the test
 * lets a second pass, and not before, on a machine of any speed.
 */
async function crowded(options: Parameters<typeof converse>[0] = {}) {
  let at = Date.now();
  let isFree = false;
  let sleepers: { readonly until: number; readonly wake: () => void }[] = [];
  const looks = new Set<() => void>();
  const wakeThoseDue = () => {
    const due = sleepers.filter(({ until }) => until <= at);
    sleepers = sleepers.filter(({ until }) => until > at);
    for (const { wake } of due) wake();
  };
  const { workspace: workspaceOptions, ...others } = options;
  const house = await converse({
    ...others,
    workspace: { rateLimits: true, clock: () => at, ...workspaceOptions },
    world: {
      now: () => at,
      sleep: (milliseconds) => {
        if (isFree) at += milliseconds;
        return isFree
          ? Promise.resolve()
          : new Promise((wake) => sleepers.push({ until: at + milliseconds, wake }));
      },
      every: (_, look) => {
        looks.add(look);
        return () => looks.delete(look);
      },
      log: createLog('silent'),
    },
  });
  const { workspace, bot, bots } = house;
  /** From now on whatever is waited for passes at once. */
  const free = () => {
    isFree = true;
    at = Math.max(at, ...sleepers.map(({ until }) => until));
    wakeThoseDue();
  };
  onTestFinished(free);
  const calls = () => workspace.log.calls();
  const seen = (name: Name) => house.read(name);
  return {
    ...house,
    seen,
    /** Types lines all at once, and does not wait for what comes of them. */
    type: async (name: Name, ...lines: readonly string[]) => {
      const channel = 'C0HELPDESK';
      const as = people[name];
      await Promise.all(
        lines.map((line) => workspace.act({ act: 'type', as, channel, text: `/appliance ${line}` })),
      );
    },
    /** Does things, and does not wait for what comes of them. */
    hastily: (name: Name) => personIn(workspace, { idle: async () => undefined }, name),
    /** Slack's calls that were taken, among those that say something in a channel. */
    messages: () => calls().filter(({ method, ok }) => ok && /^chat\.(postM|update|postE)/.test(method)),
    whispers: (name: Name) => seen(name).split(`(only visible to ${name})`).length - 1,
    refused: async (code: string) =>
      (await bot.journal.recent(1_000)).filter(
        ({ state, outcome }) => state === 'refused' && outcome?.code === code,
      ),
    /** So long everything has been calm. */
    calm: async () => {
      for (let before = -1; before !== calls().length; await sleep(150)) before = calls().length;
    },
    /** Lets a second pass, and what goes out in it go out. */
    second: async () => {
      at += 1_000;
      wakeThoseDue();
      for (let before = -1; before !== calls().length; await sleep(40)) before = calls().length;
    },
    /** All that waits goes out. */
    end: async () => {
      free();
      for (let round = 0; round < 10; round += 1) {
        await Promise.all(bots.map((one) => one.idle()));
        at += 60_000;
        for (const look of looks) look();
      }
      await Promise.all(bots.map((one) => one.idle()));
    },
  };
}

type Crowded = Awaited<ReturnType<typeof crowded>>;

/** Lets seconds pass until something is so; resolves to how many messages went out until then. */
async function until({ second, messages }: Crowded, isSo: () => boolean, most = 60): Promise<number> {
  const before = messages().length;
  for (let seconds = 0; seconds < most && !isSo(); seconds += 1) await second();
  return messages().length - before;
}

const lookups = (count: number) =>
  Array.from({ length: count }, (_, index) => `categorize s${index}.example.com`);
/** How many messages of others may go before somebody's own. */
const few = 8;

attacks('fairness', [
  {
    attack: 'one viewer types 120 lookups at once',
    must: 'somebody else’s card and click are through within a few messages',
    tryIt: async () => {
      const house = await crowded();
      await house.type('alice', ...lookups(120));
      await house.calm();
      await house.type('bob', 'rdp disconnect 12');
      await expect.poll(async () => (await house.bot.journal.recent(200)).some(isWaiting)).toBe(true);
      const isAsked = () => house.seen('bob').includes('[Disconnect] [Cancel]');
      expect(await until(house, isAsked)).toBeLessThanOrEqual(few);
      expect(isAsked()).toBe(true);
      await house.hastily('bob').press('helpdesk', 'Disconnect');
      const isTold = () => house.seen('bob').includes('12 is gone');
      expect(await until(house, isTold)).toBeLessThanOrEqual(2 * few);
      expect(isTold()).toBe(true);
    },
  },
  {
    attack: 'one viewer types 120 lookups at once',
    must: 'ten are answered, 110 are recorded as refused, and one sentence says so',
    tryIt: async () => {
      const house = await crowded();
      await house.type('alice', ...lookups(120));
      await house.calm();
      await house.end();
      const all = await house.bot.journal.recent(200);
      expect(all.filter(({ state }) => state === 'done')).toHaveLength(10);
      expect(await house.refused('too_many')).toHaveLength(110);
      expect(house.whispers('alice')).toBe(1);
      expect(house.seen('alice')).toMatch(/You have 10 questions under way.* 107 more lines were not run/);
      expect(house.seen('bob').match(/s\d+\.example\.com is in /g)).toHaveLength(10);
    },
  },
]);

function isWaiting({ state }: { readonly state: string }): boolean {
  return state === 'waiting';
}
