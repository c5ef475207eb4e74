import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { plainText } from '../handlers/reply.ts';
import { createWebhook, type WebhookSettings } from './webhook.ts';

const settings = (url: string, key = 'a'): WebhookSettings => ({
  ...{ url, changes: 'all', keys: [Buffer.alloc(32, key)] },
});
const journal = () => ({ announced: { changes: 'none' as const } });

test('others are told through the company’s proxy, unless their host is an exception', async () => {
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

test('a file that says the same again names no other receiver, and one with another secret does', () => {
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
