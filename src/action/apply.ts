import { type Appliance, isApplianceFailure } from '../api/index.ts';
import { type Applied, compile, inOrder, nameOfApplied } from '../handlers/applied.ts';
import { clock, code, enumerate, plainText, say, strong, type Text } from '../handlers/reply.ts';
import type { Owed } from '../journal/journal.ts';
import { applianceFailure } from './faults.ts';
import type { Parts } from './parts.ts';
import type { Work } from './work.ts';

/**
 * Changes that are not live yet (design, rule 8): one compile for a burst of changes per appliance, remembered across
 * restarts, and told in the thread of each change when it is live.
 */
export interface Applies {
  /** Notes that a change of this action must be applied. */
  readonly owe: (appliance: Appliance, what: readonly Applied[], action: string) => Promise<void>;
  /** Applies what the appliance is owed, when the burst is over. */
  readonly start: (appliance: Appliance) => void;
  /** Somebody has compiled these by hand, and with them all changes that were made before `since`. */
  readonly settled: (appliance: Appliance, what: readonly Applied[], since: number) => Promise<void>;
  /** At the start: what a stop or a crash left behind is applied. */
  readonly resume: () => Promise<void>;
  /** Tries again where it is time to. */
  readonly tick: () => Promise<void>;
  /** Starts nothing more; what is owed stays in the journal. */
  readonly stop: () => void;
}

/** In milliseconds: so long nothing must have changed, and so long the first change of a burst waits at most. */
const burst = { quiet: 5_000, longest: 30_000 };
/** And so long after the first, second … failure it is tried again. */
const pauses = [60_000, 2 * 60_000, 5 * 60_000, 15 * 60_000];

export function createApplies(
  { journal, appliances, story, now, sleep }: Parts,
  later: Work['later'],
): Applies {
  /** When the newest change of an appliance was made, and when it may be tried again after a failure. */
  const newest = new Map<string, number>();
  const notBefore = new Map<string, number>();
  const busy = new Set<string>();
  /** The waits that a stop ends. */
  const waits = new Set<() => void>();
  let stopped = false;

  return {
    owe: async (appliance, what, action) => {
      for (const one of what) await journal.owe({ appliance: appliance.name, what: one, action });
      if (what.length > 0) newest.set(appliance.name, now());
    },

    start: (appliance) => {
      if (newest.has(appliance.name)) wake(appliance);
    },

    settled: async (appliance, what, since) => {
      if (what.length === 0) return;
      const owed = await journal.owed(appliance.name);
      const isIn = (row: Owed) => row.since <= since && what.includes(whatOf(row));
      // Filtering rules that were compiled before their category were compiled too early.
      const early = new Set(
        owed.filter((row) => !isIn(row) && whatOf(row) !== 'filter').map(({ action }) => action),
      );
      const compiled = owed.filter(
        (row) => isIn(row) && !(whatOf(row) === 'filter' && early.has(row.action)),
      );
      const claimed = await journal.startApply(appliance.name, idsOf(compiled));
      await tellLive(appliance, await journal.settleApply(idsOf(claimed), now()));
    },

    resume: async () => {
      await journal.resumeApplies();
      await wakeAll();
    },

    tick: wakeAll,

    stop: () => {
      stopped = true;
      for (const end of waits) end();
    },
  };

  async function wakeAll(): Promise<void> {
    const owed = new Set((await journal.owed()).map(({ appliance }) => appliance));
    for (const name of owed) {
      const appliance = appliances.get(name);
      if (appliance !== undefined && (notBefore.get(name) ?? 0) <= now()) wake(appliance);
    }
  }

  /** One worker an appliance, so that two never compile at once. */
  function wake(appliance: Appliance): void {
    const { name } = appliance;
    if (busy.has(name) || stopped) return;
    busy.add(name);
    later(async () => {
      try {
        await quiet(name);
        if (!stopped) await applyBurst(appliance);
      } finally {
        busy.delete(name);
      }
      // What was changed while it compiled is a burst of its own.
      if (newest.has(name)) wake(appliance);
    });
  }

  async function quiet(name: string): Promise<void> {
    const began = now();
    for (;;) {
      const since = now() - (newest.get(name) ?? 0);
      if (stopped || since >= burst.quiet || now() - began >= burst.longest) break;
      const halted = Promise.withResolvers<void>();
      waits.add(halted.resolve);
      await Promise.race([sleep(burst.quiet - since), halted.promise]);
      waits.delete(halted.resolve);
    }
    newest.delete(name);
  }

  async function applyBurst(appliance: Appliance): Promise<void> {
    const { name } = appliance;
    const claimed = await journal.startApply(name);
    const settled: Owed[] = [];
    /** The actions of which something could not be compiled, and why: what comes after that has to wait for it. */
    const held = new Map<string, string>();
    for (const what of inOrder(claimed.map(whatOf))) {
      const rows = claimed.filter((row) => whatOf(row) === what);
      const [ready, waiting] = [
        rows.filter(({ action }) => !held.has(action)),
        rows.filter(({ action }) => held.has(action)),
      ];
      for (const row of waiting) await journal.failApply([row.id], held.get(row.action) ?? '');
      if (ready.length === 0) continue;
      const failure = await tryCompile(appliance, what);
      if (failure === undefined) {
        settled.push(...(await journal.settleApply(idsOf(ready), now())));
        continue;
      }
      const failed = await journal.failApply(idsOf(ready), plainText(failure));
      for (const { action } of failed) held.set(action, plainText(failure));
      const attempts = Math.max(...failed.map((row) => row.attempts));
      const pause = pauses[attempts - 1] ?? pauses.at(-1) ?? 0;
      notBefore.set(name, now() + pause);
      await tell(failed, attempts === 1 ? notLive(name, what, failure, now() + pause) : undefined);
    }
    await tellLive(appliance, settled);
  }

  async function tryCompile(appliance: Appliance, what: Applied): Promise<Text | undefined> {
    try {
      await compile(appliance, what);
      return undefined;
    } catch (error) {
      if (!isApplianceFailure(error)) throw error;
      return applianceFailure(appliance.name, error);
    }
  }

  /** A change is live when nothing of it is owed any more. */
  async function tellLive({ name }: Appliance, settled: readonly Owed[]): Promise<void> {
    const left = new Set((await journal.owed(name)).map(({ action }) => action));
    for (const [action, rows] of Map.groupBy(settled, (row) => row.action)) {
      if (left.has(action)) continue;
      const compiled = enumerate(inOrder(rows.map(whatOf)).map(nameOfApplied));
      const others = new Set(settled.map((row) => row.action)).size - 1;
      const together =
        others === 0 ? '' : ` together with ${others} other ${others === 1 ? 'change' : 'changes'}`;
      await tell(
        rows,
        say`${strong('Live')} since ${clock(now())}: ${strong(name)} has compiled ${compiled}${together}.`,
      );
    }
  }

  async function tell(rows: readonly Owed[], words: Text | undefined): Promise<void> {
    if (words === undefined) return;
    for (const id of new Set(rows.map(({ action }) => action))) {
      const action = await journal.byId(id);
      if (action !== undefined) await story.add(action, words);
    }
  }
}

// Only `Applied` values are ever owed.
const whatOf = ({ what }: Owed) => what as Applied;
const idsOf = (rows: readonly Owed[]) => rows.map(({ id }) => id);

/** Told once; `pending` tells of the tries after it. */
const notLive = (appliance: string, what: Applied, why: Text, again: number): Text =>
  say`${strong('Not live yet:')} ${strong(appliance)} did not compile ${nameOfApplied(what)}. ${why} I will try again at ${clock(again)} and go on until it works. ${code('/appliance pending')} shows what waits, ${code('/appliance apply')} tries at once.`;
