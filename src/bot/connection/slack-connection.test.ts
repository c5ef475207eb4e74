import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { startHarbour } from '../../../sandbox/harbour.ts';
import type { Fault } from '../../../sandbox/workspace/faults.ts';
import { steadyNow } from '../../../test/steady-clock.ts';
import { CannotStart } from '../../problem.ts';
import { createLog } from '../../telemetry/log.ts';
import { connectSlack, type SlackConnection, usualTiming } from './slack-connection.ts';

const signingSecret = 'not-a-real-one';
const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}

const close = (server: Server) => new Promise((resolve) => server.close(resolve));

/** Slack's Web API for the first call. */
async function startApi(reply: object = { ok: true, team_id: 'T1', user_id: 'U0BOT', bot_id: 'B1' }) {
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(request.url === '/api/auth.test' ? reply : { ok: false }));
  });
  const port = await listen(server);
  cleanups.push(() => close(server));
  return `http://127.0.0.1:${port}/api/`;
}

/** If somebody else takes the free port in between, another is tried. */
async function startHttp(
  logged: string[] = [],
): Promise<{ readonly connection: SlackConnection; readonly url: string }> {
  const apiUrl = await startApi();
  const log = createLog('debug', { write: (line: string) => void logged.push(line) });
  for (let attempt = 1; ; attempt += 1) {
    const finder = createServer();
    const port = await listen(finder);
    await close(finder);
    const connection = await connectSlack(
      { botToken: 'xoxb-1', apiUrl, inlet: { kind: 'http', signingSecret, port, host: '127.0.0.1' } },
      log,
    );
    try {
      await connection.start();
      cleanups.push(() => connection.stop());
      return { connection, url: `http://127.0.0.1:${port}/slack/events` };
    } catch (error) {
      if (attempt === 5) throw error;
    }
  }
}

const command = new URLSearchParams({
  command: '/appliance',
  text: 'rdp sessions',
  team_id: 'T1',
  channel_id: 'C1',
  user_id: 'U1',
  response_url: 'https://hooks.slack.com/commands/T1/23/aBcD',
  trigger_id: '1.2.3',
}).toString();

interface Signed {
  readonly body?: string;
  readonly shift?: number;
  readonly secret?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a slash command as Slack does, signed by hand (slack-facts.md §9). */
function send(url: string, { body = command, shift = 0, secret = signingSecret, headers = {} }: Signed = {}) {
  const timestamp = Math.floor(Date.now() / 1_000) + shift;
  const signature = createHmac('sha256', secret).update(`v0:${timestamp}:${command}`).digest('hex');
  return fetch(url, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-slack-request-timestamp': String(timestamp),
      'x-slack-signature': `v0=${signature}`,
      connection: 'close',
      ...headers,
    },
  });
}

/** Counts the commands that come through. */
function countCommands({ app }: SlackConnection): () => number {
  let count = 0;
  app.command('/appliance', async ({ ack }) => {
    count += 1;
    await ack();
  });
  return () => count;
}

describe('over HTTP', () => {
  test('a request that Slack signed is acknowledged', async () => {
    const { connection, url } = await startHttp();
    const arrived = countCommands(connection);
    expect((await send(url)).status).toBe(200);
    expect(arrived()).toBe(1);
  });

  test.each<[string, Signed]>([
    ['signed with another secret', { secret: 'guessed' }],
    ['changed on its way', { body: command.replace('sessions', 'disconnect+12') }],
    ['six minutes old', { shift: -360 }],
    ['signed for six minutes from now', { shift: 360 }],
    ['signed for next year', { shift: 31_536_000 }],
    ['without a signature', { headers: { 'x-slack-signature': '' } }],
    ['with a signature of another kind', { headers: { 'x-slack-signature': 'v1=00' } }],
    ['whose time is no number', { headers: { 'x-slack-request-timestamp': 'soon' } }],
    ['whose time is endless', { headers: { 'x-slack-request-timestamp': 'Infinity' } }],
  ])('a request %s is refused with 401', async (_, signed) => {
    const { connection, url } = await startHttp();
    const arrived = countCommands(connection);
    expect((await send(url, signed)).status).toBe(401);
    expect(arrived()).toBe(0);
  });

  test('a request in progress is answered when the connection closes, and no other is accepted', async () => {
    const { connection, url } = await startHttp();
    const arrived = Promise.withResolvers<void>();
    const goesOn = Promise.withResolvers<void>();
    connection.app.command('/appliance', async ({ ack }) => {
      arrived.resolve();
      await goesOn.promise;
      await ack();
    });
    const answer = send(url, { headers: { connection: 'keep-alive' } });
    await arrived.promise;
    const stopped = connection.stop();
    await expect(send(url, { shift: 1 })).rejects.toThrow('fetch failed');
    goesOn.resolve();
    const { status, headers } = await answer;
    expect({ status, connection: headers.get('connection') }).toEqual({ status: 200, connection: 'close' });
    const at = steadyNow();
    await stopped;
    expect(steadyNow() - at).toBeLessThan(1_000);
  });

  test('a clock that is a little off is forgiven, both ways', async () => {
    const { connection, url } = await startHttp();
    const arrived = countCommands(connection);
    expect((await send(url, { shift: -200 })).status).toBe(200);
    expect((await send(url, { shift: 200 })).status).toBe(200);
    expect(arrived()).toBe(2);
  });

  test('a refused request’s content is not logged', async () => {
    const logged: string[] = [];
    const { url } = await startHttp(logged);
    await send(url, { secret: 'guessed' });
    expect(logged.join('')).not.toMatch(/rdp sessions|aBcD|guessed|not-a-real-one/);
  });

  test('a failing listener is logged by its error, without the payload', async () => {
    const logged: string[] = [];
    const { connection, url } = await startHttp(logged);
    connection.app.command('/appliance', async ({ ack }) => {
      await ack();
      throw new Error('broken');
    });
    expect((await send(url)).status).toBe(200);
    await expect.poll(() => logged.join('')).toContain('"error":"broken"');
    expect(logged.join('')).not.toMatch(/rdp sessions|aBcD/);
  });

  test('a used port is reported as a setting to correct', async () => {
    const other = createServer();
    const port = await listen(other);
    cleanups.push(() => close(other));
    const connection = await connectSlack(
      {
        botToken: 'xoxb-1',
        apiUrl: await startApi(),
        inlet: { kind: 'http', signingSecret, port, host: '127.0.0.1' },
      },
      createLog('silent'),
    );
    expect(await problemOf(connection.start())).toMatchObject({
      key: 'PORT',
      wrong: 'could not be opened (EADDRINUSE). Use a free port.',
    });
  });
});

describe('the first call to Slack', () => {
  const inlet = { kind: 'http', signingSecret, port: 0, host: '127.0.0.1' } as const;

  test('finds the workspace of the token', async () => {
    const apiUrl = await startApi();
    const { team } = await connectSlack({ botToken: 'xoxb-1', apiUrl, inlet }, createLog('silent'));
    expect(team).toBe('T1');
  });

  test.each([
    ['https://acme.slack.com/', 'https://acme.slack.com/'],
    ['no address', undefined],
    [undefined, undefined],
  ])('finds the workspace’s address: Slack says %j', async (said, url) => {
    const apiUrl = await startApi({ ok: true, team_id: 'T1', url: said });
    const connection = await connectSlack({ botToken: 'xoxb-1', apiUrl, inlet }, createLog('silent'));
    expect(connection.url).toBe(url);
  });

  test('with a token for a whole organisation is reported as a setting to correct', async () => {
    const apiUrl = await startApi({ ok: true, team_id: 'T1', is_enterprise_install: true });
    const problem = await problemOf(connectSlack({ botToken: 'xoxb-1', apiUrl, inlet }, createLog('silent')));
    expect(problem).toMatchObject({
      key: 'SLACK_BOT_TOKEN',
      wrong: expect.stringContaining('Install the app in a single workspace'),
    });
  });

  test.each([
    ['all that the manifest asks for', undefined, undefined],
    [
      'what an older manifest asked for',
      ['commands', 'chat:write', 'users:read', 'usergroups:read'],
      '"missing":["app_mentions:read","files:read","files:write","channels:read","groups:read","im:read","mpim:read","channels:history","groups:history","im:history","mpim:history"]',
    ],
  ])('names missing scopes in the log: the workspace has granted %s', async (_, bot, warning) => {
    const workspace = await startHarbour(bot && { manifest: { oauth_config: { scopes: { bot } } } });
    cleanups.push(() => workspace.stop());
    const logged: string[] = [];
    const { botToken, apiUrl } = workspace;
    const log = createLog('warn', { write: (line: string) => void logged.push(line) });
    await connectSlack({ botToken, apiUrl, inlet }, log);
    expect(logged).toEqual(warning === undefined ? [] : [expect.stringContaining(warning)]);
  });

  test('with a refused token is reported as a setting to correct, without the token', async () => {
    const apiUrl = await startApi({ ok: false, error: 'invalid_auth' });
    const problem = await problemOf(
      connectSlack({ botToken: 'xoxb-hush', apiUrl, inlet }, createLog('silent')),
    );
    expect(problem).toMatchObject({
      key: 'SLACK_BOT_TOKEN',
      wrong: expect.stringMatching(/^was rejected by Slack \(invalid_auth\)\. Copy the Bot User OAuth Token/),
    });
    expect(JSON.stringify(problem)).not.toContain('hush');
  });
});

async function problemOf(call: Promise<unknown>): Promise<CannotStart['problems'][number] | undefined> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof CannotStart)) throw new Error('It could start', { cause: error });
  return error.problems[0];
}

test('commands arrive while Slack renews one of the two Socket Mode connections', async () => {
  const workspace = await startHarbour();
  cleanups.push(() => workspace.stop());
  const connection = await connectSlack(
    {
      botToken: workspace.botToken,
      apiUrl: workspace.apiUrl,
      inlet: { kind: 'socket', appToken: workspace.appToken },
    },
    createLog('silent'),
    {
      ...usualTiming,
      posting: 1_000,
      asking: 1_000,
      secondSocket: 10,
      reconnecting: { pauses: [60_000], deadline: 5_000 },
    },
  );
  connection.app.command('/appliance', async ({ ack }) => ack());
  await connection.start();
  cleanups.push(() => connection.stop());
  await expect.poll(() => workspace.sockets.count).toBe(2);
  workspace.sockets.disconnect('refresh_requested', workspace.sockets.ids[0]);
  await expect.poll(() => workspace.sockets.count).toBe(1);
  const line = { act: 'type', as: 'U0ALICE001', channel: 'C0HELPDESK', text: '/appliance help' } as const;
  expect(await workspace.act(line)).toEqual({ ok: true });
});

describe('a lost Socket Mode connection', () => {
  const reconnecting = { pauses: [0, 5], deadline: 300 };
  const timing = { ...usualTiming, posting: 1_000, asking: 1_000, secondSocket: 60_000, reconnecting };

  async function house(...faults: readonly Fault[]) {
    const workspace = await startHarbour();
    cleanups.push(() => workspace.stop());
    const logged: string[] = [];
    const log = createLog('info', { write: (line: string) => void logged.push(line) });
    for (const fault of faults) workspace.faults.next('apps.connections.open', fault);
    const { botToken, apiUrl, appToken } = workspace;
    const inlet = { kind: 'socket', appToken } as const;
    const connection = await connectSlack({ botToken, apiUrl, inlet }, log, timing);
    return { workspace, connection, logged };
  }

  async function begun(...faults: readonly Fault[]) {
    const started = await house(...faults);
    await started.connection.start();
    cleanups.push(() => started.connection.stop());
    return started;
  }

  test.each<[string, Fault, RegExp]>([
    [
      'a network that is away',
      { kind: 'close', when: 'before' },
      /"level":"warn".*Not connected to Slack; trying again/,
    ],
    [
      'an error of HTTP',
      { kind: 'http', status: 503 },
      /"level":"warn".*Not connected to Slack; trying again/,
    ],
    [
      'a limit of calls',
      { kind: 'rate_limited', retryAfter: 30 },
      /"level":"warn".*Not connected to Slack; trying again/,
    ],
    ['no answer', { kind: 'hang' }, /"level":"warn".*Not connected to Slack; trying again/],
    [
      'its own trouble',
      { kind: 'error', error: 'internal_error' },
      /"level":"warn".*Not connected to Slack; trying again/,
    ],
    [
      'a token that it refuses',
      { kind: 'error', error: 'invalid_auth' },
      /"level":"error".*Fix the token and restart/,
    ],
    [
      'an app that is gone',
      { kind: 'error', error: 'account_inactive' },
      /"level":"error".*Fix the token and restart/,
    ],
  ])('is opened again, whatever Slack answers meanwhile: %s', async (_, fault, says) => {
    const { workspace, logged } = await begun();
    workspace.faults.next('apps.connections.open', fault, 3);
    workspace.sockets.drop();
    await expect.poll(() => logged.join(''), { timeout: 5_000 }).toContain('Connected to Slack again');
    expect(logged.join('')).toMatch(says);
    expect(workspace.sockets.count).toBe(1);
  });

  test('is reopened at once after a renewal by Slack, without a log line', async () => {
    const { workspace, logged } = await begun();
    const [first] = workspace.sockets.ids;
    workspace.sockets.disconnect('refresh_requested');
    await expect.poll(() => workspace.sockets.ids.some((id) => id !== first)).toBe(true);
    expect(logged.join('')).not.toMatch(/tried again|is back/);
  });

  test('is not reopened after the bot has stopped', async () => {
    const { workspace, connection } = await begun();
    workspace.faults.next('apps.connections.open', { kind: 'http', status: 503 }, 1_000);
    workspace.sockets.drop();
    await connection.stop();
    const calls = workspace.log.calls('apps.connections.open').length;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(workspace.log.calls('apps.connections.open')).toHaveLength(calls);
  });

  test('is awaited at the start while Slack or the network is in trouble', async () => {
    const { workspace } = await begun(
      { kind: 'http', status: 503 },
      { kind: 'page' },
      { kind: 'close', when: 'before' },
    );
    expect(workspace.sockets.count).toBe(1);
  });

  test.each(['token_revoked', 'missing_scope', 'not_allowed_token_type', 'a_code_of_next_year'])(
    'ends the start if Slack refuses the token: %s',
    async (error) => {
      const { connection } = await house({ kind: 'error', error });
      expect(await problemOf(connection.start())).toMatchObject({
        key: 'SLACK_APP_TOKEN',
        wrong: `was rejected by Slack (${error}). Use an app-level token with the scope connections:write, under "Basic Information", and turn Socket Mode on.`,
      });
    },
  );

  test('is reported with the moment of the loss', async () => {
    const { workspace, logged } = await begun();
    workspace.faults.next('apps.connections.open', { kind: 'http', status: 503 }, 2);
    workspace.sockets.drop();
    await expect.poll(() => logged.join('')).toContain('Connected to Slack again');
    const since = logged.flatMap((line): string[] => {
      const { msg, since } = JSON.parse(line);
      return /Not connected|Connected to Slack again/.test(msg) ? [since] : [];
    });
    expect(since).toHaveLength(3);
    expect(new Set(since).size).toBe(1);
    expect(Date.parse(since[0] ?? '')).toBeGreaterThan(Date.now() - 60_000);
  });
});
