import { expect, test } from 'vitest';
import { wordsOf } from './words.ts';

test.each([
  [
    'its own words come first, then what no reader took',
    '{"Status": true, "items": 2, "Info": "2 sites added"}',
    '2 sites added\nitems: 2',
  ],
  [
    'a log has its lines',
    '{"status": true, "info": "done", "traces": ["one", "two"]}',
    'done\ntraces:\none\ntwo',
  ],
  ['several lines stay several', '{"info": "one\\n\\n two "}', 'one\ntwo'],
  ['a bare yes is all it said', '{"Status": true}', '{"Status":true}'],
  ['nothing is nothing', '{}', ''],
  ['neither is an empty body', '', ''],
  ['a word is a word', '"queued"', 'queued'],
  [
    'of a page, its text',
    '<html><head><title>x</title></head><h1>500</h1>Oops<script>alert(1)</script></html>',
    '500 Oops',
  ],
  ['what prints and reverses does not come through', '{"info": "a\\u0007b\\u202ec"}', 'a b c'],
  ['a password it tells is hidden', '{"info": "ok", "password": "hunter2"}', 'ok\npassword: [hidden]'],
])('%s', (_, text, words) => {
  expect(wordsOf(text, [])).toBe(words);
});

test('no secret comes back, in whichever spelling', () => {
  expect(wordsOf('{"info": "key s3cr\\"t is wrong"}', ['s3cr"t'])).toBe('key [hidden] is wrong');
});

test('a hostile one is cut, not followed', () => {
  expect(wordsOf(`${'['.repeat(200_000)}`, []).length).toBeLessThanOrEqual(100_000);
  expect(wordsOf(`{"info": ${JSON.stringify('x'.repeat(1_000_000))}}`, []).length).toBeLessThanOrEqual(
    100_000,
  );
});
