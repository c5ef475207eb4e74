import { type DestinationStream, pino } from 'pino';
import { inOwnFiles } from '../own-files.ts';
import { isSecretName, maskSecrets } from '../secrets.ts';
import type { LogEvent } from './events/event.ts';
import type { LineField } from './events/fields.ts';

/** What the bot says of itself: one line of JSON for each thing that happens. */
export interface Log {
  /** Beside what the event declares, every line has its time and level, and what `about` says of where it comes from. */
  readonly tell: <Fields extends LineField>(
    event: LogEvent<Fields>,
    ...given: [Fields] extends [never] ? [] : [fields: { readonly [Name in Fields]?: unknown }]
  ) => void;
}

/** Who makes metrics of events: of the same fields that stand in the line. */
export type Observe = (event: LogEvent, given: { readonly [Name in LineField]?: unknown }) => void;

/** Each is looked through once, to its end. In a log line a back-slash ends it: that belongs to the JSON around it. */
const webAddress = /https?:\/\/([^\s"'\\]+)/gi;
const socketAddress = /wss?:\/\/[^\s"'\\]+/gi;
/** Short-lived addresses of Slack's that act as tokens do (slack-facts.md §9). */
const actsAsToken = /\/(?:commands|actions|services|response)\/./i;
/** What they are called, and the key of an appliance. */
const names: ReadonlySet<string> = new Set(['key', 'replyTo', 'response_url', 'trigger_id']);

const hidden = '[secret]';

/**
 * To standard output, unless told otherwise; secrets never reach it. `about` says what stands in every line: it is asked for each, as
 * some of it is known later.
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

/** The same log; of what it is told somebody else hears as well, also of what is below its level. */
export const observed = (log: Log, observe: Observe): Log => ({
  tell: (event, ...given) => {
    observe(event, given[0] ?? {});
    log.tell(event, ...given);
  },
});

/** Tells of what may go on and on: a line where there may be one, and in `notLogged` how often there was none since the one before. */
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

/** Once in so many milliseconds. */
export function onceIn(pause: number): () => boolean {
  let next = 0;
  return () => {
    const at = performance.now();
    if (at < next) return false;
    next = at + pause;
    return true;
  };
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
  if (typeof value !== 'string') return value;
  return hideSecrets(name === 'stack' ? inOwnFiles(value) : value);
}

/** Also used for what is shown of an error outside the log. */
export function hideSecrets(text: string): string {
  const safe = text
    .replace(socketAddress, hidden)
    .replace(webAddress, (address, path: string) => (actsAsToken.test(path) ? hidden : address));
  return maskSecrets(safe, hidden);
}
