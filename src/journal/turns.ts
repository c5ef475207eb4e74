/** Lets tasks of the same key run one after the other, in the order in which they came. */
export interface Turns {
  /** Resolves when it is this one's turn, to what ends it. */
  readonly take: (key: string) => Promise<() => void>;
  /** The same; undefined when the turn did not come within `patience` milliseconds. */
  readonly takeWithin: (key: string, patience: number) => Promise<(() => void) | undefined>;
}

export function createTurns(): Turns {
  const tails = new Map<string, Promise<void>>();

  function queue(key: string): { readonly before: Promise<void>; readonly end: () => void } {
    const before = tails.get(key) ?? Promise.resolve();
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const tail = before.then(() => ended);
    tails.set(key, tail);
    void tail.then(() => {
      if (tails.get(key) === tail) tails.delete(key);
    });
    return { before, end };
  }

  return {
    take: async (key) => {
      const { before, end } = queue(key);
      await before;
      return end;
    },

    takeWithin: async (key, patience) => {
      const { before, end } = queue(key);
      let timer: NodeJS.Timeout | undefined;
      const over = new Promise<false>((resolve) => {
        timer = setTimeout(() => resolve(false), patience);
      });
      const isTurn = await Promise.race([before.then(() => true), over]);
      clearTimeout(timer);
      if (isTurn) return end;
      end();
      return undefined;
    },
  };
}
