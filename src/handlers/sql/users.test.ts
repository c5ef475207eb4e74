import { expect, test } from 'vitest';
import { plainText } from '../reply.ts';
import { hostProblem, privilegesOf, wholeAccount } from './users.ts';

const problemOf = (...given: Parameters<typeof hostProblem>) => {
  const problem = hostProblem(...given);
  return problem?.kind === 'nothing' ? plainText(problem.why) : undefined;
};

test('a user whose host is unknown needs one, and a contradicting one is refused', () => {
  const unknown = { user: 'crm', host: undefined };
  expect(problemOf('hq', { user: unknown })).toBe('hq does not report the host of crm. Add --host.');
  expect(problemOf('hq', { user: unknown, host: '%' })).toBeUndefined();
  expect(wholeAccount({ user: unknown, host: '%' })).toEqual({ user: 'crm', host: '%' });
  const known = { user: 'crm', host: 'localhost' };
  expect(problemOf('hq', { user: known, host: '%' })).toContain(
    'crm@localhost connects from localhost, not from %',
  );
  expect(problemOf('hq', { user: known, host: undefined })).toBeUndefined();
});

test.each([
  [{}, 'not reported'],
  [{ Select_priv: false }, 'none'],
  [{ Select_priv: true, Create_tmp_table_priv: true }, 'all 2'],
  [{ Select_priv: true }, 'Select'],
  [{ Select_priv: true, Drop_priv: false }, 'Select'],
])('the privileges %j read as %j', (privileges, words) => {
  expect(plainText(privilegesOf({ user: 'crm', privileges, fields: {} }))).toBe(words);
});
