import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { hostile, poison } from '../hostile.ts';
import { steadyNow } from '../steady-clock.ts';
import { attributesOf, collector } from '../telemetry/collector.ts';
import { seriesOf } from '../telemetry/exposition.ts';
import { type Watched, watched } from '../telemetry/watched.ts';

const late = { timeout: 15_000, interval: 50 };

/** As the file of the audit has it. */
async function recordOf(bot: Watched, action: string): Promise<unknown> {
  await bot.bot.idle();
  const database = new DatabaseSync(join(bot.data, 'journal.sqlite'), { readOnly: true });
  const row = database
    .prepare('select record_json from audit where action = ? order by seq desc')
    .get(action);
  database.close();
  return JSON.parse(String(row?.record_json ?? 'null'));
}

/** The trace ID of an action, as in its audit record. */
const traceOf = (action: string) => createHash('sha256').update(`trace ${action}`).digest('hex').slice(0, 32);

const traced = (url: string, more: Readonly<Record<string, string>> = {}): Promise<Watched> =>
  watched({ environment: { OTEL_EXPORTER_OTLP_ENDPOINT: url, ...more } });

test('each action is a trace, with the waits for people and each request, under the ID in its audit record', async () => {
  const { url, spans, wrong, requests, resources } = await collector();
  const bot = await traced(url, {
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20hush-4711,x-tenant=a',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
  });
  await bot.type('/appliance emergency enable --for 30m --reason "directory down"', 'bob');
  await bot.press('Approve', 'carol');
  await expect.poll(() => spans.filter(({ name }) => name === 'emergency enable'), late).toHaveLength(1);
  const [action] = await bot.bot.journal.recent(1);
  const root = spans.find(({ name }) => name === 'emergency enable');
  expect(root).toMatchObject({ traceId: traceOf(action?.id ?? ''), kind: 1, status: { code: 1 } });
  expect(root?.parentSpanId).toBeUndefined();
  expect(root && attributesOf(root)).toMatchObject({
    'appliance_bot.action': action?.id,
    'appliance_bot.effect': 'destructive',
    'appliance_bot.outcome': 'done',
  });
  const below = spans.filter(({ traceId, spanId }) => traceId === root?.traceId && spanId !== root?.spanId);
  expect(below.every(({ parentSpanId }) => parentSpanId === root?.spanId)).toBe(true);
  expect(below.filter(({ name }) => name === 'waiting for approval')).toHaveLength(1);
  const asked = below.filter(({ kind }) => kind === 3);
  expect(asked.length).toBeGreaterThan(1);
  expect(asked.map((one) => attributesOf(one)['appliance_bot.appliance'])).toContain('hq');
  expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
  expect(wrong).toEqual([]);
  expect(requests[0]).toMatchObject({
    url: '/v1/traces',
    headers: { authorization: 'Bearer hush-4711', 'x-tenant': 'a' },
  });
  expect(resources[0]).toMatchObject({
    ...{ 'service.name': 'appliance-bot', 'service.version': packageJson.version },
    ...{ 'service.instance.id': bot.bot.journal.replica, 'deployment.environment.name': 'test' },
  });
  // The same ID in the record and in the log, and the collector's key in neither.
  const line = bot.linesOf('command_over').find((one) => one.action === action?.id);
  expect(line?.trace).toBe(root?.traceId);
  const requestLines = bot.linesOf('appliance_request').filter(({ trace }) => trace === root?.traceId);
  expect(requestLines.every(({ actions }) => (actions as string[]).includes(action?.id ?? ''))).toBe(true);
  expect(requestLines.length).toBeGreaterThanOrEqual(asked.length);
  expect(await recordOf(bot, action?.id ?? '')).toMatchObject({ trace: root?.traceId });
  expect(JSON.stringify(bot.lines)).not.toContain('hush-4711');
  expect(await bot.metricsText()).not.toContain('hush-4711');
});

test('a trace names an error by its standard attributes: for the request, and for the whole', async () => {
  const { url, spans, wrong } = await collector();
  const bot = await traced(url);
  const error = 'Your IP address [203.0.113.9] is not allowed to perform this operation';
  bot.appliance.faults.set('GET /rdpproxy/sessions', { kind: 'refuse', error, key: 'info' });
  await bot.type('/appliance rdp sessions');
  await expect.poll(() => spans.filter(({ name }) => name === 'rdp sessions'), late).toHaveLength(1);
  const failed = ['rdp sessions', 'rdp.listSessions'].map((name) => spans.find((one) => one.name === name));
  expect(failed).toMatchObject([
    { kind: 1, status: { code: 2, message: 'not_served' } },
    { kind: 3, status: { code: 2, message: 'not_served' } },
  ]);
  const [whole, request] = failed.map((one) => one && attributesOf(one));
  expect(whole).toMatchObject({ 'error.type': 'not_served', 'appliance_bot.outcome': 'failed' });
  expect(request).toMatchObject({
    ...{ 'error.type': 'not_served', 'http.response.status_code': '200', 'http.request.method': 'GET' },
  });
  expect(wrong).toEqual([]);
});

test('no trace shows the requester, the place, or the typed line', async () => {
  const { url, spans, wrong } = await collector();
  const bot = await traced(url);
  poison(bot.appliance.state, hostile);
  for (const line of [
    'categorize secret-site.example.net',
    'rdp disconnect 12',
    'frobnicate <@U0ALICE001>',
    'rdp sessions',
  ])
    await bot.type(`/appliance ${line}`);
  await expect
    .poll(() => spans.filter(({ parentSpanId }) => parentSpanId === undefined).length, late)
    .toBeGreaterThan(2);
  const all = JSON.stringify(spans);
  for (const one of [
    'secret-site',
    'U0ALICE001',
    'C0HELPDESK',
    'alice',
    'bob.miller',
    'frobnicate',
    'evil.example',
  ])
    expect(all).not.toContain(one);
  expect(wrong).toEqual([]);
});

describe('no answer waits for a collector that', () => {
  test('is away: it is logged once, spans wait, and are sent later', async () => {
    const { url, spans, how } = await collector();
    how.answer = (response) => response.writeHead(503, { 'retry-after': '1' }).end('no');
    const bot = await traced(url);
    await bot.type('/appliance categorize example.com');
    await expect.poll(() => bot.linesOf('traces_not_taken'), late).toMatchObject([{ why: 'HTTP 503' }]);
    await bot.type('/appliance categorize example.org');
    how.answer = undefined;
    await expect
      .poll(() => spans.filter(({ name, parentSpanId }) => name === 'categorize' && !parentSpanId), late)
      .toHaveLength(2);
    expect(bot.linesOf('traces_taken')).toHaveLength(1);
    expect(bot.linesOf('traces_not_taken')).toHaveLength(1);
    expect(bot.linesOf('traces_lost')).toEqual([]);
  });

  test('refuses for good: the refused spans count as lost, and the next are tried', async () => {
    const { url, requests, how } = await collector();
    how.answer = (response) => response.writeHead(400).end('x'.repeat(1_000_000));
    const bot = await traced(url);
    await bot.type('/appliance categorize example.com');
    await expect.poll(() => bot.linesOf('traces_not_taken'), late).toMatchObject([{ why: 'HTTP 400' }]);
    how.answer = undefined;
    const before = requests.length;
    await bot.type('/appliance categorize example.org');
    await expect.poll(() => requests.length, late).toBeGreaterThan(before);
    await expect.poll(() => bot.linesOf('traces_lost'), late).toHaveLength(1);
    expect(seriesOf(await bot.metrics(), 'appliance_bot_spans_lost_total')).toBeGreaterThan(0);
  });

  test('redirects: the key goes nowhere else', async () => {
    const other = await collector();
    const { url, how, requests } = await collector();
    how.answer = (response) => response.writeHead(307, { location: `${other.url}/v1/traces` }).end();
    const bot = await traced(url, { OTEL_EXPORTER_OTLP_HEADERS: 'authorization=hush-4711' });
    await bot.type('/appliance categorize example.com');
    await expect.poll(() => requests.length, late).toBeGreaterThan(0);
    await sleep(200);
    expect(other.requests).toEqual([]);
  });

  test('says nothing: answers are as quick, and the bot stops within its second for it', async () => {
    const { url, how, requests } = await collector();
    how.answer = () => undefined;
    const bot = await traced(url);
    await bot.type('/appliance categorize example.com');
    await expect.poll(() => requests.length, late).toBe(1);
    const began = steadyNow();
    expect(await bot.type('/appliance categorize example.org')).toContain('example.org');
    await bot.stopBot(0);
    expect(steadyNow() - began).toBeLessThan(6_000);
  });

  test('sends without end: it is cut off, and the next spans are sent', async () => {
    const { url, how, requests } = await collector();
    how.answer = (response) => {
      response.writeHead(200);
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(16_384))) {}
      };
      response.on('drain', more);
      more();
    };
    const bot = await traced(url);
    await bot.type('/appliance categorize example.com');
    await expect.poll(() => requests.length, late).toBe(1);
    await bot.type('/appliance categorize example.org');
    await expect.poll(() => requests.length, late).toBe(2);
  });
});

test('the last spans are sent before the process ends', async () => {
  const { url, spans } = await collector();
  const bot = await traced(url);
  await bot.type('/appliance categorize example.com');
  await bot.stopBot(0);
  expect(spans.some(({ name }) => name === 'categorize')).toBe(true);
});

test('without an address nothing is sent, and no record has a trace', async () => {
  const bot = await watched();
  await bot.type('/appliance categorize example.com');
  await bot.pass(0);
  const [action] = await bot.bot.journal.recent(1);
  expect(JSON.stringify(bot.linesOf('command_over'))).not.toContain('trace');
  expect(await recordOf(bot, action?.id ?? '')).not.toHaveProperty('trace');
});
