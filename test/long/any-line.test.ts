import { describe, test } from 'vitest';
import { expectAnswers, expectSentences } from '../any-line.ts';
import { sized } from '../size.ts';

const matched = sized(1_000, 10_000, 50_000);
const typed = sized(100, 200, 500);

describe('any line at all', () => {
  test(`is understood, or refused with a reason: ${matched} of them`, () => expectSentences(matched));

  test(`typed in the channel, gets an answer: ${typed} of them`, () => expectAnswers(typed));
});
