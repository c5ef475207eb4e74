import type { Appliance } from '../../api/index.ts';
import { isWithin, readHours } from '../../auth/hours.ts';
import { itself, onBehalfOf } from '../../caller.ts';
import type { AnyLookup } from '../../handlers/command.ts';
import { say } from '../../handlers/reply.ts';
import { look } from '../../handlers/watch/damping.ts';
import type { Observation } from '../../handlers/watch/observation.ts';
import type { Watchable } from '../../handlers/watch/watchable.ts';
import { seen } from '../../handlers/watch/watching.ts';
import type { WatchRow } from '../../journal/journal.ts';
import { watchFailed, watchNotPosted } from '../../telemetry/events/watches.ts';
import type { Log } from '../../telemetry/log.ts';
import type { After } from '../base/timeout.ts';
import type { Parts } from '../ground/ground.ts';
import { type KeptWatch, keptWatch, nextLook, termsIn, watchToKeep } from '../target/watches.ts';
import { createDoneBefore } from './done-before.ts';
import { createEndWatch } from './ending.ts';
import type { ToTell } from './outcome.ts';
import { createPause } from './pause.ts';
import { createPostOnce } from './posting.ts';
import { createRedraw } from './problems.ts';
import { createPlaces, createReadings } from './readings.ts';
import { createMayGoOn } from './rights.ts';
import { createSchedules, type ScheduleParts } from './schedules.ts';
import { createTell, tryAgainAfter } from './telling.ts';
import type { ToldWatch } from './words.ts';

/** Looks at what is on watch, and asks what is on a schedule. */
export interface Watches {
  /** Looks at all that is due, each on its owner's behalf. */
  readonly tick: () => Promise<void>;
}

export interface WatchesParts extends Parts, Pick<ScheduleParts, 'ask' | 'read'> {
  readonly after: After;
  readonly log: Log;
}

/** What was seen once is looked at again so soon after that look began, in milliseconds. */
const sureAfter = 6_000;

interface Watched {
  readonly command: AnyLookup;
  readonly watchable: Watchable;
  readonly appliance: Appliance;
  readonly told: ToldWatch;
}

export function createWatches(parts: WatchesParts): Watches {
  const { journal, authority, commandByPhrase, log, now } = parts;
  const doneBefore = createDoneBefore(parts);
  const ending = createEndWatch(parts);
  const mayGoOn = createMayGoOn(parts);
  const toldOf = (row: WatchRow) => watchedIn(row)?.told;
  const redraw = createRedraw({ ...parts, toldOf, doneBefore });
  const tell = createTell({ ...parts, postOnce: createPostOnce(parts), doneBefore, ending, redraw });
  const pause = createPause({ ...parts, ending });
  const askLine = createSchedules({ ...parts, mayGoOn, pause });
  const places = createPlaces(parts.after);
  const read = createReadings(parts);

  return {
    tick: () =>
      onBehalfOf(itself, async () => {
        const due = await journal.claimWatches();
        const [schedules, watches] = [due.filter(isSchedule), due.filter((row) => !isSchedule(row))];
        await Promise.all([...schedules.map((row) => safely(row, () => askLine(row))), lookAtAll(watches)]);
      }),
  };

  /** All that changed is told together; of an appliance that keeps the others waiting, when it has answered. */
  async function lookAtAll(rows: readonly WatchRow[]): Promise<void> {
    const prompt: ToTell[] = [];
    const byAppliance = [...Map.groupBy(rows, ({ appliances }) => appliances[0] ?? '')];
    let areOthersTold = false;
    const looks = byAppliance.map(([appliance, own]) => {
      const seenThere: ToTell[] = [];
      const look = places.look(appliance, async () => {
        const found = await Promise.all(own.map((row) => safely(row, () => lookAt(row))));
        seenThere.push(...found.filter((one) => one !== undefined));
      });
      const whole = look.whole.then(() =>
        areOthersTold ? tellAll(seenThere) : void prompt.push(...seenThere),
      );
      return { prompt: look.prompt, whole };
    });
    await Promise.all(looks.map(async ({ prompt: isOver, whole }) => ((await isOver) ? whole : undefined)));
    areOthersTold = true;
    await Promise.all([tellAll(prompt), ...looks.map(({ whole }) => whole)]);
  }

  async function tellAll(all: readonly ToTell[]): Promise<void> {
    const channels = [...Map.groupBy(all, ({ row }) => row.channel)];
    await Promise.all(
      channels.map(async ([channel, own]) => {
        try {
          await tell(channel, own);
        } catch (error) {
          log.tell(watchNotPosted, { err: error, channel });
          // What was written down stays so: it may have been told.
          const current = new Map((await journal.watches(channel)).map((row) => [row.id, row]));
          for (const { row } of own)
            await again(row, keptWatch(current.get(row.id) ?? row), tryAgainAfter.soon);
        }
      }),
    );
  }

  /** Whatever goes wrong with one, the others are looked at, and it is tried again. */
  async function safely<Value>(row: WatchRow, task: () => Promise<Value>): Promise<Value | undefined> {
    try {
      return await task();
    } catch (error) {
      log.tell(watchFailed, { err: error, watch: row.id });
      await again(row, keptWatch(row), tryAgainAfter.soon);
      return undefined;
    }
  }

  /** Resolves to what is to be told of it, if anything. */
  async function lookAt(row: WatchRow): Promise<ToTell | undefined> {
    const watched = watchedIn(row);
    if (watched === undefined) {
      const why = say`the appliance or the command is no longer configured`;
      await ending.end(row, row.subject, why, false);
      return undefined;
    }
    const { command, appliance, told } = watched;
    const before = keptWatch(row);
    const args = argsOf(row);
    const going = await mayGoOn(row, before, {
      ...{ command, args, appliances: [appliance.name], lasts: 'forGood' },
    });
    if (going.kind !== 'may') {
      await pause(row, told.name, before, going);
      return undefined;
    }
    const { paused: _, ...others } = before;
    const kept: KeptWatch = { ...(before.unsaid === undefined ? others : before), place: going.place };
    const isQuiet = isQuietFor(row);
    if (kept.unsaid !== undefined) {
      if (!isQuiet) return { row, told, kept: { ...kept, unsaid: kept.unsaid }, isSure: false };
      await again(row, kept, undefined);
      return undefined;
    }
    const began = now();
    const {
      seen: memory,
      say: unsaid,
      isInDoubt,
    } = look(kept.memory, await observe(row, watched), now(), isQuiet);
    const after = { ...kept, memory };
    if (unsaid !== undefined) return { row, told, kept: { ...after, unsaid }, isSure: !isInDoubt };
    await again(row, await withoutUsed(row, after), isInDoubt ? began + sureAfter - now() : undefined);
    return undefined;
  }

  /** A button that takes a change back goes when it is used, or its time is over. */
  async function withoutUsed(row: WatchRow, kept: KeptWatch): Promise<KeptWatch> {
    const { post } = kept;
    if (post?.isOffered === undefined || post.done === undefined) return kept;
    const { done, undo } = await doneBefore.standing(post.done);
    if (undo.length > 0) return kept;
    const { isOffered: _, ...rest } = post;
    const after: KeptWatch = { ...kept, post: { ...rest, done } };
    if (await journal.noteWatch(row.id, watchToKeep(after))) await redraw(row.channel, post.ts);
    return after;
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

  function isQuietFor(row: WatchRow): boolean {
    const { quiet } = termsIn(row);
    const hours = quiet === null ? undefined : readHours(quiet);
    return hours !== undefined && isWithin([hours], now(), authority.policy().timeZone);
  }

  async function again(row: WatchRow, kept: KeptWatch, after: number | undefined): Promise<void> {
    const next = after === undefined ? nextLook(now(), row.appliances[0] ?? '') : now() + after;
    await journal.watched(row.id, watchToKeep(kept), next);
  }
}

const isSchedule = ({ kind }: WatchRow): boolean => kind === 'schedule';

/** As it was asked for. */
function argsOf(row: WatchRow): Readonly<Record<string, unknown>> {
  const { over, quiet } = termsIn(row);
  return { ...(over !== null && { over }), ...(quiet !== null && { quiet }) };
}
