import { type Receiver, SocketModeReceiver } from '@slack/bolt';
import type { WebClientOptions } from '@slack/web-api';
import type { Log } from '../../log.ts';
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
