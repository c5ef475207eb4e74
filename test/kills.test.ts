import { describe, test } from 'vitest';
import * as emergency from './kills/emergency.ts';
import { expectEndAfterLives, expectEndAfterSteps } from './kills/every-step.ts';
import { kinds } from './kills/kinds.ts';

// A sample of the steps, another one for every kind; more of them: `test/long/kills.test.ts`.
const every = 128;

describe('killed after some of its steps, and started again at once, the bot brings to its end a', () => {
  test.each(kinds.map((kind, from) => ({ ...kind, from })))('$name', ({ from, ...kind }) =>
    expectEndAfterSteps(kind, { every, from }),
  );

  test.each(emergency.plots.map(([name, plot], from) => ({ name, plot, from })))(
    'emergency mode $name',
    ({ plot, from }) => emergency.expectEndAfterSteps(plot, { every: 2 * every, from: 4 * from }),
  );
});

describe('killed again and again, also while it picks up what the last life left, the bot brings to its end', () => {
  test.each(kinds.filter(({ name }) => name === 'change that owes a compile'))('a $name', (kind) =>
    expectEndAfterLives(kind, [3, 7]),
  );

  test('emergency mode', () => emergency.expectEndAfterLives([8]));
});
