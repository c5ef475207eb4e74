import { describe, test } from 'vitest';
import * as emergency from './kills/emergency.ts';
import { expectEndAfterSteps } from './kills/every-step.ts';
import { someOf } from './kills/in-turns.ts';
import { kinds } from './kills/kinds.ts';

// A sample: every fifth kind after some of its steps. All of them, and more of the steps: `test/long/kills.test.ts`.
const every = 128;

describe('a bot that is killed after some of its steps, and started again at once, completes a', () => {
  test.each(someOf(kinds, { every: 5, from: 0 }).map((kind, from) => ({ ...kind, from })))(
    '$name',
    ({ from, ...kind }) => expectEndAfterSteps(kind, { every, from }),
  );

  test('emergency mode', () => emergency.expectEndAfterLives([8]));
});
