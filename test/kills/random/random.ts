import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from '../../../tools/build.ts';
import { startPostgres } from '../../postgres.ts';
import { type BlowName, blowNames } from './blows.ts';
import { complaints, type Tally } from './report.ts';
import { playRound, type Round, type StoreName } from './round.ts';

export interface RandomPlan {
  /** How often a bot is killed, on both kinds of store together. */
  readonly kills: number;
  readonly seed: number;
  /** The other blows; all by default. */
  readonly only?: readonly BlowName[] | undefined;
  /** Both, unless one is named. */
  readonly store?: StoreName | undefined;
  /** Whether people do what goes on by itself a minute later, also where that minute is real: three replicas; yes unless told. */
  readonly takesMinutes?: boolean;
  /** Calls it off. */
  readonly signal?: AbortSignal;
  /** Told at once what should not be, and how far it is: a run takes minutes. */
  readonly say: (words: string) => void;
}

const stores = [
  // A long-growing journal has its own benchmark, and a round on three replicas waits for evictions.
  { name: 'sqlite', words: 'SQLite', killsEach: 50 },
  { name: 'postgres', words: 'PostgreSQL, three replicas', killsEach: 100 },
] as const;

/** Kills, freezes and starves bots at random moments while people use them, and compares what the witnesses say of it. */
export async function killAtRandom(plan: RandomPlan): Promise<readonly Tally[]> {
  const {
    kills,
    seed,
    store,
    say,
    only = blowNames,
    takesMinutes = true,
    signal = new AbortController().signal,
  } = plan;
  const folder = mkdtempSync(join(tmpdir(), 'random-kills-program-'));
  try {
    const program = await installed(folder);
    const wanted = stores.filter(({ name }) => store === undefined || name === store);
    const own = Math.ceil(kills / wanted.length);
    // Each waits for most of the time.
    return await Promise.all(
      wanted.map(async ({ name, words, killsEach }) => {
        const postgres = name === 'postgres' ? await startPostgres() : undefined;
        const rounds: Round[] = [];
        try {
          for (let left = own, number = seed; left > 0; left -= killsEach, number += 1) {
            const cache = join(folder, 'compiled');
            const round = await playRound({
              ...{ program, cache, only, postgres, signal },
              takesMinutes: takesMinutes || postgres === undefined,
              ...{ seed: number, kills: Math.min(left, killsEach) },
            });
            rounds.push(round);
            for (const complaint of complaints(round)) say(complaint);
            say(`${words}, seed ${number}: ${Math.min(own, own - left + killsEach)} of ${own} kills`);
          }
        } catch (error) {
          if (!signal.aborted) throw error;
        } finally {
          await postgres?.remove();
        }
        return { store: words, rounds };
      }),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Installs what a machine needs that only runs the bot, built from the current source. */
async function installed(folder: string): Promise<string> {
  const fromRoot = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
  mkdirSync(join(folder, 'bin'));
  for (const part of ['bin/appliance-bot.js', 'package.json'])
    copyFileSync(fromRoot(part), join(folder, part));
  await build(join(folder, 'dist'));
  return join(folder, 'bin/appliance-bot.js');
}
