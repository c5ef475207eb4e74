/** Lets tasks of the same key run one after the other, in the order in which they came. */
export interface Turns {
  /** Resolves when it is this one's turn, to what ends it. Undefined when the turn did not come within `patience` milliseconds. */
  readonly take: (key: string, patience?: number) => Promise<(() => void) | undefined>;
}

export function createTurns(): Turns {
  const tails = new Map<string, Promise<void>>();
  return {
    take: async (key, patience) => {
      const before = tails.get(key) ?? Promise.resolve();
      const { promise: ended, resolve: end } = Promise.withResolvers<void>();
      const tail = before.then(() => ended);
      tails.set(key, tail);
      void tail.then(() => {
        if (tails.get(key) === tail) tails.delete(key);
      });
      if (patience === undefined) {
        await before;
        return end;
      }
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
