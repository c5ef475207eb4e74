import { type Alert, happened, late } from './alert.ts';

/** Alerts about the bot itself: its process, its journal, its policy, and its connection to Slack. */
export const ofTheBot: readonly Alert[] = [
  {
    name: 'ApplianceBotDown',
    expr: 'up{job="appliance-bot"} == 0',
    for: '2m',
    severity: 'critical',
    summary: 'Appliance Bot {{ $labels.instance }} does not answer on its health port',
    events: ['crashed'],
    means:
      'The process is gone, or hangs. While no replica runs, the bot answers nobody, and **ends no temporary change: emergency mode stays on**.',
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
    events: ['crashed'],
    means:
      'It crashes, or is killed, again and again. Each time, it reports actions in progress as interrupted, or reads them back.',
    steps: [
      'Search the log for `"level":"fatal"`, and for `stopped` lines that are missing: a process without one was killed.',
      'Killed by the system: look at its memory limit, and at `process_resident_memory_bytes`.',
      'Killed by probes: `/healthz` is for liveness; `/readyz` is not.',
    ],
  },
  {
    name: 'ApplianceBotCutOff',
    // The events come in the first second of a process, and so before the first scrape.
    expr: 'appliance_bot_events_total{event=~"earlier_run_cut_off|actions_taken_up"} > 0 and on (job, instance) time() - process_start_time_seconds < 900',
    severity: 'warning',
    summary: 'Appliance Bot {{ $labels.instance }} crashed or was killed, and runs again',
    events: ['earlier_run_cut_off', 'actions_taken_up', 'crashed'],
    means:
      'The bot tells people who waited for an answer. It reads back orders that it may have sent, and never sends them again by itself.',
    steps: [
      'Look at the last lines before `started` in the log: `crashed` has the stack. Without it, the process was killed: look at its memory limit and at the system log.',
      '`actions_taken_up` names what was under way; `show` with an ID says what became of it.',
    ],
  },
  {
    name: 'ApplianceBotSlackDisconnected',
    expr: 'appliance_bot_slack_connected == 0',
    for: '5m',
    severity: 'critical',
    summary: 'Appliance Bot {{ $labels.instance }} has no connection to Slack',
    events: ['slack_disconnected', 'slack_app_token_refused'],
    means:
      'Nobody reaches the bot. Running actions continue, timed changes end, and messages wait in the journal.',
    steps: [
      'Look at https://status.slack.com, the network and the proxy.',
      '`slack_app_token_refused` in the log: make a new app-level token, and restart the bot with it.',
      '`appliance-bot doctor` uses the same connection and says what blocks it.',
    ],
  },
  {
    name: 'ApplianceBotSlackRefuses',
    expr: 'appliance_bot_slack_answering == 0',
    for: '5m',
    severity: 'critical',
    summary: 'Slack does not take the token of Appliance Bot {{ $labels.instance }}, or does not answer it',
    events: ['slack_bot_token_refused', 'slack_not_answering'],
    means:
      'Lines may still arrive, and nobody gets an answer; without a token the bot runs no command. Timed changes end on time, and messages wait in the journal.',
    steps: [
      '`slack_bot_token_refused` in the log: somebody has revoked the token, or removed the app. Install the app again, and restart the bot with the new token.',
      '`slack_not_answering`: look at https://status.slack.com, the network and the proxy. It goes on by itself when Slack answers.',
    ],
  },
  {
    name: 'ApplianceBotSlackUnsteady',
    expr: 'appliance_bot_slack_connection_lasting == 0',
    for: '10m',
    severity: 'warning',
    summary: 'Connections of Appliance Bot {{ $labels.instance }} to Slack end soon after they are opened',
    events: ['slack_connection_brief', 'slack_socket_mode_off'],
    means:
      'Slack, or a proxy on the way, hangs up. The bot tries again, after pauses of up to a minute; meanwhile nobody reaches it, unless another connection or replica is there.',
    steps: [
      '`slack_socket_mode_off` in the log: somebody has switched off Socket Mode. Turn it on in Slack’s settings of the app.',
      '`slack_connection_brief` has `code`: `too_many_websockets`: stop the other programs that use this app. `websocket_1006`: look whether a proxy or firewall cuts WebSockets.',
      '`appliance-bot doctor` opens a WebSocket the same way, and counts who is connected with the app. Otherwise look at https://status.slack.com.',
    ],
  },
  {
    name: 'ApplianceBotSlackAppElsewhere',
    expr: 'appliance_bot_slack_app_alone == 0',
    for: '5m',
    severity: 'warning',
    summary: 'Other programs are connected to Slack with the app of Appliance Bot',
    events: ['slack_app_elsewhere'],
    means:
      'Slack hands each line, click and mention to one of all connections. The bot never sees lines that go to others: some get an answer, others none, or one from another program.',
    steps: [
      'Look for an old instance, a test on somebody’s machine, or another bot with the same tokens, and stop it or give it an app of its own.',
      'If you can’t find out who has the tokens, generate a new app-level token in Slack’s settings, revoke the old one, and restart the bot with it.',
      '`appliance-bot doctor` counts again.',
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
      'The log line `journal_unavailable` has `trouble`; docs/failures.md, “When the journal cannot be used”, has a row for each.',
      'If emergency mode is on and cannot wait, end it on the appliance.',
    ],
  },
  {
    name: 'ApplianceBotAuditBroken',
    expr: 'min by (job) (appliance_bot_audit_intact) == 0',
    severity: 'critical',
    summary: 'A record of the audit is not as it was written',
    events: ['audit_broken'],
    means:
      'Somebody has changed or removed rows in the journal’s database, or the disk has. The bot verifies new records within a minute and all of them once a day, and never changes one itself. It goes on as before. The alert stays for at least a day, until all records were found as they were written.',
    steps: [
      'Copy the database as it is now: it is the evidence. `appliance-bot journal backup` makes a copy beside a running bot.',
      '`appliance-bot audit verify` names the first record that is broken, and how many before it are intact. With `--holds` and a line of the audit channel it says what was there at that time (docs/audit.md).',
      'Find out who can write to the database, and whether its disk is sound. Compare the record with a backup from before, and with what the audit channel and the threads say.',
      'Records are not deleted by age while the first of them is broken. Restoring a backup from before the change brings back what stood there, and loses what came after it.',
    ],
  },
  {
    name: 'ApplianceBotReplicaLost',
    expr: happened('replica_gone', 'replica_evicted'),
    severity: 'warning',
    summary: 'A replica of Appliance Bot died or stood still; its work was taken over',
    events: ['replica_gone', 'replica_evicted'],
    means: 'Nothing is lost: another replica takes over its work, or reads it back.',
    steps: [
      'Look at the log of the replica that `replica_gone` names, and at its machine.',
      '`replica_evicted` on one that lives: it stood still for 12 seconds, or could not reach the database.',
    ],
  },
  {
    name: 'ApplianceBotAcknowledgesLate',
    expr: `${late('appliance_bot_acknowledgement_seconds', 0.99)} > 2`,
    for: '10m',
    severity: 'warning',
    summary:
      'Appliance Bot {{ $labels.instance }} needs more than two of Slack’s three seconds to acknowledge',
    events: ['slack_acknowledged_late'],
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
    events: ['journal_slow'],
    means: 'The disk or the database is slow. Everything waits for it.',
    steps: [
      'Look at what else uses the disk, or at the database’s own metrics. A network folder is no place for SQLite.',
    ],
  },
  {
    name: 'ApplianceBotDiskLow',
    expr: 'appliance_bot_journal_disk_enough == 0',
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
    expr: 'appliance_bot_policy_file_valid == 0',
    for: '1m',
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
    steps: ['Look at ApplianceBotJournalUnusable first. If the journal can be used, report it.'],
  },
];
