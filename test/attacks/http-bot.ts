import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { vi } from 'vitest';
import { type SimulatedAppliance, startSimulatedAppliance } from '../../sandbox/appliance/index.ts';
import { startHarbour } from '../../sandbox/harbour.ts';
import { machine } from '../../sandbox/machine.ts';
import { program } from '../../sandbox/process.ts';
import type { Workspace } from '../../sandbox/workspace/workspace.ts';
import type { Environment } from '../../src/config/secret.ts';
import { forgetRequests } from '../conversation.ts';
import { freePort } from '../free-port.ts';
import { exchange } from '../raw-socket.ts';
import { steadyNow } from '../steady-clock.ts';

/** A request as Slack has sent it. */
interface Sent {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** The bot in a process of its own, called by Slack over HTTP, as an attacker finds it. */
export interface HttpBot {
  readonly workspace: Workspace;
  readonly appliance: SimulatedAppliance;
  readonly port: number;
  /** The lines of its log. */
  readonly log: () => readonly Readonly<Record<string, unknown>>[];
  /** All that it has written, to its log and to standard error. */
  readonly written: () => string;
  /** The requests that Slack sent to it, for eavesdroppers. */
  readonly sent: readonly Sent[];
  /** Whether it lives, and takes what Slack has signed; how long that took in milliseconds, and what it said. */
  readonly answersSlack: () => Promise<{
    readonly alive: boolean;
    readonly took: number;
    readonly said: string;
  }>;
  /** Sends this as Slack signs it, unless `headers` say otherwise. */
  readonly send: (
    body: string,
    headers?: Readonly<Record<string, string>>,
    path?: string,
  ) => Promise<{ readonly status: number; readonly text: string }>;
  /** Opens a connection, writes these pieces, and resolves to what came back until the bot closed it, or for so long. */
  readonly write: (pieces: readonly (string | Buffer)[], timeout?: number) => Promise<string>;
  /** The same, and tried again while it is turned away unheard; so is what `send` sends. */
  readonly asks: HttpBot['write'];
  readonly kill: (signal: NodeJS.Signals) => void;
  /** Resolves to its exit code or signal. */
  readonly ended: Promise<unknown>;
  readonly isAlive: () => boolean;
  readonly stop: () => Promise<void>;
}

export const form = 'application/x-www-form-urlencoded';
export const json = 'application/json';

export function sign(secret: string, body: string, seconds = Math.floor(Date.now() / 1_000)) {
  const digest = createHmac('sha256', secret).update(`v0:${seconds}:${body}`).digest('hex');
  return { 'x-slack-request-timestamp': String(seconds), 'x-slack-signature': `v0=${digest}` };
}

export async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on TCP has an address with a port.
  return (server.address() as AddressInfo).port;
}

/** Settings of a bot on this workspace and appliance, in a folder of its own. `policy`: more lines of its policy file. */
export function settingsFor(workspace: Workspace, appliance: SimulatedAppliance, policy = '') {
  const folder = mkdtempSync(join(tmpdir(), 'appliance-bot-attacked-'));
  const config = join(folder, 'bot.yml');
  const roles = '{ viewer: everyone, helpdesk: everyone, operator: everyone }';
  writeFileSync(
    config,
    `appliances: { hq: { url: "${appliance.url}" } }\nchannels: { C0HELPDESK: { appliance: hq, roles: ${roles} } }\n${policy}`,
  );
  const environment: Environment = {
    ...machine(),
    SLACK_BOT_TOKEN: workspace.botToken,
    SLACK_APP_TOKEN: workspace.appToken,
    SLACK_API_URL: workspace.apiUrl,
    APPLIANCE_BOT_CONFIG: config,
    APPLIANCE_BOT_DATA: join(folder, 'data'),
  };
  return { folder, environment, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export async function startHttpBot(more: Environment = {}, policy = ''): Promise<HttpBot> {
  const port = await freePort();

  // Between Slack and the bot: it sees what is signed, and hands it on.
  const sent: Sent[] = [];
  const between = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const body = Buffer.concat(pieces).toString();
    sent.push({ headers: request.headers, body });
    const answer = await post(port, '/slack/events', body, headersOf(request.headers)).catch(() => undefined);
    response.writeHead(answer?.status ?? 502, {
      'content-type': answer?.headers.get('content-type') ?? json,
    });
    response.end(await answer?.text());
  });
  const appliance = await startSimulatedAppliance();
  const requestUrl = `http://127.0.0.1:${await portOf(between)}/slack/events`;
  const workspace = await startHarbour({ requestUrl });
  const settings = settingsFor(workspace, appliance, policy);
  const bot = spawn(process.execPath, [program], {
    env: {
      ...settings.environment,
      SLACK_APP_TOKEN: '',
      SLACK_SIGNING_SECRET: workspace.signingSecret,
      PORT: String(port),
      HOST: '127.0.0.1',
      ...more,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const ended = once(bot, 'exit').then(([code, signal]) => code ?? signal);
  const written = { out: '', err: '' };
  bot.stdout?.on('data', (text) => {
    written.out += text;
  });
  bot.stderr?.on('data', (text) => {
    written.err += text;
  });
  const stop = async () => {
    bot.kill('SIGKILL');
    await ended;
    between.close();
    between.closeAllConnections();
    await workspace.stop();
    await appliance.close();
    settings.remove();
  };
  await vi.waitFor(
    () => {
      if (!written.out.includes('Appliance Bot is connected')) throw new Error(`Not there: ${written.err}`);
    },
    { timeout: 55_000, interval: 50 },
  );
  // Its release is asked for as soon as it is connected.
  await vi.waitUntil(() => appliance.requests.some(({ endedAt }) => endedAt !== undefined), {
    timeout: 10_000,
  });
  forgetRequests(appliance);

  let challenges = 0;
  const signed = (body: string) => ({ 'content-type': json, ...sign(workspace.signingSecret, body) });
  return {
    workspace,
    appliance,
    port,
    sent,
    ended,
    isAlive: () => bot.exitCode === null && bot.signalCode === null,
    stop,
    // Text after the last line end is still being written.
    log: () =>
      written.out
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line)),
    written: () => written.out + written.err,
    answersSlack: async () => {
      challenges += 1;
      const challenge = `${process.pid}-${challenges}`;
      const body = JSON.stringify({ type: 'url_verification', challenge });
      const begun = steadyNow();
      const said = await post(port, '/slack/events', body, signed(body)).then(
        async (answer) => `${answer.status} ${await answer.text()}`,
        (error: unknown) => String(error instanceof Error ? error.cause : error),
      );
      return { alive: said.includes(challenge), took: steadyNow() - begun, said };
    },
    send: async (body, headers = {}, path = '/slack/events') => {
      // The same in every try: a signature is of its second.
      const signature = { ...signed(body), ...headers };
      const answer = await whenHeard(() =>
        post(port, path, body, signature).catch((error: unknown) => {
          if (!wasClosed(error)) throw error;
          return undefined;
        }),
      );
      if (answer === undefined) throw new Error('The bot turned it away unheard');
      return { status: answer.status, text: await answer.text() };
    },
    write: (pieces, timeout = 10_000) => writeTo(port, pieces, timeout),
    asks: async (pieces, timeout = 10_000) =>
      (await whenHeard(async () => (await writeTo(port, pieces, timeout)) || undefined)) ?? '',
    kill: (signal) => void bot.kill(signal),
  };
}

/** Tries again while the bot turns everybody away unheard, because too many have knocked a moment ago. */
async function whenHeard<Answer>(
  ask: () => Promise<Answer | undefined>,
  tries = 20,
): Promise<Answer | undefined> {
  const answer = await ask();
  if (answer !== undefined) return answer;
  if (tries === 1) return undefined;
  await sleep(250);
  return whenHeard(ask, tries - 1);
}

const wasClosed = (error: unknown): boolean =>
  error instanceof Error && (error.cause as { code?: string } | undefined)?.code === 'UND_ERR_SOCKET';

function post(port: number, path: string, body: string, headers: Readonly<Record<string, string>>) {
  return fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    body,
    headers: { connection: 'close', ...headers },
    redirect: 'manual',
  });
}

/** The headers with the type and the signature of the body. */
function headersOf(headers: IncomingHttpHeaders): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => /^(?:content-type|x-slack-.*)$/.test(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
}

/** Writes these pieces over a connection of their own. */
const writeTo = (port: number, pieces: readonly (string | Buffer)[], timeout: number): Promise<string> =>
  exchange(
    port,
    (socket) => {
      for (const piece of pieces) socket.write(piece);
    },
    timeout,
  );
