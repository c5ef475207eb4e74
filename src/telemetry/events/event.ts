/** Declares an event of the log once: its line, the metric `appliance_bot_events_total` and docs/logs.md follow. */

type Level = 'debug' | 'info' | 'warn' | 'error' | 'fatal';

export interface LogEvent<Fields extends LineField = LineField> {
  /** The line's `event` and the metric's label. Never change it: alerts and searches depend on it. */
  readonly id: string;
  /**
   * `error`: look today. `warn`: it may become one, or somebody missed something. `info`: normal. `fatal`: the
   * process ends.
   */
  readonly level: Level;
  readonly says: string;
  readonly fields: readonly Fields[];
  readonly means: string;
  /** What to do; nothing when absent. */
  readonly action?: string;
}

export function event<const Fields extends LineField = never>(
  id: string,
  declared: Omit<LogEvent<Fields>, 'id' | 'fields'> & { readonly fields?: readonly Fields[] },
): LogEvent<Fields> {
  return { id, ...declared, fields: declared.fields ?? [] };
}

/** The fields of log lines and their meaning: the same name means the same in every line. */
export const fieldMeanings = {
  action: 'ID of the action in the journal',
  actions: 'IDs of the actions for which a request was sent',
  actionId: 'what Slack calls the element that was clicked',
  aheadMs:
    'by how many milliseconds the clock is ahead of the other one, which is the database’s unless the line says whose; negative: behind',
  appliance: 'name of the appliance in the policy file',
  appliances: 'names of the appliances in the policy file',
  attempt: 'which try it was, from 1',
  block: 'type of the block',
  callbackId: 'what Slack calls the shortcut that was chosen',
  changes: 'what is different, in lines',
  channel: 'ID of the channel',
  code: 'the error code of Slack, the appliance or the system',
  command: 'phrase of the command',
  connections: 'how many connections Slack counts for the app',
  cure: 'what would help',
  delivery: 'ID of the delivery, as the receiver sees it',
  details: 'what Slack said about it',
  err: 'the error, with its stack',
  durationMs: 'how long it took, in milliseconds',
  effect: 'what the operation does: read, write, destructive or unknown',
  error: 'name or message of the error',
  execution: 'ID of the step’s execution in Slack',
  files: 'names of the files',
  folder: 'path of the folder',
  free: 'free bytes',
  from: 'where it came from: an address; of a restore: since when messages are unknown',
  generation: 'which life of the journal it is, and since when',
  health: 'address of the health port',
  group: 'ID of the user group',
  holders: 'process ID and program of whoever holds the lock',
  how: 'how it ended: by the bot, by somebody, or it was found to be over',
  input: 'name of the input',
  is: 'what is the matter with the journal',
  journal: 'where the journal is: sqlite or postgresql',
  left: 'how many were left out',
  limit: 'how many files the process may have open',
  message: 'ID of the message in the journal',
  method: 'HTTP method',
  missing: 'scopes that the app lacks',
  mode: 'permissions of the folder',
  name: 'what is asked of Slack there: reading, posting, or the address of a channel',
  needed: 'scope that Slack wants for it',
  node: 'version of Node.js',
  notLogged: 'how many others were left out of the log since the last line',
  obstacle: 'what keeps the appliance from serving the call, in a word (docs/api.md#obstacle)',
  of: 'whose clock it is: database or slack',
  operation: 'operation of the appliance’s API, as docs/api.md calls it',
  others: 'how many of them are of others',
  outcome: 'how it ended: `done`, `failed`, `unknown`, `refused`, `cancelled` or `expired`',
  path: 'the path that was asked, without secrets',
  pause: 'milliseconds until the next try',
  peer: 'ID of another replica',
  pending: 'how many actions were under way',
  person: 'ID of the person',
  phase: 'which phase of an action',
  policies: 'which replica decides by which policy',
  policy: 'version of the policy in force',
  problem: 'what is wrong, in a sentence',
  problems: 'what is wrong, in lines',
  proxy: 'address of the proxy, without its password',
  reason: 'message of the error; of the audit: what is broken, in a sentence',
  record: 'number of the record in the audit',
  reference: 'what the person was told to name',
  request: 'ID of the request',
  sdk: 'what the library said',
  seconds: 'how long, in seconds',
  since: 'when it began',
  sockets: 'how many connections are open at once at most, by what they are for',
  status: 'HTTP status',
  system: 'operating system and processor',
  team: 'ID of the workspace',
  ticket: 'the ticket of the action',
  to: 'until when messages are unknown',
  told: 'what the admins were told',
  tries: 'how often it was tried',
  trouble: 'what is the matter with the journal, in a word',
  uptime: 'how long the process ran, in seconds',
  watch: 'ID of the watch',
  why: 'the reason, in a word or a sentence',
  webhook: 'what the receiver was to be told of',
  what: 'what was lost, or what came: a line, a click, a shortcut or a form',
  written: 'how many entries that were kept meanwhile are written now',
} as const;

export type LineField = keyof typeof fieldMeanings;
