import { afterAll, beforeAll, expect, test } from 'vitest';
import { figuresOf, tryPhrases } from './phrases.ts';
import { type LineReader, startReading } from './understand.ts';

let reader: LineReader;
beforeAll(async () => {
  reader = await startReading('dana', 'helpdesk');
});
afterAll(() => reader.stop());

/**
 * For each list, the least share of lines that must be right, a little below the present one, and how many may run
 * something wrong.
 */
test.each([
  ['people', 0.92, 0],
  ['rdp', 0.88, 0],
  ['appliance-areas', 0.92, 0],
  ['server-areas', 0.92, 0],
  ['unseen', 0.88, 1],
  ['unseen-again', 0.88, 0],
  ['unseen-third', 0.87, 0],
  ['unseen-fourth', 0.77, 2],
  ['possible', 0.9, 0],
  ['complaints', 0.97, 0],
])(
  'the bot understands lines in %s.tsv, at least %d of them, answers no question with a change, and refuses nothing possible with “can’t”',
  async (name, least, mostWrong) => {
    const tried = await tryPhrases(`test/phrases/${name}.tsv`, reader);
    const { count, outcomes, wrongRuns, changesFirst, falseRefusals } = figuresOf(name, tried);
    expect(count).toBeGreaterThanOrEqual(40);
    expect((outcomes.understood + outcomes.first) / count).toBeGreaterThanOrEqual(least);
    expect(wrongRuns).toBeLessThanOrEqual(mostWrong);
    expect(changesFirst).toBe(0);
    expect(falseRefusals).toBe(0);
    // A change that runs was typed as its command, and not guessed.
    const guessed = tried.filter(
      ({ found }) => found.kind === 'runs' && found.because !== 'It is this command.',
    );
    expect(guessed.filter(({ found }) => found.effect !== 'read').map(({ wanted }) => wanted.line)).toEqual(
      [],
    );
  },
);
