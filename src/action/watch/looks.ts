import type { Appliance } from '../../api/index.ts';
import { isWithin, nextAt, readHours } from '../../auth/hours.ts';
import { itself, onBehalfOf } from '../../caller.ts';
import type { AnyLookup } from '../../handlers/command.ts';
import type { Match } from '../../handlers/language/match.ts';
import { person as personSpan, say, type Text } from '../../handlers/reply.ts';
import { look } from '../../handlers/watch/damping.ts';
import type { Observation } from '../../handlers/watch/observation.ts';
import type { Watchable } from '../../handlers/watch/watchable.ts';
import { seen } from '../../handlers/watch/watching.ts';
import { scheduledDelivery, type WatchRow } from '../../journal/journal.ts';
import { createSemaphore } from '../../semaphore.ts';
import { scheduleUnreadable, watchFailed, watchNotPosted } from '../../telemetry/events/watches.ts';
import type { Log } from '../../telemetry/log.ts';
import type { AskedFor } from '../authority/authority.ts';
import type { Invocation } from '../base/chat.ts';
import type { After } from '../base/timeout.ts';
import type { Parts } from '../ground/ground.ts';
import { wantedIn } from '../taking/asking.ts';
import {
  type KeptWatch,
  keptWatch,
  nextLook,
  recurrenceIn,
  termsIn,
  watchToKeep,
} from '../target/watches.ts';
import { becauseDenied } from '../wording/denials.ts';
import { createDoneBefore } from './done-before.ts';
import { createEndWatch, type EndWatch } from './ending.ts';
import { createPostOnce, createRedraw, createTell, type ToTell, tryAgainAfter } from './telling.ts';
import type { ToldWatch } from './words.ts';

/** Looks at what is on watch, and asks what is on a schedule. */
export interface Watches {
  /** Looks at all that is due, each on its owner's behalf. */
  readonly tick: () => Promise<void>;
}

interface WatchesParts extends Parts, Pick<ScheduleParts, 'ask' | 'read'> {
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
      command,
      args,
      appliances: [appliance.name],
      lasts: 'forGood',
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

/** What was read so short a time ago serves others who watch the same. */
const sharedFor = 5_000;

/** Reads once what several watch at the same moment. */
function createReadings({ contexts, now }: Pick<Parts, 'contexts' | 'now'>) {
  const readings = new Map<
    string,
    Map<Watchable['read'], { readonly at: number; readonly reading: Promise<unknown>; isUnderWay: boolean }>
  >();

  return (watchable: Watchable, appliance: Appliance): Promise<unknown> => {
    const here = readings.get(appliance.name) ?? new Map();
    readings.set(appliance.name, here);
    const latest = here.get(watchable.read);
    if (latest !== undefined && (latest.isUnderWay || now() - latest.at < sharedFor)) return latest.reading;
    const nobody = { id: 'watch', person: '', channel: '' };
    const reading = watchable.read(contexts.asking(nobody, { appliance, args: {} as never }));
    const entry = { at: now(), reading, isUnderWay: true };
    // Whoever waits for it hears of a failure.
    reading
      .catch(() => undefined)
      .finally(() => {
        entry.isUnderWay = false;
      });
    here.set(watchable.read, entry);
    return reading;
  };
}

/** So many appliances are looked at at a time, and as many of those that did not answer in time when they were last. */
const lookedAtATime = 20;
/** So long one of them keeps its place, in milliseconds; whoever waits for it does so elsewhere. */
const inTime = 5_000;

/** Looks at appliances a few at a time. One that hangs holds up neither the others nor what is told of them. */
interface Places {
  /** `prompt` resolves to whether it was over in time, and at the latest when it was not. */
  readonly look: (
    appliance: string,
    task: () => Promise<void>,
  ) => { readonly prompt: Promise<boolean>; readonly whole: Promise<void> };
}

function createPlaces(after: After): Places {
  const places = { prompt: createSemaphore(lookedAtATime), slow: createSemaphore(lookedAtATime) };
  const slow = new Set<string>();

  return {
    look: (appliance, task) => {
      const isSlow = slow.has(appliance);
      const { promise: prompt, resolve } = Promise.withResolvers<boolean>();
      // Nobody waits for those that were late before.
      if (isSlow) resolve(false);
      return { prompt, whole: inPlace() };

      async function inPlace(): Promise<void> {
        const leave = await places[isSlow ? 'slow' : 'prompt'].acquire();
        let isLate = false;
        const callOff = after(inTime, () => {
          isLate = true;
          slow.add(appliance);
          leave();
          resolve(false);
        });
        try {
          await task();
        } finally {
          callOff();
          if (!isLate) {
            slow.delete(appliance);
            leave();
            resolve(true);
          }
        }
      }
    },
  };
}

interface ScheduleParts extends Parts {
  /** On its owner's behalf. */
  readonly ask: (invocation: Invocation) => Promise<void>;
  readonly read: (line: string, asker: Pick<Invocation, 'person' | 'channel'>) => Promise<Match>;
  readonly mayGoOn: MayGoOn;
  readonly pause: Pause;
  readonly log: Log;
}

/** So many are asked at a time: what is due together must not keep anybody waiting who types, and a channel takes one message a second. */
const askedAtATime = 3;

/** Asks a line whose time has come. Where others are due at the same time it is asked after them. */
function createSchedules(parts: ScheduleParts): (row: WatchRow) => Promise<void> {
  const { journal, authority, mayGoOn, pause, log, now } = parts;
  const places = createSemaphore(askedAtATime);

  return async (row) => {
    const { id, team, channel, person, subject: line, nextAt: due } = row;
    const every = recurrenceIn(row);
    if (every === undefined) {
      log.tell(scheduleUnreadable, { watch: id });
      await journal.stopWatch(id);
      return;
    }
    const found = await parts.read(line, { person, channel });
    const asked = found.kind === 'command' ? wantedIn(found, channel, parts) : undefined;
    const kept = keptWatch(row);
    const going = await mayGoOn(row, kept, asked);
    if (going.kind !== 'may') return pause(row, line, kept, going);
    const { paused: _, ...others } = kept;
    const state = watchToKeep({ ...others, place: going.place });
    // Before it is asked: after a crash it is missed once, and never asked twice.
    await journal.watched(id, state, nextAt(every, now(), authority.policy().timeZone));
    const delivery = scheduledDelivery(id, due);
    const leave = await places.acquire();
    await parts.ask({ team, channel, person, line, delivery, scheduled: true }).finally(leave);
  };
}

/** What may not be looked at now is looked at later, or not any more. Its owner hears of what lasts. */
type Pause = (
  row: WatchRow,
  name: string,
  kept: KeptWatch,
  going: Exclude<GoingOn, { kind: 'may' }>,
) => Promise<void>;

/** So long nobody is told that Slack does not say who is where, in milliseconds. */
const lasting = 10 * 60_000;

function createPause({
  journal,
  now,
  ending,
}: Pick<Parts, 'journal' | 'now'> & { readonly ending: EndWatch }): Pause {
  return async (row, name, kept, going) => {
    if (going.kind === 'later') return wait(row, kept, going.isUnknown);
    if (!going.countsOnlyThere) return ending.end(row, name, going.why, going.isSilent);
    const ended = await ending.endIfThere(row, name, going.why);
    if (ended === 'ended') return;
    if (ended === 'later') return wait(row, kept, false);
    const paused = { since: kept.paused?.since ?? now(), isTold: true };
    await ending.tellPaused(row, say`it is archived, or Appliance Bot isn’t in it`);
    await journal.watched(row.id, watchToKeep({ ...kept, paused }), now() + tryAgainAfter.paused);
  };

  async function wait(row: WatchRow, kept: KeptWatch, isUnknown: boolean): Promise<void> {
    const { since, isTold } = kept.paused ?? { since: now(), isTold: false };
    const isLasting = isUnknown && now() - since >= lasting;
    if (isLasting && !isTold)
      await ending.tellPaused(row, say`Slack doesn’t say who may read and run what there`);
    const paused = { since, isTold: isTold || isLasting };
    const next: KeptWatch = isUnknown ? { ...kept, paused } : kept;
    await journal.watched(row.id, watchToKeep(next), now() + tryAgainAfter.soon);
  }
}

/** Whether something may still be looked at, or asked, on its owner's behalf. */
type GoingOn =
  | { readonly kind: 'may'; readonly place: 'own' | 'shared' }
  /** Nobody may at this hour, or the chat does not say now (`isUnknown`). */
  | { readonly kind: 'later'; readonly isUnknown: boolean }
  | {
      readonly kind: 'ends';
      readonly why: Text;
      /** The channel reads nothing of it any more. */
      readonly isSilent: boolean;
      /** Where the bot is not in the channel, it does not see who is. */
      readonly countsOnlyThere: boolean;
    };

type MayGoOn = (
  row: Pick<WatchRow, 'person' | 'channel' | 'terms'>,
  kept: Pick<KeptWatch, 'place'>,
  /** What is asked, complete, as it would be typed; undefined where nobody can say. */
  asked: AskedFor | undefined,
) => Promise<GoingOn>;

/** So long it is believed that somebody is in a channel, in milliseconds: Slack answers only some fifty such questions a minute. */
const believed = 5 * 60_000;

function createMayGoOn({
  authority,
  ownChannels,
  now,
}: Pick<Parts, 'authority' | 'ownChannels' | 'now'>): MayGoOn {
  const memberUntil = new Map<string, number>();

  return async (row, { place: before }, asked) => {
    const { person, channel } = row;
    const place = await authority.placeOf(channel);
    if (place === 'lookup_failed') return unknown;
    if (place === 'shared' && before !== 'shared' && authority.channel(channel)?.sharedWrites !== true) {
      const why = say`the channel is shared with another organization by now, and nobody has asked for it there since`;
      return { ...ends(why), isSilent: true };
    }
    if (asked !== undefined) {
      const decision = await authority.decide({ ...asked, person, channel, access: 'run' });
      if (!decision.allow) {
        if (decision.denial.code === 'lookup_failed') return unknown;
        return ends(
          say`${personSpan(person)} may not run it here: ${becauseDenied(decision.denial, channel, 'they')}`,
        );
      }
      const approval = authority.approvalFor(asked, decision.by).kind;
      if (approval === 'not_possible') return { kind: 'later', isUnknown: false };
      if (approval === 'needed' && !termsIn(row).approved)
        return ends(say`it needs an approval now, and nobody has given one`);
    }
    const membership = await membershipOf(person, channel);
    if (membership === 'lookup_failed') return unknown;
    if (membership === 'not_member')
      return { ...ends(say`${personSpan(person)} isn’t in this channel any more`), countsOnlyThere: true };
    return { kind: 'may', place };
  };

  async function membershipOf(person: string, channel: string) {
    const { kind } = await authority.identify(person, channel);
    // A bot has a role only by its name.
    if (kind === 'bot') return 'member';
    const key = `${person} ${channel}`;
    if ((memberUntil.get(key) ?? 0) > now()) return 'member';
    const found = await ownChannels.look(person, channel);
    if (found === 'member') memberUntil.set(key, now() + believed);
    else memberUntil.delete(key);
    return found;
  }
}

const unknown = { kind: 'later', isUnknown: true } as const;

const ends = (why: Text) => ({ kind: 'ends', why, isSilent: false, countsOnlyThere: false }) as const;
