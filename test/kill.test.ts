import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startSimulatedAppliance } from '../sandbox/appliance/index.ts';
import { personIn } from '../sandbox/person.ts';
import { type BotProcess, spawnBot } from '../sandbox/process.ts';
import { startWorkspace } from '../sandbox/workspace/server.ts';
import { transcript } from '../sandbox/workspace/transcript.ts';
import { violationsOf } from './kills/ends.ts';
import { kinds } from './kills/kinds.ts';
import { type Boundary, tellReally } from './kills/real.ts';

/** The bot as `npm start` runs it, in a process that can be killed. */
async function startProcess() {
  const folder = mkdtempSync(join(tmpdir(), 'appliance-bot-kill-'));
  const appliance = await startSimulatedAppliance();
  const workspace = await startWorkspace();
  const config = join(folder, 'bot.yml');
  writeFileSync(
    config,
    `appliances: { hq: { url: "${appliance.url}" } }\nchannels: { C0HELPDESK: { appliance: hq, roles: { helpdesk: everyone } } }\n`,
  );
  const environment = {
    SLACK_BOT_TOKEN: workspace.botToken,
    SLACK_APP_TOKEN: workspace.appToken,
    SLACK_API_URL: workspace.apiUrl,
    APPLIANCE_BOT_CONFIG: config,
    APPLIANCE_BOT_DATA: join(folder, 'data'),
    LOG_LEVEL: 'error',
  };
  let bot: BotProcess | undefined;
  const start = async () => {
    bot = await spawnBot(environment, workspace);
  };
  const kill = async () => bot?.kill();
  onTestFinished(async () => {
    await kill();
    await workspace.stop();
    await appliance.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  await start();
  // It is another process, so nobody here knows when it has nothing more to say: the tests look until it has.
  const alice = personIn(workspace, { idle: async () => undefined }, 'alice');
  const read = () => transcript(workspace.snapshot('U0ALICE001'), 'helpdesk');
  return { appliance, workspace, alice, read, start, kill };
}

test('killed while the appliance works, the bot looks afterwards whether it happened, and does not send it again', async () => {
  const { appliance, alice, read, start, kill } = await startProcess();
  await alice.type('helpdesk', '/appliance rdp disconnect 12');
  await expect.poll(read).toContain('[Disconnect]');
  appliance.faults.set('POST /rdpproxy/sessions/{id}/disconnect', { kind: 'slow', ms: 1_500 });
  await alice.press('helpdesk', 'Disconnect');
  const orders = () => appliance.requests.filter(({ method }) => method === 'POST');
  await expect.poll(orders).toHaveLength(1);
  await kill();
  await expect.poll(() => appliance.state.rdp.sessions.has(12), { timeout: 5_000 }).toBe(false);
  await start();
  await expect.poll(read, { timeout: 10_000 }).toContain('✅ Session 12 is disconnected');
  const told = 'I was stopped while this was under way. So I looked, and it did happen.';
  await expect.poll(read, { timeout: 5_000 }).toContain(told);
  expect(orders()).toHaveLength(1);
});

test('killed at the moment of its acknowledgement, the bot answers or says that it did not look at it', async () => {
  const { workspace, alice, read, start, kill } = await startProcess();
  const killed = new Promise<void>((resolve) => {
    const stop = workspace.onChange(({ type }) => {
      if (type !== 'ack') return;
      stop();
      void kill().then(resolve);
    });
  });
  await alice.type('helpdesk', '/appliance categorize example.com');
  await killed;
  await start();
  await expect.poll(read, { timeout: 10_000 }).toMatch(/I was stopped|example\.com is in 1 category/);
});

// `npm run kills` does it at every boundary of every kind.
test.each<[string, string, Boundary]>([
  ['lookup', 'before its answer is posted', { at: 'slack', number: 1, when: 'before' }],
  [
    'confirmed',
    'when its order is carried out and not answered',
    { at: 'appliance', number: 4, when: 'after' },
  ],
  ['change with a password from a form', 'when its form was taken', { at: 'journal', number: 8 }],
])('killed in “%s”, %s, the bot brings it to its end', { timeout: 60_000 }, async (what, _, boundary) => {
  const kind = kinds.find(({ name }) => name === what);
  if (kind === undefined) throw new Error(`There is no kind ${what}`);
  const { verdict, isKilled } = await tellReally(kind, boundary);
  expect(isKilled).toBe(true);
  expect(violationsOf(verdict)).toEqual([]);
});
