import { expect, test } from 'vitest';
import { policyOf, subjectOf } from '../../test/policy.ts';
import { processorTime } from '../../test/processor-time.ts';
import type { TicketRule } from './policy.ts';
import { ticketAddress, ticketIn, ticketNeedFor } from './ticket.ts';

const link = 'https://itsm.example.com/change/{ticket}?view=all';
const tickets = { pattern: '^CHG-[0-9]+$', link, required: [] };

test.each([
  ['CHG-7', 'CHG-7'],
  ['chg-7', 'CHG-7'],
  ['https://itsm.example.com/change/CHG-7?view=all', 'CHG-7'],
  ['itsm.example.com/change/CHG%2D7?view=all', 'CHG-7'],
  ['https://elsewhere.example/change/CHG-7?view=all', undefined],
  ['https://itsm.example.com/change/%E0%A4%A?view=all', undefined],
  ['xCHG-7', undefined],
  ['CHG-7x', undefined],
  ['INC-7', undefined],
])('%s is taken for %s', (given, meant) => {
  expect(ticketIn(given, tickets)).toBe(meant);
});

test('a ticket without a pattern may have any name, but no address that the link would not have made', () => {
  expect(ticketIn('ops/network#12', undefined)).toBe('ops/network#12');
  expect(ticketIn('https://itsm.example.com/CHG-7', undefined)).toBeUndefined();
  expect(ticketAddress('ops/network#12', tickets)).toBe(
    'https://itsm.example.com/change/ops%2Fnetwork%2312?view=all',
  );
  expect(ticketAddress('CHG-7', { required: [] })).toBeUndefined();
});

test('a pattern that takes other engines for ever answers at once', () => {
  const read = () =>
    expect(ticketIn(`${'a'.repeat(60)}!`, { pattern: '^(a+)+$', required: [] })).toBeUndefined();
  expect(processorTime(read)).toBeLessThan(1_000);
});

const add = subjectOf({ name: 'category add', area: 'category', effect: 'write' });
const rule = (more: Partial<TicketRule>): TicketRule => ({
  commands: [{ effect: 'write' }],
  except: [],
  ...more,
});
const need = (subject: typeof add, ...required: TicketRule[]) =>
  ticketNeedFor(subject, 'C1', policyOf({}, { tickets: { required } }));

test('a change needs a ticket by its command, channel and appliance; the answer may stay open until these are known', () => {
  const of252 = rule({ commands: [{ phrase: 'category add', where: { category: [252] } }] });
  const here = { ...add, args: { category: 252 } };
  const there = { ...add, args: { category: 257 } };
  expect(need(add)).toBe('no');
  expect(need(add, rule({}))).toBe('yes');
  expect(need({ ...add, effect: 'read' }, rule({ commands: [{ effect: 'read' }] }))).toBe('no');
  expect(need(add, rule({ channels: ['C2'] }))).toBe('no');
  expect([need(add, of252), need(here, of252), need(there, of252)]).toEqual(['perhaps', 'yes', 'no']);
  expect(need({ ...add, args: { category: [252, 257] } }, of252)).toBe('yes');
});

test('an exception counts only if all of a change is excepted', () => {
  const except = rule({ except: [{ phrase: 'category add', where: { category: [252] } }] });
  expect(need({ ...add, args: { category: 252 } }, except)).toBe('no');
  expect(need({ ...add, args: { category: [252, 257] } }, except)).toBe('yes');
  expect(need(add, except)).toBe('perhaps');
});
