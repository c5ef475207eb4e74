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
  /** What happens beside kills. */
  readonly only: readonly BlowName[];
  /** Whether somebody enables emergency mode, whose end takes a minute by itself. */
  readonly withEmergencies: boolean;
  /** Where three replicas keep their journal; without one a single bot keeps a file. */
  readonly postgres?: PostgresServer | undefined;
  /** Whoever waits for it has gone. */
  readonly signal: AbortSignal;
}

const perSecond = 8;
/** How long what is left may take, in milliseconds: an emergency of a minute, a replica that is missed, and some time to spare. */
const timeout = 120_000;
/** How much of it before a single bot is told that it is some days later. */
const atFirst = 20_000;
const someDays = 3 * 86_400_000;

/** Rejects when it is called off, with nothing left behind. */
export async function playRound(options: RoundOptions): Promise<Round> {
  const { program, cache, seed, kills, only, withEmergencies, postgres, signal } = options;
  // What people do does not depend on how often something has happened to the bots.
  const [ofPeople, ofBlows, ofStarts] = [seeded(seed), seeded(seed + 1_000_003), seeded(seed + 2_000_003)];
  const database = postgres === undefined ? undefined : await newDatabase(postgres, seed);
  const world = await openRandomWorld({
    ...{ program, cache },
    ...(database !== undefined && { database, replicas: 3 }),
    pause: () => ofStarts() * 150,
  });
  const load = createLoad(world, ofPeople, withEmergencies);
  const typing = setInterval(load.type, 1_000 / perSecond);
  const pressing = setInterval(load.press, 150);
  const blows = createBlows(world, ofBlows, only, postgres);
  try {
    await world.bots[0]?.connected();
    while (blows.dealt.filter(({ name }) => name === 'kill').length < kills) {
      signal.throwIfAborted();
      await blows.deal();
    }
    await blows.end();
    clearInterval(typing);
    const left = await settle(world, load, signal);
    clearInterval(pressing);
    const testimony: Testimony = {
      ...{ typed: load.typed, clicks: load.clicks, read: load.read },
      ...{ orders: world.orders(), journal: await world.journal.rows(), left },
      restores: await world.journal.restores(),
    };
    const store = postgres === undefined ? 'sqlite' : 'postgres';
    const findings = check(testimony);
    return { store, seed, kills, only, testimony, blows: blows.dealt, findings };
  } finally {
    clearInterval(typing);
    clearInterval(pressing);
    load.stop();
    await world.end();
  }
}

/** Resolves when nothing is under way any more, to what is left of it after the longest time that it may take. */
async function settle(world: RandomWorld, load: Load, signal: AbortSignal): Promise<readonly string[]> {
  await Promise.all(world.bots.map((bot) => bot.connected()));
  const isShared = world.disk === undefined;
  let left = await untilQuiet(world, load, isShared ? timeout : atFirst, signal);
  // A single bot goes by its own clock; what waits for a click or for its end comes to it by then.
  if (!isShared) {
    for (const bot of world.bots) bot.setClock(someDays);
    left = await untilQuiet(world, load, timeout, signal);
  }
  const isOpen = world.appliance.state.directory.emergency;
  return isOpen ? [...left, 'the appliance is still in emergency mode'] : left;
}

async function untilQuiet(
  { journal }: RandomWorld,
  load: Load,
  longest: number,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const began = performance.now();
  let left: readonly string[] = [];
  for (let quiet = 0; quiet < 4 && performance.now() - began < longest; ) {
    await sleep(500, undefined, { signal });
    left = await journal.left().catch(() => ['the journal cannot be read']);
    quiet = left.length > 0 || load.hasClicksLeft() ? 0 : quiet + 1;
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
