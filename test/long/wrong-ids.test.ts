import { describe, test } from 'vitest';
import { expectPlainSentences, identified, words } from '../wrong-ids.ts';

describe('an ID that is none', () => {
  test.each(words)(
    '%s gets a plain sentence from every command that takes one, and changes nothing',
    (word) => expectPlainSentences(identified.map((one) => [one, word])),
  );
});
