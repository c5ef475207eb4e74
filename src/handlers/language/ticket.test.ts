import { expect, test } from 'vitest';
import { match } from '../registry.ts';
import { cleanLine } from './line.ts';

const ticketIn = (line: string) => {
  const found = match(line);
  return found.kind === 'command' ? { ticket: found.ticket, typed: found.typed } : found.kind;
};

const { typed } = ticketIn('category add a.example to 252') as { typed: unknown };

test.each([
  'category add a.example to 252 --ticket CHG-1',
  'category add --ticket=CHG-1 a.example to 252',
  'category add a.example to 252 --for 2h --ticket CHG-1',
  'category add a.example to 252 ticket CHG-1',
  'category add a.example to 252 for ticket CHG-1 --for 2h',
  'category add a.example to 252 (ticket: CHG-1)',
  'category add a.example to 252 --for 2h ticket CHG-1',
  'category add a.example to 252 ticket CHG-1 for 2 hours',
])('a ticket is named by its option wherever it stands, or in words behind the values: %s', (line) => {
  expect(ticketIn(line)).toEqual({ ticket: 'CHG-1', typed });
});

test.each(['vlan stop 3', 'emergency disable'])(
  'a line names a ticket in words if nothing else follows the name of a command: %s',
  (line) => {
    const { kind } = match(line);
    for (const said of ['ticket CHG-1', 'for ticket CHG-1'])
      expect(match(`${line} ${said}`)).toMatchObject({ kind, ticket: 'CHG-1' });
  },
);

test.each([
  '--reason "customer" ticket CHG-1',
  '--reason "customer" for ticket CHG-1',
  '--reason “customer”, ticket CHG-1',
  "--reason 'customer' (ticket CHG-1)",
  '--reason=customer ticket: CHG-1',
  '--reason "customer" ticket CHG-1 for 2h',
  '--for 2h --reason "customer" ticket CHG-1',
  '--reason "customer" --for 2h ticket CHG-1',
  'for 2h --reason "customer" ticket CHG-1 --on hq',
])('a ticket behind a reason in quotes is no word of that reason: %s', (behind) => {
  const found = match(cleanLine(`category add a.example to 252 ${behind}`));
  expect(found).toMatchObject({ kind: 'command', ticket: 'CHG-1', reason: 'customer', typed });
  expect('term' in found).toBe(behind.includes('2h'));
});

test('words that mean something else than a ticket stay unchanged', () => {
  expect(ticketIn('category add a.example to 252 --reason see ticket CHG-1')).toEqual({
    ticket: undefined,
    typed,
  });
  expect(ticketIn('category create "ticket 4711"')).toMatchObject({ ticket: undefined });
  expect(ticketIn('status ticket CHG-1')).toBe('unknown');
});
