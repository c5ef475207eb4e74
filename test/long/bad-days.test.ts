import { describe, expect, test } from 'vitest';
import { days, flows, live } from '../bad-days.ts';

describe.each(Object.keys(days))('on a day on which %s', (day) => {
  test.each(Object.entries(flows))('%s is told when it is over, once', async (_, flow) => {
    const { after, read } = await live(day, flow);
    expect(after, read()).toBe(1);
  });
});
