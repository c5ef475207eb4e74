import { describe, expect, test } from 'vitest';
import { ciphersIn } from './ciphers.ts';
import { listIn } from './shown.ts';

describe('a list inside a field', () => {
  test.each([
    [
      '[{"id":2,"name":"Office hours"},{"ID":"3"}]',
      [
        { id: '2', name: 'Office hours' },
        { id: '3', name: '' },
      ],
    ],
    [
      '["7",8]',
      [
        { id: '7', name: '' },
        { id: '8', name: '' },
      ],
    ],
    [
      '7, 8',
      [
        { id: '7', name: '' },
        { id: '8', name: '' },
      ],
    ],
    ['', []],
    ['[]', []],
    ['Office hours', undefined],
    ['[broken', undefined],
  ])('%s is read', (value, items) => expect(listIn(value)).toEqual(items));
});

/** Without the note about an incomplete list. */
const suitesIn = (fields: Parameters<typeof ciphersIn>[0]) => {
  const { look: _, ...suites } = ciphersIn(fields);
  return suites;
};

describe('cipher suites', () => {
  test.each([
    [
      { 'Ciphers.0': 'AES128-SHA', 'Ciphers.1': 'TLS_AES_128_GCM_SHA256', 'Supported.0': 'RC4-MD5' },
      ['RC4-MD5'],
      'ciphers',
    ],
    [{ Suites: 'AES128-SHA:TLS_AES_128_GCM_SHA256' }, [], 'suites'],
    [{ 'tls.ciphers': 'AES128-SHA, TLS_AES_128_GCM_SHA256', enabled: '1' }, [], 'ciphers'],
  ])('are found in any notation: %j', (fields, supported, field) => {
    expect(suitesIn(fields)).toEqual({
      offered: ['AES128-SHA', 'TLS_AES_128_GCM_SHA256'],
      supported,
      field,
    });
  });
});
