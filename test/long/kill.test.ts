import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startSimulatedAppliance } from '../../sandbox/appliance/index.ts';
import { startHarbour } from '../../sandbox/harbour.ts';
import { personIn } from '../../sandbox/person.ts';
import { type BotProcess, spawnBot } from '../../sandbox/process.ts';
import { transcript } from '../../sandbox/workspace/transcript.ts';
import { startIdle } from '../kills/before-order/stopped.ts';
import { openGate } from '../kills/gate.ts';

/** The bot as `npm start` runs it, in a process that can be killed. */
async function startProcess() {
  /** Told of every message that Slack has taken, before it says so. True: the bot never hears of it. */
  const heard = { posted: () => false };
  const folder = mkdtempSync(join(tmpdir(), 'appliance-bot-kill-'));
  const appliance = await startSimulatedAppliance();
  const workspace = await startHarbour();
  const gate = await openGate(
    workspace.url,
    (path, when) => path === '/api/chat.postMessage' && when === 'after' && heard.posted(),
  );
  const config = join(folder, 'bot.yml');
  writeFileSync(
    config,
    `appliances: { hq: { url: "${appliance.url}" } }\nchannels: { C0HELPDESK: { appliance: hq, roles: { helpdesk: everyone } } }\n`,
  );
  const environment = {
    SLACK_BOT_TOKEN: workspace.botToken,
    SLACK_APP_TOKEN: workspace.appToken,
    SLACK_API_URL: `${gate.url}/api/`,
    APPLIANCE_BOT_CONFIG: config,
    APPLIANCE_BOT_DATA: join(folder, 'data'),
    LOG_LEVEL: 'error',
  };
  let bot: BotProcess | undefined;
  const start = async () => {
    bot = await spawnBot(environment, workspace);
  };
  /** The same, when it has done all that a start brings. */
  const startWhole = async () => {
    bot = await startIdle(environment, workspace);
  };
  const kill = async () => bot?.kill();
  onTestFinished(async () => {
    await kill();
    await gate.stop();
    await workspace.stop();
    await appliance.close();
    rmSync(folder, { recursive: true, force: true });
  });
  await start();
  // The bot is another process, so the tests poll until it has answered.
  const alice = personIn(workspace, { idle: async () => undefined }, 'alice');
  const read = () => transcript(workspace.snapshot('U0ALICE001'), 'helpdesk');
  return { appliance, alice, read, heard, start, startWhole, kill };
}

test('a bot that is killed while the appliance works checks the effect afterwards, and does not send it again', async () => {
  const { appliance, alice, read, start, kill } = await startProcess();
  await alice.type('helpdesk', '/appliance rdp disconnect 12');
  await expect.poll(read).toContain('[Disconnect]');
  appliance.faults.set('POST /rdpproxy/sessions/{id}/disconnect', { kind: 'slow', ms: 1_500 });
  await alice.press('helpdesk', 'Disconnect');
  const orders = () => appliance.requests.filter(({ method }) => method === 'POST');
  await expect.poll(orders).toHaveLength(1);
  await kill();
  await expect.poll(() => appliance.state.rdp.sessions.has(12)).toBe(false);
  await start();
  await expect.poll(read).toContain('✅ Session 12 of bob.miller on srv-files-01 disconnected');
  const told = 'The bot was stopped while this was in progress. A check showed that it did happen.';
  await expect.poll(read).toContain(told);
  expect(orders()).toHaveLength(1);
});

test('a bot that is killed during its read-back still knows the appliance’s answer', async () => {
  const { appliance, alice, read, start, kill } = await startProcess();
  await alice.type('helpdesk', '/appliance rdp disconnect 12');
  await expect.poll(read).toContain('[Disconnect]');
  appliance.faults.set('POST /rdpproxy/sessions/{id}/disconnect', { kind: 'slow', ms: 1_000 });
  await alice.press('helpdesk', 'Disconnect');
  const orders = () => appliance.requests.filter(({ method }) => method === 'POST');
  const questions = () => appliance.requests.filter(({ path }) => path === '/rdpproxy/sessions');
  await expect.poll(orders).toHaveLength(1);
  const before = questions().length;
  appliance.faults.set('GET /rdpproxy/sessions', { kind: 'hang' });
  await expect.poll(() => questions().length).toBe(before + 1);
  // A new line is recorded after the earlier answer: its acknowledgement proves both.
  await alice.type('helpdesk', '/appliance whoami');
  await kill();
  appliance.faults.clear();
  await start();
  await expect.poll(read).toContain('✅ Session 12 of bob.miller on srv-files-01 disconnected');
  await expect.poll(read).toContain('Verified. Sessions read back');
  expect(read()).not.toContain('The bot was stopped while this was in progress');
  expect(orders()).toHaveLength(1);
});

test('a bot that is killed when Slack has taken its message, and has not said so, looks for it and says it once', async () => {
  const { alice, read, heard, startWhole, kill } = await startProcess();
  const killed = Promise.withResolvers<void>();
  heard.posted = () => {
    kill().then(killed.resolve, killed.reject);
    return true;
  };
  await alice.type('helpdesk', '/appliance rdp disconnect 12');
  await killed.promise;
  heard.posted = () => false;
  await startWhole();
  expect(read().split('/appliance rdp disconnect 12').length - 1).toBe(1);
  await alice.press('helpdesk', 'Disconnect');
  await expect.poll(read).toContain('✅ Session 12 of bob.miller on srv-files-01 disconnected');
});
