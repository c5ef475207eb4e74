import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { Environment } from '../src/config/secret.ts';
import { createLog } from '../src/log.ts';
import { type Bot, start, type World } from '../src/main.ts';
import { type SimulatedAppliance, startSimulatedAppliance } from './appliance/index.ts';
import { startWorkspace, type Workspace, type WorkspaceOptions } from './workspace/server.ts';

/** The bot with everything it works with, on this machine only. */
export interface Sandbox {
  readonly workspace: Workspace;
  /** Undefined when a real appliance takes its place. */
  readonly appliance: SimulatedAppliance | undefined;
  /** The bot as it runs now. */
  readonly bot: Bot;
  /** The bot's data folder. */
  readonly data: string;
  /** Stops the bot, does something while it is down, and starts it again with the same journal. */
  readonly restart: (meanwhile?: () => Promise<void>) => Promise<void>;
  readonly stop: () => Promise<void>;
}

export interface SandboxOptions {
  readonly workspace?: WorkspaceOptions;
  /** The address of a real appliance, to be used instead of the simulated one. */
  readonly appliance?: string | undefined;
  /** Its Web API key, where it asks for one. */
  readonly key?: string | undefined;
  readonly world?: World;
  /** Seconds, as in the policy file; for tests with an appliance that does not answer. */
  readonly timeouts?: Readonly<Record<string, number>>;
  /** Environment for the bot beyond what the sandbox sets. */
  readonly environment?: Environment;
}

const simulatedKey = 'sandbox-web-api-key';

/**
 * Starts the simulated appliance, the workspace, and the bot connected to both: `start` with an environment and
 * a policy file, exactly as `npm start` does it. Leaves nothing behind when it is stopped.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const folder = mkdtempSync(join(tmpdir(), 'appliance-bot-'));
  const appliance =
    options.appliance === undefined ? await startSimulatedAppliance({ key: simulatedKey }) : undefined;
  const workspace = await startWorkspace({ ...options.workspace, ...(appliance && { appliance }) });
  const stopWorld = async () => {
    await workspace.stop();
    await appliance?.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  const key = appliance === undefined ? options.key : simulatedKey;
  const config = join(folder, 'appliance-bot.yml');
  const addresses = appliance === undefined ? { url: options.appliance ?? '' } : addressesOf(appliance);
  writeFileSync(config, policyFile(addresses, key !== undefined, options.timeouts));
  const data = join(folder, 'data');
  const environment = { LOG_LEVEL: 'warn', ...options.environment };
  // Standard output is for the conversation.
  const log = createLog(environment.LOG_LEVEL, process.stderr);
  const startBot = () =>
    start(
      {
        SLACK_BOT_TOKEN: workspace.botToken,
        SLACK_APP_TOKEN: workspace.appToken,
        SLACK_SIGNING_SECRET: workspace.signingSecret,
        SLACK_API_URL: workspace.apiUrl,
        APPLIANCE_BOT_CONFIG: config,
        APPLIANCE_BOT_DATA: data,
        APPLIANCE_KEY: key,
        ...environment,
      },
      { log, ...options.world },
    );
  let bot: Bot;
  try {
    bot = await startBot();
  } catch (error) {
    await stopWorld();
    throw error;
  }
  return {
    workspace,
    appliance,
    data,
    get bot() {
      return bot;
    },
    restart: async (meanwhile) => {
      await bot.stop();
      await meanwhile?.();
      bot = await startBot();
    },
    stop: async () => {
      await bot.stop();
      await stopWorld();
    },
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

/** Two channels are in the policy, #random is not; roles are held by user groups, and everyone may look things up. */
function policyFile(
  addresses: Readonly<Record<string, string>>,
  hasKey: boolean,
  timeouts: SandboxOptions['timeouts'],
): string {
  const roles = {
    viewer: 'everyone',
    helpdesk: ['S0HELPDESK'],
    operator: ['S0OPERATOR'],
    approver: ['S0APPROVER'],
    admin: ['S0ADMINS01'],
  };
  return stringify({
    appliances: {
      hq: { ...addresses, ...(hasKey ? { key: '${APPLIANCE_KEY}' } : {}), ...(timeouts ? { timeouts } : {}) },
    },
    channels: {
      C0HELPDESK: { name: 'helpdesk', appliance: 'hq', roles },
      C0INCIDENT: { name: 'incident', appliance: 'hq', roles },
    },
  });
}
