import { describe, expect, test } from 'vitest';
import type { Consent, Need } from '../base/consent.ts';
import {
  callingOnce,
  createTally,
  excessOf,
  hour,
  limits,
  type OpenRequest,
  requestExcess,
} from './limits.ts';

const now = 1_000_000_000;

describe('what one person has under way', () => {
  test('is limited at a time', () => {
    expect(excessOf('lookup', { underWay: 9, begun: [] })).toBeUndefined();
    expect(excessOf('lookup', { underWay: 10, begun: [] })).toEqual({
      kind: 'lookup',
      most: 10,
      again: undefined,
    });
  });

  test('is limited within a minute, and there is room again a minute after the first of them', () => {
    const begun = Array.from({ length: 60 }, (_, index) => now + index);
    expect(excessOf('lookup', { underWay: 0, begun })).toEqual({
      kind: 'lookup',
      most: 60,
      again: now + 60_000,
    });
    expect(excessOf('lookup', { underWay: 0, begun: begun.slice(1) })).toBeUndefined();
  });

  test('leaves room for other kinds and for other people', () => {
    const { begin } = createTally(() => now);
    const begun = Array.from({ length: limits.lookup.underWay }, () => begin('alice', 'lookup'));
    expect(begun.every((one) => 'end' in one)).toBe(true);
    expect(begin('alice', 'lookup')).toMatchObject({ most: 10 });
    expect(begin('alice', 'change')).toHaveProperty('end');
    expect(begin('bob', 'lookup')).toHaveProperty('end');
  });

  test('is over when it has ended, once', () => {
    const { begin } = createTally(() => now);
    const [first] = Array.from({ length: 10 }, () => begin('alice', 'lookup'));
    if (first === undefined || !('end' in first)) throw new Error('There was no room');
    first.end();
    first.end();
    expect(begin('alice', 'lookup')).toHaveProperty('end');
    expect(begin('alice', 'lookup')).not.toHaveProperty('end');
  });

  test('is forgotten of people who have nothing any more, and not of others', () => {
    let at = now;
    const { begin } = createTally(() => at);
    for (let number = 0; number < 10; number += 1) begin('alice', 'lookup');
    for (let number = 0; number < 3_000; number += 1) {
      at += 100;
      const one = begin(`person ${number}`, 'lookup');
      if ('end' in one) one.end();
    }
    expect(begin('alice', 'lookup')).not.toHaveProperty('end');
  });
});

const need = (delegates: boolean, ...holders: readonly string[]): Need => ({
  by: ['operator'],
  count: 1,
  delegates,
  holders,
});
const consent = (...needs: readonly Need[]): Consent => ({
  needs,
  requester: false,
  open: hour,
  reason: null,
  unattended: false,
});
const lent = consent(need(true, 'S1', 'U2'));
const own = consent(need(false, 'S1', 'U2'));
const request = (of: Consent, more: Partial<OpenRequest> = {}): OpenRequest => ({
  ...{ channel: 'C1', consent: of, isOpen: false, isGranted: false, createdAt: now - 1_000 },
  ...more,
});
const by = (of: Consent) => ({ consent: of, channel: 'C1', unattended: false });
const times = (count: number, one: OpenRequest): OpenRequest[] => Array.from({ length: count }, () => one);

describe('requests', () => {
  test('stand open in small numbers, more of them for those who do their own work', () => {
    expect(requestExcess(by(lent), times(2, request(lent, { isOpen: true })), now)).toBeUndefined();
    expect(requestExcess(by(lent), times(3, request(lent, { isOpen: true })), now)).toEqual({
      kind: 'open',
      most: 3,
    });
    expect(requestExcess(by(own), times(3, request(own, { isOpen: true })), now)).toBeUndefined();
    expect(requestExcess(by(own), times(10, request(own, { isOpen: true })), now)).toEqual({
      kind: 'open',
      most: 10,
    });
  });

  test('of workflows, which all are asked in one name, are counted by channel', () => {
    const step = { consent: lent, channel: 'C1', unattended: true };
    const open = times(25, request(lent, { isOpen: true }));
    expect(requestExcess(step, open.slice(1), now)).toBeUndefined();
    expect(requestExcess(step, open, now)).toEqual({ kind: 'open', most: 25, ofWorkflowsIn: 'C1' });
    expect(requestExcess({ ...step, channel: 'C2' }, open, now)).toBeUndefined();
    expect(requestExcess(step, times(100, request(lent)), now)).toMatchObject({ kind: 'asked', most: 100 });
  });

  test('that were withdrawn, denied or not answered count for an hour', () => {
    const before = [5, 4, 3, 2, 1].map((minutes) => request(lent, { createdAt: now - minutes * 60_000 }));
    const again = now - 5 * 60_000 + hour;
    expect(requestExcess(by(lent), before, now)).toEqual({ kind: 'asked', most: 5, again });
    expect(requestExcess(by(lent), before, again)).toBeUndefined();
  });

  test('that were granted do not count', () => {
    expect(requestExcess(by(lent), times(30, request(lent, { isGranted: true })), now)).toBeUndefined();
  });

  test('of somebody without the role call the same people once while one stands open', () => {
    const called = ({ needs }: Consent) => needs.flatMap(({ holders }) => holders);
    expect(called(callingOnce(lent, []))).toEqual(['S1', 'U2']);
    expect(called(callingOnce(lent, [request(lent, { isOpen: true })]))).toEqual([]);
    expect(called(callingOnce(lent, [request(lent)]))).toEqual(['S1', 'U2']);
    const other = consent(need(true, 'U2', 'S3'));
    expect(called(callingOnce(other, [request(lent, { isOpen: true })]))).toEqual(['S3']);
    expect(called(callingOnce(own, [request(own, { isOpen: true })]))).toEqual(['S1', 'U2']);
  });
});
