import type { Caller } from './caller.ts';

/**
 * What waits for the same thing. What is urgent goes first, what is in the background when nobody else may, and within each priority people are served in turn, whatever
 * one of them has put in; what one person has put in is served in its order.
 */
export interface FairQueue<Item> {
  readonly size: number;
  /** `again`: it was taken before, and nothing came of it: it goes before what else its caller has waiting. */
  readonly add: (item: Item, caller: Caller, again?: 'again') => void;
  /** Whose turn it is, among those that may go now. */
  readonly take: (mayGo?: (item: Item, caller: Caller) => boolean) => Item | undefined;
  /** Whoever gave up waiting, if they were still here. */
  readonly remove: (item: Item) => boolean;
  /** What can best wait: the newest of whoever has most waiting, among what is least urgent. Undefined when empty. */
  readonly last: () => Item | undefined;
  readonly [Symbol.iterator]: () => Iterator<Item>;
}

/**
 * So often in a row something urgent goes before what waits with low priority: with a quarter of all turns it comes to
 * its end, too, however much is urgent.
 */
const mostInARow = 3;

/** What one caller has waiting, by caller: the first of them is next. */
type Line<Item> = Map<string, { readonly caller: Caller; items: Set<Item> }>;

export function createFairQueue<Item>(): FairQueue<Item> {
  const lines: Readonly<Record<Caller['priority'], Line<Item>>> = {
    high: new Map(),
    low: new Map(),
    background: new Map(),
  };
  const callers = new Map<Item, Caller>();
  let inARow = 0;

  function takeFrom(
    priority: Caller['priority'],
    mayGo: (item: Item, caller: Caller) => boolean,
  ): Item | undefined {
    const line = lines[priority];
    for (const { caller, items } of line.values()) {
      for (const item of items) {
        if (!mayGo(item, caller)) continue;
        const own = line.get(caller.person);
        leave(item);
        // Everybody else comes before their next.
        if (own !== undefined && own.items.size > 0) {
          line.delete(caller.person);
          line.set(caller.person, own);
        }
        return item;
      }
    }
    return undefined;
  }

  function leave(item: Item): boolean {
    const caller = callers.get(item);
    if (caller === undefined) return false;
    callers.delete(item);
    const line = lines[caller.priority];
    const own = line.get(caller.person);
    own?.items.delete(item);
    if (own?.items.size === 0) line.delete(caller.person);
    return true;
  }

  return {
    get size() {
      return callers.size;
    },
    add: (item, caller, again) => {
      const line = lines[caller.priority];
      const own = line.get(caller.person) ?? { caller, items: new Set() };
      if (again === undefined) own.items.add(item);
      else own.items = new Set([item, ...own.items]);
      line.set(caller.person, own);
      callers.set(item, caller);
    },
    take: (mayGo = () => true) => {
      const isTurnOfLow = inARow >= mostInARow && lines.low.size > 0;
      const order = isTurnOfLow ? (['low', 'high'] as const) : (['high', 'low', 'background'] as const);
      for (const priority of order) {
        const item = takeFrom(priority, mayGo);
        if (item === undefined) continue;
        inARow = priority === 'high' && lines.low.size > 0 ? inARow + 1 : 0;
        return item;
      }
      return undefined;
    },
    remove: leave,
    last: () => {
      const line = [lines.background, lines.low].find(({ size }) => size > 0) ?? lines.high;
      const [most] = [...line.values()].toSorted((one, other) => other.items.size - one.items.size);
      return most && [...most.items].at(-1);
    },
    [Symbol.iterator]: () => callers.keys(),
  };
}
