/**
 * What somebody is woken for, declared once: deploy/prometheus/alerts.yml, docs/runbook.md and the table of docs/watching.md are made
 * of it. docs/watching.md says how to load them.
 */

export interface Alert {
  /** Also the heading of its paragraph in docs/runbook.md. */
  readonly name: string;
  /** PromQL. */
  readonly expr: string;
  /** How long it must be so. */
  readonly for?: string;
  /** `critical`: somebody gets up; `warning`: somebody looks today. */
  readonly severity: 'critical' | 'warning';
  readonly summary: string;
  /** The events of the log that tell of the same. */
  readonly events: readonly string[];
  /** What it means, and what to do, in the order in which to do it. */
  readonly means: string;
  readonly steps: readonly string[];
}

/** New in a quarter of an hour. Each of these counts from the first moment on, so that the first one is seen. */
const happened = (...events: readonly string[]): string =>
  `increase(appliance_bot_events_total{event=~"${events.join('|')}"}[15m]) > 0`;

const late = (name: string, quantile: number): string =>
  `histogram_quantile(${quantile}, sum by (instance, le) (rate(${name}_bucket[10m])))`;

const specific: readonly Alert[] = [
  {
    name: 'ApplianceBotDown',
    expr: 'up{job="appliance-bot"} == 0',
    for: '2m',
    severity: 'critical',
    summary: 'Appliance Bot {{ $labels.instance }} does not answer on its health port',
    events: ['crashed'],
    means:
      'The process is not there, or stands still. While no replica runs, nobody is answered, and **what is on for a time is not ended: emergency mode stays on**.',
    steps: [
      'Look whether the supervisor starts it again, and at the last lines of the log: `fatal` has the stack, a start that fails lists the settings to mend.',
      'If it cannot run soon, end emergency mode on the appliances by hand; the bot finds it ended.',
      'After it is back: `audit` and `temporary` show what was under way.',
    ],
  },
  {
    name: 'ApplianceBotRestarts',
    expr: 'changes(process_start_time_seconds{job="appliance-bot"}[30m]) > 2',
    severity: 'warning',
    summary: 'Appliance Bot {{ $labels.instance }} was started more than twice in half an hour',
    events: ['crashed', 'actions_taken_up'],
    means:
      'It crashes, or is killed, again and again. Each time, what was under way is told as interrupted or read back.',
    steps: [
      'Search the log for `"level":"fatal"`, and for `stopped` lines that are missing: a process without one was killed.',
      'Killed by the system: look at its memory limit, and at `process_resident_memory_bytes`.',
      'Killed by probes: `/healthz` is for liveness; `/readyz` is not.',
    ],
  },
  {
    name: 'ApplianceBotSlackDisconnected',
    expr: 'appliance_bot_slack_connected == 0',
    for: '5m',
    severity: 'critical',
    summary: 'Appliance Bot {{ $labels.instance }} has no connection to Slack',
    events: [
      'slack_disconnected',
      'slack_app_token_refused',
      'slack_bot_token_refused',
      'slack_not_answering',
    ],
    means: 'Nobody reaches the bot. What runs goes on, timed changes end, and messages wait in the journal.',
    steps: [
      'Look at https://status.slack.com, the network and the proxy.',
      '`slack_app_token_refused` or `slack_bot_token_refused` in the log: make a new token, and restart the bot with it.',
      '`appliance-bot doctor` goes the same way and says what is in it.',
    ],
  },
  {
    name: 'ApplianceBotJournalUnusable',
    expr: 'appliance_bot_journal_usable == 0',
    for: '1m',
    severity: 'critical',
    summary: 'Appliance Bot {{ $labels.instance }} cannot use its journal: changes are blocked',
    events: ['journal_unavailable', 'journal_locked'],
    means: 'Lookups are answered. No change is made, and **the end of emergency mode waits**.',
    steps: [
      'The log line `journal_unavailable` has `trouble`; docs/deploy.md, “When the journal cannot be used”, has a row for each.',
      'If emergency mode is on and cannot wait, end it on the appliance.',
    ],
  },
  {
    name: 'ApplianceBotTimedChangeOverdue',
    expr: 'max by (job) (appliance_bot_timed_changes_overdue) > 0',
    for: '5m',
    severity: 'critical',
    summary: 'Something that should have ended five minutes ago is still on',
    events: ['timed_change_not_ended', 'timed_change_people_called', 'timed_change_left_to_people'],
    means:
      'Emergency mode, or another temporary change, is past its end. The bot tries again, with pauses up to an hour.',
    steps: [
      '`temporary` in Slack names it; the log lines have its action, the appliance and the reason.',
      'End it on the appliance. The bot sees it within the next try, and reports it as over.',
      '`timed_change_left_to_people`: somebody has changed it since, and the bot overwrites nobody. Decide, and undo it by hand.',
    ],
  },
  {
    name: 'ApplianceBotApplianceDown',
    expr: 'appliance_bot_appliance_up == 0',
    for: '2m',
    severity: 'warning',
    summary: 'Appliance {{ $labels.appliance }} does not answer the bot, or refuses it',
    events: ['appliance_away', 'appliance_refuses'],
    means:
      'By the requests that people or the bot make anyway; the bot asks nothing for it. It stays so until the next request is answered: type `status` to have one made.',
    steps: [
      '`appliance_away`: look whether the appliance is up, and whether its port can be reached from the bot.',
      '`appliance_refuses`: compare the key, and look whether the bot’s address is among the allowed networks.',
      '`appliance-bot doctor` asks each appliance and says which it is.',
    ],
  },
  {
    name: 'ApplianceBotOutcomeUnknown',
    expr: 'increase(appliance_bot_commands_total{outcome="unknown"}[15m]) > 0',
    severity: 'warning',
    summary: 'Nobody knows whether a change was made',
    events: ['outcome_unknown'],
    means:
      'An order may have reached the appliance, and reading back did not tell. It is never sent again by itself.',
    steps: [
      'The log line `outcome_unknown` has the action. `show` with its ID says what was sent and what came back.',
      'Look on the appliance whether it happened, and tell the thread.',
    ],
  },
  {
    name: 'ApplianceBotReplicaLost',
    expr: happened('replica_gone', 'replica_evicted'),
    severity: 'warning',
    summary: 'A replica of Appliance Bot died or stood still; its work was taken over',
    events: ['replica_gone', 'replica_evicted'],
    means: 'Nothing is lost: what it was at goes on elsewhere, or is read back.',
    steps: [
      'Look at the log of the replica that `replica_gone` names, and at its machine.',
      '`replica_evicted` on one that lives: it stood still for 12 seconds, or could not reach the database.',
    ],
  },
  {
    name: 'ApplianceBotMessagesWait',
    expr: 'max by (job) (appliance_bot_outbox_oldest_seconds) > 900',
    for: '5m',
    severity: 'warning',
    summary: 'A message has waited for more than a quarter of an hour to be taken by Slack',
    events: ['message_waits', 'message_refused', 'message_sending_failed', 'person_not_told'],
    means: 'Somebody has not read how their command ended. Messages stay in the journal and are tried again.',
    steps: [
      'Where Slack is reached, look at `message_waits` in the log: its `code` is Slack’s reason.',
      '`not_in_channel`, `is_archived`: invite the bot, or change the policy.',
      'Thousands at once after an outage go out at Slack’s pace; that takes hours, and needs nothing.',
    ],
  },
  {
    name: 'ApplianceBotWebhooksWait',
    expr: 'max by (job) (appliance_bot_webhooks_oldest_seconds) > 3600',
    severity: 'warning',
    summary: 'The receiver of webhooks has taken nothing for an hour',
    events: ['webhook_failed', 'webhook_receiver_gone', 'webhook_given_up'],
    means: 'After a day each delivery is given up, and the receiver never hears of it.',
    steps: ['Tell whoever runs the receiver. docs/webhooks.md says what it must answer.'],
  },
  {
    name: 'ApplianceBotAcknowledgesLate',
    expr: `${late('appliance_bot_acknowledgement_seconds', 0.99)} > 2`,
    for: '10m',
    severity: 'warning',
    summary:
      'Appliance Bot {{ $labels.instance }} needs more than two of Slack’s three seconds to acknowledge',
    events: ['slack_acknowledgement_failed'],
    means: 'People begin to read that the app did not respond, although it does what they asked.',
    steps: [
      'Look at `appliance_bot_journal_write_seconds`: a line is written before it is acknowledged.',
      'Look at `nodejs_eventloop_lag_p99_seconds`: the process has too little of a processor.',
    ],
  },
  {
    name: 'ApplianceBotJournalSlow',
    expr: `${late('appliance_bot_journal_write_seconds', 0.95)} > 0.5`,
    for: '10m',
    severity: 'warning',
    summary: 'The journal of Appliance Bot {{ $labels.instance }} needs more than half a second to commit',
    events: [],
    means: 'The disk or the database is slow. Everything waits for it.',
    steps: [
      'Look at what else uses the disk, or at the database’s own metrics. A network folder is no place for SQLite.',
    ],
  },
  {
    name: 'ApplianceBotDiskLow',
    expr: happened('journal_disk_low'),
    severity: 'warning',
    summary: 'The disk of the journal is almost full',
    events: ['journal_disk_low'],
    means: 'When it is full, changes are refused.',
    steps: [
      'Free space in the data folder’s file system; `journal_disk_enough` in the log says that it is enough.',
    ],
  },
  {
    name: 'ApplianceBotPolicyRefused',
    expr: happened('policy_refused'),
    severity: 'warning',
    summary: 'A changed policy file has mistakes and is not in force',
    events: ['policy_refused'],
    means: 'The policy before stays in force. **A bot that is started with this file does not start.**',
    steps: ['`appliance-bot policy check FILE` lists the mistakes. Mend them before the next start.'],
  },
  {
    name: 'ApplianceBotPoliciesDiffer',
    expr: 'count by (job) (count by (job, policy) (appliance_bot_info)) > 1',
    for: '10m',
    severity: 'warning',
    summary: 'Replicas of Appliance Bot decide by different policies',
    events: ['policies_differ'],
    means: 'The same line may be allowed at one and refused at another.',
    steps: ['Give all replicas the same policy file; `policies_differ` in the log says which has which.'],
  },
  {
    name: 'ApplianceBotMetricsFail',
    expr: 'appliance_bot_metrics_failed > 0',
    for: '10m',
    severity: 'warning',
    summary:
      'Some metrics of Appliance Bot {{ $labels.instance }} cannot be read, so alerts on them are silent',
    events: [],
    means: 'Those that are read from the journal, while it cannot be used.',
    steps: ['Look at ApplianceBotJournalUnusable first. Where the journal can be used, report it.'],
  },
];

/** Every event of this level that has no alert of its own. */
export const alerts: readonly Alert[] = [
  ...specific,
  {
    name: 'ApplianceBotErrors',
    expr: `sum by (job, event) (increase(appliance_bot_events_total{level="error", event!~"${specific
      .flatMap(({ events }) => events)
      .toSorted()
      .join('|')}"}[15m])) > 0`,
    severity: 'warning',
    summary: 'Appliance Bot logged {{ $labels.event }}',
    events: [],
    means: 'Something failed that has no alert of its own.',
    steps: [
      'docs/logs.md has a paragraph for each event, with what to do. The line in the log has the details.',
    ],
  },
];
