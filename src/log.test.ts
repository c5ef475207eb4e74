import { WebAPIHTTPError, WebAPIRequestError } from '@slack/web-api';
import { describe, expect, test } from 'vitest';
import { createLog, hideSecrets } from './log.ts';

/** A log that is written to a list, line by line. */
function open(level = 'debug') {
  const lines: string[] = [];
  const log = createLog(level, { write: (line: string) => void lines.push(line) });
  const last = (): Record<string, unknown> => JSON.parse(lines.at(-1) ?? '');
  return { log, lines, last };
}

// Put together here, so that nobody's scanner takes them for real ones.
const botToken = ['xoxb', '1234', '5678', 'aBcDeF'].join('-');
const secrets = {
  'a bot token': botToken,
  'a user token': botToken.replace('xoxb', 'xoxp'),
  'a rotated token': `xoxe.${botToken}`,
  'a refresh token': botToken.replace('xoxb', 'xoxe'),
  'an app token': 'xapp-1-A0B1-234-deadbeef',
  'a response_url of a command': 'https://hooks.slack.com/commands/T1/23/aBcD',
  'a response_url of a click': 'https://hooks.slack.com/actions/T1/23/aBcD',
  'a webhook': 'https://hooks.slack.com/services/T1/B2/aBcD',
  'a web socket': 'wss://wss-primary.slack.com/link/?ticket=aBcD&app_id=1',
} as const;

describe.each(Object.entries(secrets))('%s is hidden', (_, secret) => {
  const remains = secret.slice(-4);

  test('in a message', () => {
    const { log, lines } = open();
    log.info(`it was ${secret}, then`);
    expect(lines[0]).not.toContain(remains);
    expect(lines[0]).toContain('it was [secret]');
  });

  test('in a value, however deep', () => {
    const { log, lines, last } = open();
    log.info({ a: { b: [{ c: { d: `<${secret}>`, e: secret } }] } }, 'deep');
    expect(lines[0]).not.toContain(remains);
    expect(last()).toMatchObject({ msg: 'deep' });
  });

  test('in an error, its stack, its causes and what it carries', () => {
    const { log, lines, last } = open();
    const cause = new Error(`"${secret}" did not answer`);
    const error = Object.assign(new Error(`failed: '${secret}'\n${secret}`, { cause }), {
      request: { url: secret },
    });
    log.error({ err: error }, 'Something went wrong');
    log.error(error);
    for (const line of lines) expect(line).not.toContain(remains);
    expect(last()).toMatchObject({ level: 'error' });
  });

  test('and the line around it stays JSON', () => {
    const { log, last } = open();
    log.error({ err: new Error(`cannot read "${secret}"\nat once`), also: `\\${secret}\\` }, `"${secret}"`);
    expect(last()).toMatchObject({ msg: '"[secret]"', also: '\\[secret]\\' });
    expect(JSON.stringify(last().err)).toContain('at once');
  });

  test('outside the log', () => {
    expect(hideSecrets(`(${secret} `)).toBe('([secret] ');
  });
});

describe('of the address of a database', () => {
  test.each([
    ['postgres://bot:hush@db:5432/journal', 'postgres://bot:[secret]@db:5432/journal'],
    ['postgresql://bot:hu@sh/1@db/journal', 'postgresql://bot:[secret]@db/journal'],
    [
      'postgres://db/journal?user=bot&password=hush&a=b',
      'postgres://db/journal?user=bot&password=[secret]&a=b',
    ],
  ])('the password is hidden: %s', (address, hidden) => {
    expect(hideSecrets(`"${address}" is away`)).toBe(`"${hidden}" is away`);
  });
});

describe('what stands under a name that says "secret" is hidden', () => {
  test.each([
    'token',
    'botToken',
    'appToken',
    'key',
    'apiKey',
    'secret',
    'signingSecret',
    'password',
    'replyTo',
    'response_url',
    'trigger_id',
    'authorization',
    'Authorization',
    'x-auth-token',
  ])('%s, at any depth', (name) => {
    const { log, lines, last } = open();
    const value = 'hush"hush\\ hush';
    log.info({ [name]: value });
    log.info({ a: { [name]: value } });
    log.info({ a: { b: { c: { d: [{ [name]: value }] } } } });
    log.child({ [name]: value }).info('a child of the log');
    log.error({ err: Object.assign(new Error('x'), { config: { headers: { [name]: value } } }) });
    for (const line of lines) {
      expect(line).not.toContain('hush');
      expect(line).toContain('[secret]');
    }
    expect(last()).toMatchObject({ err: { message: 'x' } });
  });

  test('and whatever is not a string, down to where the bot logs', () => {
    const { log, lines } = open();
    log.info({ key: 4711, a: { token: { value: 'hush' } }, b: { c: { secret: ['hush'] } } });
    expect(lines[0]).not.toMatch(/hush|4711/);
  });
});

describe('what the Slack SDK throws', () => {
  test('shows no token and no header of the request', () => {
    const { log, lines } = open();
    const original = Object.assign(new TypeError('fetch failed'), {
      config: { headers: { Authorization: `Bearer ${botToken}` } },
    });
    log.error({ err: new WebAPIRequestError(original) });
    log.error({ err: new WebAPIHTTPError(500, 'Error', { authorization: botToken }, { token: 'hush' }) });
    for (const line of lines) expect(line).not.toMatch(/aBcDeF|hush/);
  });
});

test('an ordinary line says what it says', () => {
  const { log, last } = open();
  log.warn(
    { channel: 'C0HELPDESK', attempt: 2, path: '/categories/query/example.com' },
    'Slack did not answer',
  );
  expect(last()).toEqual({
    level: 'warn',
    time: expect.any(Number),
    channel: 'C0HELPDESK',
    attempt: 2,
    path: '/categories/query/example.com',
    msg: 'Slack did not answer',
  });
});

test('what is below the level is not written', () => {
  const { log, lines } = open('warn');
  log.info('hello');
  log.debug('hello');
  expect(lines).toEqual([]);
});
