/** Worlds have nothing in common, and each waits most of the time for its disk and its wire. */
const usual = 8;

/** Runs all of them, so many at once. */
export async function inTurns<One>(
  all: readonly One[],
  play: (one: One) => Promise<void>,
  atOnce = usual,
): Promise<void> {
  const left = all.values();
  const turn = async () => {
    for (const one of left) await play(one);
  };
  await Promise.all(Array.from({ length: atOnce }, turn));
}

export const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** Every so manieth of them, from this one on; one at least, where there are any. */
export const someOf = <One>(all: readonly One[], { every = 1, from = 0 }): readonly One[] =>
  all.filter((_, index) => index % every === from % Math.min(every, all.length));
