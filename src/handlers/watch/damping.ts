import { z } from 'zod';
import { optional, type Stored } from '../../codec.ts';
import { say, textShape } from '../text.ts';
import { newsShape, type Observation } from './observation.ts';

/**
 * Decides which observations are posted. Each change is posted once, after it was seen twice in a row.
 * Something that keeps changing is posted only as flapping. Pure: memory and observation go in; the new memory
 * and the post come out. Moments are milliseconds since the epoch.
 */

const condition = z.object({
  is: z.enum(['fine', 'problem', 'unasked']),
  key: z.string(),
  says: textShape,
  since: z.number(),
});
type ConditionSince = Stored<typeof condition>;
type Condition = Omit<ConditionSince, 'since'>;

export type WatchMemory = Stored<typeof memoryShape>;
export const memoryShape = z.object({
  /** The state that two consecutive looks have shown. */
  now: optional(condition),
  /** The differing state at the last look, and for how many looks in a row. */
  doubt: optional(condition),
  doubts: optional(z.number()),
  /** The state last posted, if later ones were not posted because of quiet hours. */
  known: optional(condition),
  /** The first state in between. */
  meanwhile: optional(condition),
  /** Start of a problem, or of a failure to read. */
  openSince: optional(z.number()),
  changes: optional(z.array(z.number())),
  flapping: optional(z.object({ since: z.number() })),
  /** For events: all that existed at the last post. */
  told: optional(z.array(z.string())),
});

export type WatchAnnouncement = Stored<typeof announcementShape>;
export const announcementShape = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('changed'), before: condition, now: condition, wasQuiet: z.boolean() }),
  z.object({
    kind: z.literal('recovered'),
    before: condition,
    now: condition,
    since: z.number(),
    wasQuiet: z.boolean(),
  }),
  z.object({ kind: z.literal('flapping'), now: condition, times: z.number(), since: z.number() }),
  z.object({ kind: z.literal('steady'), now: condition, since: z.number() }),
  /** It changed in quiet hours and is back to the posted state. */
  z.object({
    kind: z.literal('passed'),
    was: textShape,
    now: condition,
    from: z.number(),
    to: z.number(),
  }),
  /** The newest events. `isCut`: there were more, which could not be read. */
  z.object({
    kind: z.literal('news'),
    entries: z.array(newsShape),
    count: z.number(),
    isCut: z.boolean(),
  }),
]);

const damping = {
  /** More changes within this many milliseconds are flapping. */
  changes: 3,
  within: 30 * 60_000,
  /** This long without changes counts as steady. */
  steadyAfter: 15 * 60_000,
} as const;

/** The state of an event source that can be read. */
const readable: Condition = { is: 'fine', key: 'readable', says: say`✅ can be asked` };

/** The memory of a new watch: people have just seen the answer. */
export function firstSeen(sight: Observation, at: number): WatchMemory {
  if (sight.kind === 'news') return { now: sinceIn(readable, at), told: sight.all };
  const now = sinceIn(sight, at);
  return { now, ...(now.is !== 'fine' && { openSince: at }) };
}

export interface WatchVerdict {
  readonly seen: WatchMemory;
  readonly say?: WatchAnnouncement;
  /** A single differing look, to be repeated at once. */
  readonly isInDoubt: boolean;
}

export function look(seen: WatchMemory, sight: Observation, at: number, isQuiet: boolean): WatchVerdict {
  if (seen.now === undefined) return { seen: { ...seen, ...firstSeen(sight, at) }, isInDoubt: false };
  if (sight.kind === 'state') return lookAtState(seen, seen.now, sight, at, isQuiet);
  const asked = lookAtState(seen, seen.now, readable, at, isQuiet);
  // Reports first that reading works again, and then the events.
  if (asked.say !== undefined) return { ...asked, isInDoubt: true };
  return lookAtNews(asked, sight, isQuiet);
}

/** After this many differing looks the old state is no longer true. */
const mostDoubts = 2;

function lookAtState(
  seen: WatchMemory,
  now: ConditionSince,
  sight: Condition,
  at: number,
  isQuiet: boolean,
): WatchVerdict {
  const { doubt, doubts = 0 } = seen;
  const settled = without(seen, 'doubt', 'doubts');
  if (isSame(now, sight)) {
    const current = { ...now, says: sight.says };
    return unchanged({ ...settled, now: current }, current, at, isQuiet);
  }
  if (doubt !== undefined) {
    // Another problem at each look is still a problem.
    const isStillWrong = sight.is !== 'fine' && doubt.is !== 'fine';
    const isSeenTwice = isSame(doubt, sight) || isStillWrong;
    if (isSeenTwice || (sight.is !== 'fine' && doubts >= mostDoubts)) {
      const since = isSeenTwice ? doubt.since : at;
      return changed(settled, now, { ...sinceIn(sight, at), since }, at, isQuiet);
    }
  }
  return { seen: { ...seen, doubt: sinceIn(sight, at), doubts: doubts + 1 }, isInDoubt: true };
}

function unchanged(seen: WatchMemory, now: ConditionSince, at: number, isQuiet: boolean): WatchVerdict {
  const { flapping, changes = [], known } = seen;
  if (flapping !== undefined) {
    const isSteady = at - (changes.at(-1) ?? 0) >= damping.steadyAfter;
    if (!isSteady || isQuiet) return { seen, isInDoubt: false };
    const calm = without(seen, 'flapping', 'known', 'meanwhile', 'changes');
    return { seen: calm, say: { kind: 'steady', now, since: flapping.since }, isInDoubt: false };
  }
  if (known === undefined || isQuiet) return { seen, isInDoubt: false };
  const told = without(seen, 'known', 'meanwhile');
  const say: WatchAnnouncement = isSame(known, now)
    ? {
        kind: 'passed',
        was: (seen.meanwhile ?? now).says,
        from: (seen.meanwhile ?? now).since,
        to: now.since,
        now,
      }
    : ofChange(known, now, seen.openSince, true);
  return { seen: told, say, isInDoubt: false };
}

function changed(
  before: WatchMemory,
  was: ConditionSince,
  now: ConditionSince,
  at: number,
  isQuiet: boolean,
): WatchVerdict {
  const changes = [...(before.changes ?? []).filter((one) => one > at - damping.within), at];
  const openSince = now.is === 'fine' ? undefined : (before.openSince ?? now.since);
  const seen: WatchMemory = {
    ...without(before, 'openSince'),
    now,
    changes,
    ...(openSince !== undefined && { openSince }),
  };
  if (before.flapping !== undefined) return { seen, isInDoubt: false };
  if (changes.length > damping.changes) {
    const since = changes[0] ?? at;
    const say = { kind: 'flapping', now, times: changes.length, since } as const;
    return { seen: { ...seen, flapping: { since } }, ...(!isQuiet && { say }), isInDoubt: false };
  }
  if (isQuiet)
    return {
      seen: { ...seen, known: before.known ?? was, meanwhile: before.meanwhile ?? now },
      isInDoubt: false,
    };
  return { seen, say: ofChange(was, now, before.openSince, false), isInDoubt: false };
}

function ofChange(
  before: ConditionSince,
  now: ConditionSince,
  openSince: number | undefined,
  wasQuiet: boolean,
): WatchAnnouncement {
  return now.is === 'fine' && before.is !== 'fine'
    ? { kind: 'recovered', before, now, since: openSince ?? before.since, wasQuiet }
    : { kind: 'changed', before, now, wasQuiet };
}

/** The most events in a message. */
const mostNews = 20;

function lookAtNews(
  asked: WatchVerdict,
  { entries, all, mayBeCut }: Extract<Observation, { kind: 'news' }>,
  isQuiet: boolean,
): WatchVerdict {
  const { seen } = asked;
  const known = seen.told && new Set(seen.told);
  const fresh = known === undefined ? [] : entries.filter(({ id }) => !known.has(id));
  // In quiet hours the memory stays as before, so that the first post after them covers all events.
  if (isQuiet && known !== undefined) return asked;
  const after = { ...asked, seen: { ...seen, told: all } };
  if (known === undefined || fresh.length === 0) return after;
  const isCut = mayBeCut && !all.some((id) => known.has(id));
  return { ...after, say: { kind: 'news', entries: fresh.slice(-mostNews), count: fresh.length, isCut } };
}

const isSame = (one: Condition, other: Condition): boolean => one.is === other.is && one.key === other.key;

const sinceIn = ({ is, key, says }: Condition, since: number): ConditionSince => ({ is, key, says, since });

function without<Name extends keyof WatchMemory>(
  seen: WatchMemory,
  ...names: readonly Name[]
): Omit<WatchMemory, Name> {
  return Object.fromEntries(Object.entries(seen).filter(([name]) => !names.includes(name as Name))) as Omit<
    WatchMemory,
    Name
  >;
}
