import { createServer } from 'node:http';
import { HTTPReceiver, type Receiver, SocketModeReceiver } from '@slack/bolt';
import type { WebClientOptions } from '@slack/web-api';
import type { Log } from '../log.ts';
import { quietLogger } from './sdk-log.ts';

/** How Slack reaches the bot: over web sockets that the bot opens, or by requests that Slack signs. */
export type Inlet =
  | { readonly kind: 'socket'; readonly appToken: string }
  | {
      readonly kind: 'http';
      readonly signingSecret: string;
      readonly port: number;
      readonly host: string | undefined;
    };

/** One way in, ready to be opened. */
export interface OpenInlet {
  readonly receiver: Receiver;
  readonly start: () => Promise<unknown>;
  readonly stop: () => Promise<void>;
}

/** Two connections: while Slack renews one of them, the other takes what comes (slack-facts.md §5). */
export function socketInlets(
  { appToken }: Extract<Inlet, { kind: 'socket' }>,
  clientOptions: WebClientOptions,
  log: Log,
): readonly OpenInlet[] {
  return [1, 2].map(() => {
    // Its own copy of the options: Socket Mode writes its retry settings into the object it is given (slack-facts.md §4).
    const receiver = new SocketModeReceiver({
      appToken,
      installerOptions: { clientOptions: { ...clientOptions } },
      logger: quietLogger(log),
    });
    return { receiver, start: () => receiver.start(), stop: () => receiver.client.disconnect() };
  });
}

/** A server whose requests are verified by their signature and their time (slack-facts.md §9). */
export function httpInlet(
  { signingSecret, port, host }: Extract<Inlet, { kind: 'http' }>,
  log: Log,
): OpenInlet {
  const receiver = new HTTPReceiver({ signingSecret, logger: quietLogger(log) });
  const server = createServer((request, response) => {
    if (isFromTheFuture(request.headers['x-slack-request-timestamp'])) {
      response.writeHead(401).end();
      return;
    }
    receiver.requestListener(request, response);
  });
  return {
    receiver,
    start: () =>
      new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen({ port, host }, resolve);
      }),
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Bolt refuses requests that are older than five minutes; ones signed for later would be valid for longer (slack-facts.md §5). */
function isFromTheFuture(timestamp: string | string[] | undefined): boolean {
  return Number(timestamp) > Date.now() / 1_000 + 300;
}
