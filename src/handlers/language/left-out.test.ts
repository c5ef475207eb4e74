import { expect, test } from 'vitest';
import { match } from '../registry.ts';

const suggested = (line: string): readonly string[] => {
  const found = match(line);
  return found.kind === 'unknown' ? found.nearest.map((one) => one.line) : [`is ${found.kind}`];
};

test.each([
  ['disconnect bob.miller', ['rdp disconnect bob.miller']],
  ['disconnect session 12', ['rdp disconnect 12']],
  ['enable target srv-print-01', ['rdp target enable srv-print-01']],
  ['add example.com to category shopping', ['category add example.com to shopping']],
  ['remove example.com from shopping', ['category delete example.com from shopping']],
  ['move example.com from 252 to 260 please', ['category move example.com from 252 to 260']],
  ['install squid 5.9', ['software install squid 5.9']],
  ['create database', ['sql database create crm']],
])('"%s" leaves out the area, and is answered with the whole line', (typed, lines) => {
  expect(suggested(typed)).toEqual(lines);
});

test('where several could be meant, each stands there with what was typed', () => {
  expect(suggested('disable google_sni')).toEqual([
    'acl object disable google_sni',
    'acl record disable google_sni',
    'rdp policy disable google_sni',
    'rdp target disable google_sni',
  ]);
});

test('the area alone suggests no verb', () => {
  expect(match('rdp 12').kind).toBe('astray');
});

test('a small word is no name: what is missing before it is asked for', () => {
  expect(match('category move example.com to 260')).toMatchObject({
    kind: 'missing',
    argument: 'category',
    typed: { site: ['example.com'], next: ['260'] },
  });
  expect(match('category add to 252')).toMatchObject({ kind: 'missing', argument: 'site' });
});

test('a small word before the only argument is left out', () => {
  expect(match('mfa reset for bob.miller')).toMatchObject({
    kind: 'command',
    typed: { user: ['bob.miller'] },
  });
});
