import { expect, test } from 'vitest';
import { plainText } from '../../handlers/reply.ts';
import { tooMany } from './too-many.ts';

test('what somebody has too many of is told in a sentence that can be read, whatever it is', () => {
  const told = (['line', 'lookup', 'history', 'change', 'form', 'search', 'home'] as const).map((kind) =>
    plainText(tooMany({ code: 'too_many', excess: { kind, most: 2 } as never, lines: ['cancel'] })),
  );
  expect(told.map((one) => /^You have 2 (.*) under way, as many/.exec(one)?.[1])).toEqual([
    ...['lines', 'questions', 'questions about what was done', 'changes', 'forms', 'searches', 'pages'],
  ]);
});
