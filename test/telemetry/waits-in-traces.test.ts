import { expect, test } from 'vitest';
import { collector } from './collector.ts';
import { type Watched, watched } from './watched.ts';

const minute = 60_000;

const emergency = '/appliance emergency enable --for 30m --reason "directory down"';

async function deny({ press, person }: Watched): Promise<void> {
  await press('Deny…', 'carol');
  await person('carol').fill({ Reason: 'no' });
  await person('carol').submit();
}

test.each<
  readonly [string, string, (bot: Watched) => Promise<unknown>, span: string, minutes: number, of: string]
>([
  [
    'whoever asked confirms it',
    '/appliance rdp disconnect 12',
    async (bot) => {
      await bot.pass(2 * minute);
      await bot.press('Disconnect', 'bob');
    },
    ...(['waiting for confirmation', 2, 'rdp disconnect'] as const),
  ],
  [
    'somebody else approves it',
    emergency,
    async (bot) => {
      await bot.pass(3 * minute);
      await bot.press('Approve', 'carol');
    },
    ...(['waiting for approval', 3, 'emergency enable'] as const),
  ],
  [
    'somebody else denies it',
    emergency,
    async (bot) => {
      await bot.pass(4 * minute);
      await deny(bot);
    },
    ...(['waiting for approval', 4, 'emergency enable'] as const),
  ],
  [
    'nobody answers',
    emergency,
    (bot) => bot.pass(25 * 60 * minute),
    ...(['waiting until it expired', 60, 'emergency enable'] as const),
  ],
])('a trace shows as a span how long its action waited until %s', async (_, line, end, name, minutes, of) => {
  const { url, spans, wrong } = await collector();
  const bot = await watched({ environment: { OTEL_EXPORTER_OTLP_ENDPOINT: url } });
  await bot.type(line, 'bob');
  await end(bot);
  await bot.pass(0);
  const waits = () => spans.filter((span) => span.name.startsWith('waiting'));
  await expect.poll(waits, { timeout: 15_000 }).toHaveLength(1);
  const whole = spans.find(({ spanId }) => spanId === waits()[0]?.parentSpanId);
  expect(whole?.name).toBe(of);
  expect(waits()).toMatchObject([{ name, traceId: whole?.traceId, kind: 1 }]);
  const [from = 0n, to = 0n] = waits().flatMap((span) => [
    BigInt(span.startTimeUnixNano),
    BigInt(span.endTimeUnixNano),
  ]);
  expect(Number(to - from) / 1e6).toBeGreaterThanOrEqual(minutes * minute);
  expect(from >= BigInt(whole?.startTimeUnixNano ?? 0)).toBe(true);
  expect(to <= BigInt(whole?.endTimeUnixNano ?? 0)).toBe(true);
  expect(wrong).toEqual([]);
});
