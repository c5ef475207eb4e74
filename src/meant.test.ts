import { expect, test } from 'vitest';
import { meant, notInHeaders, notInTokens, oddIn, unseen } from './meant.ts';

test.each([
  ['xoxb-1', 'xoxb-1'],
  ['xoxb-1\r', 'xoxb-1'],
  ['\ufeffxoxb-1\r\n', 'xoxb-1'],
  [' \u00a0\u200bxoxb-1\u200b\t', 'xoxb-1'],
  ['"xoxb-1"', 'xoxb-1'],
  ["'xoxb-1'\r", 'xoxb-1'],
  ['" xoxb-1 "', 'xoxb-1'],
  ['""', ''],
  ['"', '"'],
  [`"xoxb-1'`, `"xoxb-1'`],
  ['"one" and "two"', '"one" and "two"'],
  [`'"quoted on purpose"'`, '"quoted on purpose"'],
  ['two words', 'two words'],
  ['-----BEGIN\nline\n-----END\n', '-----BEGIN\nline\n-----END'],
])('%j means %j', (value, is) => {
  expect(meant(value)).toBe(is);
});

test.each([
  ['xoxb-1', unseen, undefined],
  ['pä ss', unseen, undefined],
  ['ab\u200bc', unseen, 'a zero-width space (U+200B) as character 3'],
  ['ab\rc', unseen, 'a carriage return (U+000D) as character 3'],
  ['😀\u202ec', unseen, 'an invisible character (U+202E) as character 2'],
  ['a\u00a0b', unseen, 'a no-break space (U+00A0) as character 2'],
  ['two words', notInHeaders, 'a space (U+0020) as character 4'],
  ['k\u00e9y', notInHeaders, 'a character beyond ASCII (U+00E9) as character 2'],
  ['k"y', notInHeaders, undefined],
  ['xoxb-1"', notInTokens, 'a double quote (U+0022) as character 7'],
  ['\u201cxoxb-1\u201d', notInTokens, 'a character beyond ASCII (U+201C) as character 1'],
])('of %j, which must have nothing of %s, is told: %s', (value, odd, says) => {
  expect(oddIn(value, odd)).toBe(says);
});
