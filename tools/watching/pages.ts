import { stringify } from 'yaml';
import { allEvents } from '../../src/telemetry/all-events.ts';
import type { LogEvent } from '../../src/telemetry/events/event.ts';
import { createBotMetrics } from '../../src/telemetry/metrics/bot.ts';
import type { Alert } from './alert.ts';
import { alerts } from './alerts.ts';

/** deploy/prometheus/alerts.yml */
export function alertRules(): string {
  const rules = alerts.map(({ name, expr, for: lasts, severity, summary }) => ({
    alert: name,
    expr,
    ...(lasts !== undefined && { for: lasts }),
    labels: { severity },
    annotations: { summary, runbook: `docs/runbook.md#${name.toLowerCase()}` },
  }));
  const file = stringify({ groups: [{ name: 'appliance-bot', rules }] }, { lineWidth: 0 });
  return `# Made from tools/watching/alerts.ts by npm run docs. What each means and what to do: docs/runbook.md.\n${file}`;
}

/** docs/runbook.md */
export const runbook = (): string =>
  `${[
    `# Runbook

<!-- Made from tools/watching/alerts.ts by npm run docs. -->

A paragraph for each alert of [alerts.yml](../deploy/prometheus/alerts.yml): what it means, and what to do first. [watching.md](watching.md) says how to
load them; [logs.md](logs.md) has every line of the log.`,
    ...alerts.map(paragraph),
  ].join('\n\n')}\n`;

const paragraph = ({ name, severity, summary, means, steps, events }: Alert): string =>
  [
    `## ${name}`,
    `**${severity}** · ${withoutTemplates(summary)}`,
    means,
    steps.map((step, index) => `${index + 1}. ${step}`).join('\n'),
    ...(events.length === 0 ? [] : [`In the log: ${events.map(linked).join(', ')}.`]),
  ].join('\n\n');

const withoutTemplates = (summary: string): string => summary.replace(/\{\{ \$labels\.(\w+) \}\}/g, '*$1*');

const linked = (event: string): string => `[\`${event}\`](logs.md#${event})`;

/** docs/metrics.md */
export function metricsPage(): string {
  const { declared } = createBotMetrics(
    () => undefined,
    () => ({ version: '', policy: '' }),
  );
  const rows = declared().map(
    ({ name, type, labels = [], help }) =>
      `| \`${name}\` | ${type} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help} |`,
  );
  return `# Metrics

<!-- Made from src/telemetry/metrics by npm run docs. -->

\`HEALTH_PORT=9464\` makes the bot answer \`/metrics\` in Prometheus' text format ([watching.md](watching.md)). No label ever holds a person, a channel, a
domain or an ID. Appliances are labels by their names in the policy file. What is read from the journal is the same at every replica:
take the maximum, and not the sum.

| metric | type | labels | what it is |
|---|---|---|---|
${rows.join('\n')}

## Events worth paging on

Each is a line of the log and a metric, and leads to an alert. [logs.md](logs.md) says what each means and what to do. The end of a problem is
an event, too: \`slack_connected\`, \`journal_available\`, \`appliance_answers\`, \`timed_change_ended\`.

${wakingTable()}
`;
}

/** An event worth paging on: it leads to at least one of these alerts. */
interface Waking {
  readonly event: LogEvent;
  readonly by: readonly Alert[];
}

/** All events worth paging on. An error without an alert of its own leads to the alert of all errors. */
export const waking: readonly Waking[] = allEvents
  .toSorted((one, other) => (one.id < other.id ? -1 : 1))
  .map((event) => {
    const own = alerts.filter((alert) => alert.events.includes(event.id));
    const isError = own.length === 0 && event.level === 'error';
    return { event, by: isError ? alerts.filter(({ name }) => name === 'ApplianceBotErrors') : own };
  })
  .filter(({ by }) => by.length > 0);

const wakingTable = (): string =>
  ['| event | level | metric | alert |', '|---|---|---|---|', ...waking.map(row)].join('\n');

const row = ({ event: { id, level, says }, by }: Waking): string =>
  `| [\`${id}\`](logs.md#${id}): ${says} | ${level} | ${metricOf(id)} | ${by
    .map(({ name }) => `[${name}](runbook.md#${name.toLowerCase()})`)
    .join(', ')} |`;

/** Metrics that show the state of an event, beside its count. */
const states: Readonly<Record<string, string>> = {
  appliance_away: 'appliance_bot_appliance_up',
  appliance_refuses: 'appliance_bot_appliance_up',
  journal_unavailable: 'appliance_bot_journal_usable',
  journal_locked: 'appliance_bot_journal_usable',
  slack_disconnected: 'appliance_bot_slack_connected',
  slack_app_token_refused: 'appliance_bot_slack_connected',
  slack_connection_brief: 'appliance_bot_slack_connection_lasting',
  slack_socket_mode_off: 'appliance_bot_slack_connection_lasting',
  slack_app_elsewhere: 'appliance_bot_slack_app_alone',
  slack_bot_token_refused: 'appliance_bot_slack_answering',
  slack_not_answering: 'appliance_bot_slack_answering',
  slack_acknowledged_late: 'appliance_bot_acknowledgement_seconds',
  journal_slow: 'appliance_bot_journal_write_seconds',
  journal_disk_low: 'appliance_bot_journal_disk_enough',
  audit_broken: 'appliance_bot_audit_intact',
  policy_refused: 'appliance_bot_policy_file_valid',
  timed_change_not_ended: 'appliance_bot_timed_changes_overdue',
  timed_change_people_called: 'appliance_bot_timed_changes_overdue',
  outcome_unknown: 'appliance_bot_commands_total',
  message_waits: 'appliance_bot_outbox_oldest_seconds',
  webhook_failed: 'appliance_bot_webhooks_oldest_seconds',
  policies_differ: 'appliance_bot_info',
};

const metricOf = (event: string): string =>
  [`\`appliance_bot_events_total\``, ...(states[event] === undefined ? [] : [`\`${states[event]}\``])].join(
    ', ',
  );
