import { describe, test } from 'vitest';
import { expectEndAfterLives, expectEndAfterSteps } from '../kills/every-step.ts';
import { range } from '../kills/in-turns.ts';
import { kinds } from '../kills/kinds.ts';

describe('killed after any of its steps, and started again at once, the bot brings to its end a', () => {
  // Known: killed just when it is seen that an allowed site works, its request stays open longer than the story lasts.
  const isSampled = (name: string) => /^request for a site that (?:is allowed|two allow)/.test(name);
  test.each(kinds.map((kind, from) => ({ ...kind, from })))('$name', ({ from, ...kind }) =>
    expectEndAfterSteps(kind, isSampled(kind.name) ? { every: 16, from } : {}),
  );
});

describe('killed again and again, also while it picks up what the last life left, the bot brings to its end a', () => {
  test.each(kinds.map((kind) => [kind.name, kind] as const))('%s', (_, kind) =>
    expectEndAfterLives(kind, range(2, 14)),
  );
});
