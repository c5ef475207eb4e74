import { type Consent, isDelegated } from '../base/consent.ts';

/** How much of the bot one person may have, so that enough is left for everybody else. Pure: counts in, verdicts out. */

/** What is counted. */
export type LimitedKind =
  | 'line'
  | 'lookup'
  | 'history'
  | 'change'
  | 'click'
  | 'decision'
  | 'form'
  | 'search'
  | 'home';

interface Limit {
  /** At a time. */
  readonly underWay: number;
  /** Begun within a minute. */
  readonly perMinute: number;
}

const unlimited = Number.POSITIVE_INFINITY;

export const limits: Readonly<Record<LimitedKind, Limit>> = {
  /** All that is typed, whatever it is: as much as the next three together, and room for `help`. */
  line: { underWay: 30, perMinute: unlimited },
  /**
   * One takes two messages, and a channel about one message a second (slack-facts.md §4): ten are twenty seconds of it, and
   * sixty fill a channel for two minutes.
   */
  lookup: { underWay: 10, perMinute: 60 },
  /** Each may read through a million records. */
  history: { underWay: 2, perMinute: 60 },
  /** They go to an appliance one after the other, and each waits for a minute at most. */
  change: { underWay: 10, perMinute: unlimited },
  /** Pages, filters, files, forms. All people together change about fifty messages a minute (slack-facts.md §4). */
  click: { underWay: 5, perMinute: 30 },
  /**
   * Clicks that confirm, approve or take back, and those on buttons that stand for a line: nobody decides once a second. One
   * that was the last needed is under way until the change is over.
   */
  decision: { underWay: 60, perMinute: 60 },
  /** For lines in which something is missing. All people together open about a hundred a minute (slack-facts.md §4). */
  form: { underWay: 5, perMinute: 30 },
  /**
   * One for each key press; whoever types fast has two or three on their way. Each may ask the appliance for a list: two a
   * second is more than anybody picks.
   */
  search: { underWay: 8, perMinute: 120 },
  /** All people together are shown about a hundred pages a minute (slack-facts.md §4). */
  home: { underWay: 1, perMinute: 10 },
};

const minute = 60_000;
export const hour = 60 * minute;

/** What one person has of a kind. */
interface Taken {
  readonly underWay: number;
  /** When what was begun within the last minute was begun, in milliseconds since the epoch; the oldest first. */
  readonly begun: readonly number[];
}

/** Why there is no room for one more, and from when on there is, where that is known. */
export interface Excess {
  readonly kind: LimitedKind;
  readonly most: number;
  readonly again: number | undefined;
}

export function excessOf(kind: LimitedKind, { underWay, begun }: Taken): Excess | undefined {
  const limit = limits[kind];
  if (underWay >= limit.underWay) return { kind, most: limit.underWay, again: undefined };
  const [oldest] = begun;
  if (oldest === undefined || begun.length < limit.perMinute) return undefined;
  return { kind, most: limit.perMinute, again: oldest + minute };
}

/** Of those moments, the ones within the last minute. */
const lastMinute = (moments: readonly number[], now: number): readonly number[] =>
  moments.filter((moment) => moment > now - minute);

/** What somebody has put before others. */
export interface OpenRequest {
  readonly channel: string;
  readonly consent: Consent;
  readonly isOpen: boolean;
  /** Others said yes. */
  readonly isGranted: boolean;
  readonly createdAt: number;
}

export type RequestExcess = (
  | /** So many wait. */
  { readonly kind: 'open'; readonly most: number }
  /** So many were asked within an hour that nobody has granted. */
  | { readonly kind: 'asked'; readonly most: number; readonly again: number }
) & {
  /** Of all workflows there together. */
  readonly ofWorkflowsIn?: string;
};

/**
 * Who asks for what they may not run calls others of their own choice; who asks for what the policy wants approved does
 * their work, and in an incident that is a lot. What workflows ask for is asked in the bot's name, by anybody in the company: one
 * channel cannot take it from another, and each has room for more than its people can look through.
 */
const requestLimits = {
  lent: { open: 3, perHour: 5 },
  own: { open: 10, perHour: 30 },
  workflows: { open: 25, perHour: 100 },
};

/** What is asked for now: in which channel, and whether a step of a workflow asks. */
interface Requested {
  readonly consent: Consent;
  readonly channel: string;
  readonly unattended: boolean;
}

/** Whether somebody may ask others once more, who has asked for these before. */
export function requestExcess(
  { consent, channel, unattended }: Requested,
  before: readonly OpenRequest[],
  now: number,
): RequestExcess | undefined {
  const alike = before.filter((one) =>
    unattended ? one.channel === channel : isDelegated(one) === isDelegated({ consent }),
  );
  const { open, perHour } =
    requestLimits[unattended ? 'workflows' : isDelegated({ consent }) ? 'lent' : 'own'];
  const whose = unattended && { ofWorkflowsIn: channel };
  if (alike.filter(({ isOpen }) => isOpen).length >= open) return { kind: 'open', most: open, ...whose };
  const inVain = alike
    .filter(({ isGranted, createdAt }) => !isGranted && createdAt > now - hour)
    .map(({ createdAt }) => createdAt)
    .toSorted((one, other) => one - other);
  const oldest = inVain.at(-perHour);
  return oldest === undefined ? undefined : { kind: 'asked', most: perHour, again: oldest + hour, ...whose };
}

/** The same, without calling those once more whom this person calls with something else that still waits. */
export function callingOnce(consent: Consent, before: readonly OpenRequest[]): Consent {
  if (!isDelegated({ consent })) return consent;
  const called = new Set(
    before
      .filter(({ isOpen }) => isOpen)
      .flatMap((one) => one.consent.needs.flatMap(({ holders }) => holders)),
  );
  return {
    ...consent,
    needs: consent.needs.map((need) => ({
      ...need,
      holders: need.holders.filter((holder) => !called.has(holder)),
    })),
  };
}

/** Counts what each person has under way, in this process. */
interface Tally {
  /** Counts one more, until it is ended; or says why there is no room for it. */
  readonly begin: (person: string, kind: LimitedKind) => { readonly end: () => void } | Excess;
}

/** So many are remembered before those are forgotten who have nothing any more. */
const many = 1_000;

export function createTally(now: () => number): Tally {
  const people = new Map<string, Map<LimitedKind, Taken>>();

  function forgetIdle(): void {
    for (const [person, kinds] of people) {
      const taken = [...kinds.values()];
      const isIdle = taken.every(
        ({ underWay, begun }) => underWay === 0 && lastMinute(begun, now()).length === 0,
      );
      if (isIdle) people.delete(person);
    }
  }

  return {
    begin: (person, kind) => {
      const kinds = people.get(person) ?? new Map<LimitedKind, Taken>();
      const before = kinds.get(kind) ?? { underWay: 0, begun: [] };
      const taken: Taken = { ...before, begun: lastMinute(before.begun, now()) };
      const excess = excessOf(kind, taken);
      if (excess !== undefined) return excess;
      if (people.size >= many) forgetIdle();
      people.set(person, kinds);
      const begun = Number.isFinite(limits[kind].perMinute) ? [...taken.begun, now()] : [];
      kinds.set(kind, { underWay: taken.underWay + 1, begun });
      let isOver = false;
      const end = () => {
        const current = kinds.get(kind);
        if (isOver || current === undefined) return;
        isOver = true;
        kinds.set(kind, { ...current, underWay: current.underWay - 1 });
      };
      return { end };
    },
  };
}
