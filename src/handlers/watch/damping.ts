import type { Text } from '../text.ts';
import type { Observation, WatchNews } from './observation.ts';

/**
 * What is told of what is seen: every change once, when it has been seen twice in a row; of what keeps changing, only that it does. Pure:
 * what is known and what is seen now go in; what is known then, and what is to be told, come out. Moments: milliseconds since the epoch.
 */

type Condition = Omit<Extract<Observation, { kind: 'state' }>, 'kind'>;
export type ConditionSince = Condition & { readonly since: number };

/** What is known of one thing on watch. */
export interface WatchMemory {
  /** How it stands, as far as two looks in a row have shown. */
  readonly now?: ConditionSince;
  /** WatchMemory once, and otherwise than that. */
  readonly doubt?: ConditionSince;
  /** How people know it, where they have not been told of all since: in quiet hours. */
  readonly known?: ConditionSince;
  /** What it was meanwhile, at first. */
  readonly meanwhile?: ConditionSince;
  /** Since when something is wrong, or could not be asked. */
  readonly openSince?: number;
  /** When it changed lately. */
  readonly changes?: readonly number[];
  /** People know that it keeps changing. */
  readonly flapping?: { readonly since: number };
  /** The news that were told or are old. */
  readonly told?: readonly string[];
}

export type WatchAnnouncement =
  | {
      readonly kind: 'changed';
      readonly before: ConditionSince;
      readonly now: ConditionSince;
      readonly wasQuiet: boolean;
    }
  | {
      readonly kind: 'recovered';
      readonly before: ConditionSince;
      readonly now: ConditionSince;
      readonly since: number;
      readonly wasQuiet: boolean;
    }
  | {
      readonly kind: 'flapping';
      readonly now: ConditionSince;
      readonly times: number;
      readonly since: number;
    }
  | { readonly kind: 'steady'; readonly now: ConditionSince; readonly since: number }
  /** It was otherwise in quiet hours, and is as people know it again. */
  | {
      readonly kind: 'passed';
      readonly was: Text;
      readonly from: number;
      readonly to: number;
      readonly now: ConditionSince;
    }
  | { readonly kind: 'news'; readonly entries: readonly WatchNews[] };

const damping = {
  /** More changes within so many milliseconds are flapping. */
  changes: 3,
  within: 30 * 60_000,
  /** So long nothing must change before it counts as steady again. */
  steadyAfter: 15 * 60_000,
} as const;

/** What is known when it is put on watch: people have just read it. */
export function firstSeen(sight: Observation, at: number): WatchMemory {
  if (sight.kind === 'news') return { told: sight.entries.map(({ id }) => id) };
  const now = sinceIn(sight, at);
  return { now, ...(now.is !== 'fine' && { openSince: at }) };
}

export interface WatchVerdict {
  readonly seen: WatchMemory;
  readonly say?: WatchAnnouncement;
  /** It was seen otherwise than it is known, once: to be looked at again at once. */
  readonly isInDoubt: boolean;
}

export function look(seen: WatchMemory, sight: Observation, at: number, isQuiet: boolean): WatchVerdict {
  if (sight.kind === 'news') return lookAtNews(seen, sight.entries, isQuiet);
  // What brings news and could not be asked brings none; how it stands is nobody's question.
  if (seen.told !== undefined) return { seen, isInDoubt: false };
  const { now, doubt } = seen;
  if (now === undefined) return { seen: firstSeen(sight, at), isInDoubt: false };
  if (isSame(now, sight)) return unchanged(without(seen, 'doubt'), now, at, isQuiet);
  if (doubt === undefined || !isSame(doubt, sight)) {
    return { seen: { ...seen, doubt: sinceIn(sight, at) }, isInDoubt: true };
  }
  return changed(without(seen, 'doubt'), now, { ...sinceIn(sight, at), since: doubt.since }, at, isQuiet);
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
    ...{ now, changes },
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

/** So many names of news are remembered: more than an appliance is asked for. */
const remembered = 500;

function lookAtNews(seen: WatchMemory, entries: readonly WatchNews[], isQuiet: boolean): WatchVerdict {
  const known = new Set(seen.told ?? entries.map(({ id }) => id));
  const fresh = entries.filter(({ id }) => !known.has(id));
  if (fresh.length === 0 || isQuiet) return { seen: { told: [...known] }, isInDoubt: false };
  const told = [...known, ...fresh.map(({ id }) => id)].slice(-remembered);
  return { seen: { told }, say: { kind: 'news', entries: fresh }, isInDoubt: false };
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
