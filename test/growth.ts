import { expect } from 'vitest';

/** Milliseconds below which a task counts as instant. */
const unnoticed = 60;
/** Four times is linear, and sixteen would be its square; between them lies the noise of a machine that others use too. */
const most = 9;

/**
 * Four times the input must take no more than about four times the work, on slow machines and fast ones. Counts the
 * processor time of this thread, and takes the best of three, because a first run takes longer.
 * @param size of the larger input
 */
export async function expectLinear<Input>(
  size: number,
  make: (size: number) => Input,
  does: (input: Input) => unknown,
): Promise<void> {
  const timeOf = async (input: Input) => {
    let best = Number.POSITIVE_INFINITY;
    for (let tries = 3; tries > 0 && best > unnoticed / 6; tries -= 1) {
      const before = process.threadCpuUsage();
      await does(input);
      const { user, system } = process.threadCpuUsage(before);
      best = Math.min(best, (user + system) / 1_000);
    }
    return best;
  };
  let growth = Number.POSITIVE_INFINITY;
  let large = 0;
  // Memory that is taken back, or somebody else's work, falls into one measurement; a square shows in each of them.
  for (let rounds = 3; rounds > 0 && growth >= most; rounds -= 1) {
    large = await timeOf(make(size));
    if (large <= unnoticed) return;
    growth = Math.min(growth, large / (await timeOf(make(Math.ceil(size / 4)))));
  }
  const what = JSON.stringify(make(40)).slice(0, 80);
  expect(growth, `${what}: ${Math.round(large)} ms, compared with a quarter of it`).toBeLessThan(most);
}
