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
export interface Round {
  readonly seed: number;
  readonly testimony: Testimony;
  readonly blows: readonly Blow[];
  readonly findings: Findings;
  /** What the bots have logged last. */
  readonly logged: readonly string[];
}

export interface RoundOptions {
  readonly program: string;
  readonly cache: string;
  readonly seed: number;
  readonly kills: number;
  /** What happens beside kills. */
  readonly only: readonly BlowName[];
  /** Where three replicas keep their journal; without one a single bot keeps a file. */
  readonly postgres?: PostgresServer | undefined;
  /** Whoever waits for it has gone. */
  readonly signal: AbortSignal;
}

const perSecond = 8;
/** How long what is left may take, in milliseconds: an emergency of a minute, a replica that is missed, and some time to spare. */
const timeout = 150_000;
const day = 86_400_000;

/** Rejects when it is called off, with nothing left behind. */
export async function playRound(options: RoundOptions): Promise<Round> {
  const { program, cache, seed, kills, only, postgres, signal } = options;
  // What people do does not depend on how often something has happened to the bots.
  const [ofPeople, ofBlows, ofStarts] = [seeded(seed), seeded(seed + 1_000_003), seeded(seed + 2_000_003)];
  const database = postgres === undefined ? undefined : await newDatabase(postgres, seed);
  const world = await openRandomWorld({
    ...{ program, cache },
    ...(database !== undefined && { database, replicas: 3 }),
    pause: () => ofStarts() * 150,
  });
  const load = createLoad(world, ofPeople);
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
    };
    const logged = world.bots.flatMap((bot) => bot.logged);
    return { seed, testimony, blows: blows.dealt, findings: check(testimony), logged };
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
  let left = await untilQuiet(world, load, world.disk === undefined, signal);
  // A single bot goes by its own clock; what waits for a click or for its end comes to it the next day.
  if (world.disk !== undefined) {
    for (const bot of world.bots) bot.setClock(day);
    left = await untilQuiet(world, load, true, signal);
  }
  const isOpen = world.appliance.state.directory.emergency;
  return isOpen ? [...left, 'the appliance is still in emergency mode'] : left;
}

/** `isOver`: a timed change has to be, too. */
async function untilQuiet(
  { journal }: RandomWorld,
  load: Load,
  isOver: boolean,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const began = performance.now();
  let left: readonly string[] = [];
  for (let quiet = 0; quiet < 4 && performance.now() - began < timeout; ) {
    await sleep(500, undefined, { signal });
    left = await journal.left().catch(() => ['the journal cannot be read']);
    const isLeft = left.some((one) => isOver || !one.startsWith('a timed change'));
    quiet = isLeft || load.hasClicksLeft() ? 0 : quiet + 1;
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
