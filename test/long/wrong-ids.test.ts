import { describe, test } from 'vitest';
import { expectPlainSentences, identified, words } from '../wrong-ids.ts';

describe('an ID that does not exist', () => {
  test.each(words)(
    '%s gets a plain sentence from every command that takes one, and changes nothing',
    (word) => expectPlainSentences(identified.map((one) => [one, word])),
  );
});
