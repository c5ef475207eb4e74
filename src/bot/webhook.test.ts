import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startNames } from '../../test/names.ts';
import { plainText } from '../handlers/reply.ts';
import { createWebhook, type WebhookSettings } from './webhook.ts';

const settings = (url: string, key = 'a'): WebhookSettings => ({
  ...{ url, changes: 'all', keys: [Buffer.alloc(32, key)] },
});
const journal = () => ({ announced: { changes: 'none' as const } });

test('deliveries use the company’s proxy, unless their host is an exception', async () => {
  const asked: string[] = [];
  const proxy = createServer();
  proxy.on('connect', ({ url = '' }, socket) => {
    asked.push(url);
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => {
    proxy.close();
  });
  const address = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const { post } = createWebhook(
    undefined,
    { url: `http://${address}`, address, except: 'itsm.invalid' },
    journal(),
  );
  expect(await post('https://hooks.example.com/', {}, '{}')).toMatchObject({ kind: 'no_answer' });
  expect(await post('https://itsm.invalid/', {}, '{}')).toMatchObject({ kind: 'no_answer' });
  expect(asked).toEqual(['hooks.example.com:443']);
});

test('an unchanged file keeps the receiver, and one with another secret does not', () => {
  const webhook = createWebhook(settings('https://one.example/'), undefined, journal());
  const read = (next: WebhookSettings) => webhook.taking({ ok: true, webhook: next });
  const first = webhook.receiver();
  expect(read(settings('https://one.example/')).notices).toEqual([]);
  expect(webhook.receiver()).toBe(first);
  expect(read(settings('https://one.example/', 'b')).notices).toEqual([]);
  expect(webhook.receiver()).not.toBe(first);
  expect(read(settings('https://two.example/')).notices?.map(plainText)).toEqual([
    'Webhooks: https://two.example/ is told of all changes now; it was: https://one.example/ is told of all changes.',
  ]);
});

test('a receiver with a dead address beside a live one gets deliveries, and one with dead ones only has each named', async () => {
  const server = createServer((_, response) => response.end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  startNames({ 'hooks.example': ['2001:db8::1', '127.0.0.1'], 'gone.example': ['127.0.0.2', '127.0.0.3'] }, [
    '2001:db8::1',
  ]);
  const { post } = createWebhook(undefined, undefined, journal());
  expect(await post(`http://hooks.example:${port}/`, {}, '{}')).toMatchObject({
    kind: 'answered',
    status: 200,
  });
  expect(await post(`http://gone.example:${port}/`, {}, '{}')).toEqual({
    kind: 'no_answer',
    reason: `No connection to gone.example, port ${port}: 127.0.0.2 ECONNREFUSED, 127.0.0.3 ECONNREFUSED`,
  });
});
