import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import type { Journal } from '../../src/journal/journal.ts';
import { JournalUnavailable } from '../../src/journal/unavailable.ts';
import { start } from '../../src/start.ts';
import { factsOf } from './ends.ts';
import { looks } from './looks.ts';
import type { Answer, Question } from './process.ts';

/**
 * The bot as `npm start` runs it, with two differences. Its intended pauses pass at once, and it kills or freezes itself
 * after the write that its parent chose. It talks to its parent.
 */
const last = Number(process.env.HIT_AFTER_WRITE ?? Number.POSITIVE_INFINITY);
const frozenFor = Number(process.env.FROZEN_FOR ?? 0);
let ahead = Number(process.env.AHEAD ?? 0);
let writes = 0;
let lookAtClock = () => {};
/** Milliseconds added to the time since it last saw the others. */
let unseen = 0;
let untouched: Journal | undefined;

const say = (answer: Answer) => process.send?.(answer);

/** Kills or freezes this process; a child wakes a frozen one, which cannot wake itself. */
function hit(): void {
  if (frozenFor > 0)
    spawn('sh', ['-c', `sleep ${frozenFor / 1_000}; kill -CONT ${process.pid}`], { stdio: 'ignore' });
  process.kill(process.pid, frozenFor > 0 ? 'SIGSTOP' : 'SIGKILL');
}

const deadly = (journal: Journal): Journal => {
  untouched = journal;
  return new Proxy(journal, {
    get: (from, name) => {
      const value = Reflect.get(from, name);
      if (typeof value !== 'function' || looks.has(String(name))) return value;
      return async (...given: unknown[]) => {
        const done = await value.apply(from, given);
        writes += 1;
        if (writes === last) hit();
        return done;
      };
    },
  });
};

const now = () => Date.now() + ahead;

const bot = await start(process.env, {
  journal: deadly,
  now,
  shared: { databaseTime: now, elapsed: () => performance.now() + unseen },
  sleep: async (milliseconds) => {
    ahead += milliseconds;
    say({ ahead, writes });
  },
  every: (milliseconds, callback) => {
    lookAtClock = callback;
    const timer = process.env.DATABASE_URL === undefined ? undefined : setInterval(callback, milliseconds);
    return () => clearInterval(timer);
  },
});

/** A busy machine delays its database for a while, so the question is repeated. */
async function patiently<Value>(ask: (journal: Journal) => Promise<Value>, tries = 30): Promise<Value> {
  try {
    return await ask(untouched ?? bot.journal);
  } catch (error) {
    if (!(error instanceof JournalUnavailable) || tries === 1) throw error;
    await pause(1_000);
    return patiently(ask, tries - 1);
  }
}

/** The clock moves by less than half of the eviction time: a replica that looks less often evicts nobody. */
const piece = 4_000;

/** Looks at the clock until it is alone: it evicts the killed replicas and adopts their work. */
async function missOthers(): Promise<void> {
  do {
    unseen += piece;
    lookAtClock();
    await bot.idle();
  } while ((await patiently((journal) => journal.alive())).length > 1);
  lookAtClock();
}

process.on('message', async ({ id, pass, isAlone }: Question) => {
  if (isAlone && untouched !== undefined) await missOthers();
  if (pass !== undefined) {
    ahead += pass;
    lookAtClock();
  }
  await bot.idle();
  say({ id, ahead, writes, facts: await patiently(factsOf) });
});
await bot.idle();
say({ id: 0, ahead, writes });
