import { expect, test } from 'vitest';
import { killAtRandom } from '../kills/random/random.ts';
import { complaints } from '../kills/random/report.ts';

// `npm run kills -- --random 500` does it longer, with emergencies, and with another seed every time.
test('bots that are killed, frozen and starved at random moments while people use them lose nothing, do nothing twice, and say nothing that is not true', async () => {
  const tallies = await killAtRandom({ kills: 20, seed: 1, withEmergencies: false, say: () => undefined });
  const rounds = tallies.flatMap((tally) => tally.rounds);
  expect(rounds.flatMap(complaints)).toEqual([]);
  for (const { testimony, blows } of rounds) {
    expect(blows.filter(({ name }) => name === 'kill').length).toBeGreaterThanOrEqual(10);
    expect(testimony.typed.filter(({ isAcknowledged }) => isAcknowledged).length).toBeGreaterThan(20);
  }
  // On a busy machine the kills of one round may leave nobody the time to confirm anything.
  expect(rounds.flatMap(({ testimony }) => testimony.orders).length).toBeGreaterThan(0);
});
