import { describe, test } from 'vitest';
import { expectEndAfterLives, expectEndAfterSteps, plots } from '../kills/emergency.ts';
import { range } from '../kills/in-turns.ts';

describe('killed after every second of its steps, the bot ends emergency mode and reports it once', () => {
  // `KILLS=all` tries each of them.
  const every = process.env.KILLS === 'all' ? 1 : 2;

  test.each(plots.map(([name, plot], from) => ({ name, plot, from })))('$name', ({ plot, from }) =>
    expectEndAfterSteps(plot, { every, from }),
  );

  test('and again in every one of ten lives', () => expectEndAfterLives(range(5, 25)));
});
