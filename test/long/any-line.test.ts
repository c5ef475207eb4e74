import { describe, test } from 'vitest';
import { expectAnswers, expectSentences } from '../any-line.ts';

describe('any line at all', () => {
  test('is understood, or gets a sentence that says why not: 50,000 of them', () => expectSentences(50_000));

  test('typed in the channel, gets an answer: 500 of them', () => expectAnswers(500));
});
