import { expect, test } from 'vitest';
import { killAtRandom } from '../kills/random/random.ts';
import { complaints } from '../kills/random/report.ts';
import { sized } from '../size.ts';

/** Half of them on either store. */
const kills = sized(4, 12, 20);

// `npm run kills -- --random 500` does it longer, with emergencies, and with another seed every time.
test('bots that are killed, frozen and starved at random moments lose nothing, do nothing twice, and say nothing false', async () => {
  const tallies = await killAtRandom({ kills, seed: 1, takesMinutes: false, say: () => undefined });
  const rounds = tallies.flatMap((tally) => tally.rounds);
  expect(rounds.flatMap(complaints)).toEqual([]);
  for (const { testimony, blows } of rounds) {
    expect(blows.filter(({ name }) => name === 'kill').length).toBeGreaterThanOrEqual(kills / 2);
    expect(testimony.typed.filter(({ isAcknowledged }) => isAcknowledged).length).toBeGreaterThan(kills);
  }
  // On a busy machine the kills of one round may leave nobody the time to confirm anything.
  expect(rounds.flatMap(({ testimony }) => testimony.orders).length).toBeGreaterThan(0);
});
