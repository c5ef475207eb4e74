import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, request as requestHttp } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { stringify } from 'yaml';
import { doctorTool } from '../cli/doctor/doctor.ts';
import { policyTool } from '../cli/policy/policy.ts';
import { startSimulatedAppliance } from '../sandbox/appliance/index.ts';
import { startHarbour } from '../sandbox/harbour.ts';
import { openJournal } from '../src/journal/journal.ts';
import { openSqlite } from '../src/journal/storage/sqlite.ts';
import { blockPageSecret, serveBlockPage } from './block-page-server.ts';
import { joinApp } from './other-app.ts';
import { emptyPostgres } from './stores.ts';

const roles = { viewer: 'everyone', helpdesk: ['S0HELPDESK'], operator: ['U0BOB00001'] };

/** A workspace, an appliance and a policy file, and what the doctor says of them. */
async function patient({
  channels = { C0HELPDESK: { appliance: 'hq', roles } },
  ...policy
}: Readonly<Record<string, object>> = {}) {
  const workspace = await startHarbour();
  const appliance = await startSimulatedAppliance({ key: 'a-key-of-the-test' });
  onTestFinished(async () => {
    await workspace.stop();
    await appliance.close();
  });
  const folder = mkdtempSync(join(tmpdir(), 'doctor-'));
  const file = join(folder, 'policy.yml');
  const {
    web: url,
    directory: directory_url,
    mirror: mirror_url,
    mirrorConsole: mirror_console_url,
  } = appliance.urls;
  writeFileSync(
    file,
    stringify({
      appliances: {
        hq: { url, key: '${KEY}', key_everywhere: true, directory_url, mirror_url, mirror_console_url },
      },
      channels,
      ...policy,
    }),
  );
  const environment = {
    ...{
      SLACK_BOT_TOKEN: workspace.botToken,
      SLACK_APP_TOKEN: workspace.appToken,
      SLACK_API_URL: workspace.apiUrl,
    },
    ...{ APPLIANCE_BOT_CONFIG: file, APPLIANCE_BOT_DATA: folder, KEY: 'a-key-of-the-test' },
  };
  const examine = async (more: Readonly<Record<string, string>> = {}) => {
    let text = '';
    const write = (words: string) => {
      text += words;
    };
    const terminal = { environment: { ...environment, ...more }, write, complain: write, now: Date.now };
    const code = await doctorTool([], terminal);
    return { code, text };
  };
  return { workspace, appliance, examine, file, folder };
}

test('a healthy setup is confirmed in order, and the doctor changes nothing', async () => {
  const { examine, appliance, workspace } = await patient();
  const before = JSON.stringify([...appliance.state.acl.objects]);
  const { code, text } = await examine();
  expect(code, text).toBe(0);
  expect(text).not.toContain('✗');
  const titles = text.split('\n').filter((line) => /^[A-Z][a-z ]+$/.test(line));
  expect(titles).toEqual([
    'Settings',
    'Slack',
    'User groups',
    'People',
    'Channels',
    'Appliances',
    'Clocks',
    'Journal',
  ]);
  expect(text).toContain('✓ SLACK_APP_TOKEN: accepted, Socket Mode is on.');
  expect(text).toMatch(/✓ S0HELPDESK: \d+ members?\./);
  expect(text).toContain('✓ hq: its clock is within a minute of this machine’s.');
  expect(JSON.stringify([...appliance.state.acl.objects])).toBe(before);
  expect(workspace.log.calls('chat.postMessage')).toEqual([]);
});

test('a wrong setting is reported first, and nothing else is tried', async () => {
  const { examine, workspace } = await patient();
  const { code, text } = await examine({ SLACK_BOT_TOKEN: 'hush' });
  expect(code).toBe(1);
  expect(text).toContain('SLACK_BOT_TOKEN does not start with xoxb-');
  expect(text).not.toContain('hush');
  expect(workspace.log.calls('auth.test')).toEqual([]);
});

test.each([
  [
    'a bot token',
    'auth.test',
    'invalid_auth',
    /✗ SLACK_BOT_TOKEN: invalid_auth\. Copy the Bot User OAuth Token/,
  ],
  [
    'an app token',
    'apps.connections.open',
    'not_allowed_token_type',
    /✗ SLACK_APP_TOKEN: not_allowed_token_type\. Generate/,
  ],
  [
    'a user group',
    'usergroups.users.list',
    'plan_upgrade_required',
    /✗ S0HELPDESK: plan_upgrade_required\. User groups need a paid plan/,
  ],
  ['a person', 'users.info', 'user_not_found', /✗ U0BOB00001: user_not_found/],
  ['a channel', 'conversations.info', 'channel_not_found', /✗ C0HELPDESK: channel_not_found/],
])('%s that Slack refuses is reported with its code and the remedy', async (_, method, error, words) => {
  const { examine, workspace } = await patient();
  workspace.faults.next(method, { kind: 'error', error }, 9);
  const { code, text } = await examine();
  expect(text).toMatch(words);
  expect(code).toBe(1);
});

test('a channel without the bot, a wrong key and an unreachable appliance are reported', async () => {
  const { examine, appliance } = await patient({
    channels: { C0HELPDESK: { appliance: 'hq', roles }, C0RANDOM: { appliance: 'hq', roles } },
  });
  expect((await examine({ KEY: 'guessed-key' })).text).toMatch(/✗ Remote desktop: .*key/);
  await appliance.close();
  const { code, text } = await examine();
  expect(code).toBe(1);
  expect(text).toMatch(/✗ Web API: .*(?:unreachable|reach)/);
  expect(text).toContain('! hq: not compared, because no answer came with a time.');
});

test('the doctor warns of what policy check warns of, and calls nothing wrong for it', async () => {
  const { examine, file } = await patient();
  const { code, text } = await examine();
  let said = '';
  const write = (words: string) => {
    said += words;
  };
  await policyTool(['check', file], { environment: {}, write, complain: write, now: Date.now });
  const warnings = [...said.matchAll(/^ {2}Warning: (.*)$/gm)].map(([, warning]) => `  ! ${warning}`);
  expect(warnings.length).toBeGreaterThan(0);
  expect(code).toBe(0);
  for (const warning of warnings) expect(text).toContain(`${warning}\n`);
});

test('a PostgreSQL without a journal is fine before the first start; an unusable one is wrong', async () => {
  const { examine } = await patient();
  const url = await emptyPostgres();
  const journalOf = async (address: string) => {
    const { code, text } = await examine({ DATABASE_URL: address });
    return `${code} ${text.slice(text.indexOf('Journal\n'))}`;
  };
  expect(await journalOf(url)).toBe(
    '0 Journal\n  ! The PostgreSQL database in DATABASE_URL has no journal yet. The first start of the bot creates it.\n\nNothing is wrong.\n',
  );
  expect(await journalOf(`${url}-not`)).toMatch(
    /^1 [^✓]*✗ The PostgreSQL database in DATABASE_URL is unreachable: database ".*-not" does not exist\./,
  );
  const client = new pg.Client(url);
  await client.connect();
  onTestFinished(() => client.end());
  // The role belongs to the whole server, and is dropped with the test.
  const role = `may_nothing_${process.pid}`;
  await client.query(`revoke create on schema public from public; create role ${role} login password 'pw'`);
  onTestFinished(async () => void (await client.query(`drop role ${role}`)));
  const other = Object.assign(new URL(url), { username: role, password: 'pw' });
  expect(await journalOf(other.href)).toMatch(
    /^1 [^✓]*✗ .* its user may not create tables there: make the user its owner, or GRANT CREATE/,
  );
});

test.each([
  ['journal.sqlite', 'garbage', /✗ The journal in \S+ cannot be read: file is not a database\./],
  ['journal.sqlite', '', /! \S+ has no journal yet\./],
  ['journal.sqlite.moved', '{}', /✗ \S+: its journal was migrated to PostgreSQL, .* Set DATABASE_URL\./],
])('a data folder whose %s is %j is not one with a journal', async (name, content, says) => {
  const { examine, file } = await patient();
  writeFileSync(join(dirname(file), name), content);
  const { code, text } = await examine();
  expect(text).toMatch(says);
  expect(code).toBe(text.includes('✗') ? 1 : 0);
});

test('a read-only data folder is reported', async () => {
  const { examine, file } = await patient();
  const { code, text } = await examine({ APPLIANCE_BOT_DATA: join(file, 'data') });
  expect(code).toBe(1);
  expect(text).toMatch(/✗ .*the bot can’t write there/);
});

test('the doctor opens the links of block pages, and names an obstacle', async () => {
  const selfService = { channel: 'C0HELPDESK', allow_category: 207 };
  const { examine } = await patient({ self_service: selfService });
  const { port } = await serveBlockPage();
  const settings = {
    BLOCK_PAGE_PORT: String(port),
    BLOCK_PAGE_URL: `http://127.0.0.1:${port}`,
    BLOCK_PAGE_SECRET: blockPageSecret,
  };
  const told = async (more: Readonly<Record<string, string>>) =>
    /Block page\n([\s\S]*?)Journal/.exec((await examine({ ...settings, ...more })).text)?.[1];
  expect(await told({})).toMatch(
    /^ {2}✓ hq: the link of its block page opens the form at http:\/\/127\.0\.0\.1:\d+\.\n$/,
  );
  expect(await told({ BLOCK_PAGE_SECRET: `${blockPageSecret}, but another` })).toMatch(
    /✗ hq: http\S+ answers with 403\. .*the same BLOCK_PAGE_SECRET/,
  );
  expect(await told({ BLOCK_PAGE_URL: `http://localhost:${port}` })).toMatch(
    /✗ hq: http\S+ answers with 421\. .*Set BLOCK_PAGE_URL to the address that browsers use/,
  );
  expect(await told({ BLOCK_PAGE_URL: 'http://127.0.0.1:9' })).toMatch(
    /! hq: nothing answers at \S+ \(ECONNREFUSED\)/,
  );
  const other = await patient();
  expect((await other.examine(settings)).text).toContain(
    '✗ The policy file has no self_service, so nobody can request websites.',
  );
});

test('tokens and addresses are read without quotes and carriage returns around them', async () => {
  const { examine, workspace } = await patient();
  const { code, text } = await examine({
    SLACK_BOT_TOKEN: `"${workspace.botToken}"`,
    SLACK_APP_TOKEN: `${workspace.appToken}\r`,
    DATABASE_URL: `'${await emptyPostgres()}'`,
    KEY: '\ufeff"a-key-of-the-test"\r',
  });
  expect(text).not.toContain('✗');
  expect(code).toBe(0);
});

describe('the count of connections with the same app', () => {
  test('is none without a bot', async () => {
    const { examine, workspace } = await patient();
    expect((await examine()).text).toContain('✓ Socket Mode: no other program is connected with this app.');
    await expect.poll(() => workspace.sockets.count).toBe(0);
  });

  test.each([
    [
      2,
      '! Socket Mode: 2 connections are open with this app. A bot holds up to 2, and the journal cannot be read.',
      0,
    ],
    [
      5,
      '✗ Socket Mode: 5 connections are open with this app. A bot holds up to 2, and the journal cannot be read.',
      1,
    ],
    [10, '✗ SLACK_APP_TOKEN: accepted, but other programs hold all connections that Slack allows an app.', 1],
  ])('is %d', async (count, says, code) => {
    const { examine, workspace } = await patient();
    await joinApp(workspace, count);
    const found = await examine();
    expect(found.text).toContain(says);
    expect(found.code).toBe(code);
  });

  test('knows those of a bot on this journal as its own', async () => {
    const { examine, workspace, folder } = await patient();
    const journal = await openJournal(openSqlite(join(folder, 'journal.sqlite')), Date.now);
    onTestFinished(() => journal.close());
    await journal.heartbeat({ isTaking: true });
    await joinApp(workspace, 2);
    expect((await examine()).text).toContain(
      '✓ Socket Mode: 2 connections are open with this app, of 1 bot on this journal.',
    );
  });

  test('names a WebSocket that does not get through', async () => {
    const { examine, workspace } = await patient();
    const nowhere = 'ws://127.0.0.1:9/link';
    const front = createServer((request, response) => {
      if (request.url?.endsWith('apps.connections.open')) {
        response.setHeader('content-type', 'application/json');
        return void response.end(JSON.stringify({ ok: true, url: nowhere }));
      }
      const { port } = new URL(workspace.apiUrl);
      const { method, url: path, headers } = request;
      request.pipe(
        requestHttp({ port, method, path, headers }, (answer) => {
          response.writeHead(answer.statusCode ?? 500, answer.headers);
          answer.pipe(response);
        }),
      );
    }).listen(0, '127.0.0.1');
    await once(front, 'listening');
    onTestFinished(() => void front.close().closeAllConnections());
    // A server that listens on TCP has an address with a port.
    const { port } = front.address() as AddressInfo;
    const { text, code } = await examine({ SLACK_API_URL: `http://127.0.0.1:${port}/api/` });
    expect(text).toContain('✗ Socket Mode: Slack did not say hello on a WebSocket to 127.0.0.1:9.');
    expect(code).toBe(1);
  });
});
