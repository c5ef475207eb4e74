import { X509Certificate } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { stringify } from 'yaml';
import { doctorTool } from '../cli/doctor/doctor.ts';
import { policyTool } from '../cli/policy/policy.ts';
import { surveyTool } from '../cli/survey/survey.ts';
import { startSimulatedAppliance } from '../sandbox/appliance/index.ts';
import { startHarbour } from '../sandbox/harbour.ts';
import { runSandbox } from '../sandbox/run.ts';
import { createAuthority } from './certificates.ts';
import { startConnectProxy } from './connect-proxy.ts';
import { startTlsFront } from './tls-front.ts';

/** An appliance behind TLS with a certificate of a company for this address, and a policy file beside that company's. */
async function secured({ address = '127.0.0.1', days = 2, wantsCertificate = false } = {}) {
  const appliance = await startSimulatedAppliance();
  const folder = mkdtempSync(join(tmpdir(), 'tls-'));
  onTestFinished(async () => {
    await appliance.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const authority = createAuthority();
  const shown = authority.certify(address, days);
  copyFileSync(authority.file, join(folder, 'ca.pem'));
  const asking = wantsCertificate ? { ca: readFileSync(authority.file), requestCert: true } : {};
  const front = await startTlsFront(appliance.url, { ...shown, ...asking });
  const file = join(folder, 'policy.yml');
  const run = async (tool: typeof policyTool, words: readonly string[], environment = {}) => {
    let text = '';
    const write = (more: string) => {
      text += more;
    };
    const code = await tool(words, { environment, write, complain: write, now: Date.now });
    return { code, text };
  };
  const write = (settings: object) => {
    const hq = { url: front.url, ...settings };
    const channels = {
      C0HELPDESK: { appliance: 'hq', roles: { viewer: 'everyone', admin: ['U0DANA0001'] } },
    };
    writeFileSync(file, stringify({ appliances: { hq }, channels }));
  };
  return {
    ...{ authority, shown, front, folder },
    /** Output of `policy check` with these settings, with or without `--ask`. */
    check: (settings: object, more: readonly string[] = ['--ask'], environment = {}) => {
      write(settings);
      return run(policyTool, ['check', ...more, file], environment);
    },
    /** Output of `survey` for this appliance, and what it would attach to an issue. */
    survey: async (settings: object, words: readonly string[], environment = {}) => {
      write(settings);
      const report = join(folder, 'survey.md');
      const tool: typeof policyTool = (given, terminal) =>
        surveyTool(given, { ...terminal, ask: async () => 'yes' });
      const said = await run(tool, [...words, '--config', file, '--report', report], environment);
      return { ...said, report: said.code === 0 ? readFileSync(report, 'utf8') : '' };
    },
    /** Answer of the sandbox to this line, with its appliance from the policy file. */
    sandbox: async (settings: object, words: readonly string[], environment: Record<string, string> = {}) => {
      write(settings);
      const said = { out: '', err: '' };
      const into = (where: keyof typeof said) => (text: string) => {
        said[where] += text;
      };
      const terminal = { environment: { APPLIANCE_BOT_CONFIG: file, ...environment } };
      const code = await runSandbox(['exec', '/appliance categorize example.com', ...words], {
        ...terminal,
        out: into('out'),
        err: into('err'),
      });
      return { code, ...said };
    },
    examine: async (settings: object) => {
      write(settings);
      const workspace = await startHarbour();
      onTestFinished(() => workspace.stop());
      const { botToken, appToken, apiUrl } = workspace;
      const slack = { SLACK_BOT_TOKEN: botToken, SLACK_APP_TOKEN: appToken, SLACK_API_URL: apiUrl };
      return run(doctorTool, [], { ...slack, APPLIANCE_BOT_CONFIG: file, APPLIANCE_BOT_DATA: folder });
    },
  };
}

const ca = { tls: { ca: 'ca.pem' } };

test('an appliance with a certificate of its own authority is reachable, and the doctor names its owner and its fingerprint', async () => {
  const { check, examine, shown, front } = await secured();
  expect(await check(ca)).toMatchObject({ code: 0, text: expect.stringContaining('✓ Web API: answers') });
  const { text } = await examine(ca);
  const { fingerprint256 } = new X509Certificate(shown.cert);
  // The certificates of tests last two days.
  expect(text).toMatch(
    /! hq 127\.0\.0\.1:\d+: the certificate of 127\.0\.0\.1 expires on \d{4}-\d\d-\d\d, SHA-256 fingerprint /,
  );
  expect(text).toContain(`hq 127.0.0.1:${front.port}: the certificate of 127.0.0.1`);
  expect(text).toContain(fingerprint256);
  expect(text).toContain('! hq tls.ca: the certificate of Company expires on');
  expect(text).toContain('✓ hq: its clock is within a minute of this machine’s.');
});

test.each([
  ['of an unknown authority', {}, {}, 'because the bot doesn’t know who issued its certificate', 'tls.ca'],
  ['that has expired', { days: -1 }, ca, 'because its certificate has expired', 'Renew it'],
  ['for another name', { address: 'appliance.example' }, ca, 'is for another name than its address', 'url'],
  [
    'that is not the pinned one',
    {},
    { tls: { pins: ['0'.repeat(64)] } },
    'another certificate than the one that is pinned',
    'tls.pins',
  ],
  [
    'where it wants one itself',
    { wantsCertificate: true },
    ca,
    'requires a certificate from the bot',
    'tls.certificate',
  ],
])(
  'a certificate %s is explained in a sentence of its own, with the remedy',
  async (_, has, settings, words, cure) => {
    const { check } = await secured(has);
    const { code, text } = await check(settings);
    expect(code).toBe(1);
    expect(text).toContain(`✗ Web API: hq `);
    expect(text).toContain(words);
    expect(text).toContain(cure);
  },
);

test('the doctor marks an expired or expiring certificate, and a pinned one is no fault', async () => {
  const { examine, shown } = await secured({ days: -1 });
  expect((await examine(ca)).text).toMatch(
    /✗ hq 127\S+: the certificate of 127\.0\.0\.1 expired on .* Renew it\./,
  );
  const pinned = await examine({ tls: { pins: [new X509Certificate(shown.cert).fingerprint256] } });
  expect(pinned.text).toMatch(/! hq 127\S+: the certificate of 127\.0\.0\.1 expired on/);
  expect(pinned.code).toBe(0);
});

test('check and doctor go through a proxy, and report its refusal', async () => {
  const { check, examine } = await secured();
  const proxy = await startConnectProxy({ login: 'bot:s3cret' });
  const login = { user: 'bot', password: '${PROXY_PASSWORD}' };
  const through = { ...ca, proxy: { url: `http://${proxy.address}`, ...login } };
  const right = await check(through, ['--ask'], { PROXY_PASSWORD: 's3cret' });
  expect(right).toMatchObject({ code: 0 });
  expect(proxy.asked.length).toBeGreaterThan(0);
  const wrong = await check(through, ['--ask'], { PROXY_PASSWORD: 'hush' });
  expect(wrong.text).toContain('because its proxy requires a login, or rejected the one it got (PROXY_407)');
  expect(wrong.text).not.toContain('hush');
  proxy.refuse(403);
  const { text } = await examine({ ...ca, proxy: { url: `http://${proxy.address}` } });
  expect(text).toContain('its proxy');
});

test('a survey of an appliance of the policy file uses that file’s certificate, proxy and secrets', async () => {
  const { survey } = await secured();
  const proxy = await startConnectProxy({ login: 'bot:s3cret' });
  const login = { user: 'bot', password: '${PROXY_PASSWORD}' };
  const through = { ...ca, proxy: { url: `http://${proxy.address}`, ...login } };
  const { code, text, report } = await survey(through, ['--appliance', 'hq'], { PROXY_PASSWORD: 's3cret' });
  expect(code, text).toBe(0);
  expect(text).toMatch(/understood +directory\.applianceVersion/);
  expect(proxy.asked.length).toBeGreaterThan(0);
  expect(report).not.toContain('s3cret');

  for (const [words, says] of [
    [
      ['--appliance', 'hq'],
      'hq.proxy.password refers to the environment variable PROXY_PASSWORD, which is not set.',
    ],
    [['--appliance', 'branch'], 'has no appliance branch. It has hq.'],
    [
      ['--appliance', 'hq', '--key', '${KEY}'],
      '--key can be used only with a URL. For hq, the policy file has this setting.',
    ],
  ] as const)
    expect(await survey(through, words)).toMatchObject({ code: 2, text: expect.stringContaining(says) });
});

test('the sandbox with an appliance of the policy file uses that file’s authority, client certificate, proxy and secrets', async () => {
  const { sandbox, authority, folder } = await secured({ wantsCertificate: true });
  const own = authority.certify('appliance-bot');
  writeFileSync(join(folder, 'bot.pem'), own.cert);
  writeFileSync(join(folder, 'bot.key'), own.key);
  const proxy = await startConnectProxy({ login: 'bot:s3cret' });
  const login = { user: 'bot', password: '${PROXY_PASSWORD}' };
  const settings = {
    tls: { ca: 'ca.pem', certificate: 'bot.pem', key: '${file:bot.key}' },
    proxy: { url: `http://${proxy.address}`, ...login },
  };
  const right = await sandbox(settings, ['--appliance', 'hq'], { PROXY_PASSWORD: 's3cret' });
  expect(right, right.err).toMatchObject({ code: 0, out: expect.stringContaining('example.com is in') });
  expect(proxy.asked.length).toBeGreaterThan(0);

  for (const [words, says] of [
    [['--appliance', 'hq'], 'refers to the environment variable PROXY_PASSWORD, which is not set.'],
    [['--appliance', 'branch'], 'has no appliance branch. It has hq.'],
    [['--appliance', 'hq', '--config', 'none.yml'], 'none.yml does not exist.'],
    [['--appliance', 'hq', '--mirror', 'http://127.0.0.1:1'], 'The policy file has all settings of hq.'],
    [
      ['--appliance', 'https://127.0.0.1:1', '--config', 'x.yml'],
      '--config requires an appliance by its name, and not by its address.',
    ],
    [['--config', 'x.yml'], '--config requires an appliance by its name. Add --appliance NAME.'],
  ] as const)
    expect(await sandbox(settings, words)).toMatchObject({ code: 2, err: expect.stringContaining(says) });
}, 20_000);

test('a missing file is not checked, and a file that cannot be right is an error, each in its own words', async () => {
  const { check, folder, authority } = await secured();
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const { cert, key } = authority.certify('appliance-bot');
  write('bot.pem', cert);
  write('other.key', authority.certify('another').key);
  write('hush.txt', 'hush');
  write('locked.key', `-----BEGIN ENCRYPTED PRIVATE KEY-----\nhush\n-----END ENCRYPTED PRIVATE KEY-----\n`);
  const said = async (tls: object, environment = {}) => {
    const { code, text } = await check({ tls }, [], environment);
    expect(text).not.toContain('hush\n');
    return `${code} ${text}`;
  };
  const own = (reference: string) => ({ certificate: 'bot.pem', key: reference });
  expect(await said(own('${BOT_KEY}'), { BOT_KEY: key })).toMatch(/^0 .*is valid/);
  expect(await said({ ca: 'none.pem' })).toMatch(
    /^0 [\s\S]*Not checked: .*hq\.tls\.ca refers to the file none\.pem, which does not exist\./,
  );
  expect(await said({ ca: 'hush.txt' })).toMatch(
    /^1 [\s\S]*hq\.tls\.ca refers to the file hush\.txt, which has no certificate in PEM format/,
  );
  expect(await said(own('${file:other.key}'))).toMatch(
    /^1 [\s\S]*hq\.tls\.key refers to the file other\.key, whose key is not the one of certificate\./,
  );
  expect(await said(own('${file:locked.key}'))).toMatch(
    /^1 [\s\S]*whose key is encrypted with a passphrase\./,
  );
  expect(await said(own('${file:hush.txt}'))).toMatch(/^1 [\s\S]*which has no private key in PEM format\./);
  expect(await said(own('hush'))).toMatch(/^1 [\s\S]*hq\.tls\.key must be a reference/);
  expect(await said({ certificate: 'bot.pem' })).toMatch(/^1 [\s\S]*hq\.tls\.certificate requires key\./);
  expect(await said({ pins: ['sha1'] })).toMatch(/^1 [\s\S]*hq\.tls\.pins\.0 must be a SHA-256 fingerprint/);
  expect(await said({ ca: 'ca.pem' })).toMatch(
    /^0 [\s\S]*Warning: .*hq\.tls\.ca: the certificate of Company expires on \d{4}-/,
  );
});

test('TLS settings of an appliance without an https address, and a login in the address of its proxy, are errors', async () => {
  const { check } = await secured();
  const { text } = await check(
    { url: 'http://10.0.0.1', ...ca, proxy: { url: 'http://bot:hush@proxy:1' } },
    [],
  );
  expect(text).toContain('hq.tls has no effect, because no address of this appliance begins with https.');
  expect(text).toContain('hq.proxy.url must be an http or https address without a path.');
  expect(text).not.toContain('hush');
});
