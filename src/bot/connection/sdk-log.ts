import { type Logger, LogLevel } from '@slack/bolt';
import { sdkSaid } from '../../telemetry/events/slack.ts';
import type { Log } from '../../telemetry/log.ts';

/** Below "warn" the SDK prints whole payloads: what people typed, and addresses that are secrets. */
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
