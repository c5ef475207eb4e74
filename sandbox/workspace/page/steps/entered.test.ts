import { expect, test } from 'vitest';
import { inputsOf } from './entered.ts';

test('entered values become the inputs of the step; empty ones are left out', () => {
  const parameters = [
    ['site', 'string'],
    ['times', 'integer'],
    ['now', 'boolean'],
    ['who', 'slack#/types/user_id'],
    ['sites', 'array'],
    ['more', 'object'],
    ['empty', 'string'],
  ].map(([name = '', type = '']) => ({ name, type, title: name, description: '', is_required: false }));
  expect(
    inputsOf(parameters, {
      site: '12',
      times: '3',
      now: 'true',
      who: 'U0BOB00001',
      sites: '["a.example"]',
      more: 'not JSON',
      empty: '',
    }),
  ).toEqual({ site: '12', times: 3, now: true, who: 'U0BOB00001', sites: ['a.example'], more: 'not JSON' });
});
