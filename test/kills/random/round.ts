import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { PostgresServer } from '../../postgres.ts';
import { seeded } from '../../seeded.ts';
import { type Blow, type BlowName, createBlows } from './blows.ts';
import { check, type Findings } from './checker.ts';
import { createLoad, type Load } from './load.ts';
import type { Testimony } from './testimony.ts';
import { openRandomWorld, type RandomWorld } from './world.ts';

/** One world, from its beginning until everything in it has come to its end. */
export interface Round extends Pick<RoundOptions, 'seed' | 'kills' | 'only'> {
  readonly store: StoreName;
  readonly testimony: Testimony;
  readonly blows: readonly Blow[];
  readonly findings: Findings;
}

export const storeNames = ['sqlite', 'postgres'] as const;
export type StoreName = (typeof storeNames)[number];

export interface RoundOptions {
  readonly program: string;
  readonly cache: string;
  readonly seed: number;
  readonly kills: number;
  /** The blows beside kills. */
  readonly only: readonly BlowName[];
  /** Whether people do what goes on by itself a minute later. A single bot's minutes go by faster. */
  readonly takesMinutes: boolean;
  /** The database of three replicas; undefined for a single bot with a file. */
  readonly postgres?: PostgresServer | undefined;
  /** Aborted when the caller has gone. */
  readonly signal: AbortSignal;
}

const perSecond = 8;
/** So many milliseconds more than they are go by every two seconds. */
const faster = 15_000;
/** How long what is left may take, in milliseconds: an emergency of a minute, a replica that is missed, and some time to spare. */
const timeout = 120_000;
/** The part of it before a single bot's clock jumps some days ahead. */
const atFirst = 20_000;
const someDays = 3 * 86_400_000;

/** Rejects when it is called off, with nothing left behind. */
export async function playRound(options: RoundOptions): Promise<Round> {
  const { program, cache, seed, kills, only, takesMinutes, postgres, signal } = options;
  // The actions of people must not depend on the number of blows.
  const [ofPeople, ofBlows, ofStarts, ofReceiver] = [
    seed,
    seed + 1_000_003,
    seed + 2_000_003,
    seed + 3_000_003,
  ].map(seeded) as [() => number, () => number, () => number, () => number];
  const database = postgres === undefined ? undefined : await newDatabase(postgres, seed);
  const world = await openRandomWorld({
    ...{ program, cache },
    ...(database !== undefined && { database, replicas: 3 }),
    pause: () => ofStarts() * 150,
    random: ofReceiver,
  });
  const load = createLoad(world, ofPeople, takesMinutes);
  const typing = setInterval(load.type, 1_000 / perSecond);
  const pressing = setInterval(load.press, 150);
  // Replicas go by the clock of their database.
  const passing = setInterval(() => {
    if (postgres === undefined) for (const bot of world.bots) bot.pass(faster);
  }, 2_000);
  const blows = createBlows(world, ofBlows, only, postgres);
  try {
    await world.bots[0]?.connected();
    while (blows.dealt.filter(({ name }) => name === 'kill').length < kills) {
      signal.throwIfAborted();
      await blows.deal();
    }
    await blows.end();
    clearInterval(typing);
    clearInterval(passing);
    world.receiver.recover();
    const left = await settle(world, load, signal);
    clearInterval(pressing);
    const testimony: Testimony = {
      ...{ typed: load.typed, clicks: load.clicks, read: load.read },
      ...{ orders: world.orders(), journal: await world.journal.rows(), left },
      ...{ posts: world.posts(), told: world.receiver.told },
      restores: await world.journal.restores(),
    };
    const store = postgres === undefined ? 'sqlite' : 'postgres';
    const findings = check(testimony);
    return { store, seed, kills, only, testimony, blows: blows.dealt, findings };
  } finally {
    clearInterval(typing);
    clearInterval(passing);
    clearInterval(pressing);
    load.stop();
    await world.end();
  }
}

/** Resolves when nothing is under way any more, to what is left of it after the longest time that it may take. */
async function settle(world: RandomWorld, load: Load, signal: AbortSignal): Promise<readonly string[]> {
  await Promise.all(world.bots.map((bot) => bot.connected()));
  const isShared = world.disk === undefined;
  let left = await untilQuiet(world, isShared ? timeout : atFirst, signal, { isOpen: load.hasClicksLeft });
  // A single bot goes by its own clock, which brings its ends and expiries.
  if (!isShared) {
    // After a day a private answer is not sent any more: none may wait while the days pass, however slow the machine is.
    await untilQuiet(world, timeout, signal, { counts: isToBeSaid });
    for (const bot of world.bots) bot.setClock(someDays);
    left = await untilQuiet(world, timeout, signal, { isOpen: load.hasClicksLeft });
  }
  const isOpen = world.appliance.state.directory.emergency;
  return isOpen ? [...left, 'the appliance is still in emergency mode'] : left;
}

const unreadable = 'the journal cannot be read';

const isToBeSaid = (what: string): boolean =>
  /^not said yet|^a delivery is held/.test(what) || what === unreadable;

async function untilQuiet(
  { journal }: RandomWorld,
  longest: number,
  signal: AbortSignal,
  {
    isOpen = () => false,
    counts = () => true,
  }: { readonly isOpen?: () => boolean; readonly counts?: (what: string) => boolean },
): Promise<readonly string[]> {
  const began = performance.now();
  let left: readonly string[] = [];
  for (let quiet = 0; quiet < 4 && performance.now() - began < longest; ) {
    await sleep(500, undefined, { signal });
    left = (await journal.left().catch(() => [unreadable])).filter(counts);
    quiet = left.length > 0 || isOpen() ? 0 : quiet + 1;
  }
  return left;
}

async function newDatabase(postgres: PostgresServer, seed: number): Promise<string> {
  const name = `random_${seed}_${process.hrtime.bigint()}`;
  const client = new pg.Client(postgres.urlOf('postgres'));
  await client.connect();
  await client.query(`create database ${name}`).finally(() => client.end());
  return postgres.urlOf(name);
}
