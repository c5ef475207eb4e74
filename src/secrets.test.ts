import { describe, expect, test } from 'vitest';
import { processorTime } from '../test/processor-time.ts';
import { carriesSecret, maskSecrets } from './secrets.ts';

describe('in a text, a secret is masked and the rest stays', () => {
  test.each([
    ['--set apikey=abc, protocol=rdp', '--set apikey=••• protocol=rdp'],
    ['set=apikey=x', 'set=apikey=•••'],
    ['{"apikey":"x\\"y","a":1}', '{"apikey":"•••","a":1}'],
    ['{\\"token\\":\\"abc\\",\\"a\\":1}', '{\\"token\\":\\"•••\\",\\"a\\":1}'],
    ['{"pin_token":4711,"a":1}', '{"pin_token":•••,"a":1}'],
    ['a=1&apikey=2&c=3', 'a=1&apikey=•••&c=3'],
    ['Authorization: Bearer abc def', 'Authorization: •••'],
    ['Cookie: a=b; c=d', 'Cookie: •••'],
    ['password: hush hush', 'password: ••• hush'],
    ['--pw "a b" c', '--pw "•••" c'],
    ['api key = 5', 'api key = •••'],
    ['https://bob:pass@host/x', 'https://bob:•••@host/x'],
    ['postgres://bot:hu@sh/1@db/j', 'postgres://bot:•••@db/j'],
    ['-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----', '•••'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-_', '•••'],
  ])('%s', (text, masked) => {
    expect(maskSecrets(text)).toBe(masked);
    expect(maskSecrets(masked)).toBe(masked);
    expect([carriesSecret(text), carriesSecret(masked)]).toEqual([true, false]);
  });
});

test.each([
  ...['the password is secret', 'token.example.com:443', 'bypass=1', 'public_key=1', 'rdp target password 2'],
  ...[
    'https://a.com:8080/x@y',
    'https://example.com/services/a/b',
    'wss://example.com/x',
    'password=',
    'compass: north',
  ],
])('%s carries none', (text) => {
  expect(carriesSecret(text)).toBe(false);
});

test('a text of 200,000 letters takes no longer than four times what a quarter takes', () => {
  const pieces = [
    'a ',
    'password ',
    'x',
    '-',
    'a=',
    'https://a:',
    'password="',
    'eyJ',
    'postgres://a:',
    ' ',
    'a.',
    '"',
    '\\"',
    'key ',
  ];
  for (const piece of [...pieces, '-----BEGIN PRIVATE KEY-----']) {
    const spent = (length: number) => processorTime(() => maskSecrets(piece.repeat(length / piece.length)));
    spent(1_000);
    const quarter = spent(50_000);
    expect([piece, spent(200_000) < 8 * quarter + 100]).toEqual([piece, true]);
  }
});
