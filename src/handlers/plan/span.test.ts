import { expect, test } from 'vitest';
import { eitherWay, readPastSpan } from './span.ts';

/** A Wednesday, 17:20 in Berlin. */
const now = Date.parse('2026-03-18T16:20:00Z');
const said = (text: string, at = now) => {
  const span = readPastSpan(text, at, 'Europe/Berlin');
  const local = (moment: number) => new Date(moment + 3_600_000).toISOString().slice(5, 16).replace('T', ' ');
  return span && `${local(span.from)} to ${local(span.to)}`;
};

test.each([
  ['14:00-15:00', '03-18 14:00 to 03-18 15:00'],
  ['from 14:00 to 15:00', '03-18 14:00 to 03-18 15:00'],
  ['between 14:00 and 15:00', '03-18 14:00 to 03-18 15:00'],
  ['14-15', '03-18 14:00 to 03-18 15:00'],
  ['2-3pm', '03-18 14:00 to 03-18 15:00'],
  ['2pm - 3pm', '03-18 14:00 to 03-18 15:00'],
  ['16:00-18:00', '03-18 16:00 to 03-18 17:20'],
  ['16:00 - now', '03-18 16:00 to 03-18 17:20'],
  // That has not begun today.
  ['18:00-19:00', '03-17 18:00 to 03-17 19:00'],
  ['22:00-02:00 yesterday', '03-17 22:00 to 03-18 02:00'],
  ['22:00 - 02:00 today', '03-17 22:00 to 03-18 02:00'],
  ['yesterday 14:00-15:00', '03-17 14:00 to 03-17 15:00'],
  ['14:00-15:00 yesterday', '03-17 14:00 to 03-17 15:00'],
  ['yesterday 14-15', '03-17 14:00 to 03-17 15:00'],
  ['yesterday from 14:00 to 15:00', '03-17 14:00 to 03-17 15:00'],
  ['yesterday 22:00 - today 02:00', '03-17 22:00 to 03-18 02:00'],
  ['mon 14:00-15:00', '03-16 14:00 to 03-16 15:00'],
  ['wednesday 14:00-15:00', '03-18 14:00 to 03-18 15:00'],
  ['today', '03-18 00:00 to 03-18 17:20'],
  ['yesterday', '03-17 00:00 to 03-18 00:00'],
  ['2026-03-10', '03-10 00:00 to 03-11 00:00'],
  ['2026-03-10 14:00-15:00', '03-10 14:00 to 03-10 15:00'],
  ['2026-03-10T22:00-2026-03-11T02:00', '03-10 22:00 to 03-11 02:00'],
  ['2026-03-10 22:00 to 2026-03-11 02:00', '03-10 22:00 to 03-11 02:00'],
  ['2026-03-10 - 2026-03-11', '03-10 00:00 to 03-12 00:00'],
  ['since 14:00', '03-18 14:00 to 03-18 17:20'],
  ['since yesterday', '03-17 00:00 to 03-18 17:20'],
  ['since yesterday 22:00', '03-17 22:00 to 03-18 17:20'],
  ['14:00', '03-18 14:00 to 03-18 17:20'],
  ['since 18:00', '03-17 18:00 to 03-18 17:20'],
  ['2h', '03-18 15:20 to 03-18 17:20'],
  ['last 2h', '03-18 15:20 to 03-18 17:20'],
  ['the last hour', '03-18 16:20 to 03-18 17:20'],
  ['last two hours', '03-18 15:20 to 03-18 17:20'],
  ['last night', '03-17 20:00 to 03-18 08:00'],
  ['this morning', '03-18 00:00 to 03-18 12:00'],
  ['this afternoon', '03-18 12:00 to 03-18 17:20'],
  ['yesterday evening', '03-17 18:00 to 03-18 00:00'],
  ['monday morning', '03-16 00:00 to 03-16 12:00'],
  ['16.3.', '03-16 00:00 to 03-17 00:00'],
  ['16.03.2026', '03-16 00:00 to 03-17 00:00'],
  ['16 mar', '03-16 00:00 to 03-17 00:00'],
  ['march 16th', '03-16 00:00 to 03-17 00:00'],
  ['16.3. 14:00-15:00', '03-16 14:00 to 03-16 15:00'],
  ['14:00-15:00 16.3.', '03-16 14:00 to 03-16 15:00'],
  ['16 mar 22:00 - 17 mar 02:00', '03-16 22:00 to 03-17 02:00'],
  ['16.3. - 17.3.', '03-16 00:00 to 03-18 00:00'],
  ['since 16.3.', '03-16 00:00 to 03-18 17:20'],
  ['since 16.3. 14:00', '03-16 14:00 to 03-18 17:20'],
  ['16.3.22:00-16.3.23:00', undefined],
])('%s is %s', (text, span) => {
  expect(said(text)).toBe(span);
});

test('a span that ends before it begins is read over midnight where a day says when, for one night; otherwise both are named that may be meant', () => {
  expect(said('22:00-02:00')).toBeUndefined();
  expect(eitherWay('22:00-02:00')).toEqual(['02:00-22:00', 'yesterday 22:00 - today 02:00']);
  for (const text of ['14:00-13:00', 'from 14:00 to 13:00']) {
    expect(said(text)).toBeUndefined();
    expect((eitherWay(text) ?? []).map((one) => said(one))).toEqual([
      '03-18 13:00 to 03-18 14:00',
      '03-17 14:00 to 03-18 13:00',
    ]);
  }
  for (const text of ['yesterday 14:00-13:00', '14:00-14:00', 'today 16:00 - yesterday 14:00'])
    expect([said(text), eitherWay(text)]).toEqual([undefined, undefined]);
});

test.each(['tomorrow', 'soon', '25:00-26:00', '14:00-', 'wednesday 14:00 - thursday 18:00', '', '14', 'bob'])(
  '%s is no span that has been',
  (text) => {
    expect(said(text)).toBeUndefined();
  },
);
