import { createHmac } from 'node:crypto';
import { Server } from 'node:net';
import { expect } from 'vitest';
import { freePort } from '../../free-port.ts';
import type { Watched, watched } from '../watched.ts';
import type { Scenes } from './scene.ts';

/** Slack comes in over HTTP. */
const overHttp = async (): Promise<Parameters<typeof watched>[0]> => ({
  environment: { SLACK_APP_TOKEN: '', PORT: String(await freePort()) },
});

const portOf = ({ environment }: Watched): string => String(environment.PORT);

/** As Slack signs it. */
function send(bot: Watched, body: string): Promise<Response> {
  const at = String(Math.floor(Date.now() / 1_000));
  const signed = createHmac('sha256', bot.workspace.signingSecret).update(`v0:${at}:${body}`).digest('hex');
  return fetch(`http://127.0.0.1:${portOf(bot)}/slack/events`, {
    ...{ method: 'POST', body },
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-slack-request-timestamp': at,
      'x-slack-signature': `v0=${signed}`,
    },
  });
}

/**
 * As Node tells a server that the system did not let it take a connection. Too few file descriptors are none of that: for them libuv tries
 * again and again without a word, and nobody reaches the health port either.
 */
function cannotAccept(port: string): void {
  // Undocumented, and there is no other way to a server that somebody else has made.
  const { _getActiveHandles: handles } = process as unknown as {
    _getActiveHandles: () => readonly unknown[];
  };
  const server = handles().find((one): one is Server => {
    const address = one instanceof Server ? one.address() : null;
    return typeof address === 'object' && address?.port === Number(port);
  });
  server?.emit('error', Object.assign(new Error('accept EPERM'), { code: 'EPERM', syscall: 'accept' }));
}

/** Events of HTTP requests to the bot. */
export const ofHttp: Scenes = {
  slack_listener_failed: {
    options: overHttp,
    // An impossible click: it has no channel.
    happen: (bot) =>
      Promise.race([
        send(
          bot,
          new URLSearchParams({
            payload: JSON.stringify({
              ...{ type: 'block_actions', team: { id: 'T0THETEAM1' }, user: { id: 'U0ALICE001' } },
              actions: [{ type: 'button', action_id: 'press:confirm', block_id: 'b', value: 'x' }],
            }),
          }).toString(),
        ),
        expect.poll(() => bot.linesOf('slack_listener_failed').length).toBeGreaterThan(0),
      ]),
    line: { error: expect.stringContaining('undefined') },
  },
  http_connection_failed: {
    options: overHttp,
    happen: async (bot) => cannotAccept(portOf(bot)),
    line: { error: 'accept EPERM' },
  },
  block_page_connection_failed: {
    options: { blockPage: true },
    happen: async ({ behindProxy }) => cannotAccept(String(behindProxy?.ports[0])),
    line: { error: 'accept EPERM' },
  },
  http_request_failed: {
    options: overHttp,
    // Standard output refuses a line, and so the write fails.
    happen: async (bot) => {
      bot.breakLine('http_request_refused');
      await fetch(`http://127.0.0.1:${portOf(bot)}/nowhere`).catch(() => undefined);
    },
    line: { error: 'Error' },
  },
};
