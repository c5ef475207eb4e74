import { spawn } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SocketModeClient } from '@slack/socket-mode';
import { WebClient } from '@slack/web-api';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type * as source from '../../packages/workspace-for-slack-apps/src/index.ts';
import { methods } from '../../sandbox/workspace/methods.ts';
import { type Project, projectWith, repository } from './project.ts';

const name = 'workspace-for-slack-apps';
let project: Project;
let packed: typeof source;

/** A project with the package, Bolt, and the example of somebody else's app. */
beforeAll(async () => {
  project = await projectWith(name);
  const modules = join(project.folder, 'node_modules');
  // The packages that the author of a Slack app has installed.
  mkdirSync(join(modules, '@slack'));
  for (const one of readdirSync(join(repository, 'node_modules/@slack')))
    symlinkSync(join(repository, 'node_modules/@slack', one), join(modules, '@slack', one));
  cpSync(join(repository, 'packages', name, 'example'), project.folder, { recursive: true });
  packed = await import(pathToFileURL(join(project.installed(name), 'dist/index.js')).href);
}, 120_000);

afterAll(() => project?.remove());

const asTyped = ['--allowImportingTsExtensions', '--skipLibCheck', '--erasableSyntaxOnly'];

describe('somebody else’s app', () => {
  test('and its test compile against the packed types', async () => {
    expect(await project.mistakesIn(['lunch.ts', 'lunch.test.ts'], ...asTyped)).toEqual([]);
  });

  test('passes its test on the packed workspace', async () => {
    const { stdout } = await project.node(['--test', '--test-reporter', 'tap', 'lunch.test.ts']);
    expect(stdout).toMatch(/^# pass 6$/m);
    expect(stdout).toMatch(/^# fail 0$/m);
  });

  test('does what the README shows, which compiles and runs as it stands', async () => {
    const readme = readFileSync(join(project.installed(name), 'README.md'), 'utf8');
    const blocks = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code);
    expect(blocks).toHaveLength(3);
    writeFileSync(join(project.folder, 'readme.ts'), blocks.join('\n'));
    expect(await project.mistakesIn(['readme.ts'], ...asTyped)).toEqual([]);
    await project.node(['readme.ts']);
  });
});

test('the README gives the right number of methods', () => {
  const readme = readFileSync(join(repository, `packages/${name}/README.md`), 'utf8');
  expect(readme).toContain(`${Object.keys(methods).length} methods`);
});

const manifest = {
  display_information: { name: 'Lunch' },
  features: { slash_commands: [{ command: '/lunch', description: 'Order lunch' }] },
  oauth_config: { scopes: { bot: ['commands', 'chat:write'] } },
};

async function started(options: Partial<source.WorkspaceOptions> = {}) {
  const slack = await packed.startWorkspace({ manifest, ...options });
  onTestFinished(() => slack.close());
  const quiet = () => undefined;
  const logger = { debug: quiet, info: quiet, warn: quiet, error: quiet, setLevel: quiet, setName: quiet };
  const client = new WebClient(slack.botToken, {
    slackApiUrl: slack.apiUrl,
    retryConfig: { retries: 0 },
    logger: { ...logger, getLevel: () => 'error' as never },
  });
  const refusal = async (method: string, given: Record<string, unknown>) => {
    try {
      await client.apiCall(method, given);
      return 'taken';
    } catch (error) {
      return (error as { data: { error: string } }).data.error;
    }
  };
  return { slack, client, refusal };
}

describe('an unknown name is an error that suggests the right one:', () => {
  const right = { manifest };
  test.each<[string, unknown, string]>([
    ['an option', { ...right, chanels: [] }, 'startWorkspace has no option chanels; did you mean channels?'],
    ['of a person', { ...right, people: [{ name: 'ana', guest: true }] }, 'did you mean isGuest?'],
    ['of a channel', { ...right, channels: [{ name: 'a', private: true }] }, 'did you mean isPrivate?'],
    ['a value', { ...right, patienceMs: '5' }, 'patienceMs is a number of milliseconds.'],
    ['an address', { ...right, requestUrl: '127.0.0.1' }, 'requestUrl is an address, such as http://'],
    ['a name', { ...right, channels: ['Lunch time'] }, 'A channel cannot be called "Lunch time" in Slack.'],
    ['a member', { ...right, channels: [{ name: 'a', members: ['bob'] }] }, 'There is no person bob'],
    ['two of one name', { ...right, people: ['ana', 'ana'] }, 'Two of the people have the ID U0ANA00000'],
    ['no manifest', {}, 'startWorkspace needs the manifest of the app'],
    ['a missing file', { manifest: 'nowhere.json' }, 'The manifest nowhere.json cannot be read'],
    [
      'a manifest that Slack would not take',
      { manifest: { ...manifest, features: { slash_commands: [{ command: 'lunch', description: '' }] } } },
      'features.slash_commands[0].command',
    ],
  ])('%s', async (_, options, told) => {
    const starting = packed.startWorkspace(options as source.WorkspaceOptions);
    await expect(starting).rejects.toThrow(TypeError);
    await expect(starting).rejects.toThrow(told);
  });

  test('in bad days, people and places', async () => {
    const { slack } = await started();
    const bad = slack.badDays as unknown as Record<string, (...given: unknown[]) => void>;
    expect(() => bad.call?.('chat.postMesage', { kind: 'page' })).toThrow('did you mean chat.postMessage?');
    expect(() => bad.call?.('chat.update', { kind: 'ratelimited' })).toThrow('rate_limited with retryAfter');
    expect(() => bad.call?.('chat.update', { kind: 'page' }, { time: 2 })).toThrow('did you mean times?');
    expect(() => bad.delivery?.({ kind: 'thrice' })).toThrow(/is no fault/);
    expect(() => bad.withhold?.('files:write')).toThrow('The manifest has no scope files:write.');
    expect(() => bad.turn?.({ plan: 'gold' })).toThrow('plan is one of paid, free.');
    expect(() => bad.connections?.('break')).toThrow('Connections cannot break');
    const typed = slack.person('ana').type('general', 'x', { thred: '1.2' } as source.TypedWith);
    await expect(typed).rejects.toThrow('Typing has no option thred; did you mean thread?');
    await expect(slack.changeChannel('general', { archived: true } as object)).rejects.toThrow('isArchived?');
    expect(() => slack.person('bob')).toThrow('There is no person bob here. There is ana, ben, cleo.');
    expect(() => slack.channel('lunch')).toThrow('There is general, random.');
  });

  test('in an event that never comes, which the error says with the possible ones', async () => {
    const { slack, client } = await started({ patienceMs: 30 });
    await client.chat.postMessage({ channel: slack.channel('general').id, text: 'Soup is ready' });
    const waiting = slack.person('ana').sees('general', /pizza/);
    await expect(waiting).rejects.toThrow(packed.NotThere);
    await expect(waiting).rejects.toThrow(/ana sees no message with \/pizza\/ in general.*Soup is ready/s);
    await expect(slack.person('ana').press('general', 'Order')).rejects.toThrow(packed.NotThere);
  });
});

/** Refusals of Web API methods, by docs.slack.dev. */
test('the workspace refuses what Slack refuses', async () => {
  let now = Date.now();
  const { slack, client, refusal } = await started({
    channels: ['lunch', { name: 'kitchen', hasApp: false }, { name: 'old', isArchived: true }],
    clock: () => now,
  });
  const channel = slack.channel('lunch').id;
  const section = (text: string) => [{ type: 'section', text: { type: 'mrkdwn', text } }];
  const post = (more: object) => refusal('chat.postMessage', { channel, text: 'x', ...more });
  expect(await post({ blocks: section('s'.repeat(3_001)) })).toBe('invalid_blocks');
  expect(await post({ blocks: [{ type: 'sectoin' }] })).toBe('invalid_blocks');
  expect(await post({ blocks: Array.from({ length: 51 }, () => ({ type: 'divider' })) })).toBe(
    'invalid_blocks',
  );
  expect(await post({ blocks: section('s'.repeat(3_000)) })).toBe('taken');
  expect(await post({ text: '' })).toBe('no_text');
  expect(await post({ channel: slack.channel('kitchen').id })).toBe('not_in_channel');
  expect(await post({ channel: slack.channel('old').id })).toBe('is_archived');
  expect(await post({ channel: 'C0NOWHERE0' })).toBe('channel_not_found');
  const { ts } = await client.chat.postMessage({ channel, text: 'x' });
  expect(await refusal('chat.update', { channel, ts, text: 'x'.repeat(4_001) })).toBe('msg_too_long');
  expect(await refusal('chat.update', { channel, ts: '1.2', text: 'x' })).toBe('message_not_found');
  expect(await refusal('users.list', {})).toBe('missing_scope');
  expect(await refusal('reactions.add', { channel, timestamp: ts, name: 'ok' })).toBe('missing_scope');
  expect(await refusal('pins.add', { channel, timestamp: ts })).toBe('unknown_method');

  slack.badDays.withhold('chat:write');
  expect(await post({})).toBe('missing_scope');
  slack.badDays.clear();
  slack.badDays.turn({ botToken: 'revoked' });
  expect(await post({})).toBe('token_revoked');
  slack.badDays.clear();

  // A trigger is three seconds old at most.
  const triggers: string[] = [];
  const app = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      triggers.push(new URLSearchParams(body).get('trigger_id') ?? '');
      response.end();
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => app.once('listening', resolve));
  onTestFinished(() => void app.close());
  slack.useRequestUrl(`http://127.0.0.1:${(app.address() as { port: number }).port}/slack/events`);
  const view = { type: 'modal', title: { type: 'plain_text', text: 'Order' }, blocks: section('x') };
  expect(await slack.person('ana').type('lunch', '/lunch')).toEqual({ ok: true });
  expect(await refusal('views.open', { trigger_id: triggers[0], view })).toBe('taken');
  expect(slack.calls('views.open')).toMatchObject([{ ok: true, args: { view } }]);
  expect(await refusal('views.open', { trigger_id: triggers[0], view })).toBe('exchanged_trigger_id');
  await slack.person('ana').type('lunch', '/lunch');
  now += 3_001;
  expect(await refusal('views.open', { trigger_id: triggers[1], view })).toBe('expired_trigger_id');
});

test('the tests wait for an app whose connection is cut', async () => {
  const { slack } = await started();
  await expect(slack.connected(20)).rejects.toThrow('The app has not connected within 20 ms.');
  const app = new SocketModeClient({
    appToken: slack.appToken,
    clientOptions: { slackApiUrl: slack.apiUrl },
    clientPingTimeout: 500,
    logLevel: 'error' as never,
  });
  await app.start();
  onTestFinished(() => app.disconnect());
  await slack.connected();
  // The SDK leaves the rejection of a new connection that ends before it stands unhandled.
  const stands = new Promise((resolve) => app.once('connected', resolve));
  slack.badDays.connections('cut');
  await expect(slack.connected(0)).rejects.toThrow('has not connected');
  await slack.connected();
  await stands;
});

describe('the page of the packed workspace', () => {
  test('comes from the package, with the licenses of its parts, and says that it is not Slack', async () => {
    const { slack } = await started();
    const get = async (path: string) => (await fetch(new URL(path, slack.url))).text();
    expect(await get('/')).toContain('<script src="/assets/app.js"');
    expect(await get('/assets/app.js')).toContain('This is not Slack');
    expect(await get('/assets/app.css')).toContain('@layer');
    const licenses = readFileSync(join(project.installed(name), 'dist/page/licenses.txt'), 'utf8');
    expect(licenses).toMatch(/^react-dom [\d.]+ \(MIT\)$/m);
  });

  test('has nothing of the bot, and neither has anything else in the package', () => {
    for (const file of globSync('**/*', { cwd: project.installed(name), withFileTypes: true })) {
      if (!file.isFile() || file.name === 'LICENSE') continue;
      const text = readFileSync(join(file.parentPath, file.name), 'utf8');
      expect(text, file.name).not.toMatch(/appliance|harbour|helpdesk|nordwind/i);
    }
  });
});

describe('the command line of the packed workspace', () => {
  const program = () => join(project.installed(name), 'bin/workspace-for-slack-apps.js');

  test('starts a workspace for the manifest of this folder, and prints the app’s settings', async () => {
    // As the README says, but at a free port, and for HTTP.
    const readme = readFileSync(join(project.installed(name), 'README.md'), 'utf8');
    const words = /^npx workspace-for-slack-apps (.+)$/m.exec(readme)?.[1]?.split(' ') ?? [];
    expect(words).toContain('--port');
    const others = ['--port', '0', '--request-url', 'http://127.0.0.1:3000/slack/events'];
    const child = spawn(process.execPath, [program(), ...words, ...others], { cwd: project.folder });
    onTestFinished(() => void child.kill('SIGKILL'));
    let said = '';
    child.stdout.on('data', (chunk) => {
      said += chunk;
    });
    await expect.poll(() => said).toContain('This is not Slack');
    for (const variable of ['SLACK_API_URL', 'SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN', 'SLACK_SIGNING_SECRET'])
      expect(said).toMatch(new RegExp(`^ +export ${variable}=\\S+$`, 'm'));
    expect(said).toMatch(/^ +C0GENERAL0 +#general$/m);
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    expect(await exited).toBe(0);
  });

  test('names missing parts', async () => {
    await expect(project.node([program(), '--manifest', 'nowhere.json'])).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('The manifest nowhere.json cannot be read'),
    });
    await expect(project.node([program(), '--prot', '1'])).rejects.toMatchObject({ code: 2 });
  });
});
