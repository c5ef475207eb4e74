import { expect, test } from 'vitest';
import { isScarce, openFilesLimit, socketsWithin } from './open-files.ts';

/**
 * The most open files: three kinds of calls to Slack, the appliances, and requests over HTTP and from block
 * pages.
 */
const together = (limit: number, inlet: 'socket' | 'http', hasBlockPage: boolean) => {
  const { toSlack, toAppliances, fromSlack, fromBrowsers } = socketsWithin(limit, inlet, hasBlockPage);
  return 3 * toSlack + (toAppliances ?? 0) + (inlet === 'http' ? fromSlack : 0) + fromBrowsers;
};

test.each([
  [64, 'socket'],
  [64, 'http'],
  [256, 'http'],
  [1_024, 'socket'],
  [1_024, 'http'],
] as const)(
  'a limit of %d files over %s leaves some for the journal, the log and Node itself',
  (limit, inlet) => {
    expect(together(limit, inlet, false)).toBeLessThanOrEqual(limit - 36);
    expect(together(limit, inlet, true)).toBeLessThanOrEqual(limit - 36);
    expect(socketsWithin(limit, inlet).toSlack).toBeGreaterThan(0);
  },
);

test('a high limit of files delays nothing', () => {
  expect(socketsWithin(Number.POSITIVE_INFINITY, 'http')).toEqual({
    toSlack: 100,
    toAppliances: undefined,
    fromSlack: 500,
    fromBrowsers: 0,
  });
  expect(socketsWithin(Number.POSITIVE_INFINITY, 'http', true)).toMatchObject({
    fromSlack: 500,
    fromBrowsers: 200,
  });
  expect(socketsWithin(4_096, 'socket')).toMatchObject({ toSlack: 100, toAppliances: undefined });
});

test('with next to nothing, one thing runs at a time', () => {
  expect(socketsWithin(10, 'http')).toEqual({ toSlack: 1, toAppliances: 4, fromSlack: 4, fromBrowsers: 0 });
});

test('the system reports its limit', () => {
  expect(openFilesLimit()).toBeGreaterThan(100);
  expect([isScarce(64), isScarce(1_024)]).toEqual([true, false]);
});
