export interface Gathered<One> {
  readonly add: (one: One) => void;
  /** Resolves when all that was added before is done. */
  readonly flush: () => Promise<void>;
}

/**
 * For what nobody waits for: does it for all together that came within so many milliseconds. What could not be done is
 * done again with what comes next.
 */
export function gather<One>(does: (all: readonly One[]) => Promise<void>, within: number): Gathered<One> {
  let gathered: One[] = [];
  let timer: NodeJS.Timeout | undefined;
  let doing: Promise<void> = Promise.resolve();

  function wait(): void {
    timer ??= setTimeout(() => void flush().catch(() => undefined), within).unref();
  }

  async function work(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (gathered.length === 0) return;
    const all = gathered;
    gathered = [];
    try {
      await does(all);
    } catch (error) {
      gathered = [...all, ...gathered];
      wait();
      throw error;
    }
  }

  function flush(): Promise<void> {
    doing = doing.then(work, work);
    return doing;
  }

  return {
    add: (one) => {
      gathered.push(one);
      wait();
    },
    flush,
  };
}
