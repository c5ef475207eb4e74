import type { Receiver } from '@slack/bolt';

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
  readonly isOpen: () => boolean;
  readonly start: () => Promise<unknown>;
  readonly stop: () => Promise<void>;
}
