import { describe, test } from 'vitest';
import { expectAnswers, expectSentences } from './any-line.ts';

// More of them: `test/long/any-line.test.ts`.
describe('any line at all', () => {
  test('is understood, or refused with a reason: 2,000 of them', () => expectSentences(2_000));

  test('typed in the channel, gets an answer: 30 of them', () => expectAnswers(30));
});
