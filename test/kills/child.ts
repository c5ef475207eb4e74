import type { Journal } from '../../src/journal/journal.ts';
import { start } from '../../src/start.ts';
import { factsOf } from './ends.ts';
import { looks } from './looks.ts';
import type { Answer, Question } from './process.ts';

/**
 * The bot as `npm start` runs it, but for two things: what it waits for on purpose passes at once, and it kills itself
 * right after the write to its journal that it was told of. Talks to whoever started it.
 */
const last = Number(process.env.KILL_AFTER_WRITE ?? Number.POSITIVE_INFINITY);
let ahead = Number(process.env.AHEAD ?? 0);
let writes = 0;
let lookAtClock = () => {};
let untouched: Journal | undefined;

const say = (answer: Answer) => process.send?.(answer);

const deadly = (journal: Journal): Journal => {
  untouched = journal;
  return new Proxy(journal, {
    get: (from, name) => {
      const value = Reflect.get(from, name);
      if (typeof value !== 'function' || looks.has(String(name))) return value;
      return async (...given: unknown[]) => {
        const done = await value.apply(from, given);
        writes += 1;
        if (writes === last) process.kill(process.pid, 'SIGKILL');
        return done;
      };
    },
  });
};

const now = () => Date.now() + ahead;

const bot = await start(process.env, {
  journal: deadly,
  now,
  databaseTime: now,
  sleep: async (milliseconds) => {
    ahead += milliseconds;
    say({ ahead, writes });
  },
  every: (milliseconds, callback) => {
    lookAtClock = callback;
    // Whether another replica lives is seen by real time only.
    const timer = process.env.DATABASE_URL === undefined ? undefined : setInterval(callback, milliseconds);
    return () => clearInterval(timer);
  },
});

process.on('message', async ({ id, pass }: Question) => {
  if (pass !== undefined) {
    ahead += pass;
    lookAtClock();
  }
  await bot.idle();
  say({ id, ahead, writes, facts: await factsOf(untouched ?? bot.journal) });
});
await bot.idle();
say({ id: 0, ahead, writes });
