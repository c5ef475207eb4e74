import { describe, test } from 'vitest';
import { expectEndAfterLives, expectEndAfterSteps, plots } from '../kills/emergency.ts';
import { range, someOf } from '../kills/in-turns.ts';

describe('killed after every twelfth of its steps, the bot ends emergency mode and reports it once', () => {
  // Others for every way; `KILLS=all` tries each of them.
  const every = process.env.KILLS === 'all' ? 1 : 12;

  test.each(plots.map(([name, plot], from) => ({ name, plot, from })))('$name', ({ plot, from }) =>
    expectEndAfterSteps(plot, { every, from }),
  );

  test('and again in every one of ten incarnations', () =>
    expectEndAfterLives(someOf(range(5, 25), { every: Math.min(every, 4) })));
});
