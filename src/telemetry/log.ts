import { type DestinationStream, pino } from 'pino';
import { inOwnFiles } from '../own-files.ts';
import { isSecretName, maskSecrets } from '../secrets.ts';
import type { LineField, LogEvent } from './events/event.ts';

/** The bot's log: one line of JSON for each event. */
export interface Log {
  /** Every line also has its time and level, and the fields of `about`. */
  readonly tell: <Fields extends LineField>(
    event: LogEvent<Fields>,
    ...given: [Fields] extends [never] ? [] : [fields: { readonly [Name in Fields]?: unknown }]
  ) => void;
}

/** Receives the events for metrics, with the fields of the line. */
export type Observe = (event: LogEvent, given: { readonly [Name in LineField]?: unknown }) => void;

/** Each match is searched to its end. A backslash ends it, because it belongs to the JSON. */
const webAddress = /https?:\/\/([^\s"'\\]+)/gi;
const socketAddress = /wss?:\/\/[^\s"'\\]+/gi;
/** Short-lived Slack addresses that act as tokens (slack-facts.md §9). */
const actsAsToken = /\/(?:commands|actions|services|response)\/./i;
/** Names of such addresses, and of an appliance's key. */
const names: ReadonlySet<string> = new Set(['key', 'replyTo', 'response_url', 'trigger_id']);

const hidden = '[secret]';

/**
 * To standard output by default; secrets never reach it. `about` adds fields to every line, and is called for
 * each because some become known later.
 */
export function createLog(
  level: string,
  destination?: DestinationStream,
  about?: (given: object) => object,
): Log {
  const lines = pino(
    {
      level,
      base: null,
      ...(about && { mixin: about }),
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: withoutSecrets },
    },
    ...(destination === undefined ? [] : [destination]),
  );
  return {
    tell: (event, given: { readonly [Name in LineField]?: unknown } = {}) => {
      lines[event.level]({ event: event.id, ...given }, event.says);
    },
  };
}

/** The log with an observer, which also receives lines below the level. */
export const observed = (log: Log, observe: Observe): Log => ({
  tell: (event, ...given) => {
    observe(event, given[0] ?? {});
    log.tell(event, ...given);
  },
});

/** For repeating events: logs when `may` allows it, and counts the others in `notLogged` of the next line. */
export function seldom(log: Log, may: () => boolean): Observe {
  let notLogged = 0;
  return (event, given) => {
    if (!may()) {
      notLogged += 1;
      return;
    }
    log.tell(event, { ...given, ...(notLogged > 0 && { notLogged }) });
    notLogged = 0;
  };
}

/** At most once in this many milliseconds. */
export function onceIn(pause: number): () => boolean {
  let next = 0;
  return () => {
    const at = performance.now();
    if (at < next) return false;
    next = at + pause;
    return true;
  };
}

/** The finished line contains everything: errors with their causes, output of serializers, and bindings. */
function withoutSecrets(line: string): string {
  try {
    return `${JSON.stringify(JSON.parse(line, hideNamed))}\n`;
  } catch {
    return hideSecrets(line);
  }
}

function hideNamed(name: string, value: unknown): unknown {
  if (names.has(name) || isSecretName(name)) return hidden;
  if (typeof value !== 'string') return value;
  return hideSecrets(name === 'stack' ? inOwnFiles(value) : value);
}

/** Also used for errors that are shown outside the log. */
export function hideSecrets(text: string): string {
  const safe = text
    .replace(socketAddress, hidden)
    .replace(webAddress, (address, path: string) => (actsAsToken.test(path) ? hidden : address));
  return maskSecrets(safe, hidden);
}
