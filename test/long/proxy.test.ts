import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { personIn } from '../../sandbox/person.ts';
import { program } from '../../sandbox/process.ts';
import { transcript } from '../../sandbox/workspace/transcript.ts';
import { createAuthority } from '../certificates.ts';
import { startConnectProxy } from '../connect-proxy.ts';
import { inOwnProcess } from '../own-process.ts';

/** A name that nobody can look up: whatever reaches it went through the proxy. */
const slack = 'slack.company.test';

/** Slack under a certificate of the company's authority, a proxy, and a bot in a process of its own. */
async function company({
  host = slack,
  login,
  isSecure,
  isSilent,
}: {
  readonly host?: string;
  readonly login?: string;
  readonly isSecure?: boolean;
  readonly isSilent?: boolean;
} = {}) {
  const authority = createAuthority();
  // The servers offer HTTP/2, too, as Slack does. A client that takes it gets no web socket, here as there.
  const certify = (name: string) => ({ ...authority.certify(name), ALPNProtocols: ['h2', 'http/1.1'] });
  const tls = isSecure ? certify('localhost') : undefined;
  const proxy = await startConnectProxy({ login, tls, isSilent });
  const { workspace, appliance, settings, start } = await inOwnProcess({
    workspace: { tls: certify(host) },
  });
  const dana = personIn(workspace, { idle: async () => undefined }, 'dana');
  const read = () => transcript(workspace.snapshot('U0DANA0001'), 'helpdesk');
  /** A line typed in Slack gets its answer from the appliance. */
  const converses = async () => {
    await dana.type('helpdesk', '/appliance rdp sessions');
    await expect.poll(read).toContain('bob.miller');
  };
  return {
    ...{ workspace, appliance, proxy, dana, read, converses, settings, start },
    behindProxy: (given = login) => ({
      NODE_EXTRA_CA_CERTS: authority.file,
      HTTPS_PROXY: `http://${given === undefined ? '' : `${given}@`}${proxy.address}`,
      // Named for plain http as well, which an appliance speaks here.
      HTTP_PROXY: `http://${proxy.address}`,
      LOG_LEVEL: 'debug',
    }),
  };
}

test('behind a proxy that inspects TLS, all traffic with Slack goes through it, and none to an appliance', async () => {
  const { workspace, appliance, proxy, dana, read, converses, start, behindProxy } = await company();
  const { logged } = await start(behindProxy());
  expect(logged.join('\n')).toMatch(new RegExp(`"proxy":"${proxy.address}".*Appliance Bot is connected`));
  await converses();
  await dana.type('helpdesk', '/appliance acl objects');
  await expect.poll(read).toContain('[CSV]');
  await dana.press('helpdesk', 'CSV');
  await expect.poll(read).toContain('acl-objects.csv');
  await dana.attach('helpdesk', 'for the appliance', { name: 'sp6.tgz', content: Buffer.from('a pack') });
  await dana.shortcut('helpdesk', 'Send to appliance');
  await expect.poll(read).toContain('[Service pack]');
  await dana.press('helpdesk', 'Service pack');
  await expect.poll(read).toContain('the content of this file is plain text');
  await dana.type('random', '/appliance whoami');
  await expect.poll(() => workspace.log.calls('response_url').length).toBeGreaterThan(0);
  expect(appliance.requests.length).toBeGreaterThan(0);
  expect(new Set(proxy.asked)).toEqual(new Set([new URL(workspace.url).host]));
});

test('a proxy with TLS of its own works as well', async () => {
  const { proxy, converses, start, behindProxy } = await company({ isSecure: true });
  const { logged } = await start({ ...behindProxy(), HTTPS_PROXY: `https://localhost:${proxy.port}` });
  await converses();
  expect(logged.join('\n')).toContain(`"proxy":"localhost:${proxy.port}"`);
});

test('a host of NO_PROXY is reached without the proxy', async () => {
  const { proxy, converses, start, behindProxy } = await company({ host: 'localhost' });
  await start({ ...behindProxy(), NO_PROXY: 'example.com,localhost' });
  await converses();
  expect(proxy.asked).toEqual([]);
});

test('a proxy that requires a user name and a password gets them, and no log shows them', async () => {
  const { converses, proxy, start, behindProxy } = await company({ login: 'appliance-bot:open:sesame' });
  const { logged } = await start(behindProxy('appliance-bot:open%3Asesame'));
  await converses();
  // Also not where all connections break.
  proxy.refuse(502);
  await expect.poll(() => logged.join('\n')).toContain('did not connect to Slack (502)');
  expect(logged.join('\n')).not.toMatch(/sesame|Basic/);
});

test.each([
  ['without a user name', undefined],
  ['with another password', 'appliance-bot:hush-hush'],
])('a proxy called %s ends the start, which names the proxy and the remedy', async (_, login) => {
  const { proxy, start, behindProxy } = await company({ login: 'appliance-bot:sesame' });
  const { logged, exited } = await start({
    ...behindProxy(),
    HTTPS_PROXY: `http://${login ? `${login}@` : ''}${proxy.address}`,
  });
  expect(await exited).toBe(1);
  const said = logged.join('\n');
  expect(said).toContain(
    `HTTPS_PROXY names the proxy ${proxy.address}, which requires a user name and password, or rejected these (407).`,
  );
  expect(said).not.toMatch(/hush|sesame/);
});

test('an unreachable proxy ends the start, which names it', async () => {
  const { start, behindProxy } = await company();
  const { logged, exited } = await start({ ...behindProxy(), HTTPS_PROXY: 'http://user:sesame@127.0.0.1:1' });
  expect(await exited).toBe(1);
  expect(logged.join('\n')).toContain(
    'HTTPS_PROXY names the proxy 127.0.0.1:1, which could not be reached (ECONNREFUSED).',
  );
  expect(logged.join('\n')).not.toContain('sesame');
});

test('a silent proxy ends the start, which names it', async () => {
  const { proxy, start, behindProxy } = await company({ isSilent: true });
  const { logged, exited } = await start(behindProxy());
  expect(await exited).toBe(1);
  expect(logged.join('\n')).toContain(`did not respond through the proxy ${proxy.address} (HTTPS_PROXY)`);
});

test('without the company’s authority the start ends with the name of the missing setting', async () => {
  const { proxy, start, behindProxy } = await company();
  const { logged, exited } = await start({ ...behindProxy(), NODE_EXTRA_CA_CERTS: undefined });
  expect(await exited).toBe(1);
  expect(logged.join('\n')).toMatch(
    /NODE_EXTRA_CA_CERTS does not name the authority of the certificate of Slack’s address \([A-Z_]+\)\. If your company inspects TLS/,
  );
  expect(proxy.asked.length).toBeGreaterThan(0);
});

test('an unusable file of authorities is a setting to mend', async () => {
  const { start, behindProxy } = await company();
  const { logged, exited } = await start({ ...behindProxy(), NODE_EXTRA_CA_CERTS: '/nowhere/ca.pem' });
  expect(await exited).toBe(1);
  expect(logged.join('\n')).toContain(
    'NODE_EXTRA_CA_CERTS points to /nowhere/ca.pem, from which Node read no',
  );
});

test('while the proxy opens no tunnels the log says so once, and people are answered afterwards', async () => {
  const { workspace, proxy, converses, start, behindProxy } = await company();
  const { logged } = await start(behindProxy());
  await expect.poll(() => workspace.sockets.count).toBe(1);
  const told = () => logged.filter((line) => line.includes('"problem":"HTTPS_PROXY'));
  proxy.refuse(403);
  await expect.poll(() => logged.filter((line) => line.includes('trying again')).length).toBeGreaterThan(1);
  expect(told()).toEqual([
    expect.stringContaining(
      `HTTPS_PROXY names the proxy ${proxy.address}, which did not connect to Slack (403). Ask its administrator`,
    ),
  ]);
  proxy.refuse(undefined);
  await expect.poll(() => workspace.sockets.count).toBe(1);
  await converses();
});

test('the doctor uses the same proxy, and names it without its password', async () => {
  const { settings, behindProxy, proxy, workspace } = await company({ login: 'appliance-bot:sesame' });
  const examine = async (more: Readonly<Record<string, string>>) => {
    const env = { ...settings, ...behindProxy(), ...more };
    const ran = promisify(execFile)(process.execPath, [program, 'doctor'], { env });
    const { stdout, stderr } = await ran.catch((error: { stdout: string; stderr: string }) => error);
    expect(stdout + stderr).not.toContain('sesame');
    return stdout;
  };
  const found = await examine({ NO_PROXY: 'localhost' });
  expect(found).toContain(
    `! HTTPS_PROXY: Slack is reached through the proxy ${proxy.address}, except for the hosts in NO_PROXY (localhost).`,
  );
  expect(found).toContain('✓ SLACK_APP_TOKEN: accepted');
  // Also where Node is told to use the proxy wherever it can.
  expect(await examine({ NODE_USE_ENV_PROXY: '1' })).toContain(
    '✓ hq: its clock is within a minute of this machine’s.',
  );
  expect(new Set(proxy.asked)).toEqual(new Set([new URL(workspace.url).host]));
  expect(await examine({ HTTPS_PROXY: `http://appliance-bot:wrong@${proxy.address}` })).toContain(
    `✗ HTTPS_PROXY names the proxy ${proxy.address}, which requires a user name and password`,
  );
});
