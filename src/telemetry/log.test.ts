import { WebAPIHTTPError, WebAPIRequestError } from '@slack/web-api';
import { describe, expect, test } from 'vitest';
import { anyEvent } from '../../test/any-event.ts';
import { createLog, hideSecrets } from './log.ts';

/** A log that is written to a list of lines. */
function open(level = 'debug') {
  const lines: string[] = [];
  const log = createLog(level, { write: (line: string) => void lines.push(line) });
  const last = (): Record<string, unknown> => JSON.parse(lines.at(-1) ?? '');
  return { log, lines, last };
}

// Assembled here, so that no scanner takes them for real ones.
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
    log.tell(anyEvent(`it was ${secret}, then`), {});
    expect(lines[0]).not.toContain(remains);
    expect(lines[0]).toContain('it was [secret]');
  });

  test('in a value, however deep', () => {
    const { log, lines, last } = open();
    log.tell(anyEvent('deep'), { a: { b: [{ c: { d: `<${secret}>`, e: secret } }] } });
    expect(lines[0]).not.toContain(remains);
    expect(last()).toMatchObject({ msg: 'deep' });
  });

  test('in an error, its stack, its causes and what it carries', () => {
    const { log, lines, last } = open();
    const cause = new Error(`"${secret}" did not answer`);
    const error = Object.assign(new Error(`failed: '${secret}'\n${secret}`, { cause }), {
      request: { url: secret },
    });
    log.tell(anyEvent('Something went wrong', 'error'), { err: error });
    log.tell(anyEvent('', 'error'), { error });
    for (const line of lines) expect(line).not.toContain(remains);
    expect(last()).toMatchObject({ level: 'error' });
  });

  test('and the surrounding line stays JSON', () => {
    const { log, last } = open();
    const err = new Error(`cannot read "${secret}"\nat once`);
    log.tell(anyEvent(`"${secret}"`), { err, also: `\\${secret}\\` });
    expect(last()).toMatchObject({ msg: '"[secret]"', also: '\\[secret]\\' });
    expect(JSON.stringify(last().err)).toContain('at once');
  });

  test('outside the log', () => {
    expect(hideSecrets(`(${secret} `)).toBe('([secret] ');
  });
});

describe('a database’s address', () => {
  test.each([
    ['postgres://bot:hush@db:5432/journal', 'postgres://bot:[secret]@db:5432/journal'],
    ['postgresql://bot:hu@sh/1@db/journal', 'postgresql://bot:[secret]@db/journal'],
    [
      'postgres://db/journal?user=bot&password=hush&a=b',
      'postgres://db/journal?user=bot&password=[secret]&a=b',
    ],
  ])('hides the password: %s', (address, hidden) => {
    expect(hideSecrets(`"${address}" is away`)).toBe(`"${hidden}" is away`);
  });
});

describe('a value whose name means a secret is hidden', () => {
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
  ])('as %s, at any depth', (name) => {
    const { log, lines, last } = open();
    const value = 'hush"hush\\ hush';
    log.tell(anyEvent(), { [name]: value });
    log.tell(anyEvent(), { a: { [name]: value } });
    log.tell(anyEvent(), { a: { b: { c: { d: [{ [name]: value }] } } } });
    log.tell(anyEvent(), { err: Object.assign(new Error('x'), { config: { headers: { [name]: value } } }) });
    for (const line of lines) {
      expect(line).not.toContain('hush');
      expect(line).toContain('[secret]');
    }
    expect(last()).toMatchObject({ err: { message: 'x' } });
  });

  test('also if it is no string, up to where the bot logs', () => {
    const { log, lines } = open();
    log.tell(anyEvent(), { key: 4711, a: { token: { value: 'hush' } }, b: { c: { secret: ['hush'] } } });
    expect(lines[0]).not.toMatch(/hush|4711/);
  });
});

describe('an error of the Slack SDK', () => {
  test('shows no token and no header of the request', () => {
    const { log, lines } = open();
    const original = Object.assign(new TypeError('fetch failed'), {
      config: { headers: { Authorization: `Bearer ${botToken}` } },
    });
    log.tell(anyEvent(), { err: new WebAPIRequestError(original) });
    log.tell(anyEvent(), {
      err: new WebAPIHTTPError(500, 'Error', { authorization: botToken }, { token: 'hush' }),
    });
    for (const line of lines) expect(line).not.toMatch(/aBcDeF|hush/);
  });
});

test('an ordinary line stays unchanged', () => {
  const { log, last } = open();
  log.tell(anyEvent('Slack did not answer', 'warn'), {
    ...{ channel: 'C0HELPDESK', attempt: 2, path: '/categories/query/example.com' },
  });
  expect(last()).toEqual({
    level: 'warn',
    time: expect.any(Number),
    event: 'test',
    channel: 'C0HELPDESK',
    attempt: 2,
    path: '/categories/query/example.com',
    msg: 'Slack did not answer',
  });
});

test('a line below the level is not written', () => {
  const { log, lines } = open('warn');
  log.tell(anyEvent('hello', 'info'), {});
  log.tell(anyEvent('hello', 'debug'), {});
  expect(lines).toEqual([]);
});
