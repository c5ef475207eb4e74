import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { createAuthority } from '../../test/certificates.ts';
import { subjectOf, toRun } from '../../test/policy.ts';
import { seeded } from '../../test/seeded.ts';
import { decide } from '../auth/decide.ts';
import { shippedApprovals, shippedEmergency, shippedRoles } from '../auth/policy.ts';
import { CannotStart, type Problem } from '../problem.ts';
import { readConfig } from './config.ts';
import { readPolicyText } from './policy-file.ts';
import type { Environment } from './secret.ts';
import { unknownWords } from './unknown-words.ts';

const slack = { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN: 'xapp-1' };
const good = `appliances:
  hq:
    url: https://10.20.0.2:9503
    key: \${HQ_KEY}
channels:
  C0HELPDESK:
    name: helpdesk
    appliance: hq
    roles:
      viewer: everyone
      helpdesk: [U0ALICE001, S0HELPDESK]
`;

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'config-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

/** Reads this YAML with a configured Slack, and removes the folder from reported places. */
function read(yaml: string, environment: Environment = { HQ_KEY: 'hush-4711' }, files = {}) {
  const folder = folderWith({ 'bot.yml': yaml, ...files });
  const told = (text: string) => text.replaceAll(`${folder}/`, '');
  try {
    return {
      config: readConfig({ ...slack, ...environment, APPLIANCE_BOT_CONFIG: join(folder, 'bot.yml') }),
      problems: [],
      message: '',
    };
  } catch (error) {
    if (!(error instanceof CannotStart)) throw error;
    const problems = error.problems.map(({ key, wrong, example }) => ({
      key: told(key),
      wrong: told(wrong),
      example,
    }));
    return { config: undefined, problems, message: told(error.message) };
  }
}

function problemsOf(environment: Environment): readonly Problem[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof CannotStart) return error.problems;
    throw error;
  }
}

describe('a good configuration', () => {
  test('is read', () => {
    const { config } = read(good);
    expect(config).toEqual({
      slack: { botToken: 'xoxb-1', inlet: { kind: 'socket', appToken: 'xapp-1' }, apiUrl: undefined },
      data: resolve('./data'),
      logLevel: 'info',
      appliances: [
        { name: 'hq', url: 'https://10.20.0.2:9503', key: 'hush-4711', keyEverywhere: false, deadlines: {} },
      ],
      fleet: new Map([['hq', { tags: [] }]]),
      policy: {
        channels: {
          C0HELPDESK: {
            name: 'helpdesk',
            appliance: 'hq',
            appliances: [],
            roles: { viewer: new Set(['everyone']), helpdesk: new Set(['U0ALICE001', 'S0HELPDESK']) },
            sharedWrites: false,
          },
        },
        holders: {},
        roles: shippedRoles,
        approvals: shippedApprovals,
        emergency: shippedEmergency,
        audit: {},
        timeZone: 'UTC',
        words: {},
      },
      file: expect.stringMatching(/bot\.yml$/),
      read: expect.anything(),
      signature: expect.any(String),
    });
  });

  test('may serve no channel yet, and an appliance needs no key', () => {
    const { config } = read('appliances: { hq: { url: http://10.20.0.2, key_everywhere: true } }');
    expect(config?.policy.channels).toEqual({});
    expect(config?.appliances[0]).toMatchObject({ key: undefined, keyEverywhere: true });
  });

  test('knows where the other services are, and what the appliance does not tell', () => {
    const { config } = read(
      [
        'appliances:',
        '  hq:',
        '    url: http://10.20.0.2:9503',
        '    directory_url: http://10.20.0.2:9504',
        '    mirror_url: http://10.20.0.3:9090',
        '    mirror_console_url: http://10.20.0.3:8081',
        '    mirror_console_user: bot',
        '    mirror_console_password: ${HQ_KEY}',
        '    methods: { acl.compile: POST }',
        '    release: "4.50 SP4 hotfix 20250525-12"',
        '    shell_password: ${HQ_KEY}',
      ].join('\n'),
    );
    expect(config?.appliances[0]).toMatchObject({
      directoryUrl: 'http://10.20.0.2:9504',
      mirrorUrl: 'http://10.20.0.3:9090',
      mirrorConsoleUrl: 'http://10.20.0.3:8081',
      mirrorConsoleUser: 'bot',
      mirrorConsolePassword: 'hush-4711',
      methods: { 'acl.compile': 'POST' },
      release: '4.50 SP4 hotfix 20250525-12',
      shellPassword: 'hush-4711',
    });
  });

  test('gives appliances tags, and channels further appliances, only as stated', () => {
    const { config } = read(`appliances:
  hq: { url: http://10.20.0.2, tags: [prod, europe] }
  branch: { url: http://10.40.0.2, tags: [europe] }
  lab: { url: http://10.60.0.2 }
channels:
  C0HELPDESK: { appliance: hq, appliances: all, roles: {} }
  C0BRANCH: { appliance: branch, appliances: [hq, lab], roles: {} }
  C0LAB: { appliance: lab, roles: {} }
`);
    expect([...(config?.fleet ?? [])]).toEqual([
      ['hq', { tags: ['prod', 'europe'] }],
      ['branch', { tags: ['europe'] }],
      ['lab', { tags: [] }],
    ]);
    const channels = Object.values(config?.policy.channels ?? {});
    expect(channels.map(({ appliances }) => appliances)).toEqual(['all', ['hq', 'lab'], []]);
  });

  test('keeps the tags from what the client of an appliance is given', () => {
    const { config } = read('appliances: { hq: { url: http://10.20.0.2, tags: [prod] } }');
    expect(Object.keys(config?.appliances[0] ?? {})).not.toContain('tags');
  });

  test('stands in the example file', () => {
    const example = readFileSync(new URL('../../appliance-bot.example.yml', import.meta.url), 'utf8');
    const authority = createAuthority();
    const client = authority.certify('appliance-bot');
    const { problems, config } = read(
      example.replaceAll('${file:/run/secrets/', '${file:').replaceAll('/etc/appliance-bot/', ''),
      { HQ_WEB_API_KEY: 'hush-4711' },
      {
        'branch-web-api-key': 'hush-4711',
        'branch-shell-password': 'hush',
        'branch-mirror-console-password': 'hush',
        'branch-proxy-password': 'hush, with a space',
        'company-ca.pem': readFileSync(authority.file, 'utf8'),
        'appliance-bot.pem': client.cert,
        'appliance-bot-key': client.key,
      },
    );
    expect(problems).toEqual([]);
    const proxy = {
      url: 'http://proxy.example.com:3128',
      user: 'appliance-bot',
      password: 'hush, with a space',
    };
    const branch = { proxy, tls: { certificate: client.cert.trim(), key: client.key.trim() } };
    expect(config?.appliances[1]).toMatchObject(branch);
    expect(config?.policy.channels.C0INCIDENT).toMatchObject({ appliance: 'branch', appliances: 'all' });
  });

  test('tells time-outs in seconds', () => {
    const { config } = read(
      'appliances: { hq: { url: http://10.20.0.2, timeouts: { connect: 1.5, whole: 60 } } }',
    );
    expect(config?.appliances[0]?.deadlines).toEqual({ connect: 1_500, whole: 60_000 });
  });

  test('says where the journal is and how much is logged', () => {
    const { config } = read(good, {
      HQ_KEY: 'hush-4711',
      APPLIANCE_BOT_DATA: '/var/lib/bot',
      LOG_LEVEL: 'debug',
    });
    expect(config).toMatchObject({ data: '/var/lib/bot', logLevel: 'debug', database: undefined });
  });

  test.each(['postgres://bot:hush@db:5432/journal', 'postgresql:///journal?host=/run/postgresql'])(
    'says that the journal is in a database that replicas share: %s',
    (DATABASE_URL) => {
      expect(read(good, { HQ_KEY: 'hush-4711', DATABASE_URL }).config?.database).toBe(DATABASE_URL);
    },
  );
});

describe('Slack reaches the bot', () => {
  test('by HTTP when there is only a signing secret, on port 3000 or the one given', () => {
    const http = { SLACK_APP_TOKEN: '', SLACK_SIGNING_SECRET: 'hush', HQ_KEY: 'hush-4711' };
    expect(read(good, http).config?.slack.inlet).toEqual({ kind: 'http', signingSecret: 'hush', port: 3000 });
    expect(read(good, { ...http, PORT: '8080', HOST: '127.0.0.1' }).config?.slack.inlet).toMatchObject({
      port: 8080,
      host: '127.0.0.1',
    });
  });

  test('by Socket Mode when there is an app token, whatever else is set', () => {
    const both = { SLACK_SIGNING_SECRET: 'hush', HQ_KEY: 'hush-4711', PORT: 'none' };
    expect(read(good, both).config?.slack.inlet).toEqual({ kind: 'socket', appToken: 'xapp-1' });
  });

  test.each(['http://127.0.0.1:9700/api', 'http://127.0.0.1:9700/api/', 'http://127.0.0.1:9700/api//'])(
    'at another address, %s, which then ends in a slash',
    (SLACK_API_URL) => {
      expect(read(good, { SLACK_API_URL, HQ_KEY: 'hush-4711' }).config?.slack.apiUrl).toBe(
        'http://127.0.0.1:9700/api/',
      );
    },
  );

  test.each([
    ['SLACK_BOT_TOKEN', { SLACK_BOT_TOKEN: 'hush' }, /^does not start with xoxb-\./],
    ['SLACK_BOT_TOKEN', { SLACK_BOT_TOKEN: '' }, /^is not set\./],
    ['SLACK_APP_TOKEN', { SLACK_APP_TOKEN: 'hush' }, /^does not start with xapp-\./],
    ['SLACK_APP_TOKEN', { SLACK_APP_TOKEN: undefined }, /^is not set, and neither is SLACK_SIGNING_SECRET\./],
    ['PORT', { SLACK_APP_TOKEN: '', SLACK_SIGNING_SECRET: 'x', PORT: 'hush' }, /^is not a port number/],
    ['PORT', { SLACK_APP_TOKEN: '', SLACK_SIGNING_SECRET: 'x', PORT: '70000' }, /^is not a port number/],
    ['SLACK_API_URL', { SLACK_API_URL: 'hush' }, /^is not an http or https address/],
    ['SLACK_API_URL', { SLACK_API_URL: 'ftp://hush/' }, /^is not an http or https address/],
    [
      'SLACK_API_URL',
      { SLACK_API_URL: 'http://hush.example/api/' },
      /^is a plain http address on another machine/,
    ],
    [
      'SLACK_API_URL',
      { SLACK_API_URL: 'https://bot:hush@slack.com/api/' },
      /^has a user name or a password before/,
    ],
    ['SLACK_API_URL', { SLACK_API_URL: 'https://slack.com/api/?to=hush' }, /^contains a \? or a #\./],
    ['LOG_LEVEL', { LOG_LEVEL: 'loud' }, /^is not a log level\. Use fatal,/],
    ['DATABASE_URL', { DATABASE_URL: 'mysql://bot:hush@db/journal' }, /^is not the address of a PostgreSQL/],
    [
      'DATABASE_URL',
      { DATABASE_URL: 'postgres://bot:hush@a.example:5432,b.example:5432/journal' },
      /^names several hosts, and the bot connects to one/,
    ],
    ['DATABASE_URL', { DATABASE_URL: 'postgres://bot:hush@a,b/journal' }, /^names several hosts/],
    ['DATABASE_URL', { DATABASE_URL: 'postgres://bot:hu,sh@a/b,@journal' }, /password, write @, .* as %40/],
    ['DATABASE_URL', { DATABASE_URL: 'postgres://bot:hu#/sh@db:x/journal' }, /password, write @, .* as %40/],
  ])('%s is checked, and not repeated', (key, environment, wrong) => {
    const { problems, message } = read(good, { HQ_KEY: 'hush-4711', ...environment });
    expect(problems).toEqual([
      { key, wrong: expect.stringMatching(wrong), example: expect.stringContaining(key) },
    ]);
    expect(message).not.toContain('hush');
  });
});

describe('values with surrounding characters', () => {
  /** Characters that editors, copying, Windows and Docker's `--env-file` leave around a value. */
  const around = [
    (value: string) => `${value}\r`,
    (value: string) => `"${value}"`,
    (value: string) => `'${value}'\r`,
    (value: string) => `\ufeff${value}\u200b`,
    (value: string) => ` ${value}\u00a0\n`,
  ];

  test.each(around)('are read without them: %s', (wrapped) => {
    const plain = {
      ...{ HQ_KEY: 'hush-4711', DATABASE_URL: 'postgres://bot:hush@db/journal', LOG_LEVEL: 'warn' },
      ...{ HEALTH_PORT: '9464', HTTPS_PROXY: 'http://proxy.example:3128', HOOK: `whsec_${'A'.repeat(43)}=` },
      ...{
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318',
        SLACK_API_URL: 'http://127.0.0.1:9700/api/',
      },
      ...{
        BLOCK_PAGE_PORT: '8080',
        BLOCK_PAGE_URL: 'https://ask.example',
        BLOCK_PAGE_SECRET: 'hush'.repeat(8),
      },
    };
    const yaml = `webhook: { url: "https://itsm.example/hook", secret: "\${HOOK}" }\n${good}`;
    const wrap = (given: Readonly<Record<string, string>>) =>
      Object.fromEntries(Object.entries(given).map(([name, value]) => [name, wrapped(value)]));
    const settingsOf = (environment: Environment) => {
      const { config, problems } = read(yaml, environment);
      expect(problems).toEqual([]);
      return { ...config, file: '', signature: '', read: '' };
    };
    expect(settingsOf(wrap({ ...slack, ...plain }))).toEqual(settingsOf({ ...slack, ...plain }));
    const http = { SLACK_APP_TOKEN: '', SLACK_SIGNING_SECRET: wrapped('hush'), HQ_KEY: 'hush-4711' };
    expect(read(good, http).config?.slack.inlet).toMatchObject({ signingSecret: 'hush' });
  });

  test.each(around)('are read so from files, too: %s', (wrapped) => {
    const yaml = good.replace('${HQ_KEY}', '${file:key.txt}');
    expect(read(yaml, {}, { 'key.txt': wrapped('hush-4711') }).config?.appliances[0]?.key).toBe('hush-4711');
  });

  test.each([
    ['SLACK_BOT_TOKEN', 'xoxb-hu\u200bsh', /^has a zero-width space \(U\+200B\) as character 8\./],
    ['SLACK_BOT_TOKEN', '"xoxb-hush', /^has a double quote \(U\+0022\) as character 1\. Use the bot token/],
    [
      'SLACK_BOT_TOKEN',
      '\u201cxoxb-hush\u201d',
      /^has a character beyond ASCII \(U\+201C\) as character 1\. Use/,
    ],
    ['SLACK_BOT_TOKEN', 'xoxb-hu sh', /^has a space \(U\+0020\) as character 8\. Use/],
    ['SLACK_APP_TOKEN', "xapp-hush'", /^has a single quote \(U\+0027\) as character 10\. Use an app-level/],
    ['SLACK_APP_TOKEN', 'xapp-hu\rsh', /^has a carriage return \(U\+000D\) as character 8\./],
    [
      'SLACK_API_URL',
      'https://slack.com/\u200bapi/',
      /^has a zero-width space \(U\+200B\) as character 19\./,
    ],
    [
      'DATABASE_URL',
      'postgres://bot:hu\u200bsh@db/x',
      /^has a zero-width space \(U\+200B\) as character 18\./,
    ],
    [
      'HTTPS_PROXY',
      'http://bot:hu\u202esh@proxy:1',
      /^has an invisible character \(U\+202E\) as character 14\./,
    ],
    ['LOG_LEVEL', 'in\u200bfo', /^has a zero-width space \(U\+200B\) as character 3\./],
  ])(
    '%s with a character inside that cannot be meant names it, and nothing else: %j',
    (key, value, wrong) => {
      const { problems, message } = read(good, { HQ_KEY: 'hush-4711', [key]: value });
      expect(problems).toEqual([
        { key, wrong: expect.stringMatching(wrong), example: expect.stringContaining(key) },
      ]);
      expect(message).not.toMatch(/hush|hu.sh/);
    },
  );

  test('a signing secret and a webhook’s secret name it as well', () => {
    const http = { SLACK_APP_TOKEN: '', SLACK_SIGNING_SECRET: 'hu"sh', HQ_KEY: 'hush-4711' };
    expect(read(good, http).problems).toMatchObject([
      {
        key: 'SLACK_SIGNING_SECRET',
        wrong: expect.stringMatching(/^has a double quote \(U\+0022\) as character 3\./),
      },
    ]);
    const yaml = `webhook: { url: "https://itsm.example/hook", secret: "\${HOOK}" }\n${good}`;
    const HOOK = `"whsec_${'A'.repeat(43)}=`;
    expect(read(yaml, { HQ_KEY: 'hush-4711', HOOK }).problems).toMatchObject([
      {
        wrong: expect.stringMatching(
          /^refers to a value that has a double quote \(U\+0022\) as character 1, so it is not whsec_/,
        ),
      },
    ]);
  });
});

describe('all problems are reported at once', () => {
  test('with nothing set at all', () => {
    expect(problemsOf({}).map(({ key }) => key)).toEqual([
      'SLACK_BOT_TOKEN',
      'SLACK_APP_TOKEN',
      'APPLIANCE_BOT_CONFIG',
    ]);
  });

  test('in the environment and in the file, each with its line and an example', () => {
    const { problems, message } = read(
      `appliances:
  hq:
    url: 10.20.0.2
    kye: \${HQ_KEY}
    tags: [prod, Western Europe]
  HQ2: { url: https://10.20.0.3 }
  all: { url: https://10.20.0.4, tags: prod }
channels:
  helpdesk:
    appliance: hq
    appliances: [hq, hw, 3]
    roles: { viewer: everyone }
  C0OPS:
    appliance: branch
    appliances: HQ2
    roles:
      viewr: everyone
      admin: [alice]
`,
      { SLACK_BOT_TOKEN: '', LOG_LEVEL: 'loud' },
    );
    const told = problems.map(({ key, wrong }) => `${key} ${wrong}`);
    expect(told).toEqual(
      expect.arrayContaining([
        'LOG_LEVEL is not a log level. Use fatal, error, warn, info, debug or silent.',
        expect.stringMatching(/^SLACK_BOT_TOKEN is not set\./),
        'bot.yml:3 appliances.hq.url must be an http or https address without a user name or password.',
        'bot.yml:4 appliances.hq.kye is not a known setting. Did you mean key?',
        'bot.yml:5 appliances.hq.tags.1 must be a tag of lowercase letters, digits and hyphens.',
        'bot.yml:6 appliances.HQ2 is not a valid appliance name. Use lowercase letters, digits and hyphens.',
        'bot.yml:7 appliances.all is not a valid appliance name: all is reserved for all appliances.',
        'bot.yml:7 appliances.all.tags must be a list of tags, such as [prod, europe].',
        'bot.yml:10 channels.helpdesk is not the Slack ID of a channel (C… or G…) or a direct message (D…). Names are not accepted: they can change.',
        'bot.yml:11 channels.helpdesk.appliances.1 refers to hw, which is not defined. Defined appliances: hq, HQ2, all. Did you mean hq?',
        'bot.yml:11 channels.helpdesk.appliances.2 must be the name of an appliance.',
        'bot.yml:14 channels.C0OPS.appliance refers to branch, which is not defined. Defined appliances: hq, HQ2, all.',
        'bot.yml:15 channels.C0OPS.appliances must be all or a list of appliances, such as [branch, branch-2].',
        'bot.yml:17 channels.C0OPS.roles.viewr refers to viewr, which is not defined. Defined roles: viewer, helpdesk, operator, approver, admin. Did you mean viewer?',
        'bot.yml:18 channels.C0OPS.roles.admin.0 must be the Slack ID of a person (U…) or of a user group (S…), in capital letters, or everyone.',
      ]),
    );
    expect(told).toHaveLength(15);
    for (const { example } of problems) expect(example).not.toBe('');
    const exampleOf = (end: string) => problems.find(({ key }) => key.endsWith(end))?.example;
    expect(exampleOf('C0OPS.appliances')).toBe('appliances: [branch, branch-2], or appliances: all');
    expect(exampleOf('helpdesk.appliances.1')).toBe(exampleOf('C0OPS.appliances'));
    expect(exampleOf('appliances.hq.tags.1')).toBe('tags: [prod, europe]');
    expect(message).toMatch(/^Appliance Bot cannot start: 15 settings need attention\./);
    expect(message).not.toContain('    at ');
  });
});

describe('a wrong file', () => {
  const wrongs = (yaml: string) => read(yaml).problems.map(({ key, wrong }) => `${key} ${wrong}`);

  test('that does not exist, or is a folder, is named', () => {
    const folder = folderWith({});
    const wrongOf = (file: string) => problemsOf({ ...slack, APPLIANCE_BOT_CONFIG: file })[0]?.wrong;
    expect(wrongOf(join(folder, 'none.yml'))).toBe(`points to ${folder}/none.yml, which does not exist.`);
    expect(wrongOf(folder)).toBe(`points to ${folder}, which is a folder and not a file.`);
  });

  test.each([
    [
      'a stray bracket',
      'appliances: ]\n  hq: { url: x }\n  branch: { url: y }\n',
      /^bot\.yml:1 is not valid YAML: /,
    ],
    ['an open bracket', 'appliances: { hq: { url: https://x }\n', /^bot\.yml:2 is not valid YAML: /],
    [
      'a wrong indent',
      'appliances:\n  hq:\n    url: https://x\n   key: y\n',
      /^bot\.yml:\d is not valid YAML: /,
    ],
    ['a tab', 'appliances:\n\thq: 1\n', /^bot\.yml:2 is not valid YAML: /],
    [
      'a name twice',
      'appliances: {}\nappliances: {}\n',
      /^bot\.yml:2 is not valid YAML: this setting is defined more than once\.$/,
    ],
  ])('with %s is no YAML, and the line is reported', (_, yaml, wrong) => {
    expect(wrongs(yaml)).toEqual([expect.stringMatching(wrong)]);
  });

  test('with a star that was meant as text is reported by its line', () => {
    expect(wrongs(good.replace('name: helpdesk', 'name: *helpdesk*'))).toEqual([
      'bot.yml:7 has an alias (*name) whose anchor (&name) is not defined or is used too often.',
    ]);
  });

  test('may merge one setting into another, and problems inside are reported', () => {
    const merged = (more: string) =>
      read(`appliances: { hq: { url: http://x } }
channels:
  C0A: &base { appliance: hq, roles: { viewer: everyone } }
  C0B: { <<: *base, ${more} }
`);
    expect(merged('only: [viewer]').config?.policy.channels).toMatchObject({
      C0B: { appliance: 'hq', roles: { viewer: new Set(['everyone']) }, only: ['viewer'] },
    });
    expect(merged('onli: [viewer]').problems.map(({ key, wrong }) => `${key} ${wrong}`)).toEqual([
      'bot.yml:4 channels.C0B.onli is not a known setting. Did you mean only?',
    ]);
  });

  test('with a tab, or with a reference in braces, gets words that help', () => {
    const [tab] = read('channels:\n\tC0A: x\n').problems;
    expect(tab).toMatchObject({ key: 'bot.yml:2', wrong: expect.stringContaining('indented with a tab') });
    const [braces] = read('appliances: { hq: { key: ${HQ_KEY} } }').problems;
    expect(braces?.example).toContain('key: "${HQ_WEB_API_KEY}"');
  });

  test('that expands without end is refused', () => {
    const rows = 'abcdefg'.split('').map((name, index, all) => {
      const inner = index === 0 ? 'x' : `*${all[index - 1]}`;
      return `${name}: &${name} [${Array(10).fill(inner).join(',')}]`;
    });
    expect(wrongs(rows.join('\n'))).toEqual([expect.stringContaining('or is used too often')]);
  });

  test.each([
    ['', 'bot.yml appliances must list at least one appliance.'],
    ['appliances: {}', 'bot.yml:1 appliances must list at least one appliance.'],
    ['hello', 'bot.yml must be settings, such as appliances and channels.'],
    ['- hq', 'bot.yml must be settings, such as appliances and channels.'],
    ['appliances: { hq: 3 }', 'bot.yml:1 appliances.hq must be the settings of one appliance.'],
    ['appliances: { hq: {} }', 'bot.yml:1 appliances.hq.url must be the address of the Web API.'],
    [
      'appliances: { hq: { url: http://x:9000 } }',
      'bot.yml:1 appliances.hq.url uses port 9000, which is the web console. The Web API uses port 9503 by default.',
    ],
    [
      'appliances: { hq: { url: "http://x:9503/?key=1" } }',
      'bot.yml:1 appliances.hq.url must not have a query or a fragment.',
    ],
    [
      'appliances: { hq: { url: http://x, release: "5" } }',
      'bot.yml:1 appliances.hq.release must be written like "4.50 SP4" or "4.50 SP4 hotfix 20250525-12".',
    ],
    [
      'appliances: { hq: { url: http://x, methods: { rdp.restrt: POST } } }',
      'bot.yml:1 appliances.hq.methods.rdp.restrt is not an operation (see docs/api.md).',
    ],
    [
      'appliances: { hq: { url: http://x, methods: { rdp.deleteVideo: GET, rdp.getMember: DELETE } } }',
      'bot.yml:1 appliances.hq.methods.rdp.getMember cannot be DELETE, because rdp.deleteMember uses it at the same path.',
    ],
    [
      'appliances: { hq: { url: http://x, methods: { acl.compile: FETCH } } }',
      'bot.yml:1 appliances.hq.methods.acl.compile must be GET, POST, PUT or DELETE.',
    ],
    [
      'appliances: { hq: { url: http://x, mirror_console_user: bot } }',
      'bot.yml:1 appliances.hq.mirror_console_user requires mirror_console_password.',
    ],
    [
      'appliances: { hq: { url: http://x, mirror_console_user: bot, mirror_console_password: hush } }',
      'bot.yml:1 appliances.hq.mirror_console_password must be a reference, ${NAME} or ${file:/run/secrets/name}. Keep secrets out of this file.',
    ],
    [
      'appliances: { hq: { url: http://x, timeouts: 3 } }',
      'bot.yml:1 appliances.hq.timeouts must be the settings of the timeouts.',
    ],
    [
      'appliances: { hq: { url: http://x, timeouts: { read: 0 } } }',
      'bot.yml:1 appliances.hq.timeouts.read must be more than 0 seconds.',
    ],
    [
      'appliances: { hq: { url: http://x } }\nchannels: 4',
      'bot.yml:2 channels must list channels by their Slack IDs.',
    ],
    [
      'appliances: { hq: { url: http://x } }\nchannels: { C0A: 1 }',
      'bot.yml:2 channels.C0A must be the settings of one channel.',
    ],
    [
      'appliances: { hq: { url: http://x } }\nchannels: { C0A: { appliance: hq } }',
      'bot.yml:2 channels.C0A.roles must map roles to their holders.',
    ],
  ])('%j is told in plain words', (yaml, wrong) => {
    expect(wrongs(yaml)).toEqual([wrong]);
  });

  test('with an unknown setting without similar ones suggests nothing', () => {
    expect(wrongs('appliances: { hq: { url: http://x, foo: 1 } }')).toEqual([
      'bot.yml:1 appliances.hq.foo is not a known setting.',
    ]);
    expect(wrongs(`${good}xyzzy: 1\n`)).toEqual(['bot.yml:12 xyzzy is not a known setting.']);
    expect(wrongs(`${good}chanels: 1\n`)).toEqual([
      'bot.yml:12 chanels is not a known setting. Did you mean channels?',
    ]);
  });
});

describe('the policy', () => {
  const minutes = 60_000;
  const around = (more: string) => `appliances: { hq: { url: http://x } }\n${more}\n`;
  const policyOf = (more: string) => read(around(more)).config?.policy;
  const wrongs = (more: string) =>
    read(around(more)).problems.map(({ key, wrong }) => `${key.replace('bot.yml:', '')} ${wrong}`);

  test('is read whole', () => {
    const policy = policyOf(`
time_zone: Europe/Berlin
roles:
  news-editor:
    summary: keeps category 252
    commands:
      - { effect: read }
      - { phrase: category add, where: { category: [252, news] } }
holders: { admin: [U0DANA0001], news-editor: everyone }
approvals:
  - commands: [{ phrase: emergency enable }, { area: upgrade, effect: destructive }]
    requesters: [helpdesk, news-editor]
    by: [approver, admin]
    count: 2
    requester: true
    open: 1h30m
    reason: { pattern: "^INC-[0-9]+", example: inc-4711 }
    not_needed: ["Mon-Fri 08:00-18:00"]
    not_possible: ["Sat,Sun", "22:00-06:00"]
emergency: { longest: 90m, break_glass: approver }
audit: { keep: 400d, channel: C0AUDIT }
channels:
  C0HELPDESK:
    appliance: hq
    roles: { viewer: everyone, operator: [everyone, U0GUEST001, S0OPERATOR] }
    only: [viewer, news-editor]
    shared: write
  D0DANA0001: { appliance: hq, roles: {} }
`);
    expect(policy).toEqual({
      timeZone: 'Europe/Berlin',
      words: {},
      roles: {
        ...shippedRoles,
        'news-editor': {
          summary: 'keeps category 252',
          commands: [{ effect: 'read' }, { phrase: 'category add', where: { category: [252, 'news'] } }],
        },
      },
      holders: { admin: new Set(['U0DANA0001']), 'news-editor': new Set(['everyone']) },
      approvals: [
        {
          commands: [{ phrase: 'emergency enable' }, { area: 'upgrade', effect: 'destructive' }],
          requesters: ['helpdesk', 'news-editor'],
          by: ['approver', 'admin'],
          count: 2,
          requester: true,
          open: 90 * minutes,
          reason: { pattern: '^INC-[0-9]+', example: 'inc-4711' },
          notNeeded: [{ days: [0, 1, 2, 3, 4], from: 480, to: 1_080 }],
          notPossible: [
            { days: [5, 6], from: 0, to: 1_440 },
            { days: [0, 1, 2, 3, 4, 5, 6], from: 1_320, to: 360 },
          ],
        },
        ...shippedApprovals,
      ],
      emergency: { longest: 90 * minutes, breakGlass: 'approver' },
      audit: { keep: 400 * 24 * 60 * minutes, channel: 'C0AUDIT' },
      channels: {
        C0HELPDESK: {
          appliance: 'hq',
          appliances: [],
          roles: {
            viewer: new Set(['everyone']),
            operator: new Set(['everyone', 'U0GUEST001', 'S0OPERATOR']),
          },
          only: ['viewer', 'news-editor'],
          sharedWrites: true,
        },
        D0DANA0001: { appliance: 'hq', appliances: [], roles: {}, sharedWrites: false },
      },
    });
  });

  test('gets the defaults if it says nothing', () => {
    expect(policyOf('')).toEqual({
      channels: {},
      holders: {},
      roles: shippedRoles,
      approvals: shippedApprovals,
      emergency: shippedEmergency,
      audit: {},
      timeZone: 'UTC',
      words: {},
    });
  });

  test('asks for one approval by another person within a quarter of an hour by default', () => {
    expect(policyOf('approvals: [{ commands: [{ area: rdp }], by: admin }]')?.approvals[0]).toEqual({
      commands: [{ area: 'rdp' }],
      by: ['admin'],
      count: 1,
      requester: false,
      open: 15 * minutes,
      reason: undefined,
      notNeeded: [],
      notPossible: [],
    });
  });

  test.each([
    ['true', {}],
    ['false', undefined],
    ['{}', {}],
    ['{ example: INC-4711 }', { example: 'INC-4711' }],
  ])('wants reason: %s as %j', (reason, wanted) => {
    const more = `approvals: [{ commands: [{ area: rdp }], by: admin, reason: ${reason} }]`;
    expect(policyOf(more)?.approvals[0]?.reason).toEqual(wanted);
  });

  test('decides, with custom roles and holders of everywhere', () => {
    const policy =
      policyOf(`roles: { news: { summary: x, commands: [{ phrase: category add, where: { category: [252] } }] } }
holders: { news: [U0DANA0001] }
channels: { C0NEWS: { appliance: hq, roles: {} } }`);
    if (policy === undefined) throw new Error('The policy was not read');
    const dana = { kind: 'member', id: 'U0DANA0001', human: 'dana', groups: new Set<string>() } as const;
    const add = subjectOf({ name: 'category add', area: 'category', effect: 'write' });
    const isAllowed = (category: number, channel = 'C0NEWS') =>
      decide(toRun({ ...add, args: { category } }, dana, { channel, place: 'own' }), policy).allow;
    expect([isAllowed(252), isAllowed(253), isAllowed(252, 'C0OTHER')]).toEqual([true, false, false]);
  });

  test.each([
    ['time_zone: Europe/Berln', '2 time_zone is not an IANA time zone. Did you mean Europe/Berlin?'],
    ['time_zone: berlin', expect.stringMatching(/ Did you mean Europe\/Berlin\?$/)],
    ['time_zone: "+01:00"', '2 time_zone is not an IANA time zone.'],
    ['time_zone: 1', '2 time_zone must be a time zone, such as Europe/Berlin.'],
    [
      'roles: { x: { summary: x, commands: [{ area: rdp, appliance: branhc }] } }',
      '2 roles.x.commands.0.appliance refers to branhc, which is not defined. Defined appliances: hq.',
    ],
    [
      'roles: { x: { summary: x, commands: [{ area: rdp }], tag: prod } }',
      '2 roles.x.tag refers to prod, but no tags are defined.',
    ],
    [
      'approvals: [{ commands: [{ area: rdp }], by: admin, appliance: nowhere }]',
      '2 approvals.0.appliance refers to nowhere, which is not defined. Defined appliances: hq.',
    ],
    ['roles: [x]', '2 roles must list roles by their names.'],
    ['roles: { x: 1 }', '2 roles.x must be the settings of one role.'],
    [
      'roles: { x: { commands: [{ area: rdp }] } }',
      '2 roles.x.summary must describe the role in a few words.',
    ],
    [
      'roles: { x: { summary: x, commands: [] } }',
      '2 roles.x.commands must list what the role may run, such as [{ effect: read }].',
    ],
    [
      'roles: { x: { summary: x, commands: [rdp] } }',
      '2 roles.x.commands.0 must be a rule, such as { effect: read } or { phrase: rdp disconnect }.',
    ],
    [
      'roles: { x: { summary: x, commands: [{}] } }',
      '2 roles.x.commands.0 must have an area, an effect or a phrase. Without one, it matches no command.',
    ],
    [
      'roles: { x: { summary: x, commands: [{ area: rdp, where: { session: [1] } }] } }',
      '2 roles.x.commands.0 has a where without a phrase. Add a phrase: arguments depend on the command.',
    ],
    [
      'roles: { x: { summary: x, commands: [{ phrase: rdp, where: { session: 1 } }] } }',
      '2 roles.x.commands.0.where.session must be a list of allowed values, such as [252].',
    ],
    [
      'roles: { x: { summary: x, commands: [{ phrase: rdp, where: { session: [] } }] } }',
      '2 roles.x.commands.0.where.session must have at least one value.',
    ],
    [
      'roles: { x: { summary: x, commands: [{ phrase: rdp, where: {} }] } }',
      '2 roles.x.commands.0.where must map arguments to allowed values, such as { category: [252] }.',
    ],
    [
      'roles: { x: { summary: x, commands: [{ effect: wrote }] } }',
      '2 roles.x.commands.0.effect must be read, write, destructive or unknown.',
    ],
    [
      'roles: { x: { summary: x, commands: [{ area: rdp, efect: read }] } }',
      '2 roles.x.commands.0.efect is not a known setting. Did you mean effect?',
    ],
    [
      'roles: { admin: { summary: x, commands: [{ area: rdp }] } }',
      '2 roles.admin is a built-in role. Choose another name.',
    ],
    [
      'roles: { News: { summary: x, commands: [{ area: rdp }] } }',
      '2 roles.News is not a valid role name. Use lowercase letters, digits and hyphens.',
    ],
    [
      'roles: { constructor: { summary: x, commands: [{ area: rdp }] } }',
      '2 roles.constructor is not a valid role name. Use lowercase letters, digits and hyphens.',
    ],
    [
      'holders: { amdin: everyone }',
      expect.stringMatching(
        /^2 holders\.amdin refers to amdin, which is not defined\. Defined roles: .* Did you mean admin\?$/,
      ),
    ],
    [
      'holders: { admin: U0DANA0001 }',
      '2 holders.admin must be everyone or a list of Slack IDs, such as [U0ALICE001, S0HELPDESK].',
    ],
    ['approvals: {}', '2 approvals must be a list of approvals.'],
    [
      'approvals: [{ by: approver }]',
      '2 approvals.0.commands must list what needs approval, such as [{ phrase: emergency enable }].',
    ],
    [
      'approvals: [{ commands: [{ area: rdp }] }]',
      '2 approvals.0.by must be the name of the role whose holders approve, or a list of roles.',
    ],
    [
      'approvals: [{ commands: [{ area: rdp }], by: [] }]',
      '2 approvals.0.by must be the name of the role whose holders approve, or a list of roles.',
    ],
    [
      'approvals: [{ commands: [{ area: rdp }], by: aprover }]',
      expect.stringMatching(/^2 approvals\.0\.by refers to aprover, .* Did you mean approver\?$/),
    ],
    [
      'approvals: [{ commands: [{ area: rdp }], by: [admin, aprover] }]',
      expect.stringMatching(/^2 approvals\.0\.by\.1 refers to aprover, /),
    ],
    [
      'approvals: [{ commands: [{ area: rdp }], by: admin, requesters: [x] }]',
      expect.stringMatching(/^2 approvals\.0\.requesters\.0 refers to x, /),
    ],
    [
      'approvals: [{ commands: [{ area: rdp }], by: admin, count: 0 }]',
      '2 approvals.0.count must be at least 1.',
    ],
    [
      'approvals: [{ commands: [{ area: rdp }], by: admin, count: 1.5 }]',
      '2 approvals.0.count must be a number of people.',
    ],
    [
      'approvals: [{ commands: [{ area: rdp }], by: admin, requester: maybe }]',
      '2 approvals.0.requester must be true or false.',
    ],
    ...['8d', '30s', '15', 'soon', '1m 30s', '1h-', '99999999999999999999d'].map((open): [string, string] => [
      `approvals: [{ commands: [{ area: rdp }], by: admin, open: "${open}" }]`,
      '2 approvals.0.open must be a duration between 1m and 7d, such as 90s, 30m, 2h or 1h30m.',
    ]),
    [
      'approvals: [{ commands: [{ area: rdp }], by: admin, reason: yes please }]',
      expect.stringMatching(/^2 approvals\.0\.reason must be true, false, or a pattern,/),
    ],
    [
      'approvals: [{ commands: [{ area: rdp }], by: admin, reason: { pattern: "[" } }]',
      '2 approvals.0.reason.pattern is not a valid regular expression (RE2 syntax).',
    ],
    ...[
      ['(?=INC)', 'uses lookahead or lookbehind, (?=…), (?!…), (?<=…) or (?<!…), which is not supported'],
      ['(?<!X)INC', 'uses lookahead or lookbehind, (?=…), (?!…), (?<=…) or (?<!…), which is not supported'],
      ['(a)\\\\1', 'uses a backreference, \\1 or \\k<…>, which is not supported'],
      ['a++', 'uses an atomic group or a possessive quantifier, (?>…) or a++, which is not supported'],
      [
        '(.{1,100}x){9}',
        'is too complex: up to 1820 steps per character, and at most 300 are allowed. Use smaller repetitions',
      ],
      ['a'.repeat(201), 'has 201 characters, but at most 200 are allowed.'],
    ].map(([pattern, problem]): [string, unknown] => [
      `approvals: [{ commands: [{ area: rdp }], by: admin, reason: { pattern: "${pattern}" } }]`,
      expect.stringContaining(`2 approvals.0.reason.pattern ${problem}`),
    ]),
    [
      'approvals: [{ commands: [{ area: rdp }], by: admin, reason: { patern: x } }]',
      '2 approvals.0.reason.patern is not a known setting. Did you mean pattern?',
    ],
    [
      'approvals: [{ commands: [{ area: rdp }], by: admin, reason: { pattern: "^INC-[0-9]+", example: 4711x } }]',
      '2 approvals.0.reason.example does not match the pattern.',
    ],
    [
      'approvals: [{ commands: [{ area: rdp }], by: admin, not_needed: ["Mon-Fry 08:00-18:00"] }]',
      '2 approvals.0.not_needed.0 must be weekly hours, such as "Mon-Fri 08:00-18:00", "Sat,Sun" or "22:00-06:00".',
    ],
    [
      'approvals: [{ commands: [{ area: rdp }], by: admin, not_possible: Sun }]',
      '2 approvals.0.not_possible must be a list of hours, such as ["Mon-Fri 08:00-18:00"].',
    ],
    [
      'emergency: { longest: 8d }',
      '2 emergency.longest must be a duration between 1m and 7d, such as 90s, 30m, 2h or 1h30m.',
    ],
    [
      'audit: { keep: 1h }',
      '2 audit.keep must be a duration between 30d and 36500d, such as 90d, 400d or 3650d.',
    ],
    ['audit: { channel: audit }', '2 audit.channel must be the Slack ID of a channel (C…, G…), not a name.'],
    [
      'emergency: { break_glass: aprover }',
      expect.stringMatching(/^2 emergency\.break_glass refers to aprover, .* Did you mean approver\?$/),
    ],
    [
      'emergency: { break_glas: approver }',
      '2 emergency.break_glas is not a known setting. Did you mean break_glass?',
    ],
    [
      'channels: { C0A: { appliance: hq, roles: {}, only: [viewr] } }',
      expect.stringMatching(/^2 channels\.C0A\.only\.0 refers to viewr, .* Did you mean viewer\?$/),
    ],
    [
      'channels: { C0A: { appliance: hq, roles: {}, shared: yes } }',
      '2 channels.C0A.shared must be read or write.',
    ],
    [
      'channels: { C0A: { appliance: hq, roles: { viewer: [everybody] } } }',
      '2 channels.C0A.roles.viewer.0 must be the Slack ID of a person (U…) or of a user group (S…), in capital letters, or everyone.',
    ],
    [
      'channels: { C0A: { appliance: hq, roles: { viewer: [12345] } } }',
      '2 channels.C0A.roles.viewer.0 must be the Slack ID of a person (U…) or of a user group (S…), in capital letters, or everyone.',
    ],
    [
      'channels: { c0help1: { appliance: hq, roles: {} } }',
      expect.stringMatching(/^2 channels\.c0help1 is not the Slack ID .* Did you mean C0HELP1\?$/),
    ],
  ])('%s is refused in plain words', (more, wrong) => {
    expect(wrongs(more)).toEqual([wrong]);
  });

  test('a rule may name no other appliance than its role', () => {
    const [wrong] = wrongs(
      'roles: { x: { summary: x, commands: [{ area: rdp, appliance: b }], appliance: hq } }',
    );
    expect(wrong).toContain(
      'sets an appliance or a tag for all of its rules, but one of the rules sets another',
    );
  });

  test('compares an unknown setting only with those that are valid there', () => {
    expect(wrongs('channels: { C0A: { appliance: hq, roles: {}, count: 1 } }')).toEqual([
      '2 channels.C0A.count is not allowed here. Move it to approvals.*.',
    ]);
    expect(wrongs('channels: { C0A: { appliance: hq, roles: {}, commands: [] } }')).toEqual([
      '2 channels.C0A.commands is not a known setting.',
    ]);
  });

  test.each([
    ['only: [viewer]', '2 only is not allowed here. Move it to channels.*.'],
    ['break_glass: admin', '2 break_glass is not allowed here. Move it to emergency.'],
    [
      'approvals: [{ by: admin, commands: [{ area: rdp }], pattern: x }]',
      '2 approvals.0.pattern is not allowed here. Move it to approvals.0.reason.',
    ],
    [
      'channels: { C0A: { appliance: hq, roles: {}, viewer: everyone } }',
      '2 channels.C0A.viewer is not allowed here. Move it to channels.C0A.roles.',
    ],
    ['admin: [U0DANA0001]', '2 admin is not allowed here. Move it to holders.'],
    [
      'channels: { C0A: { appliance: hq, roles: {}, time_zone: UTC } }',
      '2 channels.C0A.time_zone is not allowed here. Move it to the top level, without indentation.',
    ],
  ])('with a setting in the wrong place, %s, names the right one', (more, wrong) => {
    expect(wrongs(more)).toEqual([wrong]);
  });

  test('suggests the right key for a misspelling in any setting of the example', () => {
    const text = readFileSync(new URL('../../appliance-bot.example.yml', import.meta.url), 'utf8');
    // Without comments, each setting on a line of its own.
    const plain = stringify(parse(text));
    const names = new Set([...plain.matchAll(/^ *(?:- )*([a-z_]+):/gm)].map(([, name = '']) => name));
    // Names, and no settings.
    for (const own of [
      'hq',
      'branch',
      'session',
      'category',
      'kick',
      'freischalten',
      'night',
      'weekend',
      'year-end',
      'friday-afternoon',
      ...Object.keys(shippedRoles),
    ])
      names.delete(own);
    expect(names.size).toBeGreaterThan(40);
    for (const name of names) {
      const slip = plain.replace(new RegExp(`^( *(?:- )*)${name}:`, 'm'), `$1x${name}:`);
      const { problems } = readPolicyText(slip, 'bot.yml', {});
      expect(problems.map(({ key, wrong }) => `${key.split(/[. ]/).at(-1)} ${wrong}`)).toContain(
        `x${name} is not a known setting. Did you mean ${name}?`,
      );
    }
  });

  test('reports problems in the order of the lines', () => {
    const lines = wrongs('time_zone: x\nholders: { x: everyone }\nemergency: { longest: 1 }\nxyzzy: 1');
    expect(lines.map((line) => line.split(' ')[0])).toEqual(['2', '3', '4', '5']);
  });
});

describe('words that only the commands know', () => {
  const vocabulary = {
    areas: ['category', 'rdp'],
    phrases: new Map([
      ['category add', ['site', 'category']],
      ['rdp policies', []],
    ]),
    subjects: [
      subjectOf({ name: 'category add', area: 'category', effect: 'write' }),
      subjectOf({ name: 'rdp policies', area: 'rdp', effect: 'read' }),
    ],
    compared: (_: string, name: string, value: string) => {
      if (name === 'site') return value.toLowerCase();
      return /^[0-9]+$/.test(value) ? value : undefined;
    },
  } as const;
  const wrongs = (yaml: string) => {
    const { content, told } = readPolicyText(yaml, 'bot.yml', {});
    return told(unknownWords(content, vocabulary)).map(({ key, wrong }) => `${key} ${wrong}`);
  };

  test('are accepted if commands have them', () => {
    const rules =
      '[{ area: rdp }, { phrase: rdp policies }, { phrase: category add, where: { category: [1] } }]';
    expect(wrongs(`roles: { x: { commands: ${rules} } }\napprovals: [{ commands: ${rules} }]`)).toEqual([]);
    expect(wrongs(good)).toEqual([]);
  });

  test('are reported with their line and the nearest word, all of them at once', () => {
    expect(
      wrongs(`roles:
  x:
    commands:
      - { area: rpd }
      - { phrase: category ad, where: { x: [1] } }
      - { phrase: category add, where: { categry: [1], colour: [red] } }
approvals:
  - commands: [{ phrase: rdp policies, where: { session: [1] } }]
  - commands: [{ area: emergency }]
`),
    ).toEqual([
      'bot.yml:4 roles.x.commands.0.area is not the first word of any command. Did you mean rdp?',
      'bot.yml:5 roles.x.commands.1.phrase is not a command. Did you mean category add?',
      'bot.yml:6 roles.x.commands.2.where.categry is not an argument of category add. Its arguments: site, category. Did you mean category?',
      'bot.yml:6 roles.x.commands.2.where.colour is not an argument of category add. Its arguments: site, category.',
      'bot.yml:8 approvals.0.commands.0.where.session is not an argument of rdp policies. It has none.',
      'bot.yml:9 approvals.1.commands.0.area is not the first word of any command.',
    ]);
  });

  test('are suggested for a command in capitals, or with arguments', () => {
    expect(
      wrongs(
        'roles: { x: { commands: [{ area: RDP }, { phrase: Category Add }, { phrase: /appliance category add <site> }] } }',
      ).map((wrong) => wrong.split('Did you mean ')[1]),
    ).toEqual(['rdp?', 'category add?', 'category add?']);
  });

  test('are refused if nothing could ever match: conditions together, and values', () => {
    expect(
      wrongs(`approvals:
  - commands: [{ phrase: category add, effect: destructive }]
  - commands: [{ phrase: category add, area: rdp }, { phrase: category add, area: category, effect: write }]
  - commands: [{ phrase: category add, where: { category: [252, "253", News] } }]
  - commands: [{ phrase: category add, where: { site: [example.com, Example.com] } }]
`),
    ).toEqual([
      'bot.yml:2 approvals.0.commands.0 matches no command: category add has the area category and the effect write.',
      'bot.yml:3 approvals.1.commands.0 matches no command: category add has the area category and the effect write.',
      'bot.yml:4 approvals.2.commands.0.where.category.2 is not a valid value for category of category add. For anything that an appliance lists, use its ID.',
      'bot.yml:5 approvals.3.commands.0.where.site.1 never matches as written. Did you mean example.com?',
    ]);
  });

  test('are reported among other problems, in the order of the lines', () => {
    const { content, problemsWith } = readPolicyText(
      'approvals: [{ by: admin, commands: [{ area: rpd }] }]\nxyzzy: 1\n',
      'bot.yml',
      {},
    );
    expect(problemsWith(unknownWords(content, vocabulary)).map(({ key }) => key)).toEqual([
      'bot.yml appliances',
      'bot.yml:1 approvals.0.commands.0.area',
      'bot.yml:2 xyzzy',
    ]);
  });

  test('are looked up in a value of any shape', () => {
    for (const yaml of [
      '',
      '3',
      '- x',
      'roles: 3',
      'roles: { x: 3 }',
      'approvals: 3',
      'approvals: [3]',
      'a: *b',
    ])
      expect(wrongs(yaml)).toEqual([]);
    expect(wrongs('roles: { x: { commands: [{ phrase: [1], where: 3 }, 4] } }')).toEqual([]);
  });
});

describe('a secret', () => {
  const keyed = (key: string) => `appliances: { hq: { url: http://10.20.0.2, key: ${JSON.stringify(key)} } }`;
  const keyOf = (key: string, environment: Environment = {}, files = {}) => {
    const { config, problems } = read(keyed(key), environment, files);
    return config === undefined ? problems.map(({ wrong }) => wrong) : config.appliances[0]?.key;
  };

  test('comes from the environment or from a file beside the configuration', () => {
    expect(keyOf('${HQ_KEY}', { HQ_KEY: 'hush-4711' })).toBe('hush-4711');
    expect(keyOf('${file:key.txt}', {}, { 'key.txt': ' hush-4711\n' })).toBe('hush-4711');
    expect(keyOf(`\${file:${join(folderWith({ key: 'hush-4711' }), 'key')}}`)).toBe('hush-4711');
  });

  test.each(['k', '252', 'true', 'seven77'])('that is as short as %s is refused as a key', (HQ_KEY) => {
    expect(keyOf('${HQ_KEY}', { HQ_KEY })).toEqual([
      'refers to a key of fewer than 8 characters, which is too short to be kept secret. Set a longer Web API key on the appliance, and here.',
    ]);
  });

  test.each([
    ['${HQ_KEY}', 'refers to the environment variable HQ_KEY, which is not set.'],
    ['${file:none.txt}', 'refers to the file none.txt, which does not exist.'],
    ['${file:empty.txt}', 'refers to the file empty.txt, which is empty.'],
    ['${file:.}', 'refers to the file ., which is a folder and not a file.'],
  ])('%s that is not there is told by its name', (key, wrong) => {
    expect(keyOf(key, {}, { 'empty.txt': '\n' })).toEqual([wrong]);
  });

  test('that no header can carry is reported before the start, and not repeated', () => {
    for (const [HQ_KEY, odd] of [
      ['hush hush', 'a space (U+0020) as character 5'],
      ['hüsh', 'a character beyond ASCII (U+00FC) as character 2'],
      ['hush\nhush', 'a line break (U+000A) as character 5'],
      ['hush\u200bhush', 'a zero-width space (U+200B) as character 5'],
    ] as const) {
      expect(keyOf('${HQ_KEY}', { HQ_KEY })).toEqual([
        `refers to the environment variable HQ_KEY, whose value has a character that HTTP headers cannot carry: ${odd}.`,
      ]);
    }
  });

  test('in the file itself is refused, and not repeated', () => {
    for (const literal of ['hush-4711', '$HQ_KEY', '${HQ_KEY}hush', '']) {
      const { problems, message } = read(keyed(literal));
      expect(problems).toEqual([
        {
          key: 'bot.yml:1 appliances.hq.key',
          wrong: 'must be a reference, ${NAME} or ${file:/run/secrets/name}. Keep secrets out of this file.',
          example: 'key: ${HQ_WEB_API_KEY}',
        },
      ]);
      expect(message).not.toMatch(/hush/);
    }
  });

  test('in an address is refused, and not repeated', () => {
    const { problems, message } = read('appliances: { hq: { url: "https://bot:hush@10.20.0.2" } }');
    expect(problems[0]?.wrong).toMatch(/^must be an http or https address without a user name/);
    expect(message).not.toContain('hush');
  });

  test.each(['!hush x', '"hush\\hush"', '*hush', '|hush', '@hush', '%hush', "'hush", '{hush', '&hush'])(
    'in invalid YAML, %s, is not repeated',
    (written) => {
      const { message } = read(`appliances:\n  hq:\n    url: http://x\n    key: ${written}\nchannels: {}\n`);
      expect(message).toContain('cannot start');
      expect(message).not.toContain('hush');
    },
  );

  test('in a file with random damage is never repeated, and the damage is always reported in words', () => {
    const random = seeded(815);
    const literal = good.replace('${HQ_KEY}', 'HUSH-4711');
    const pieces = [...'{}[]:,*&!|>%@`"\'#-? \n\t', '\n  ', '- ', '*x', '!!map ', '---\n'];
    const keyAt = literal.indexOf('HUSH');
    for (let round = 0; round < 300; round += 1) {
      let yaml = literal;
      for (let damage = 0; damage < 2; damage += 1) {
        // Everywhere but inside the key's line, where secret and name cannot be distinguished.
        let at = Math.floor(random() * yaml.length);
        if (at > keyAt - 10 && at < keyAt + 12) at = 0;
        const piece = pieces[Math.floor(random() * pieces.length)] ?? '';
        yaml = `${yaml.slice(0, at)}${piece}${yaml.slice(at + Math.floor(random() * 2))}`;
      }
      const { message } = read(yaml);
      expect(message, yaml).toContain('cannot start');
      expect(message, yaml).not.toContain('HUSH');
    }
  });
});
