import { describe, test } from 'vitest';
import { expectEndAfterLives, expectEndAfterSteps } from '../kills/every-step.ts';
import { range, someOf } from '../kills/in-turns.ts';
import { kinds } from '../kills/kinds.ts';

// Other steps and lengths for every kind; `KILLS=all` tries each of them, and `npm run kills` does so with real processes.
const every = process.env.KILLS === 'all' ? 1 : 12;
const lengths = range(2, 14);

describe('killed after every twelfth of its steps, and started again at once, the bot brings to its end a', () => {
  test.each(kinds.map((kind, from) => ({ ...kind, from })))('$name', ({ from, ...kind }) =>
    expectEndAfterSteps(kind, { every, from }),
  );
});

describe('killed again and again, also while it picks up what the last life left, the bot brings to its end a', () => {
  test.each(kinds.map((kind, from) => ({ ...kind, from })))('$name', ({ from, ...kind }) =>
    expectEndAfterLives(kind, someOf(lengths, { every, from })),
  );
});
