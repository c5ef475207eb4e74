import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startSimulatedAppliance } from '../../sandbox/appliance/index.ts';
import { startHarbour } from '../../sandbox/harbour.ts';
import { machine } from '../../sandbox/machine.ts';
import { personIn } from '../../sandbox/person.ts';
import { program } from '../../sandbox/process.ts';
import { transcript } from '../../sandbox/workspace/transcript.ts';

/** The bot as `npm start` runs it, with a bug that a signal sets off: code that throws, or rejects, and nobody handles it. */
async function startFaulty(bug: string) {
  const folder = mkdtempSync(join(tmpdir(), 'appliance-bot-crash-'));
  const appliance = await startSimulatedAppliance();
  const workspace = await startHarbour();
  const config = join(folder, 'bot.yml');
  writeFileSync(
    config,
    `appliances: { hq: { url: "${appliance.url}" } }\nchannels: { C0HELPDESK: { appliance: hq, roles: { helpdesk: everyone } } }\n`,
  );
  const fault = join(folder, 'fault.mjs');
  writeFileSync(fault, `process.on('SIGUSR2', function faulty() { ${bug} });\n`);
  const start = () => {
    const child = spawn(process.execPath, ['--import', fault, program], {
      env: {
        ...machine(),
        SLACK_BOT_TOKEN: workspace.botToken,
        SLACK_APP_TOKEN: workspace.appToken,
        SLACK_API_URL: workspace.apiUrl,
        APPLIANCE_BOT_CONFIG: config,
        APPLIANCE_BOT_DATA: join(folder, 'data'),
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const written = { out: '', err: '' };
    child.stdout?.on('data', (text) => {
      written.out += text;
    });
    child.stderr?.on('data', (text) => {
      written.err += text;
    });
    const exited = once(child, 'close').then(([code, signal]) => code ?? signal);
    return { child, written, exited };
  };
  const first = start();
  const started = [first];
  onTestFinished(async () => {
    for (const { child, exited } of started) {
      child.kill('SIGKILL');
      await exited;
    }
    await workspace.stop();
    await appliance.close();
    rmSync(folder, { recursive: true, force: true });
  });
  await expect.poll(() => first.written.out).toContain('Appliance Bot is connected');
  return {
    ...first,
    appliance,
    again: () => started.push(start()),
    // The bot is another process, so the tests poll until it has answered.
    alice: personIn(workspace, { idle: async () => undefined }, 'alice'),
    read: () => transcript(workspace.snapshot('U0ALICE001'), 'helpdesk'),
  };
}

const fatal = (out: string) =>
  out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ level }) => level === 'fatal');

test.each([
  ['an exception', `throw new Error('A bug near xoxb-1-secret')`],
  ['a rejection', `Promise.reject(new Error('A bug near xoxb-1-secret'))`],
])(
  '%s without a handler is logged with its stack and without secrets, and ends the bot with 1',
  async (_, bug) => {
    const { child, exited, written } = await startFaulty(bug);
    child.kill('SIGUSR2');
    expect(await exited).toBe(1);
    expect(fatal(written.out)).toEqual([
      expect.objectContaining({
        msg: 'Unhandled error: the bot is stopping',
        err: expect.objectContaining({
          type: 'Error',
          message: 'A bug near [secret]',
          stack: expect.stringMatching(/^Error: A bug near \[secret\]\n\s+at .*faulty .*fault\.mjs:1/),
        }),
      }),
    ]);
    expect(written.err).toBe('');
  },
);

test('an action that was running at an unhandled error is read back by the next start, and not sent again', async () => {
  const { child, exited, appliance, alice, read, again } = await startFaulty(`throw new Error('A bug')`);
  await alice.type('helpdesk', '/appliance rdp disconnect 12');
  await expect.poll(read).toContain('[Disconnect]');
  appliance.faults.set('POST /rdpproxy/sessions/{id}/disconnect', { kind: 'slow', ms: 3_000 });
  await alice.press('helpdesk', 'Disconnect');
  const orders = () => appliance.requests.filter(({ method }) => method === 'POST');
  await expect.poll(orders).toHaveLength(1);
  child.kill('SIGUSR2');
  expect(await exited).toBe(1);
  again();
  await expect.poll(read).toContain('✅ Session 12 of bob.miller on srv-files-01 disconnected');
  expect(orders()).toHaveLength(1);
});
