import { expect, test } from 'vitest';
import { createTokens } from './page-tokens.ts';

const tokens = createTokens(['a secret of some length']);

test('a signed text is read again, and another is refused', () => {
  const token = tokens.sign('link', '1 hq');
  expect(tokens.read('link', token)).toBe('1 hq');
  const [body = '', signature = ''] = token.split('.');
  const forged = [
    ...['', '.', '..', 'x', body, `${body}.`, `.${signature}`, `${token}.`, `${token}.x`],
    `${Buffer.from('1 branch').toString('base64url')}.${signature}`,
    `${body}.${signature.slice(1)}`,
    `${body}.${signature.slice(0, -1)}${signature.endsWith('A') ? 'B' : 'A'}`,
    `${body}=.${signature}`,
    `${body}.${signature}=`,
    `${'x'.repeat(100_000)}.${signature}`,
  ];
  expect(forged.filter((one) => tokens.read('link', one) !== undefined)).toEqual([]);
});

test('a token is valid for one purpose', () => {
  expect(tokens.read('form', tokens.sign('link', '1 hq'))).toBeUndefined();
  expect(tokens.read('request', tokens.sign('form', '1 hq'))).toBeUndefined();
});

test('a secret can be replaced while its tokens are in use, until it is removed', () => {
  const before = tokens.sign('link', '1 hq');
  const during = createTokens(['the secret after it', 'a secret of some length']);
  expect(during.read('link', before)).toBe('1 hq');
  const after = createTokens(['the secret after it']);
  expect(after.read('link', before)).toBeUndefined();
  expect(after.read('link', during.sign('link', '1 hq'))).toBe('1 hq');
});
