import { expect, test } from 'vitest';
import { domain, identifier, secret, somebody, span, text } from '../argument.ts';
import { fitOf, type KnownThings, nameOfWords, nothingKnown, sure } from './things.ts';

const list = async () => [];
const session = {
  ...identifier('a session', '12'),
  list,
  numbered: true,
  read: (word: string) => ({ ok: true, value: word }),
} as never as Parameters<typeof fitOf>[0];
const known: KnownThings = {
  ...nothingKnown,
  listed: new Map([[list as never, new Set(['bob.miller', '12'])]]),
  people: new Set(['zoe']),
  users: new Set([list as never]),
};
const fitFor = (
  argument: Parameters<typeof fitOf>[0],
  word: string,
  isQuoted = false,
  there = known,
  isNamed = false,
) => fitOf(argument, { text: word, isQuoted }, there, isNamed);

test('a word that is exactly the name of a thing fits, and is marked as known', () => {
  expect(fitFor(session, 'Bob.Miller')).toEqual({ fit: 1, word: 'Bob.Miller', isKnown: true });
  expect(fitFor(session, '12')?.fit).toBe(1);
});

test('a word that resembles a name is less sure than a known one, and surer than any other word', () => {
  const looks = fitFor(session, 'srv-hr-01')?.fit ?? 0;
  const any = fitFor(session, 'gateway')?.fit ?? 0;
  expect(looks).toBeGreaterThanOrEqual(sure);
  expect(any).toBeLessThan(sure);
});

test('a domain fits arguments for domains, and hardly others', () => {
  expect(fitFor(domain, 'example.com')?.fit).toBe(1);
  expect(fitFor(session, 'example.com')).toBeUndefined();
  expect(fitFor(session, 'example.com', false, nothingKnown)?.fit).toBeLessThan(sure);
});

test('a name that looks like a domain is that name if a thing has it', () => {
  expect(fitFor(domain, 'bob.miller')?.fit).toBeLessThan(sure);
  expect(fitFor(domain, 'bob.miller', false, nothingKnown)?.fit ?? 1).toBeGreaterThanOrEqual(sure);
});

test('a site is no person', () => {
  expect(fitFor(somebody, 'shop.example.net')).toBeUndefined();
  expect(fitFor(somebody, 'bob.miller')?.fit).toBeGreaterThanOrEqual(sure);
});

test('an incomplete site name is completed if only a site can be meant, and is never sure', () => {
  expect(fitFor(domain, 'youtube', false, known, true)).toEqual({ fit: 0.3, word: 'youtube.com' });
  expect(fitFor(domain, 'youtube')).toBeUndefined();
  expect(fitFor(domain, 'seven', false, known, true)).toBeUndefined();
});

test('a person is a known one, a word like a user name, or the subject of the whole line', () => {
  expect(fitFor(somebody, 'Zoe')?.fit).toBeGreaterThanOrEqual(sure);
  expect(fitFor(somebody, 'p.novak')?.fit).toBeGreaterThanOrEqual(sure);
  expect(fitFor(somebody, 'queue')).toBeUndefined();
  expect(fitFor(somebody, 'queue', false, known, true)?.fit).toBeGreaterThanOrEqual(sure);
});

const called = (...names: readonly string[]): KnownThings => ({
  ...nothingKnown,
  listed: new Map([[list as never, new Set(names)]]),
});

test.each([
  ['maria lopez', 'maria.lopez'],
  ['María López', 'maria.lopez'],
  ['srv erp 01', 'srv-erp-01'],
  ['ERP users', 'ERP users'],
])('"%s" is how people say a name of several words', (said, name) => {
  expect(nameOfWords(said.split(' '), called('maria.lopez', 'srv-erp-01', 'erp users'))).toBe(name);
});

test.each([
  ['rdp gateway', 'rdpgateway'],
  ['google_sni +=', 'google_sni'],
  ['1 2', '12'],
])('"%s" is not %s', (said, name) => {
  expect(nameOfWords(said.split(' '), called(name))).toBeUndefined();
});

test('two names that read alike are ambiguous, so neither is taken', () => {
  expect(nameOfWords(['web', 'shop'], called('web-shop', 'web_shop'))).toBeUndefined();
});

test('a moment is no name, and fits arguments for times', () => {
  expect(fitFor(text('a note', 'x'), '2h')).toBeUndefined();
  expect(fitFor(span('a time', '2h', { minutes: 1, days: 1 }), '2h')?.fit).toBeGreaterThanOrEqual(sure);
});

test('a password is never taken from a line', () => {
  expect(fitFor(secret('a password'), 'hunter2')).toBeUndefined();
});
