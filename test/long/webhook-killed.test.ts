import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startSimulatedAppliance } from '../../sandbox/appliance/index.ts';
import { startHarbour } from '../../sandbox/harbour.ts';
import { personIn } from '../../sandbox/person.ts';
import { type BotProcess, spawnBot } from '../../sandbox/process.ts';

test('a bot that is killed before a receiver has answered delivers again after its restart, with the same key, and goes on', async () => {
  const keys: string[] = [];
  const types: string[] = [];
  let isSilent = true;
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    keys.push(String(request.headers['webhook-id']));
    types.push(JSON.parse(Buffer.concat(pieces).toString()).type);
    if (!isSilent) response.writeHead(204, { connection: 'close' }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const folder = mkdtempSync(join(tmpdir(), 'webhook-'));
  const [appliance, workspace] = await Promise.all([startSimulatedAppliance(), startHarbour()]);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const config = join(folder, 'bot.yml');
  const file = {
    appliances: { hq: { url: appliance.url } },
    channels: { C0HELPDESK: { appliance: 'hq', roles: { operator: 'everyone' } } },
    webhook: { url, secret: '${HOOK}' },
  };
  writeFileSync(config, JSON.stringify(file));
  const start = (): Promise<BotProcess> =>
    spawnBot(
      {
        ...{ SLACK_BOT_TOKEN: workspace.botToken, SLACK_APP_TOKEN: workspace.appToken },
        ...{
          SLACK_API_URL: workspace.apiUrl,
          HOOK: `whsec_${Buffer.alloc(32, 'a').toString('base64')}`,
          LOG_LEVEL: 'error',
        },
        ...{ APPLIANCE_BOT_CONFIG: config, APPLIANCE_BOT_DATA: join(folder, 'data') },
      },
      workspace,
    );
  let bot = await start();
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await bot.kill();
    await workspace.stop();
    await appliance.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const alice = personIn(workspace, { idle: async () => undefined }, 'alice');
  await alice.type('helpdesk', '/appliance rdp policy disable Contractors --ticket CHG-7');
  await expect.poll(() => keys.length).toBe(1);
  await bot.kill();
  isSilent = false;
  bot = await start();
  await expect.poll(() => types).toEqual(['change.asked', 'change.asked', 'change.done']);
  expect(keys[1]).toBe(keys[0]);
  expect(keys[2]).not.toBe(keys[0]);
});
