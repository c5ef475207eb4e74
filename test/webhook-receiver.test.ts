import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { machine } from '../sandbox/machine.ts';
import { sandboxRoles } from '../sandbox/sandbox.ts';
import { converse } from './conversation.ts';

const secret = `whsec_${Buffer.alloc(32, 'a').toString('base64')}`;

function folderForTest(): string {
  const folder = mkdtempSync(join(tmpdir(), 'webhook-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The example as somebody runs it, and the changes that it has kept. */
async function startExample(file: string) {
  const child: ChildProcess = spawn(process.execPath, ['examples/webhook-receiver/receiver.js', file], {
    env: { ...machine(), WEBHOOK_SECRET: secret, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const end = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill();
    await once(child, 'exit');
  };
  onTestFinished(end);
  const [said] = await once(child.stdout ?? child, 'data');
  const port = /\d+/.exec(String(said))?.[0];
  const kept = () =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  return { url: `http://127.0.0.1:${port}/`, kept, end };
}

const sign = (id: string, at: number, body: string, key = secret): Record<string, string> => {
  const timestamp = String(Math.floor(at / 1_000));
  const made = createHmac('sha256', Buffer.from(key.slice(6), 'base64')).update(`${id}.${timestamp}.${body}`);
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${made.digest('base64')}`,
  };
};

test('the example accepts a bot’s deliveries, each once, and nothing forged, old or changed', async () => {
  const file = join(folderForTest(), 'changes.jsonl');
  const first = await startExample(file);
  const roles = { ...sandboxRoles, helpdesk: [], operator: ['U0ALICE001'] };
  const { type, pass, bot } = await converse({
    environment: { HOOK: secret },
    policy: {
      channels: { C0HELPDESK: { name: 'helpdesk', appliance: 'hq', roles } },
      webhook: { url: first.url, secret: '${HOOK}' },
    },
  });
  await type('/appliance category add shop.example.net to 252 --ticket CHG-7');
  await pass(0);
  await expect.poll(() => bot.journal.pendingWebhooks()).toEqual([]);
  expect(first.kept().map(({ type, data }) => [type, data.ticket])).toEqual([
    ['change.asked', 'CHG-7'],
    ['change.done', 'CHG-7'],
  ]);
  const [{ id, received: _, ...told }] = first.kept();
  await first.end();
  // Also after it was restarted.
  const second = await startExample(file);
  const body = JSON.stringify(told);
  const post = async (headers: Record<string, string>, text = body) =>
    (await fetch(second.url, { method: 'POST', headers, body: text })).status;
  const now = Date.now();
  expect(await post(sign(id, now, body))).toBe(204);
  expect(second.kept()).toHaveLength(2);
  expect(await post(sign('another', now - 6 * 60_000, body))).toBe(401);
  expect(await post(sign('another', now + 6 * 60_000, body))).toBe(401);
  expect(await post(sign('another', now, body, `whsec_${Buffer.alloc(32, 'x').toString('base64')}`))).toBe(
    401,
  );
  expect(await post(sign('another', now, body), body.replace('CHG-7', 'CHG-8'))).toBe(401);
  expect(await post({ ...sign('another', now, body), 'webhook-id': 'a third' })).toBe(401);
  expect(await post({})).toBe(401);
  expect(await post(sign('another', now, body), 'x'.repeat(300_000))).toBe(413);
  expect(second.kept()).toHaveLength(2);
  expect(await post(sign('another', now, body))).toBe(204);
  expect(second.kept()).toHaveLength(3);
});
