import { describe, expect, test } from 'vitest';
import { days, flows, live } from './bad-days.ts';

/** Each day once and each flow once; more pairs of them are in the long tests. */
const some = Object.keys(flows).map((flow, index) => [Object.keys(days)[index % 12] ?? '', flow] as const);

describe('on a bad day of Slack', () => {
  test.each(some)('%s: %s is reported when it is over, once', async (day, name) => {
    const flow = flows[name];
    if (flow === undefined) throw new Error(name);
    const { count, times, read } = await live(day, flow);
    expect(count, read()).toBeGreaterThan(0);
    expect(count, read()).toBeLessThanOrEqual(times);
  });
});
