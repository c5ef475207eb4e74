import { expect, test } from 'vitest';
import type { Journal } from '../../journal/journal.ts';
import { createLog } from '../../telemetry/log.ts';
import { createAuditCheck } from './audit-check.ts';

/** A journal with so many records to be verified. */
function checked(left: number, news: Awaited<ReturnType<Journal['verifyNext']>>['news'] = undefined) {
  const pieces: number[] = [];
  const lines: string[] = [];
  const clock = { at: 0 };
  const state = { left, news, isStopping: false };
  const verifyNext = async (most: number) => {
    pieces.push(most);
    state.left -= most;
    const told = state.news;
    state.news = undefined;
    return { isMore: state.left > 0, news: told };
  };
  const log = createLog('info', { write: (line: string) => void lines.push(JSON.parse(line)) });
  const check = createAuditCheck({ journal: { verifyNext }, now: () => clock.at }, log);
  const look = async (after = 2_000) => {
    clock.at += after;
    await check(() => state.isStopping);
    return pieces.splice(0);
  };
  return { look, lines, state };
}

test('however many records there are, at one look some hundred are verified, a few at a time', async () => {
  const { look } = checked(1_000_000);
  for (let looks = 0; looks < 3; looks += 1) {
    const pieces = await look();
    expect(Math.max(...pieces)).toBeLessThanOrEqual(25);
    expect(pieces.reduce((sum, piece) => sum + piece, 0)).toBe(500);
  }
});

test('when all are verified, the journal is asked again ten seconds later, or when the clock was set back', async () => {
  const { look } = checked(30);
  expect(await look()).toHaveLength(2);
  expect(await look()).toEqual([]);
  expect(await look(7_000)).toEqual([]);
  expect(await look(1_000)).toHaveLength(1);
  expect(await look(-60_000)).toHaveLength(1);
});

test('a bot that is being stopped verifies nothing more', async () => {
  const { look, state } = checked(1_000);
  state.isStopping = true;
  expect(await look()).toEqual([]);
});

test('what is found is one line with the number of the record, and that it is over is one', async () => {
  const { look, lines, state } = checked(1_000, { seq: 7, says: 'Record 7 is gone.' });
  await look();
  expect(lines).toMatchObject([{ event: 'audit_broken', record: 7, reason: 'Record 7 is gone.' }]);
  state.news = 'intact';
  await look();
  expect(lines).toMatchObject([{}, { event: 'audit_intact' }]);
});
