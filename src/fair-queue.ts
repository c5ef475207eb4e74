import type { Caller } from './caller.ts';

/**
 * Items that wait for the same resource. Urgent ones go first, and background ones when nobody else may. Within
 * a priority, people take turns regardless of how many items they have, and each person's items keep their
 * order. Places and locks (`Semaphore`), permits to send and the lines of messages to Slack go by it.
 */
export interface FairQueue<Item> {
  readonly size: number;
  /** `again`: it was taken in vain, so it goes before the caller's other items. */
  readonly add: (item: Item, caller: Caller, again?: 'again') => void;
  /** The next item among those that may go now. */
  readonly take: (mayGo?: (item: Item, caller: Caller) => boolean) => Item | undefined;
  /** Withdraws an item; whether it was still waiting. */
  readonly remove: (item: Item) => boolean;
  /**
   * The item that can best wait: the newest of the person with the most waiting, among the least urgent.
   * Undefined if empty.
   */
  readonly last: () => Item | undefined;
  readonly [Symbol.iterator]: () => Iterator<Item>;
}

/** The most urgent items in a row before one of low priority: with a quarter of all turns those also finish. */
const mostInARow = 3;

/** Waiting items by caller; the first caller is next. */
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
