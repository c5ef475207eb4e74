import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { staff, startHarbour } from '../sandbox/harbour.ts';
import { machine } from '../sandbox/machine.ts';
import { program } from '../sandbox/process.ts';
import type { Workspace } from '../sandbox/workspace/workspace.ts';

/** The bot; or a bare Bolt app that acknowledges and does nothing else, or that also makes the bot's calls. */
export type Kind = 'bot' | 'bare_acknowledges' | 'bare_answers';

export interface ContestantOptions {
  readonly kind: Kind;
  readonly applianceUrl: string;
  /** How many channels there are; all of them are in the bot's policy. */
  readonly channels: number;
  /** The bot's data folder, to find it again at the next start; an empty one when absent. */
  readonly data?: string;
  /** Switches of Node's own, such as `--expose-gc`. */
  readonly nodeFlags?: readonly string[];
  /** Settings of the policy file beside its channels, and the appliances besides `hq`: all of them are the same one. */
  readonly policy?: Readonly<Record<string, unknown>>;
  readonly appliances?: readonly string[];
  /** Settings beside those of every contestant. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** One of the two that are compared, alone in a process of its own, connected to a workspace of its own. */
export interface Contestant {
  readonly kind: Kind;
  readonly workspace: Workspace;
  /** From the call that starts the process until the workspace sees its socket, in milliseconds. */
  readonly connectedAfter: number;
  /** The error of its process, if it has ended or complained; for messages to people. */
  readonly complaint: () => string;
  /** Asks the program that `nodeFlags` may have loaded beside the contestant, and resolves to its answer. */
  readonly ask: (question: string) => Promise<unknown>;
  readonly stop: () => Promise<void>;
}

/** Longer than any start takes, in milliseconds. */
const timeout = 20_000;
const bareBolt = fileURLToPath(new URL('bare-bolt.js', import.meta.url));

/** One typist for each channel: the bot limits the commands of one person. */
export const typist = (index: number): string => `U0BENCH${String(index).padStart(4, '0')}`;

export const channelId = (index: number): string => `C0BENCH${String(index).padStart(4, '0')}`;

/** Starts a workspace and the contestant's process. @throws when it does not connect */
export async function startContestant(options: ContestantOptions): Promise<Contestant> {
  const { kind, applianceUrl } = options;
  const channels = Array.from({ length: options.channels }, (_, index) => ({
    id: channelId(index),
    name: `bench-${index}`,
    topic: '',
  }));
  const workspace = await startHarbour({
    channels,
    people: [...staff, ...channels.map((_, index) => ({ id: typist(index), name: `typist-${index}` }))],
  });
  const folder = mkdtempSync(join(tmpdir(), 'appliance-bot-bench-'));
  const config = join(folder, 'appliance-bot.yml');
  writeFileSync(config, policyFile(options, channels));
  const connected = new Promise<number>((resolve) => {
    workspace.onChange(({ type, at }) => type === 'connected' && resolve(at));
  });

  const startedAt = performance.now();
  const child = spawn(process.execPath, [...(options.nodeFlags ?? []), kind === 'bot' ? program : bareBolt], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: {
      ...machine(),
      SLACK_BOT_TOKEN: workspace.botToken,
      SLACK_APP_TOKEN: workspace.appToken,
      SLACK_API_URL: workspace.apiUrl,
      APPLIANCE_BOT_CONFIG: config,
      APPLIANCE_BOT_DATA: options.data ?? join(folder, 'data'),
      APPLIANCE_URL: applianceUrl,
      BARE_BOLT: kind === 'bare_answers' ? 'answers' : 'acknowledges',
      ...options.environment,
    },
  });
  let complaint = '';
  child.stderr?.on('data', (text) => {
    complaint = `${complaint}${text}`.slice(-4_000);
  });
  const stop = async () => {
    await end(child);
    await workspace.stop();
    rmSync(folder, { recursive: true, force: true });
  };

  const connectedAt = await Promise.race([connected, ended(child), passed(timeout)]);
  if (connectedAt === undefined) {
    await stop();
    throw new Error(`${kind} did not connect.\n${complaint}`);
  }
  return {
    kind,
    workspace,
    connectedAfter: connectedAt - startedAt,
    complaint: () => complaint,
    ask: async (question) => {
      const answered = once(child, 'message', { signal: AbortSignal.timeout(timeout) });
      child.send(question);
      const [answer]: unknown[] = await answered;
      return answer;
    },
    stop,
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill();
  await ended;
}

const ended = (child: ChildProcess): Promise<undefined> => once(child, 'exit').then(() => undefined);

const passed = (milliseconds: number) =>
  new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), milliseconds).unref());

/** The policy a team would write: every role held by a user group, and everyone may look things up. */
function policyFile(
  { applianceUrl: url, appliances = ['hq'], policy = {} }: ContestantOptions,
  channels: readonly { readonly id: string; readonly name: string }[],
): string {
  const roles = {
    viewer: 'everyone',
    helpdesk: ['S0HELPDESK'],
    operator: ['S0OPERATOR'],
    approver: ['S0APPROVER'],
    admin: ['S0ADMINS01'],
  };
  return stringify(
    {
      appliances: Object.fromEntries(appliances.map((name) => [name, { url }])),
      channels: Object.fromEntries(
        channels.map(({ id, name }) => [id, { name, appliance: 'hq', appliances: 'all', roles }]),
      ),
      ...policy,
    },
    { aliasDuplicateObjects: false },
  );
}
