/** Lets what is done to the same thing run one after the other, and only the newest of what waits. */
export interface Latest {
  /**
   * Runs a task after those for the same key. Resolves without running it when a newer one has come meanwhile; a task
   * that takes several tries asks `isNewest` before each.
   */
  readonly run: (key: string, task: (isNewest: () => boolean) => Promise<void>) => Promise<void>;
}

export function createLatest(): Latest {
  const lines = new Map<string, { newest: number; tail: Promise<void> }>();
  return {
    run: async (key, task) => {
      const line = lines.get(key) ?? { newest: 0, tail: Promise.resolve() };
      lines.set(key, line);
      line.newest += 1;
      const number = line.newest;
      const isNewest = () => line.newest === number;
      const done = line.tail.then(() => (isNewest() ? task(isNewest) : undefined));
      // Whoever comes next waits for the end of this one, not for its success.
      line.tail = done.catch(() => undefined);
      try {
        await done;
      } finally {
        if (isNewest()) lines.delete(key);
      }
    },
  };
}
