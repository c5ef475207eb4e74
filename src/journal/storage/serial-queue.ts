/** Lets tasks of the same key run one after the other, in the order in which they came. */
export interface SerialQueue {
  /** Resolves when it is this one's turn, to what ends it. */
  readonly take: (key: string) => Promise<() => void>;
}

export function createSerialQueue(): SerialQueue {
  const tails = new Map<string, Promise<void>>();
  return {
    take: async (key) => {
      const before = tails.get(key) ?? Promise.resolve();
      const { promise: ended, resolve: end } = Promise.withResolvers<void>();
      const tail = before.then(() => ended);
      tails.set(key, tail);
      void tail.then(() => {
        if (tails.get(key) === tail) tails.delete(key);
      });
      await before;
      return end;
    },
  };
}
