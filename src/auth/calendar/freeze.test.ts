import { expect, test } from 'vitest';
import type { Freeze } from '../policy.ts';
import type { RequestedCommand } from '../request.ts';
import { frozenAt } from './freeze.ts';
import { readWallTime, type WallTime } from './wall-time.ts';

const disable: RequestedCommand = {
  ...{
    name: 'acl object disable',
    area: 'acl',
    effect: 'write',
    open: false,
    selfService: false,
    named: false,
  },
  ...{ args: {}, appliance: { name: 'hq', tags: [] }, lasts: 'forGood' },
};
const at = (text: string) => Date.parse(`${text}Z`);
const wall = (text: string, atEnd = false): WallTime => readWallTime(text, atEnd) ?? { date: 0, minute: 0 };
const of = (freeze: Partial<Freeze>): Freeze => ({
  ...{ during: { from: wall('2026-12-20T18:00'), to: wall('2027-01-04', true) }, except: [] },
  ...freeze,
});

function until(
  freezes: Readonly<Record<string, Freeze>>,
  when: string,
  { subject = disable, held = ['operator'], timeZone = 'Europe/Berlin' } = {},
) {
  const found = frozenAt(subject, held, at(when), { freezes, timeZone });
  return (
    found &&
    `${[found.name, ...found.followedBy].join('+')} ${new Date(found.until).toISOString().slice(0, 16)}`
  );
}

test('a freeze holds from its first minute to the end of its last day, by the clock of the policy', () => {
  const freezes = { closing: of({}) };
  expect(until(freezes, '2026-12-20T16:59')).toBeUndefined();
  expect(until(freezes, '2026-12-20T17:00')).toBe('closing 2027-01-04T23:00');
  expect(until(freezes, '2027-01-04T22:59')).toBe('closing 2027-01-04T23:00');
  expect(until(freezes, '2027-01-04T23:00')).toBeUndefined();
});

test('a freeze blocks changes that its rules cover in part, but no exempt person, no read and never emergency mode', () => {
  const when = '2026-12-24T12:00';
  expect(until({ proxy: of({ commands: [{ area: 'proxy' }] }) }, when)).toBeUndefined();
  expect(until({ acl: of({ commands: [{ area: 'acl' }] }) }, when)).toBeDefined();
  expect(until({ all: of({ except: ['admin'] }) }, when, { held: ['admin'] })).toBeUndefined();
  for (const subject of [
    { ...disable, effect: 'read' as const },
    { ...disable, name: 'emergency enable', area: 'emergency' },
  ])
    expect(until({ all: of({}) }, when, { subject })).toBeUndefined();
});

test('consecutive freezes give the moment when the last one is over', () => {
  const freezes = {
    closing: of({}),
    mondays: of({ during: { hours: [{ days: [1], from: 0, to: 24 * 60 }] } }),
  };
  // 5 January 2027 is a Tuesday.
  expect(until(freezes, '2026-12-24T12:00')).toBe('closing+mondays 2027-01-05T23:00');
  expect(until(freezes, '2027-01-12T12:00')).toBe('mondays 2027-01-12T23:00');
});
