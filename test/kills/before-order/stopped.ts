import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { personIn } from '../../../sandbox/person.ts';
import { type BotProcess, spawnBot } from '../../../sandbox/process.ts';
import type { Workspace } from '../../../sandbox/workspace/workspace.ts';
import type { Environment } from '../../../src/config/secret.ts';
import { createLog } from '../../../src/telemetry/log.ts';
import { forgetRequests } from '../../conversation.ts';
import { replicas } from '../../replicas.ts';

/** What a child is told at its start. */
export interface Settings {
  /** A regular expression for the order, such as `^PUT /proxy/acls/`. */
  readonly before: string;
  /** Which one of those, from 1. */
  readonly number: number;
  readonly signal: 'SIGSTOP' | 'SIGKILL';
  /** A file that is there as soon as it has stopped: it cannot say so itself. */
  readonly stopped: string;
  /** How many milliseconds have gone by for it when it wakes. */
  readonly away: number;
}

/** Moves its clock and lets it look at that, or only waits until it is idle. */
export interface Question {
  readonly id: number;
  readonly pass?: number;
}

export interface Answer {
  readonly id: number;
}

const program = fileURLToPath(new URL('child.ts', import.meta.url));
let questions = 0;

/** Moves a child's clock and lets it look at that, where a time is given; resolves when it is idle. */
function askChild(child: ChildProcess, pass?: number): Promise<void> {
  questions += 1;
  const id = questions;
  const answered = new Promise<void>((resolve) => {
    const hear = (answer: Answer) => {
      if (answer.id !== id) return;
      child.off('message', hear);
      resolve();
    };
    child.on('message', hear);
  });
  child.send({ id, ...(pass !== undefined && { pass }) } satisfies Question, () => undefined);
  return answered;
}

/** A bot that nothing stops, in a process of its own: resolves when it has done all that its start brings. */
export async function startIdle(environment: Environment, workspace: Workspace): Promise<BotProcess> {
  const settings: Settings = { before: '^$', number: 1, signal: 'SIGKILL', stopped: '', away: 0 };
  const bot = await spawnBot({ ...environment, STOP: JSON.stringify(settings) }, workspace, program);
  await askChild(bot.child);
  return bot;
}
const second = 1_000;
/** Longer than a replica may be silent. */
const away = 24 * second;
/** In pieces: a replica that looks less often than every six seconds evicts nobody. */
const piece = 3 * second;

/** What people do with the bot that is going to stop: each resolves when it is idle, or has stopped. */
export interface Hands {
  readonly type: (by: string, line: string) => Promise<unknown>;
  readonly press: (by: string, label: string) => Promise<unknown>;
  readonly pass: (milliseconds: number) => Promise<void>;
}

/** A bot in this process, and one in a process of its own that is killed, or frozen, right before an order. */
export async function stoppedBefore(
  { before, number = 1 }: { readonly before: RegExp; readonly number?: number },
  signal: Settings['signal'],
) {
  const folder = mkdtempSync(join(tmpdir(), 'before-order-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const stopped = join(folder, 'stopped');
  let ahead = 0;
  let unseen = 0;
  const events: string[] = [];
  const looks = new Set<() => void>();
  const now = () => Date.now() + ahead;
  const house = await replicas(1, {
    world: {
      now,
      shared: { databaseTime: now, elapsed: () => performance.now() + unseen },
      sleep: async (milliseconds) => {
        ahead += milliseconds;
      },
      every: (_, look) => {
        looks.add(look);
        return () => looks.delete(look);
      },
      log: createLog('info', {
        write: (line) => void events.push(JSON.parse(line).event),
      }),
    },
  });
  const { workspace, appliance, bot } = house;
  const settings: Settings = { before: before.source, number, signal, stopped, away };
  const other = await house.spawnBot(1, { program, environment: { STOP: JSON.stringify(settings) } });
  let isOver = false;
  onTestFinished(() => {
    isOver = true;
  });
  const isStopped = (async () => {
    while (!existsSync(stopped) && !isOver) await pause(5);
  })();
  const ask = (pass?: number) => askChild(other.child, pass);
  /** Until it is idle, or has stopped. */
  const rest = (pass?: number) => Promise.race([ask(pass), isStopped]);
  const look = async () => {
    for (const one of looks) one();
    await bot.idle();
  };
  // It must have been seen alive before it can be missed.
  await look();
  await rest(0);
  forgetRequests(appliance);
  workspace.sockets.prefer(other.connection);
  const who = (by: string) => personIn(workspace, { idle: rest }, by);
  const at: Hands = {
    type: (by, line) => Promise.race([who(by).type('helpdesk', `/appliance ${line}`), isStopped]),
    press: (by, label) => Promise.race([who(by).press('helpdesk', label), isStopped]),
    pass: rest,
  };
  return {
    ...{ appliance, read: house.read, at },
    /** It was stopped by what people did: at once, or at another look at its clock, where its database was too slow for the first. */
    hasStopped: () =>
      expect
        .poll(
          () => {
            if (!existsSync(stopped)) void ask(0);
            return existsSync(stopped);
          },
          { message: `before ${before}`, interval: 500 },
        )
        .toBe(true),
    /** The bot in this process evicts the other one, and brings its work to an end. */
    missIt: async () => {
      // It looks at its clock whatever goes on: it may wait for a row that the frozen one holds.
      for (let looked = 0; !events.includes('replica_gone'); looked += 1) {
        if (looked > 300) throw new Error(`It was not missed: ${events.join(', ')}`);
        unseen += piece;
        for (const one of looks) one();
        await Promise.race([bot.idle(), pause(200)]);
      }
      await look();
    },
    /** So much time goes by for the bot in this process. */
    pass: async (milliseconds: number) => {
      ahead += milliseconds;
      await look();
      await look();
    },
    /** The frozen one goes on, and has done all that it wanted to. */
    wake: async () => {
      other.wake();
      // It looks at its clock at once, and takes part again: that must not be enough for what it held before.
      await ask(0);
      await ask(0);
      await bot.idle();
    },
  };
}
