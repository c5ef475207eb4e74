import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { type SimulatedAppliance, startSimulatedAppliance } from '../sandbox/appliance/index.ts';
import { startHarbour } from '../sandbox/harbour.ts';
import { machine } from '../sandbox/machine.ts';
import { program } from '../sandbox/process.ts';
import type { Workspace, WorkspaceOptions } from '../sandbox/workspace/workspace.ts';
import type { Environment } from '../src/config/secret.ts';

/** A bot in a process of its own, with its log. */
interface OwnProcess {
  readonly child: ChildProcess;
  /** Its standard output, line by line, and its standard error. */
  readonly logged: readonly string[];
  /** Resolves to its exit code, or the signal that it died of. */
  readonly exited: Promise<unknown>;
}

interface OwnProcesses {
  readonly appliance: SimulatedAppliance;
  readonly workspace: Workspace;
  /** The data folder. */
  readonly data: string;
  /** The environment that it starts in. */
  readonly settings: Environment;
  /** Starts the bot, another time in the same folder; resolves when it is connected, or is over. */
  readonly start: (environment?: Environment) => Promise<OwnProcess>;
}

/** `limit`: a line for the shell before it becomes the bot, such as `ulimit -n 64`. */
export async function inOwnProcess({
  limit = ':',
  workspace: ofWorkspace,
  channels = ['C0HELPDESK'],
}: {
  readonly limit?: string;
  readonly workspace?: WorkspaceOptions;
  readonly channels?: readonly string[];
} = {}): Promise<OwnProcesses> {
  const folder = mkdtempSync(join(tmpdir(), 'appliance-bot-process-'));
  const [appliance, workspace] = await Promise.all([startSimulatedAppliance(), startHarbour(ofWorkspace)]);
  const config = join(folder, 'bot.yml');
  const roles = { helpdesk: 'everyone' };
  const policy = {
    appliances: { hq: { url: appliance.url } },
    channels: Object.fromEntries(channels.map((id) => [id, { appliance: 'hq', roles }])),
    holders: { admin: ['U0DANA0001'] },
  };
  writeFileSync(config, stringify(policy, { aliasDuplicateObjects: false }));
  const data = join(folder, 'data');
  const started: OwnProcess[] = [];
  onTestFinished(async () => {
    for (const { child, exited } of started) {
      child.kill('SIGKILL');
      await exited;
    }
    await workspace.stop();
    await appliance.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const settings = {
    ...machine(),
    SLACK_BOT_TOKEN: workspace.botToken,
    SLACK_APP_TOKEN: workspace.appToken,
    SLACK_API_URL: workspace.apiUrl,
    APPLIANCE_BOT_CONFIG: config,
    APPLIANCE_BOT_DATA: data,
  };
  return {
    ...{ appliance, workspace, data, settings },
    start: async (environment) => {
      const child = spawn('/bin/sh', ['-c', `${limit}; exec "$0" "$1"`, process.execPath, program], {
        env: { ...settings, ...environment },
        // By the channel it knows that it belongs to us, and ends when we are gone.
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      });
      const logged: string[] = [];
      const connected = Promise.withResolvers<void>();
      const write = (text: Buffer) => {
        logged.push(...String(text).trimEnd().split('\n'));
        if (String(text).includes('Appliance Bot is connected')) connected.resolve();
      };
      child.stdout?.on('data', write);
      child.stderr?.on('data', write);
      const exited = once(child, 'close').then(([code, signal]) => code ?? signal);
      const one = { child, logged, exited };
      started.push(one);
      await Promise.race([connected.promise, exited]);
      return one;
    },
  };
}
