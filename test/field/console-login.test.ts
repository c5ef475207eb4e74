import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { connectAppliance, type RequestReport } from '../../src/api/index.ts';
import { converse } from '../conversation.ts';

const events = '/appliance mirror events --limit 3';
const wrong = { mirror_console_user: 'nobody' };
const none = { mirror_console_user: undefined, mirror_console_password: undefined };

/** A guarded appliance, and a bot with these settings for it. */
const guarded = (settings: object = {}) =>
  converse({ generation: 'field-strict', settings: { ...settings } });

const logins = ({ appliance }: { readonly appliance: { readonly requests: readonly { path: string }[] } }) =>
  appliance.requests.filter(({ path }) => path === '/login').length;

test.each(['words', 'login'] as const)(
  'the bot logs in once, however the console asks for it (%s), and stays logged in',
  async (consoleLogin) => {
    const conversation = await guarded();
    conversation.appliance.turn({ consoleLogin });
    expect(await conversation.type(events)).toContain('3 syncs');
    expect(await conversation.type('/appliance mirror stats')).toContain('786 syncs of 6 repositories');
    expect(await conversation.type('/appliance mirror daily')).toContain('In the last 7 days');
    expect(logins(conversation)).toBe(1);
  },
);

test('an expired session is renewed once, and nobody notices', async () => {
  const conversation = await guarded();
  await conversation.type(events);
  conversation.appliance.state.ways.console.sessions.clear();
  expect(await conversation.type(events)).toContain('3 syncs');
  expect(logins(conversation)).toBe(2);
});

test('several questions at once log in once', async () => {
  const { appliance } = await guarded();
  const bot = connectAppliance({
    ...{ name: 'hq', url: appliance.urls.web, mirrorUrl: appliance.urls.mirror },
    mirrorConsoleUrl: appliance.urls.mirrorConsole,
    ...{ mirrorConsoleUser: 'admin', mirrorConsolePassword: 'mirror-console' },
  });
  onTestFinished(() => bot.close());
  await Promise.all(Array.from({ length: 6 }, () => bot.mirror.eventStats()));
  expect(logins({ appliance })).toBe(1);
});

test('a refused login is reported with the settings to compare, and later commands do not try it again', async () => {
  const conversation = await guarded(wrong);
  await conversation.type('/appliance mirror stats');
  await conversation.type('/appliance mirror daily');
  const told = await conversation.type(events);
  expect(told).toContain('hq refuses the bot’s login at its mirror console.');
  expect(told).toContain(
    'Compare mirror_console_user and mirror_console_password in the bot’s configuration with those of the console. The bot tries them again after 15 minutes, or when it is restarted, so that the account isn’t locked.',
  );
  expect(logins(conversation)).toBe(1);
});

test.each(['words', 'login'] as const)(
  'without a login the missing setting is named (%s)',
  async (consoleLogin) => {
    const conversation = await guarded(none);
    conversation.appliance.turn({ consoleLogin });
    const told = await conversation.type(events);
    expect(told).toContain('hq requires a login at its mirror console');
    expect(told).toContain('Set mirror_console_user and mirror_console_password in the bot’s configuration.');
    expect(logins(conversation)).toBe(0);
  },
);

test('an address outside the mirror’s allowed ones is not reported as a wrong key', async () => {
  const conversation = await guarded();
  conversation.appliance.turn({ networks: 'foreign' });
  expect(await conversation.type('/appliance mirror status')).toContain(
    'hq doesn’t let the bot’s address use its mirror service (HTTP 403). No changes were made. Add it to the addresses that the mirror service allows.',
  );
});

/** A console that answers so, and a bot that knows its address and a login. */
async function consoleOf(
  answer: RequestListener,
  {
    onRequest,
    now,
  }: { readonly onRequest?: (report: RequestReport) => void; readonly now?: () => number } = {},
) {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => void (await new Promise((resolve) => server.close(resolve))));
  // A server that listens on a port has an address of this kind.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const bot = connectAppliance({
    ...{ name: 'hq', url, mirrorUrl: url, mirrorConsoleUrl: `${url}/console` },
    ...{ mirrorConsoleUser: 'admin', mirrorConsolePassword: 'pass word&4712', onRequest, now },
  });
  onTestFinished(() => bot.close());
  return bot;
}

test('a console that takes the login and asks again is not asked for ever', async () => {
  const seen: string[] = [];
  const bot = await consoleOf((request, response) => {
    seen.push(request.url ?? '');
    response.setHeader('set-cookie', `sid=${seen.length}`);
    if (request.url !== '/console/login') response.statusCode = 401;
    response.end('{}');
  });
  await expect(bot.mirror.listEvents()).rejects.toMatchObject({ obstacle: 'login_refused' });
  expect(seen).toEqual(['/console/api/console/events', '/console/login', '/console/api/console/events']);
});

test('a refused login is tried again after some time', async () => {
  let clock = 0;
  let isRight = false;
  const tried: number[] = [];
  const answer: RequestListener = (request, response) => {
    if (request.url === '/console/login') {
      tried.push(clock);
      response.statusCode = isRight ? 200 : 401;
      if (isRight) response.setHeader('set-cookie', 'sid=1');
    } else if (request.headers.cookie === undefined) response.statusCode = 401;
    response.end('{"stats":[]}');
  };
  const bot = await consoleOf(answer, { now: () => clock });
  const minutes = async (passed: number) => {
    clock = passed * 60_000;
    return bot.mirror.eventStats().catch((error: unknown) => error);
  };
  for (const passed of [0, 1, 14]) expect(await minutes(passed)).toMatchObject({ obstacle: 'login_refused' });
  expect(tried).toEqual([0]);
  isRight = true;
  expect(await minutes(16)).not.toHaveProperty('obstacle');
  expect(await minutes(17)).not.toHaveProperty('obstacle');
  expect(tried).toEqual([0, 960_000]);
});

test.each([404, 503])(
  'a console that cannot check a login (HTTP %d) has not refused it, and the next call tries it again',
  async (status) => {
    let tried = 0;
    const bot = await consoleOf((request, response) => {
      tried += Number(request.url === '/console/login');
      response.statusCode = request.url === '/console/login' ? status : 401;
      response.end('{}');
    });
    for (let call = 1; call <= 2; call += 1) {
      await expect(bot.mirror.eventStats()).rejects.toMatchObject({ code: 'http_status', status });
    }
    expect(tried).toBe(2);
  },
);

test('the password and the session stay secret, however the console repeats them', async () => {
  const seen: string[] = [];
  const reports: RequestReport[] = [];
  const answer: RequestListener = (request, response) => {
    const { cookie = '' } = request.headers;
    seen.push(`${request.method} ${request.url} ${cookie}`);
    if (request.url === '/console/login') {
      response.setHeader('set-cookie', ['sid=very-secret-4711; Path=/; HttpOnly', 'old=; Max-Age=0']);
      return response.end('<html></html>');
    }
    if (cookie === '') response.statusCode = 401;
    response.end(JSON.stringify({ error: `no such event in ${cookie}` }));
  };
  const bot = await consoleOf(answer, { onRequest: (report) => reports.push(report) });
  const failure = await bot.mirror.listEvents().catch((error: unknown) => error);
  expect(seen).toEqual([
    'GET /console/api/console/events ',
    'POST /console/login ',
    'GET /console/api/console/events sid=very-secret-4711',
  ]);
  expect(failure).toMatchObject({ code: 'refused', reason: 'no such event in sid=[hidden]' });
  expect(reports.map(({ method, path, status }) => [method, path, status])).toEqual([
    ['GET', '/console/api/console/events', 401],
    ['POST', '/console/login', 200],
    ['GET', '/console/api/console/events', 200],
  ]);
  const everything = inspect([failure, reports], { depth: 10 });
  expect(everything).not.toMatch(/very-secret|4712/);
});
