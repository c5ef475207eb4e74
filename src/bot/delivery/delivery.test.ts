import type { KnownBlock } from '@slack/types';
import { LogLevel, WebClient } from '@slack/web-api';
import nock from 'nock';
import { describe, expect, test } from 'vitest';
import { onlyNockAnswers } from '../../../test/nock.ts';
import { ChatRefused } from '../../action/base/chat.ts';
import { createLog } from '../../telemetry/log.ts';
import { fullPalette } from '../rendering/palette.ts';
import { createDelivery, type DrawMessage } from './delivery.ts';

const slack = 'https://slack.com';
const responseUrl = 'https://hooks.slack.com/commands/T1/23/aBcD';

onlyNockAnswers();

/** A delivery on its own clock, whose waits pass at once and are recorded. */
function start(fetchAs: typeof fetch = fetch, waitsFor?: () => Promise<void>) {
  const waits: number[] = [];
  const logged: string[] = [];
  const clock = { at: 1_000_000 };
  const delivery = createDelivery({
    client: new WebClient('xoxb-1', {
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      logLevel: LogLevel.ERROR,
      timeout: 5_000,
    }),
    fetch: fetchAs,
    deadline: 5_000,
    now: () => clock.at,
    sleep: async (milliseconds) => {
      if (waitsFor !== undefined) return waitsFor();
      waits.push(milliseconds);
      clock.at += milliseconds;
    },
    log: createLog('debug', { write: (line: string) => void logged.push(line) }),
  });
  return { delivery, waits, clock, logged };
}

const paragraph: KnownBlock = {
  type: 'section',
  text: { type: 'mrkdwn', text: 'Fifteen sessions' },
};
const plain: DrawMessage = () => ({ text: 'Fifteen sessions', blocks: [paragraph] });
const withTable: DrawMessage = (palette) => ({
  text: 'Fifteen sessions',
  blocks: [
    palette.blocks.has('table')
      ? { type: 'table', rows: [[{ type: 'raw_text', text: 'a' }]] }
      : { type: 'section', text: { type: 'plain_text', text: 'a' } },
  ],
});

/** The bodies sent to a method, in order; each answer is used once. */
function answers(method: string, ...replies: ((interceptor: nock.Interceptor) => nock.Scope)[]) {
  const bodies: Record<string, string>[] = [];
  for (const reply of replies) {
    reply(
      nock(slack).post(`/api/${method}`, (body) => {
        bodies.push(body);
        return true;
      }),
    );
  }
  return bodies;
}
const ok =
  (reply: object = {}) =>
  (interceptor: nock.Interceptor) =>
    interceptor.reply(200, { ok: true, ts: '171.001', ...reply });
const refusal = (error: string) => (interceptor: nock.Interceptor) =>
  interceptor.reply(200, { ok: false, error });
const limited = (seconds: number) => (interceptor: nock.Interceptor) =>
  interceptor.reply(429, { ok: false, error: 'ratelimited' }, { 'retry-after': String(seconds) });
const status = (code: number) => (interceptor: nock.Interceptor) => interceptor.reply(code, 'oops');
const broken = (code: string) => (interceptor: nock.Interceptor) =>
  interceptor.replyWithError(Object.assign(new Error(`broken: ${code}`), { code }));

async function refusedWith(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ChatRefused)) throw new Error('It was not refused', { cause: error });
  return error.code;
}

describe('a message', () => {
  test('is posted to its channel and thread, quietly', async () => {
    const { delivery, waits } = start();
    const [sent] = [answers('chat.postMessage', ok())];
    expect(await delivery.post('C1', '170.009', plain)).toBe('171.001');
    expect(sent[0]).toMatchObject({
      channel: 'C1',
      thread_ts: '170.009',
      text: 'Fifteen sessions',
      parse: 'none',
      link_names: 'false',
      unfurl_links: 'false',
      unfurl_media: 'false',
    });
    expect(waits).toEqual([]);
  });

  test('in a thread may be seen in the channel, too', async () => {
    const { delivery } = start();
    const [first, second] = [answers('chat.postMessage', ok()), answers('chat.postMessage', ok())];
    await delivery.post('C1', '170.009', plain, { broadcast: true });
    await delivery.post('C1', undefined, plain, { broadcast: true });
    const sent = [...first, ...second];
    expect(sent.map((body) => body.reply_broadcast)).toEqual(['true', undefined]);
  });

  test('is changed where it stands, and never read for mentions', async () => {
    const { delivery } = start();
    const sent = answers('chat.update', ok());
    await delivery.update('C1', '171.001', plain);
    expect(sent[0]).toMatchObject({ channel: 'C1', ts: '171.001', parse: 'none', link_names: 'false' });
  });

  test('for one person only goes to that person', async () => {
    const { delivery } = start();
    const sent = answers('chat.postEphemeral', ok());
    await delivery.ephemeral('C1', 'U1', plain);
    expect(sent[0]).toMatchObject({ channel: 'C1', user: 'U1', parse: 'none', link_names: 'false' });
    expect(sent[0]).not.toHaveProperty('thread_ts');
  });

  test('for one person only stands in the thread that they are looking at', async () => {
    const { delivery } = start();
    const sent = answers('chat.postEphemeral', ok());
    await delivery.ephemeral('C1', 'U1', plain, '170.009');
    expect(sent[0]).toMatchObject({ channel: 'C1', user: 'U1', thread_ts: '170.009' });
  });

  test('without a place in Slack’s answer counts as refused', async () => {
    const { delivery } = start();
    answers('chat.postMessage', ok({ ts: undefined }));
    expect(await refusedWith(delivery.post('C1', undefined, plain))).toBe('no_timestamp');
  });
});

describe('a rate limit from Slack', () => {
  test('delays the message as stated, and then sends it once more', async () => {
    const { delivery, clock } = start();
    const from = clock.at;
    const sent = answers('chat.postMessage', limited(7), ok());
    expect(await delivery.post('C1', undefined, plain)).toBe('171.001');
    expect(sent).toHaveLength(2);
    expect(clock.at - from).toBeGreaterThanOrEqual(7_000);
    expect(clock.at - from).toBeLessThanOrEqual(9_000);
  });

  test('delays the next message to that channel too, and none to another', async () => {
    const { delivery, waits } = start();
    answers('chat.postMessage', limited(70), ok());
    expect(await refusedWith(delivery.post('C1', undefined, plain))).toBe('ratelimited');
    await delivery.post('C2', undefined, plain);
    expect(waits).toEqual([]);
    // A wait of more than half a minute is refused, and the person is told.
    expect(await refusedWith(delivery.post('C1', undefined, plain))).toBe('busy_channel');
  });

  test('of more than a minute ends the attempt with the reason', async () => {
    const { delivery, clock } = start();
    const from = clock.at;
    const sent = answers('chat.postMessage', limited(600));
    expect(await refusedWith(delivery.post('C1', undefined, plain))).toBe('ratelimited');
    expect(sent).toHaveLength(1);
    expect(clock.at).toBe(from);
  });

  test('that repeats ends the attempt within a minute', async () => {
    const { delivery, clock } = start();
    const from = clock.at;
    answers('chat.update', ...Array.from({ length: 30 }, () => limited(20)));
    expect(await refusedWith(delivery.update('C1', '171.001', plain))).toBe('ratelimited');
    expect(clock.at - from).toBeLessThanOrEqual(65_000);
  });
});

describe('a broken connection', () => {
  test.each(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'UND_ERR_SOCKET'])(
    'after sending (%s) never causes a second post',
    async (code) => {
      const { delivery } = start();
      const sent = answers('chat.postMessage', broken(code), ok());
      expect(await refusedWith(delivery.post('C1', undefined, plain))).toBe('WebAPIRequestError');
      expect(sent).toHaveLength(1);
      expect(nock.pendingMocks()).toHaveLength(1);
    },
  );

  test('and never a second ephemeral message', async () => {
    const { delivery } = start();
    const sent = answers('chat.postEphemeral', broken('ECONNRESET'), ok());
    await refusedWith(delivery.ephemeral('C1', 'U1', plain));
    expect(sent).toHaveLength(1);
  });

  test.each(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'])(
    'before sending (%s) causes a retry',
    async (code) => {
      const { delivery, waits } = start();
      const sent = answers('chat.postMessage', broken(code), broken(code), ok());
      expect(await delivery.post('C1', undefined, plain)).toBe('171.001');
      expect(sent).toHaveLength(3);
      expect(waits).toEqual([500, 1_000]);
    },
  );

  test('does not retry an outdated update, because that would restore the old state', async () => {
    const { delivery } = start();
    const sent = answers('chat.update', (interceptor) => interceptor.delay(30).reply(503), ok());
    const question = delivery.update('C1', '171.001', () => ({ text: 'the question', blocks: [] }));
    // The first is on its way, and its failure has not come back.
    await new Promise((resolve) => setImmediate(resolve));
    const result = delivery.update('C1', '171.001', () => ({ text: 'the result', blocks: [] }));
    await Promise.all([question, result]);
    expect(sent.map(({ text }) => text)).toEqual(['the question', 'the result']);
  });

  test('retries an update: the same update twice is the same message', async () => {
    const { delivery } = start();
    const sent = answers('chat.update', broken('ECONNRESET'), status(502), refusal('internal_error'), ok());
    await delivery.update('C1', '171.001', plain);
    expect(sent).toHaveLength(4);
    expect(sent[3]).toEqual(sent[0]);
  });

  test('that lasts ends after five attempts', async () => {
    const { delivery, logged } = start();
    const sent = answers('chat.update', ...Array.from({ length: 9 }, () => broken('ECONNREFUSED')));
    expect(await refusedWith(delivery.update('C1', '171.001', plain))).toBe('WebAPIRequestError');
    expect(sent).toHaveLength(5);
    expect(JSON.parse(logged.at(-1) ?? '')).toMatchObject({ channel: 'C1', attempt: 5 });
  });
});

describe('a refusal by Slack', () => {
  test.each(['not_in_channel', 'channel_not_found', 'is_archived', 'restricted_action', 'msg_too_long'])(
    'has Slack’s own code: %s',
    async (code) => {
      const { delivery, waits } = start();
      const sent = answers('chat.postMessage', refusal(code), ok());
      expect(await refusedWith(delivery.post('C1', undefined, plain))).toBe(code);
      expect(sent).toHaveLength(1);
      expect(waits).toEqual([]);
    },
  );

  test.each([
    ['invalid_auth', true],
    ['token_revoked', true],
    ['account_inactive', true],
    ['is_archived', false],
  ])('is a verdict on the message, or on the token: %s', async (code, isPassing) => {
    const { delivery } = start();
    const sent = answers('chat.postMessage', refusal(code), ok());
    const refused = delivery.post('C1', undefined, plain);
    await expect(refused).rejects.toMatchObject({ code, isPassing, mayStand: false });
    expect(sent).toHaveLength(1);
  });

  test.each(['internal_error', 'request_timeout', 'missing_scope', 'a_code_of_next_year'])(
    'without a verdict on the message is kept for later, and may have been posted: %s',
    async (code) => {
      const { delivery } = start();
      const sent = answers('chat.postMessage', refusal(code), ok());
      const refused = delivery.post('C1', undefined, plain);
      await expect(refused).rejects.toMatchObject({ code, isPassing: true, mayStand: true });
      expect(sent).toHaveLength(1);
    },
  );

  test('as a proxy’s page is kept for later, and no page is logged', async () => {
    const { delivery, logged } = start();
    const page = '<!DOCTYPE html><html><body>Sign in to the proxy</body></html>';
    answers('chat.postMessage', (interceptor) => interceptor.reply(200, page), ok());
    const refused = delivery.post('C1', undefined, plain);
    await expect(refused).rejects.toMatchObject({ code: 'not_an_answer_of_slack', isPassing: true });
    expect(logged.join('')).not.toContain('html');
  });

  test('as an HTTP error is not retried, because it may have been posted', async () => {
    const { delivery } = start();
    const sent = answers('chat.postMessage', status(500), ok());
    expect(await refusedWith(delivery.post('C1', undefined, plain))).toBe('http_500');
    expect(sent).toHaveLength(1);
  });
});

describe('a workspace that does not draw tables yet', () => {
  test('gets the message again in fixed width, and no table after that', async () => {
    const { delivery } = start();
    const posted = answers('chat.postMessage', refusal('invalid_blocks'), ok(), ok());
    const updated = answers('chat.update', ok());
    expect(await delivery.post('C1', undefined, withTable)).toBe('171.001');
    await delivery.post('C2', undefined, withTable);
    await delivery.update('C1', '171.001', withTable);
    const hasTable = (sent: readonly Record<string, string>[]) =>
      sent.map(({ blocks }) => blocks?.includes('"table"'));
    expect(hasTable(posted)).toEqual([true, false, false]);
    expect(hasTable(updated)).toEqual([false]);
  });

  test('is not assumed if Slack refuses a message without a table: tables stay', async () => {
    const { delivery } = start();
    const sent = answers('chat.postMessage', refusal('invalid_blocks'), ok());
    expect(await refusedWith(delivery.post('C1', undefined, plain))).toBe('invalid_blocks');
    await delivery.post('C1', undefined, withTable);
    expect(sent[1]?.blocks).toContain('"table"');
  });

  test('does not loop on a drawing that has a table anyway', async () => {
    const { delivery } = start();
    const sent = answers('chat.postMessage', refusal('invalid_blocks'), refusal('invalid_blocks'), ok());
    const stubborn: DrawMessage = () => withTable(fullPalette);
    expect(await refusedWith(delivery.post('C1', undefined, stubborn))).toBe('invalid_blocks');
    expect(sent).toHaveLength(2);
  });

  test('that refuses fixed width too gets it twice and no more', async () => {
    const { delivery } = start();
    const sent = answers('chat.postMessage', refusal('invalid_blocks'), refusal('invalid_blocks'), ok());
    expect(await refusedWith(delivery.post('C1', undefined, withTable))).toBe('invalid_blocks');
    expect(sent).toHaveLength(2);
  });
});

test('many messages to one channel are sent in a burst and then about one a second', async () => {
  const { delivery, clock } = start();
  const from = clock.at;
  answers('chat.postMessage', ...Array.from({ length: 15 }, () => ok()));
  for (let message = 0; message < 15; message += 1) await delivery.post('C1', undefined, plain);
  expect(clock.at - from).toBe(11_110);
});

test('a flood beyond a channel’s limit does not block it for long', async () => {
  const calm = Promise.withResolvers<void>();
  const { delivery, clock, logged } = start(undefined, () => calm.promise);
  answers('chat.postMessage', ...Array.from({ length: 33 }, () => ok()));
  const storm = Array.from({ length: 500 }, () => delivery.post('C1', undefined, plain));
  const ended = await Promise.all(
    storm.map((post) =>
      Promise.race([
        post.catch(({ code }: ChatRefused) => code),
        new Promise((resolve) => setImmediate(resolve)),
      ]),
    ),
  );
  expect(ended.filter((end) => end === 'busy_channel')).toHaveLength(468);
  // The bot's own pace causes one log line, and not one for each message.
  expect(logged.map((line) => JSON.parse(line).event)).toEqual(['channel_has_much_to_read']);
  clock.at += 31_000;
  calm.resolve();
  expect(await delivery.post('C1', undefined, plain)).toBe('171.001');
});

describe('a private answer', () => {
  test('is for the person who asked, and replaces nothing', async () => {
    const { delivery } = start();
    let body: unknown;
    nock('https://hooks.slack.com')
      .post('/commands/T1/23/aBcD', (sent) => {
        body = sent;
        return true;
      })
      .reply(200, 'ok');
    await delivery.respond(responseUrl, plain);
    expect(body).toEqual({
      text: 'Fifteen sessions',
      blocks: [paragraph],
      response_type: 'ephemeral',
      replace_original: false,
    });
  });

  describe('in a workspace that refuses tables', () => {
    const refused = { ok: false, error: 'invalid_blocks' };
    const sentTo = (...answers: readonly [number, nock.Body][]) => {
      const bodies: { readonly blocks: readonly KnownBlock[] }[] = [];
      for (const [code, answer] of answers) {
        nock('https://hooks.slack.com')
          .post('/commands/T1/23/aBcD', (sent) => {
            bodies.push(sent);
            return true;
          })
          .reply(code, answer);
      }
      return bodies;
    };
    const typesOf = (bodies: ReturnType<typeof sentTo>) => bodies.flatMap(({ blocks }) => blocks[0]?.type);

    test.each([400, 200])(
      'is sent again in fixed width after HTTP %i, and never with a table again',
      async (code) => {
        const { delivery } = start();
        const bodies = sentTo([code, refused], [200, 'ok'], [200, 'ok']);
        await delivery.respond(responseUrl, withTable);
        await delivery.respond(responseUrl, withTable, { instead: true });
        expect(typesOf(bodies)).toEqual(['table', 'section', 'section']);
      },
    );

    test('is refused if Slack points at something else', async () => {
      const { delivery } = start();
      const messages = ['no more than 3000 characters [json-pointer:/blocks/7/text]'];
      sentTo([400, { ...refused, response_metadata: { messages } }]);
      expect(await refusedWith(delivery.respond(responseUrl, withTable))).toBe('response_url_400');
    });
  });

  test('that Slack refuses for another reason is refused, also after HTTP 200', async () => {
    const { delivery } = start();
    nock('https://hooks.slack.com').post('/commands/T1/23/aBcD').reply(200, { ok: false, error: 'no_text' });
    expect(await refusedWith(delivery.respond(responseUrl, plain))).toBe('response_url_200');
  });

  test('with an expired address is refused with its status', async () => {
    const { delivery } = start();
    nock('https://hooks.slack.com').post('/commands/T1/23/aBcD').reply(404, 'used_url');
    expect(await refusedWith(delivery.respond(responseUrl, plain))).toBe('response_url_404');
  });

  test('without a timely reply is abandoned', async () => {
    let signal: AbortSignal | null | undefined;
    const { delivery } = start(async (_, request) => {
      signal = request?.signal;
      throw new DOMException('The operation was aborted due to timeout', 'TimeoutError');
    });
    await expect(delivery.respond(responseUrl, plain)).rejects.toMatchObject({
      ...{ code: 'response_url_no_answer', isPassing: true, mayStand: true },
    });
    expect(signal).toBeInstanceOf(AbortSignal);
  });

  test('is not redirected to another address', async () => {
    const { delivery } = start();
    nock('https://hooks.slack.com')
      .post('/commands/T1/23/aBcD')
      .reply(302, '', { location: 'https://evil.example/' });
    const elsewhere = nock('https://evil.example').post('/').reply(200);
    await expect(delivery.respond(responseUrl, plain)).rejects.toThrow();
    expect(elsewhere.isDone()).toBe(false);
  });

  test('has its address in no log', async () => {
    const { delivery, logged } = start();
    nock('https://hooks.slack.com').post('/commands/T1/23/aBcD').reply(500);
    await refusedWith(delivery.respond(responseUrl, plain));
    expect(logged.join('')).not.toContain('aBcD');
  });
});
