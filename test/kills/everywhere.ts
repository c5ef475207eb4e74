import { type Verdict, violationsOf } from './ends.ts';
import { inTurns, someOf } from './in-turns.ts';
import type { Kind } from './kind.ts';
import { type Boundary, type Counts, type Hit, tellReally } from './real.ts';
import type { Row } from './table.ts';

interface Killing {
  readonly kinds: readonly Kind[];
  /** The blow; a kill by default. */
  readonly hit?: Hit;
  /** Only every so manieth boundary, from another one on for every kind. */
  readonly every: number;
  /** The number of concurrent processes. */
  readonly atOnce: number;
  /** A folder for Node's compile cache. */
  readonly cache: string;
  /** Called with the number of boundaries, as soon as that is known. */
  readonly onCount?: (boundaries: number) => void;
  /** Called at once with every fault, because a run takes minutes. */
  readonly complain: (words: string) => void;
}

/**
 * Kills a real process at every boundary of every kind of command and starts it again, or freezes it for a while, and looks
 * whether all came to its end, once.
 */
export async function killEverywhere(killing: Killing): Promise<ReadonlyMap<Kind, Row>> {
  const { kinds, every, atOnce, cache, onCount, hit = 'kill' } = killing;
  const rows = new Map<Kind, Row>();
  const complain = (about: string, verdict: Verdict) => {
    for (const words of violationsOf(verdict)) killing.complain(`${about}: ${words}`);
  };
  const jobs: (readonly [Kind, Boundary])[] = [];
  // An unharmed run counts the boundaries.
  const unharmed = async (kind: Kind, from: number) => {
    const { began, counts, missed, verdict } = await tellReally(kind, undefined, { cache });
    rows.set(kind, {
      ...{ killed: 0, again: 0, ended: {} },
      ...{ executedTwice: 0, withoutEnd: 0, toldTwice: 0, untold: 0, wrong: 0 },
    });
    for (const what of missed) killing.complain(`${kind.name}, never killed: ${what}`);
    complain(`${kind.name}, never killed`, verdict);
    jobs.push(...someOf(boundaries(began, counts), { every, from }).map((one) => [kind, one] as const));
  };
  await inTurns([...kinds.entries()], ([from, kind]) => unharmed(kind, from), atOnce);
  onCount?.(jobs.length);
  const killed = async ([kind, boundary]: (typeof jobs)[number]) => {
    const row = rows.get(kind);
    if (row === undefined) return;
    const { verdict, again, isHit } = await tellReally(kind, boundary, { cache, hit });
    // Concurrent work comes in another order every time, so the last boundary may be missing.
    if (!isHit) return;
    row.killed += 1;
    row.again += again > 0 ? 1 : 0;
    const state = verdict.state ?? 'nothing';
    row.ended[state] = (row.ended[state] ?? 0) + 1;
    for (const what of ['executedTwice', 'withoutEnd', 'toldTwice', 'untold', 'wrong'] as const) {
      row[what] += verdict[what].length > 0 ? 1 : 0;
    }
    complain(`${kind.name}, ${hit === 'kill' ? 'killed' : 'frozen'} ${wordsFor(boundary)}`, verdict);
  };
  await inTurns(jobs, killed, atOnce);
  return rows;
}

/** The boundaries of the scenario itself; the start is the same in all scenarios. */
function boundaries(began: Counts, counts: Counts): readonly Boundary[] {
  const from = (at: Boundary['at']) =>
    Array.from({ length: counts[at] - began[at] }, (_, index) => began[at] + index + 1);
  return [
    ...from('journal').map((number) => ({ at: 'journal', number }) as const),
    ...(['slack', 'appliance'] as const).flatMap((at) =>
      from(at).flatMap((number) => (['before', 'after'] as const).map((when) => ({ at, number, when }))),
    ),
  ];
}

function wordsFor(boundary: Boundary): string {
  if (boundary.at === 'journal') return `after write ${boundary.number}`;
  const what = boundary.at === 'slack' ? 'Slack call' : 'request to an appliance';
  return boundary.when === 'before'
    ? `before ${what} ${boundary.number} is done`
    : `when ${what} ${boundary.number} is done and not answered`;
}
