import { expect, expectTypeOf, test } from 'vitest';
import { type Argument, domain, identifier, word } from './argument.ts';

const session = identifier('a session number', '12');

test.each([
  ['12', 12],
  ['#12', 12],
  ['0012', 12],
  ['1', 1],
  ['4294967295', 4_294_967_295],
])('%s is the identifier %d', (typed, value) => {
  expect(session.read(typed)).toEqual({ ok: true, value });
});

test.each(['', '#', '12.0', '-1', '+1', '1e3', '0x1f', 'twelve', '1 2', '１２'])(
  '%j is not a number',
  (typed) => {
    expect(session.read(typed)).toEqual({ ok: false, problem: { code: 'not_a_number' } });
  },
);

test.each(['0', '4294967296', '9'.repeat(400)])('%s is out of range, and the range is told', (typed) => {
  expect(session.read(typed)).toEqual({
    ok: false,
    problem: { code: 'out_of_range', min: 1, max: 4_294_967_295 },
  });
});

test('a domain is read out of pasted text, or refused', () => {
  expect(domain.read('hxxps://Example[.]com/x')).toEqual({ ok: true, value: 'example.com' });
  expect(domain.read('nonsense')).toEqual({ ok: false, problem: { code: 'not_a_domain' } });
});

test('a word is read as it stands', () => {
  expect(word('a topic', 'rdp').read(' <Any> thing ')).toEqual({ ok: true, value: ' <Any> thing ' });
});

test('each kind reads its own example', () => {
  for (const argument of [domain, session, word('a topic', 'rdp')]) {
    expect(argument.read(argument.example).ok).toBe(true);
  }
});

test('the kind of argument is known to the compiler', () => {
  expectTypeOf(session).toEqualTypeOf<Argument<number>>();
  expectTypeOf(domain).toEqualTypeOf<Argument<string>>();
});
