import { describe, test } from 'vitest';
import { expectEndAfterLives, expectEndAfterSteps } from '../kills/every-step.ts';
import { range } from '../kills/in-turns.ts';
import type { Kind } from '../kills/kind.ts';
import { kinds } from '../kills/kinds.ts';

/** A plan of five takes many times the steps of one change: some of them are tried here, and more of them by `npm run kills`. */
const everyOf = ({ name }: Kind): number => (name.startsWith('plan of five') ? 6 : 1);

describe('killed after any of its steps, and started again at once, the bot brings to its end a', () => {
  test.each(kinds.map((kind) => [kind.name, kind] as const))('%s', (_, kind) =>
    expectEndAfterSteps(kind, { every: everyOf(kind) }),
  );
});

describe('killed again and again, also while it picks up what the last life left, the bot brings to its end a', () => {
  test.each(kinds.map((kind) => [kind.name, kind] as const))('%s', (_, kind) =>
    expectEndAfterLives(kind, range(2, 14)),
  );
});
