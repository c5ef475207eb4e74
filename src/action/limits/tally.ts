import { type Excess, excessOf, type LimitedKind, lastMinute, limits, type Taken } from './limits.ts';

/** Counts what each person has under way, in this process. */
export interface Tally {
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
