/** Waits for a place; resolves to what gives it back. */
export type TakePlace = () => Promise<() => void>;

/** Hands out so many places; whoever comes when all are taken waits for one. */
export function createSemaphore(count: number): TakePlace {
  const waiting: (() => void)[] = [];
  let free = count;
  const giveBack = () => {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  };
  return async () => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    return giveBack;
  };
}
