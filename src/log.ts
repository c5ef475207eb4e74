import { type DestinationStream, type Logger, pino } from 'pino';
import { isSecretName, maskSecrets } from './secrets.ts';

export type Log = Logger;

/** Each is looked through once, to its end. In a log line a back-slash ends it: that belongs to the JSON around it. */
const webAddress = /https?:\/\/([^\s"'\\]+)/gi;
const socketAddress = /wss?:\/\/[^\s"'\\]+/gi;
/** Short-lived addresses of Slack's that act as tokens do (slack-facts.md §9). */
const actsAsToken = /\/(?:commands|actions|services|response)\/./i;
/** What they are called, and the key of an appliance. */
const names: ReadonlySet<string> = new Set(['key', 'replyTo', 'response_url', 'trigger_id']);

const hidden = '[secret]';

/** One JSON line an event, to standard output unless told otherwise; secrets never reach it. */
export function createLog(level: string, destination?: DestinationStream): Log {
  return pino(
    {
      level,
      base: null,
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: withoutSecrets },
    },
    ...(destination === undefined ? [] : [destination]),
  );
}

/** Whatever was logged stands in the line by now: errors with their causes, what serializers made of them, and bindings. */
function withoutSecrets(line: string): string {
  try {
    return `${JSON.stringify(JSON.parse(line, hideNamed))}\n`;
  } catch {
    return hideSecrets(line);
  }
}

function hideNamed(name: string, value: unknown): unknown {
  if (names.has(name) || isSecretName(name)) return hidden;
  return typeof value === 'string' ? hideSecrets(value) : value;
}

/** Also used for what is shown of an error outside the log. */
export function hideSecrets(text: string): string {
  const safe = text
    .replace(socketAddress, hidden)
    .replace(webAddress, (address, path: string) => (actsAsToken.test(path) ? hidden : address));
  return maskSecrets(safe, hidden);
}
