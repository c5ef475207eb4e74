import { expect, test } from 'vitest';
import { cleanLine } from '../language/line.ts';
import { match } from '../registry.ts';
import { readDoneThen } from './history.ts';

test.each([
  ['my last 30m', { by: 'me', when: 'last 30m' }],
  ['by me last 30m', { by: 'me', when: 'last 30m' }],
  ['what i did today', { by: 'me', when: 'today' }],
  ['today @bob', { by: '@bob', when: 'today' }],
  ['from 18:00 to 19:30', { by: undefined, when: 'from 18:00 to 19:30' }],
  ['between 18:00 and 19:30', { by: undefined, when: 'between 18:00 and 19:30' }],
])('of `plan from history %s` each word counts that says who and when', (said, read) => {
  const found = match(cleanLine(`plan from history ${said} --undo`));
  expect(found).toMatchObject({ kind: 'command', command: { phrase: 'plan from history <done>… [--undo]' } });
  expect(found.kind === 'command' && readDoneThen(found.typed.done ?? [])).toEqual({ others: [], ...read });
});
