import type { Appliance } from '../../api/index.ts';
import { isWithin, readHours } from '../../auth/hours.ts';
import { itself, onBehalfOf } from '../../caller.ts';
import type { AnyLookup } from '../../handlers/command.ts';
import type { Match } from '../../handlers/language/match.ts';
import { say, type Text } from '../../handlers/reply.ts';
import { look } from '../../handlers/watch/damping.ts';
import type { Observation } from '../../handlers/watch/observation.ts';
import type { Watchable } from '../../handlers/watch/watchable.ts';
import { seen } from '../../handlers/watch/watching.ts';
import type { WatchRow } from '../../journal/journal.ts';
import type { Log } from '../../log.ts';
import { createSemaphore } from '../../semaphore.ts';
import { ChatRefused, type Invocation } from '../base/chat.ts';
import type { Parts } from '../ground/ground.ts';
import { type KeptWatch, keptWatch, nextLook, termsIn, watchToKeep } from '../target/watches.ts';
import { explain } from '../wording/faults.ts';
import { createSchedules } from './schedules.ts';
import { createTellWatch, type ToTell } from './telling.ts';
import { scheduleEnded, type ToldWatch, watchEnded } from './words.ts';

/** Looks at what is on watch, and asks what is on a schedule. */
export interface Watches {
  /** Looks at all that is due, each on its owner's behalf. */
  readonly tick: () => Promise<void>;
}

export interface WatchesParts extends Parts {
  /** As if its owner had typed it. */
  readonly ask: (invocation: Invocation) => Promise<void>;
  readonly read: (line: string, asker: Pick<Invocation, 'person' | 'channel'>) => Promise<Match>;
  readonly log: Log;
}

/** What was seen once is looked at again so soon, in milliseconds. */
const sureAfter = 6_000;
/** What could not be told, or whose owner could not be looked up, is tried again. */
const tryAgainAfter = 20_000;
/** What was read so short a time ago serves others who watch the same. */
const sharedFor = 5_000;
/** So many are looked at at a time: nobody who types waits for them. */
const atATime = 20;

interface Watched {
  readonly command: AnyLookup;
  readonly watchable: Watchable;
  readonly appliance: Appliance;
  readonly told: ToldWatch;
}

export function createWatches(parts: WatchesParts): Watches {
  const { journal, authority, commandByPhrase, chat, present, log, now } = parts;
  const tell = createTellWatch(parts);
  const takePlace = createSemaphore(atATime);
  const read = createReadings(parts);
  const askLine = createSchedules({ ...parts, end });

  return {
    tick: async () => {
      const due = await journal.claimWatches();
      await Promise.all(due.map((row) => onBehalfOf(itself, () => once(row))));
    },
  };

  /** Whatever goes wrong with one, the others are looked at, and it is tried again. */
  async function once(row: WatchRow): Promise<void> {
    try {
      await (row.kind === 'schedule' ? askLine(row) : inTurn(row));
    } catch (error) {
      log.error({ err: error, watch: row.id }, 'Something on watch could not be looked at');
      await journal.watched(row.id, row.state, now() + tryAgainAfter);
    }
  }

  async function inTurn(row: WatchRow): Promise<void> {
    const leave = await takePlace();
    await lookAt(row).finally(leave);
  }

  async function lookAt(row: WatchRow): Promise<void> {
    const watched = watchedIn(row);
    if (watched === undefined) return end(row, say`the appliance or the command is no longer configured`);
    const { command, appliance } = watched;
    const { channel, person } = row;
    const wanted = { command, args: {}, appliances: [appliance.name] };
    const decision = await authority.decide({ ...wanted, person, channel, access: 'run' });
    if (!decision.allow) {
      if (decision.denial.code === 'lookup_failed') return again(row, keptWatch(row), tryAgainAfter);
      return end(row, explain(await authority.fault(decision.denial, channel)).headline);
    }
    const isFree = authority.approvalFor(wanted, decision.by).kind === 'not_needed';
    if (!isFree && !termsIn(row).approved)
      return end(row, say`it needs an approval now, and nobody has given one`);
    let kept: KeptWatch | undefined = keptWatch(row);
    if (kept.unsaid !== undefined) kept = await told(row, watched, { ...kept, unsaid: kept.unsaid }, true);
    if (kept === undefined) return;
    const observation = await observe(row, watched);
    const { memory, unsaid, isInDoubt } = verdict(row, kept, observation);
    kept = { ...kept, memory };
    if (unsaid !== undefined) {
      // Written down first: it is told whatever becomes of this process, and once.
      if (!(await journal.noteWatch(row.id, watchToKeep({ ...kept, unsaid })))) return;
      kept = await told(row, watched, { ...kept, unsaid }, false);
    }
    if (kept !== undefined) await again(row, kept, isInDoubt ? sureAfter : undefined);
  }

  function watchedIn({ id, subject, appliances, person }: WatchRow): Watched | undefined {
    const command = commandByPhrase.get(subject);
    const appliance = parts.appliances.get(appliances[0] ?? '');
    if (command?.kind !== 'lookup' || command.watches === undefined || appliance === undefined)
      return undefined;
    const { watches: watchable } = command;
    const { name, more } = watchable;
    return { command, watchable, appliance, told: { id, name, more, person, appliance: appliance.name } };
  }

  async function observe(row: WatchRow, { watchable, appliance }: Watched): Promise<Observation> {
    const over = termsIn(row).over ?? undefined;
    return seen(read(watchable, appliance), (reading) =>
      watchable.see(reading as never, { now: now(), over }),
    );
  }

  function verdict(row: WatchRow, { memory }: KeptWatch, observation: Observation) {
    const { quiet } = termsIn(row);
    const hours = quiet === null ? undefined : readHours(quiet);
    const isQuiet = hours !== undefined && isWithin([hours], now(), authority.policy().timeZone);
    const { seen: after, say: unsaid, isInDoubt } = look(memory, observation, now(), isQuiet);
    return { memory: after, unsaid, isInDoubt };
  }

  /** Undefined where it could not be told now: it is tried again, or nobody can be told there any more. */
  async function told(
    row: WatchRow,
    watched: Watched,
    kept: ToTell,
    isTried: boolean,
  ): Promise<KeptWatch | undefined> {
    try {
      return await tell(row, watched.told, kept, isTried);
    } catch (error) {
      if (!(error instanceof ChatRefused)) throw error;
      if (error.isPassing) await again(row, kept, tryAgainAfter);
      else await end(row, say`it can’t be posted here (${error.code})`);
      return undefined;
    }
  }

  async function again(row: WatchRow, kept: KeptWatch, after: number | undefined): Promise<void> {
    const next = after === undefined ? nextLook(now(), row.appliances[0] ?? '') : now() + after;
    await journal.watched(row.id, watchToKeep(kept), next);
  }

  /** Its owner is told in person where the channel cannot be. */
  async function end(row: WatchRow, why: Text): Promise<void> {
    if (!(await journal.stopWatch(row.id))) return;
    const { channel, person, subject, appliances } = row;
    const name = watchedIn(row)?.told.name ?? subject;
    const reply =
      row.kind === 'schedule'
        ? scheduleEnded(row, why)
        : watchEnded({ name, person, appliance: appliances[0] ?? '' }, why);
    try {
      await chat.post(channel, await present(reply, { channel }));
    } catch (error) {
      if (!(error instanceof ChatRefused)) throw error;
      await chat.notify(person, { headline: reply.headline });
    }
  }
}

/** Reads once what several watch at the same moment. */
function createReadings({ contexts, now }: Parts) {
  const readings = new Map<
    string,
    Map<Watchable['read'], { readonly at: number; readonly reading: Promise<unknown> }>
  >();

  return (watchable: Watchable, appliance: Appliance): Promise<unknown> => {
    const here = readings.get(appliance.name) ?? new Map();
    readings.set(appliance.name, here);
    const latest = here.get(watchable.read);
    if (latest !== undefined && now() - latest.at < sharedFor) return latest.reading;
    const nobody = { id: 'watch', person: '', channel: '' };
    const reading = watchable.read(contexts.asking(nobody, { appliance, args: {} as never }));
    // Whoever waits for it hears of a failure.
    reading.catch(() => undefined);
    here.set(watchable.read, { at: now(), reading });
    return reading;
  };
}
