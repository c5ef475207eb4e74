import { expect, test } from 'vitest';
import { createLog } from '../log.ts';
import { createTraceSender } from './sender.ts';
import type { TraceSpan } from './trace.ts';

const span = (number: number): TraceSpan => ({
  ...{ traceId: 'a'.repeat(32), spanId: number.toString(16).padStart(16, '0'), name: 'status', kind: 1 },
  ...{ startTimeUnixNano: '1', endTimeUnixNano: '2', attributes: [] },
});

test('while the collector is unreachable the newest 5,000 spans are kept, others are counted as lost, and the newest are sent at the end', async () => {
  const sent: string[] = [];
  const settings = { url: 'http://127.0.0.1:9/v1/traces', headers: {}, timeout: 1_000, resource: {} };
  const sender = createTraceSender(settings, {
    ...{ version: '1', replica: () => 'one', log: createLog('silent') },
    fetch: async (_, init) => {
      sent.push(String(init?.body));
      throw new Error('away');
    },
  });
  for (let number = 1; number <= 12_000; number += 1) sender.add([span(number)]);
  expect(sender.lost()).toBe(7_000);
  await sender.stop(100);
  const [last] = sent.map((body) => JSON.parse(body).resourceSpans[0].scopeSpans[0].spans);
  expect(last).toHaveLength(500);
  expect(last.at(-1)).toEqual(span(12_000));
  // Later spans are not kept.
  sender.add([span(12_001)]);
  expect(sender.lost()).toBe(7_000);
});
