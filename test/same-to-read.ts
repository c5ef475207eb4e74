import { expect } from 'vitest';
import { commands } from '../src/handlers/registry.ts';
import { converse } from './conversation.ts';

/** A Friday at noon, which all others are held against. */
export const usual = '2026-11-20T12:00:00Z';

const lines = commands.flatMap(({ kind, example }) => (kind === 'lookup' ? [example] : []));
const days = [
  /\d{4}-\d\d-\d\d/,
  /(?:\w{3}, )?\d{1,2}(?: [A-Z][a-z]{2})?(?: ?– ?\d{1,2})? [A-Z][a-z]{2}(?: \d{4})?\b/,
  /today|yesterday|tomorrow/,
];

/** Columns are as wide as their days. The clock goes on by what the bot waits for, and by nothing else. */
const readAt = async (moment: string) => {
  let now = Date.parse(moment);
  const sleep = async (milliseconds: number) => {
    now += milliseconds;
  };
  const { person, read } = await converse({ branches: 1, world: { now: () => now, sleep } });
  for (const line of lines) await person('dana').type('helpdesk', `/appliance ${line}`);
  return read('dana')
    .replaceAll(new RegExp(days.map(({ source }) => source).join('|'), 'g'), '[day]')
    .replaceAll(/\d\d:\d\d(?::\d\d)?/g, '[time]')
    .replaceAll(/(?:less than a minute |(?:[0-9.]+ (?:s|min|h|days?) )+)ago/g, '[ago]')
    .replaceAll(/[ ─]+/g, ' ')
    .split('\n');
};

/** Asserts that people who look everything up read the same at both moments. */
export async function expectSameToRead(moment: string, other: string): Promise<void> {
  const expected = await readAt(moment);
  expect(expected).toEqual(
    expect.arrayContaining([' 30 recorded sessions', ' 786 syncs of 6 repositories, 93.5 GB in total']),
  );
  expect(await readAt(other)).toEqual(expected);
}
