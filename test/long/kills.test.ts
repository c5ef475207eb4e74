import { describe, test } from 'vitest';
import { bulkKinds } from '../kills/bulk-kinds.ts';
import { expectEndAfterLives, expectEndAfterSteps } from '../kills/every-step.ts';
import { range } from '../kills/in-turns.ts';
import { kinds } from '../kills/kinds.ts';

describe('killed after any of its steps, and started again at once, the bot brings to its end a', () => {
  test.each(kinds.map((kind) => [kind.name, kind] as const))('%s', (_, kind) => expectEndAfterSteps(kind));
});

describe('killed after some of its many steps, the bot brings to its end a', () => {
  test.each(bulkKinds.map((kind) => [kind.name, kind] as const))('%s', (_, kind) =>
    expectEndAfterSteps(kind, { every: 5 }),
  );
});

describe('killed again and again, also while it picks up what the last life left, the bot brings to its end a', () => {
  test.each(kinds.map((kind) => [kind.name, kind] as const))('%s', (_, kind) =>
    expectEndAfterLives(kind, range(2, 14)),
  );
});
