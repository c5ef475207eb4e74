import { describe, test } from 'vitest';
import { expectEndAfterLives, expectEndAfterSteps } from '../kills/every-step.ts';
import { someOf } from '../kills/in-turns.ts';
import { kinds } from '../kills/kinds.ts';
import { inPostgres } from '../lives-journal.ts';

// Another step for every kind, and a third of the kinds in each of the two ways; `KILLS=all` tries each of them in both.
const [every, turns] = process.env.KILLS === 'all' ? [1, 1] : [160, 3];
const numbered = kinds.map((kind, from) => ({ ...kind, from }));

describe('another replica on the same PostgreSQL, after a kill at some of the steps, completes a', () => {
  test.each(someOf(numbered, { every: turns, from: 0 }))('$name', ({ from, ...kind }) =>
    expectEndAfterSteps(kind, { every, from, journal: inPostgres }),
  );
});

describe('the next replica, after kill upon kill, also during its own recovery, completes a', () => {
  test.each(someOf(numbered, { every: turns, from: 1 }))('$name', ({ from, ...kind }) =>
    expectEndAfterLives(kind, [2 + (from % 13)], inPostgres),
  );
});
