import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { Environment } from '../src/config/secret.ts';
import { type Bot, start } from '../src/start.ts';
import { createLog } from '../src/telemetry/log.ts';
import type { World } from '../src/world.ts';
import { shellPassword } from './appliance/company/directory.ts';
import { consoleLogin } from './appliance/generations/guarded.ts';
import type { GenerationName } from './appliance/generations/names.ts';
import { type SimulatedAppliance, startSimulatedAppliance } from './appliance/index.ts';
import { type BlockPageEnvironment, openBlockPage } from './behind-proxy.ts';
import { startBranches } from './branch.ts';
import { startHarbour } from './harbour.ts';
import { type BotProcess, spawnBot } from './process.ts';
import type { RealAppliance } from './real-appliance.ts';
import { steered } from './steered.ts';
import type { Workspace, WorkspaceOptions } from './workspace/workspace.ts';

/** The bot with everything it works with, on this machine only. */
export interface Sandbox {
  readonly workspace: Workspace;
  /** Undefined when a real appliance takes its place. */
  readonly appliance: SimulatedAppliance | undefined;
  /** The simulated appliances beside it, by name: `branch-2` and so on. None unless they are asked for. */
  readonly branches: ReadonlyMap<string, SimulatedAppliance>;
  /** How somebody browses behind the simulated appliance; undefined unless it is asked for. */
  readonly behindProxy: BlockPageEnvironment | undefined;
  /** The bot as it runs now; the first of them, where there are several. */
  readonly bot: Bot;
  /** All of them by number, also those that were stopped. */
  readonly bots: readonly Bot[];
  /** The first bot's data folder. */
  readonly data: string;
  /** Stops the first bot, does something while it is down, and starts it again with the same journal. */
  readonly restart: (meanwhile?: () => Promise<void>) => Promise<void>;
  /** Stops one of them. */
  readonly stopBot: (number: number) => Promise<void>;
  /** Starts one that was stopped, in its own data folder. */
  readonly startBot: (number: number) => Promise<void>;
  /**
   * Starts one more in a process of its own, in the data folder of this number: one that can be killed, and started again. `program`: another
   * entry than the built bot.
   */
  readonly spawnBot: (
    number: number,
    given?: { readonly program: string; readonly environment: Environment },
  ) => Promise<BotProcess>;
  /** The socket of this bot, for `prefer`, `disconnect` and `drop`: its first; it gets another when it reconnects. */
  readonly connectionOf: (number: number) => string;
  readonly stop: () => Promise<void>;
}

export interface SandboxOptions {
  readonly workspace?: WorkspaceOptions;
  /** A real appliance, to be used instead of the simulated one. */
  readonly appliance?: RealAppliance | undefined;
  /** Its Web API key, where it asks for one. */
  readonly key?: string | undefined;
  /** The generation of the simulated appliances; by default the documented one. */
  readonly generation?: GenerationName;
  /** The number of simulated branches; 0 by default. Each is another server, and takes some milliseconds. */
  readonly branches?: number;
  /**
   * The number of bots on the same workspace, appliances and policy file; 1 by default. Each has its own data folder, so
   * they share only the database of DATABASE_URL in `environment`.
   */
  readonly replicas?: number;
  readonly world?: World;
  /** Different worlds for some of the replicas, by their numbers. */
  readonly worlds?: readonly World[];
  /** Settings of each appliance in the policy file beyond its addresses and secrets. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Seconds, as in the policy file; for tests with an appliance that does not answer. */
  readonly timeouts?: Readonly<Record<string, number>>;
  /** Settings of the policy file beside the appliances; `channels` takes the place of the sandbox's own. */
  readonly policy?: Readonly<Record<string, unknown>>;
  /** A journal file for the bots' data folders; by default they make their own. */
  readonly journal?: Uint8Array;
  /** Whether the simulated appliance has a block page with a link to the bot. */
  readonly blockPage?: boolean;
  /** Environment for the bot beyond what the sandbox sets. */
  readonly environment?: Environment;
}

export const simulatedKey = 'sandbox-web-api-key';

/**
 * Starts the simulated appliance, the workspace, and the bot with both. The bot starts with an environment and a policy
 * file, as with `npm start`. Leaves nothing behind when it is stopped.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const folder = mkdtempSync(join(tmpdir(), 'appliance-bot-'));
  const { now } = options.world ?? {};
  // An appliance and the bot go by the same clock, also when a test turns it.
  const { generation = 'document' } = options;
  const simulated = { key: simulatedKey, generation, ...(now && { clock: () => new Date(now()) }) };
  const [appliance, branches] = await Promise.all([
    options.appliance === undefined ? startSimulatedAppliance(simulated) : undefined,
    startBranches(options.branches ?? 0, simulated),
  ]);
  const stopAppliances = async () => {
    await Promise.all([appliance, ...branches.values()].map((one) => one?.close()));
    rmSync(folder, { recursive: true, force: true });
  };
  let workspace: Workspace;
  try {
    workspace = await startHarbour({
      ...options.workspace,
      ...(appliance && { beside: steered(appliance) }),
    });
  } catch (error) {
    // The port is taken, and open appliances would keep the process from ending.
    await stopAppliances();
    throw error;
  }
  const behindProxy =
    options.blockPage && appliance ? await openBlockPage(appliance, options.replicas ?? 1) : undefined;
  const stopWorld = async () => {
    await workspace.stop();
    await behindProxy?.stop();
    await stopAppliances();
  };
  const key = appliance === undefined ? options.key : simulatedKey;
  const config = join(folder, 'appliance-bot.yml');
  const timeouts = options.timeouts && { timeouts: options.timeouts };
  const shell = { shell_password: '${SHELL_PASSWORD}' };
  // A guarded one wants its key on every call, and a login.
  const guarded = generation === 'field-strict' && {
    key_everywhere: true,
    mirror_console_user: consoleLogin.username,
    mirror_console_password: '${CONSOLE_PASSWORD}',
  };
  const hq = {
    ...(appliance === undefined ? options.appliance : addressesOf(appliance)),
    ...(key !== undefined && { key: '${APPLIANCE_KEY}' }),
    ...(appliance !== undefined && { ...shell, ...guarded }),
    ...timeouts,
    ...options.settings,
    tags: ['prod', 'europe'],
  };
  const others = [...branches].map(([name, branch]) => [
    name,
    {
      ...addressesOf(branch),
      key: '${BRANCH_KEY}',
      ...shell,
      ...guarded,
      ...timeouts,
      ...options.settings,
      tags: ['branch', 'europe'],
    },
  ]);
  writeFileSync(config, policyFile({ hq, ...Object.fromEntries(others) }, options.policy));
  const dataOf = (number: number) => join(folder, number === 0 ? 'data' : `data-${number + 1}`);
  if (options.journal !== undefined) {
    for (let number = 0; number < (options.replicas ?? 1); number += 1) {
      mkdirSync(dataOf(number), { mode: 0o700 });
      writeFileSync(join(dataOf(number), 'journal.sqlite'), options.journal);
    }
  }
  const environment = { LOG_LEVEL: 'warn', ...options.environment };
  // Standard output is for the conversation.
  const log = createLog(environment.LOG_LEVEL, process.stderr);
  const bots: Bot[] = [];
  const connections: string[] = [];
  const environmentOf = (number: number): Environment => ({
    SLACK_BOT_TOKEN: workspace.botToken,
    SLACK_APP_TOKEN: workspace.appToken,
    SLACK_SIGNING_SECRET: workspace.signingSecret,
    SLACK_API_URL: workspace.apiUrl,
    APPLIANCE_BOT_CONFIG: config,
    APPLIANCE_BOT_DATA: dataOf(number),
    APPLIANCE_KEY: key,
    BRANCH_KEY: simulatedKey,
    SHELL_PASSWORD: shellPassword,
    CONSOLE_PASSWORD: consoleLogin.password,
    ...behindProxy?.environmentOf(number),
    ...environment,
  });
  const startBot = async (number: number) => {
    const before = workspace.sockets.ids;
    bots[number] = await start(environmentOf(number), { log, ...options.world, ...options.worlds?.[number] });
    connections[number] = workspace.sockets.ids.find((id) => !before.includes(id)) ?? '';
    living.add(number);
  };
  const living = new Set<number>();
  const stopBot = async (number: number) => {
    if (living.delete(number)) await bots[number]?.stop();
  };
  const processes: BotProcess[] = [];
  const stop = async () => {
    await Promise.all([...[...living].map(stopBot), ...processes.map((one) => one.kill())]);
    await stopWorld();
  };
  try {
    // One after the other, so that it is known whose connection is whose.
    for (let number = 0; number < (options.replicas ?? 1); number += 1) await startBot(number);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    workspace,
    appliance,
    branches,
    behindProxy,
    data: dataOf(0),
    bots,
    get bot() {
      return bots[0] as Bot;
    },
    restart: async (meanwhile) => {
      await stopBot(0);
      await meanwhile?.();
      await startBot(0);
    },
    stopBot,
    startBot,
    spawnBot: async (number, given) => {
      const spawned = await spawnBot(
        { ...environmentOf(number), ...given?.environment },
        workspace,
        given?.program,
      );
      processes.push(spawned);
      return spawned;
    },
    connectionOf: (number) => connections[number] ?? '',
    stop,
  };
}

/** Each service has an address of its own, as it may have in the field. */
function addressesOf({ urls }: SimulatedAppliance): Readonly<Record<string, string>> {
  return {
    url: urls.web,
    directory_url: urls.directory,
    mirror_url: urls.mirror,
    mirror_console_url: urls.mirrorConsole,
  };
}

/** The holders of each role in the channels of the sandbox. */
export const sandboxRoles = {
  viewer: 'everyone',
  helpdesk: ['S0HELPDESK'],
  operator: ['S0OPERATOR'],
  approver: ['S0APPROVER'],
  admin: ['S0ADMINS01'],
} as const;

/** Anybody may ask for a site, in whatever channel; the helpdesk decides. */
const selfService = {
  channel: 'C0HELPDESK',
  allow_category: 207,
  not: ['malware', 'phishing'],
  for_good: true,
};

/** Windows in the bot's own zone, for `--window`. */
const windows = { night: ['22:00-05:00'], weekend: ['Sat,Sun'] };

/**
 * Two channels are in the policy, #random is not. They work on the headquarters unless a branch is named. Roles are held
 * by user groups, and everyone may look things up.
 */
function policyFile(
  appliances: Readonly<Record<string, unknown>>,
  settings: SandboxOptions['policy'] = {},
): string {
  const served = { appliance: 'hq', appliances: 'all', roles: sandboxRoles };
  const file = {
    appliances,
    windows,
    // Sites are asked for where the channels are the sandbox's own.
    ...(settings.channels === undefined && { self_service: selfService }),
    channels: { C0HELPDESK: { name: 'helpdesk', ...served }, C0INCIDENT: { name: 'incident', ...served } },
    ...settings,
  };
  // References would make a policy file of a thousand channels unreadable.
  return stringify(file, { aliasDuplicateObjects: false });
}
