import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { freePort } from './free-port.ts';

/**
 * A Slack server that nobody here wrote: `local-slack` of npm. What the sandbox's workspace gets wrong, because those who
 * wrote it know the bot, may show here. Known gaps: no `usergroups.*`, no files, every envelope to every socket, a click
 * without the timestamp of its thread.
 */
const name = `local-slack-${process.platform}-${process.arch}`;
const version = '0.1.8';

/** The path of its program; undefined where the package cannot be installed. The package is kept beside the others. */
export async function localSlack(): Promise<string | undefined> {
  const folder = fileURLToPath(new URL(`../node_modules/.cache/${name}-${version}`, import.meta.url));
  mkdirSync(folder, { recursive: true });
  const install = ['install', '--no-save', '--no-audit', '--prefix', folder, `${name}@${version}`];
  return promisify(execFile)('npm', install, { timeout: 120_000 }).then(
    () => join(folder, 'node_modules', name, 'bin', 'local-slack'),
    () => undefined,
  );
}

export const tokens = { botToken: 'xoxb-local-1', appToken: 'xapp-local-1' };

export interface ForeignSlack {
  readonly apiUrl: string;
  readonly type: (line: string, by: string, channel?: string) => Promise<void>;
  /** Presses the newest button with these words. */
  readonly press: (words: string, by: string, channel?: string) => Promise<void>;
  /** The texts of what stands in a channel, of what only this person sees, and of its threads. */
  readonly read: (by: string, channel?: string) => Promise<string>;
}

interface Posted {
  readonly ts: string;
  readonly text: string;
  readonly ephemeral_to?: string;
  readonly blocks?: readonly { readonly type: string; readonly elements?: readonly Element[] }[];
}

interface Element {
  readonly type: string;
  readonly action_id?: string;
  readonly value?: string;
  readonly text?: { readonly text: string };
}

/** Starts it with these people and channels. Ends with the test. */
export async function startLocalSlack(
  program: string,
  users: readonly { readonly id: string; readonly name: string }[],
  channels: readonly string[],
): Promise<ForeignSlack> {
  const folder = mkdtempSync(join(tmpdir(), 'appliance-bot-local-slack-'));
  const config = join(folder, 'config.yaml');
  const everybody = users.map(({ id }) => id);
  const app = {
    appId: 'A0LOCAL',
    botUserId: 'U0BOT',
    botName: 'appliance-bot',
    ...tokens,
    mode: 'socket',
  };
  writeFileSync(
    config,
    stringify({
      workspace: { name: 'Local', domain: 'local', teamId: 'T0LOCAL' },
      app,
      users,
      channels: channels.map((id) => ({ id, name: id.toLowerCase(), members: [...everybody, 'U0BOT'] })),
    }),
  );
  const port = await freePort();
  const server = spawn(program, ['--config', config, '--port', String(port)], { stdio: 'ignore' });
  onTestFinished(async () => {
    await ended(server);
    rmSync(folder, { recursive: true, force: true });
  });
  const url = `http://localhost:${port}`;
  while (
    !(await fetch(`${url}/_control/state`).then(
      ({ ok }) => ok,
      () => false,
    ))
  )
    await new Promise((resolve) => setTimeout(resolve, 50));

  const post = async (path: string, body: unknown) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${url}/_control/${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  };
  const messages = async (channel: string): Promise<readonly Posted[]> => {
    const answer = await fetch(`${url}/_control/messages/${channel}`);
    // The server's own description of its answers.
    return ((await answer.json()) as { messages: readonly Posted[] }).messages;
  };
  const seenBy = (all: readonly Posted[], by: string) =>
    all.filter(({ ephemeral_to: to }) => to === undefined || to === by);
  return {
    apiUrl: `${url}/api/`,
    type: (line, user, channel = 'C0HELPDESK') => {
      const [command = '', ...words] = line.split(' ');
      return post('command', { channel, user, command, text: words.join(' ') });
    },
    press: async (words, user, channel = 'C0HELPDESK') => {
      for (const { ts, blocks = [] } of seenBy(await messages(channel), user).toReversed()) {
        const element = blocks
          .flatMap(({ elements = [] }) => elements)
          .find((one) => one.type === 'button' && one.text?.text === words);
        if (element === undefined) continue;
        const { action_id, value, type } = element;
        return post('interact', { channel, messageTs: ts, user, action: { type, action_id, value } });
      }
      throw new Error(`${user} sees no button ${words} in ${channel}`);
    },
    read: async (by, channel = 'C0HELPDESK') =>
      seenBy(await messages(channel), by)
        .map(({ text }) => text)
        .join('\n'),
  };
}

function ended(server: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    server.once('exit', () => resolve());
    if (!server.kill('SIGKILL')) resolve();
  });
}
