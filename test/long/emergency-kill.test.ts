import { describe, test } from 'vitest';
import { expectEndAfterLives, expectEndAfterSteps, plots } from '../kills/emergency.ts';
import { range } from '../kills/in-turns.ts';

describe('killed after any of its steps, the bot ends emergency mode and reports it once', () => {
  test.each(plots)('%s', (_, plot) => expectEndAfterSteps(plot));

  test('and again in every one of ten lives', () => expectEndAfterLives(range(5, 25)));
});
