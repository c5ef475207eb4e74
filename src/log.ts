import { type DestinationStream, type Logger, pino } from 'pino';

export type Log = Logger;

/** Tokens, keys and the short-lived addresses that act as such (slack-facts.md §9), wherever they turn up in a string. */
const secrets = [
  /xox[a-z](?:\.[a-z0-9]+)?-[\w-]+/gi,
  /xapp-[\w-]+/gi,
  /(?:wss?):\/\/[^\s"'\\]+/gi,
  /(?<=[?&](?:ssl)?password=)[^\s"'\\&]+/gi,
];

/** Each is looked through once, to its end. In a log line a back-slash ends it: that belongs to the JSON around it. */
const webAddress = /https?:\/\/([^\s"'\\]+)/gi;
const databaseAddress = /(postgres(?:ql)?:\/\/[^\s"'\\:@/]*:)([^\s"'\\]+)/gi;

/** Keys under which nothing is ever logged. */
const redacted = [
  'token',
  'key',
  'secret',
  'password',
  'replyTo',
  'response_url',
  'trigger_id',
  'authorization',
];

/** The same, and longer names that end so (`botToken`, `x-auth-token`), however deep an error carries them. */
const named = new RegExp(String.raw`("[\w-]*(?:${redacted.join('|')})":)"(?:[^"\\]|\\.)*"`, 'gi');

/** One JSON line an event, to standard output unless told otherwise; secrets never reach it. */
export function createLog(level: string, destination?: DestinationStream): Log {
  return pino(
    {
      level,
      base: null,
      redact: { paths: redacted.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]), censor: '[secret]' },
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: (line) => hideSecrets(line.replace(named, '$1"[secret]"')) },
    },
    ...(destination === undefined ? [] : [destination]),
  );
}

/** Also used for what is shown of an error outside the log. */
export function hideSecrets(text: string): string {
  return secrets
    .reduce((hidden, pattern) => hidden.replace(pattern, '[secret]'), text)
    .replace(webAddress, (address, path: string) =>
      /\/(?:commands|actions|services|response)\/./i.test(path) ? '[secret]' : address,
    )
    .replace(databaseAddress, (address, start: string, behind: string) => {
      // The password is what stands before the last @.
      const end = behind.lastIndexOf('@');
      return end < 1 ? address : `${start}[secret]${behind.slice(end)}`;
    });
}
