import { expect, test } from 'vitest';
import { check, choicesWithin, type FormValues, readLinkQuery, usualChoice } from './ask-form.ts';

const hour = 60 * 60_000;
const choices = choicesWithin({ longest: 8 * hour, forGood: true });

test.each([
  ['link=T&user=bob&url=http%3A%2F%2Fexample.com%2Fx%3Fa%3D1%26b%3D2', 'example.com'],
  ['link=T&user=bob&url=http://example.com/x?a=1&b=2&url=http://other.example/', 'example.com'],
  ['link=T&user=bob&url=example.com', 'example.com'],
  ['link=T&user=bob&url=EXAMPLE.com:443', 'example.com'],
  ['link=T&user=bob&url=https://example.com/100%-off', 'example.com'],
  ['link=T&user=bob&url=https://user:pw@example.com/', 'example.com'],
  ['link=T&user=bob&url=http://10.1.2.3/', '10.1.2.3'],
  ['link=T&user=bob&url=http://xn--mnchen-3ya.example/', 'xn--mnchen-3ya.example'],
  ['link=T&user=bob&url=%u', ''],
  ['link=T&user=bob&url=', ''],
  ['link=T&user=bob', ''],
  [`link=T&user=bob&url=https://example.com/${'x'.repeat(5_000)}`, ''],
])('the link of a block page is read however it is encoded: %s', (query, site) => {
  expect(readLinkQuery(query)).toEqual({ link: 'T', user: 'bob', site });
});

const filledIn: FormValues = {
  site: 'example.com',
  suffix: '',
  name: 'Bob',
  reason: 'booking',
  lasts: '2h',
  user: 'bob',
};
const problemsOf = (more: Partial<FormValues>) => {
  const checked = check({ ...filledIn, ...more }, choices);
  return checked.ok ? {} : checked.problems;
};

test('a valid form gives the request', () => {
  expect(check(filledIn, choices)).toEqual({
    ok: true,
    form: { site: 'example.com', name: 'Bob', reason: 'booking', lasts: 2 * hour, user: 'bob' },
  });
  expect(check({ ...filledIn, lasts: 'always', user: '-' }, choices)).toMatchObject({
    form: { lasts: undefined, user: undefined },
  });
  expect(check({ ...filledIn, user: '%a' }, choices)).toMatchObject({ form: { user: undefined } });
});

test('a missing, too long or secret value is reported beside its field', () => {
  expect(Object.keys(problemsOf({ site: '', name: ' ', reason: '…', lasts: '9y' }))).toEqual([
    ...['site', 'name', 'reason', 'lasts'],
  ]);
  expect(problemsOf({ site: '<script>alert(1)</script>' })).toHaveProperty('site');
  expect(problemsOf({ site: `${'x.'.repeat(500_000)}com` })).toHaveProperty('site');
  expect(problemsOf({ name: 'x'.repeat(61) }).name).toContain('61 characters');
  expect(problemsOf({ reason: 'x'.repeat(301) }).reason).toContain('Use 300 at most');
  expect(problemsOf({ reason: '😀'.repeat(299).concat('x') })).toEqual({});
  expect(problemsOf({ reason: 'log in with password=hunter2' }).reason).toContain('password');
});

test('only allowed durations can be chosen, and two hours is the default unless that is too long', () => {
  const keys = (longest: number, forGood = false) => [...choicesWithin({ longest, forGood }).keys()];
  expect(keys(8 * hour)).toEqual(['30m', '2h', '8h']);
  expect(keys(90 * 24 * hour, true)).toEqual(['30m', '2h', '8h', '1d', '7d', 'always']);
  expect(usualChoice(choices)).toBe('2h');
  expect(usualChoice(choicesWithin({ longest: hour, forGood: true }))).toBe('30m');
  const short = choicesWithin({ longest: 10 * 60_000, forGood: false });
  expect([...short]).toEqual([['longest', { says: '10 min', lasts: 10 * 60_000 }]]);
  expect(usualChoice(short)).toBe('longest');
  expect(check({ ...filledIn, lasts: '8h' }, short)).toMatchObject({
    problems: { lasts: expect.any(String) },
  });
});

test('a wrapping address is read as its target, and an unreadable one needs a correction', () => {
  const wrapped = 'https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fwanted.example%2F';
  expect(check({ ...filledIn, site: wrapped }, choices)).toMatchObject({ form: { site: 'wanted.example' } });
  expect(problemsOf({ site: 'https://bit.ly/abc' }).site).toContain(
    'which hides the website that it leads to',
  );
  expect(problemsOf({ site: 'https://a.example/?to=https://b.example' }).site).toContain(
    'a.example or b.example',
  );
});

test('a public suffix is confirmed once', () => {
  expect(problemsOf({ site: 'github.io' }).site).toContain('every site that ends in .github.io');
  expect(check({ ...filledIn, site: 'github.io', suffix: 'github.io' }, choices)).toMatchObject({ ok: true });
  expect(check({ ...filledIn, site: 'me.github.io' }, choices)).toMatchObject({ ok: true });
});
