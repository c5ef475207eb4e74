import { describe, test } from 'vitest';
import { expectEndAfterLives, expectEndAfterSteps } from '../kills/every-step.ts';
import { kinds } from '../kills/kinds.ts';
import { inPostgres } from '../lives-journal.ts';

// Others for every kind; `KILLS=all` tries each of them.
const every = process.env.KILLS === 'all' ? 1 : 96;

describe('killed after some of its steps, another replica on the same PostgreSQL brings to its end a', () => {
  test.each(kinds.map((kind, from) => ({ ...kind, from })))('$name', ({ from, ...kind }) =>
    expectEndAfterSteps(kind, { every, from, journal: inPostgres }),
  );
});

describe('killed again and again, also while it picks up what the last one left, the next replica brings to its end a', () => {
  test.each(kinds.map((kind, from) => ({ ...kind, from })))('$name', ({ from, ...kind }) =>
    expectEndAfterLives(kind, [2 + (from % 13)], inPostgres),
  );
});
