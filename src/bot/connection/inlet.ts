import { type Logger, LogLevel, type Receiver } from '@slack/bolt';
import { sdkSaid } from '../../telemetry/events/slack.ts';
import type { Log } from '../../telemetry/log.ts';

/** How Slack reaches the bot: over web sockets that the bot opens, or by signed requests. */
export type Inlet =
  | { readonly kind: 'socket'; readonly appToken: string }
  | {
      readonly kind: 'http';
      readonly signingSecret: string;
      readonly port: number;
      readonly host: string | undefined;
    };

export interface OpenInlet {
  readonly receiver: Receiver;
  readonly isOpen: () => boolean;
  readonly start: () => Promise<unknown>;
  readonly stop: () => Promise<void>;
}

/** Below "warn" the SDK prints whole payloads: typed text, and addresses that are secrets. */
export function quietLogger(log: Log): Logger {
  const say =
    (level: 'warn' | 'error') =>
    (...message: unknown[]) =>
      log.tell(sdkSaid[level], { sdk: message.map(String).join(' ') });
  return {
    debug: () => undefined,
    info: () => undefined,
    warn: say('warn'),
    error: say('error'),
    setLevel: () => undefined,
    getLevel: () => LogLevel.WARN,
    setName: () => undefined,
  };
}
