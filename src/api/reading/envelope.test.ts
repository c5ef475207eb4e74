import { expect, test } from 'vitest';
import { field, openEnvelope } from './envelope.ts';

test.each([
  [{ Status: true, Info: ' done ', Error: '' }, true, 'done', ''],
  [{ status: false, info: 'why' }, false, 'why', ''],
  [{ STATUS: 'True', ERROR: null }, true, '', ''],
  [{ Status: ' false ', Error: 'no such record' }, false, '', 'no such record'],
  [{ status: 1 }, true, '', ''],
  [{ status: '0' }, false, '', ''],
  [{ Error: 17 }, undefined, '', '17'],
  [{ Error: { text: 'x' } }, undefined, '', '{"text":"x"}'],
  [{ Error: false, Info: true }, undefined, '', ''],
])('%j is understood', (body, status, info, error) => {
  expect(openEnvelope(body)).toEqual({ status, info, error, body });
});

test.each([[{}], [[]], [null], [undefined], ['OK'], [{ status: 'healthy' }]])(
  '%j does not show success or failure',
  (body) => {
    expect(openEnvelope(body)).toEqual({ status: undefined, info: '', error: '', body });
  },
);

test('an answer that is only true or false is complete', () => {
  expect([true, 'False'].map((body) => openEnvelope(body).status)).toEqual([true, false]);
});

test('an answer with both true and false does not show success', () => {
  expect(openEnvelope({ Status: true, status: false }).status).toBe(false);
});

test('a field is found in any casing', () => {
  expect(field({ Categories: [1] }, 'categories')).toEqual([1]);
  expect(field([1], 'categories')).toBeUndefined();
});
