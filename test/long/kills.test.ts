import { describe, test } from 'vitest';
import { expectEndAfterLives, expectEndAfterSteps } from '../kills/every-step.ts';
import { range, someOf } from '../kills/in-turns.ts';
import { kinds } from '../kills/kinds.ts';

// Other steps and lengths for every kind; `KILLS=all` tries each of them, and `npm run kills` does so with real processes.
const every = process.env.KILLS === 'all' ? 1 : 54;
const lengths = range(2, 14);

describe('a bot that is killed after some of its steps, and started again at once, completes a', () => {
  test.each(kinds.map((kind, from) => ({ ...kind, from })))('$name', ({ from, ...kind }) =>
    expectEndAfterSteps(kind, { every, from }),
  );
});

describe('a bot that is killed again and again, also during its recovery, completes a', () => {
  test.each(kinds.map((kind, from) => ({ ...kind, from })))('$name', ({ from, ...kind }) =>
    expectEndAfterLives(kind, someOf(lengths, { every, from })),
  );
});
