/** Every metric of the bot. docs/metrics.md is made from what they declare. */

import type { Figures } from '../../journal/figures.ts';
import { allEvents } from '../all-events.ts';
import { approvalOver, commandOver, phaseOver } from '../events/actions.ts';
import { applianceRequest } from '../events/appliances.ts';
import type { LogEvent } from '../events/event.ts';
import { journalWritten } from '../events/journal.ts';
import { acknowledged } from '../events/slack.ts';
import { tracesLost as spansLost } from '../events/traces.ts';
import type { Observe } from '../log.ts';
import { declareLasting } from './lasting.ts';
import { declareProcess } from './process.ts';
import { createMetrics, type Metrics, type Sample } from './registry.ts';

export interface BotMetrics {
  /** In the text format of Prometheus. */
  readonly text: () => Promise<string>;
  /** What the log is told of. */
  readonly observe: Observe;
  readonly declared: Metrics['declared'];
}

/** What is asked for when the metrics are read. */
export interface WatchedParts {
  /** Its name among those that work on the journal. */
  readonly replica: string;
  readonly figures: () => Promise<Figures>;
  readonly isSlackConnected: () => boolean;
  /** What keeps the journal from being used; undefined where it can be. */
  readonly journalTrouble: () => string | undefined;
  readonly replicas: () => Promise<number>;
  /** Of each appliance, by area, whether it answers and takes what the bot sends, where it was asked. */
  readonly appliancesUp: () => ReadonlyMap<string, ReadonlyMap<string, boolean>>;
  readonly now: () => number;
}

/** What runs here. */
export interface RunningVersion {
  readonly version: string;
  /** Of the policy in force. */
  readonly policy: string;
}

/** In seconds. Slack waits for three. */
const acknowledging = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3];
const writing = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];
const answering = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900];
/** From what the bot does by itself to what waits for people, or for its time. */
const lasting = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600, 14_400, 86_400];

export function createBotMetrics(
  standing: () => WatchedParts | undefined,
  information: () => RunningVersion,
): BotMetrics {
  const metrics = createMetrics();
  const { counter, gauge, histogram } = metrics;

  const events = counter({
    name: 'appliance_bot_events_total',
    help: 'Lines of the log, also of those below its level: what each means is in docs/logs.md',
    labels: ['event', 'level'],
  });
  const commands = counter({
    name: 'appliance_bot_commands_total',
    help: 'Commands that are over, by what they may do and how they ended',
    labels: ['effect', 'outcome'],
  });
  for (const { id, level } of allEvents) events.add({ event: id, level }, 0);
  for (const effect of effects) for (const outcome of outcomes) commands.add({ effect, outcome }, 0);
  const tracesLost = counter({
    name: 'appliance_bot_spans_lost_total',
    help: 'Spans of traces that the collector did not take',
  });
  const durations = histogram({
    name: 'appliance_bot_command_duration_seconds',
    help: 'From when a command was asked, or agreed to, until it was over',
    labels: ['effect'],
    buckets: answering,
  });
  const phases = histogram({
    name: 'appliance_bot_phase_seconds',
    help: 'How long the phases of actions took: understanding, preview, confirmation, approval, planned, recheck, order, verification, telling',
    labels: ['phase'],
    buckets: lasting,
  });
  const approvals = counter({
    name: 'appliance_bot_approvals_total',
    help: 'Approvals that are over, by how they ended; how long they waited is the phase approval',
    labels: ['outcome'],
  });
  for (const outcome of approvalOutcomes) approvals.add({ outcome }, 0);
  const acknowledgements = histogram({
    name: 'appliance_bot_acknowledgement_seconds',
    help: 'From when something came in from Slack until it was acknowledged; Slack gives three seconds',
    buckets: acknowledging,
  });
  const requests = counter({
    name: 'appliance_bot_appliance_requests_total',
    help: 'Requests to appliances, by operation and outcome: ok, or the code of the error',
    labels: ['appliance', 'operation', 'outcome'],
  });
  const requestTimes = histogram({
    name: 'appliance_bot_appliance_request_duration_seconds',
    help: 'How long appliances took to answer',
    labels: ['appliance'],
    buckets: answering,
  });
  const writes = histogram({
    name: 'appliance_bot_journal_write_seconds',
    help: 'How long the journal took to commit, on disk or in its database',
    buckets: writing,
  });
  /** Of the state of the bot, while there is one. */
  const stands = (name: string, help: string, read: (of: WatchedParts) => number) =>
    gauge({ name, help }, () => {
      const now = standing();
      return now === undefined ? [] : [{ value: read(now) }];
    });

  let reading: Promise<Figures> | undefined;
  /** Read once for all that are made of it. */
  function figures({ figures: read }: WatchedParts): Promise<Figures> {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  }
  const counted = (
    name: string,
    help: string,
    samples: (found: Figures, now: number) => readonly Sample[],
    labels: readonly string[] = [],
  ) =>
    gauge({ name, help, labels }, async () => {
      const of = standing();
      return of === undefined ? [] : samples(await figures(of), of.now());
    });
  const age = (oldest: number | undefined, now: number) =>
    oldest === undefined ? 0 : Math.max(0, (now - oldest) / 1_000);

  gauge(
    { name: 'appliance_bot_info', help: 'What runs here; always 1', labels: ['version', 'policy'] },
    () => [{ labels: { ...information() }, value: 1 }],
  );
  stands('appliance_bot_slack_connected', '1 while a connection to Slack is open', (of) =>
    Number(of.isSlackConnected()),
  );
  stands('appliance_bot_journal_usable', '1 while the journal can be written', (of) =>
    Number(of.journalTrouble() === undefined),
  );
  gauge(
    { name: 'appliance_bot_replicas', help: 'Replicas that have shown themselves lately, this one too' },
    async () => {
      const of = standing();
      return of === undefined ? [] : [{ value: await of.replicas() }];
    },
  );
  gauge(
    {
      name: 'appliance_bot_appliance_up',
      help: '1 while the appliance answers and takes what the bot sends, by the requests that are made anyway',
      labels: ['appliance'],
    },
    () =>
      [...(standing()?.appliancesUp() ?? [])].map(([appliance, areas]) => ({
        labels: { appliance },
        value: Number([...areas.values()].every((up) => up)),
      })),
  );
  gauge(
    {
      name: 'appliance_bot_appliance_area_up',
      help: 'The same of each area of its API, since the last request there',
      labels: ['appliance', 'area'],
    },
    () =>
      [...(standing()?.appliancesUp() ?? [])].flatMap(([appliance, areas]) =>
        [...areas].map(([area, up]) => ({ labels: { appliance, area }, value: Number(up) })),
      ),
  );
  counted(
    'appliance_bot_actions',
    'Actions that are not over, by state',
    ({ actions }) => openStates.map((state) => ({ labels: { state }, value: actions.get(state) ?? 0 })),
    ['state'],
  );
  counted('appliance_bot_approvals_waiting', 'Cards that wait for other people’s approval', (found) => [
    { value: found.awaitingApproval },
  ]);
  counted('appliance_bot_outbox_pending', 'Messages that wait to be sent', ({ messages }) => [
    { value: messages.count },
  ]);
  counted(
    'appliance_bot_outbox_oldest_seconds',
    'Age of the oldest message that waits to be sent',
    (found, now) => [{ value: age(found.messages.oldest, now) }],
  );
  counted('appliance_bot_webhooks_pending', 'Webhooks that wait to be taken', ({ webhooks }) => [
    { value: webhooks.count },
  ]);
  counted(
    'appliance_bot_webhooks_oldest_seconds',
    'Age of the oldest webhook that waits to be taken',
    (found, now) => [{ value: age(found.webhooks.oldest, now) }],
  );
  counted('appliance_bot_timed_changes', 'What is on for a time', ({ timed }) => [{ value: timed.count }]);
  counted('appliance_bot_timed_changes_overdue', 'What should have ended by now and has not', ({ timed }) => [
    { value: timed.overdue },
  ]);
  counted('appliance_bot_audit_head', 'Number of the newest record of the audit', ({ auditHead }) => [
    { value: auditHead },
  ]);
  counted(
    'appliance_bot_audit_intact',
    '0 while a record of the audit was found that is not as it was written',
    ({ isAuditIntact }) => [{ value: Number(isAuditIntact) }],
  );
  const observeLasting = declareLasting(metrics);
  declareProcess(metrics);

  /** What is made of an event beside its count. */
  const made = new Map<LogEvent, (given: Parameters<Observe>[1]) => void>([
    [
      commandOver,
      ({ effect, outcome, durationMs }) => {
        commands.add({ effect: String(effect ?? 'none'), outcome: String(outcome) });
        durations.observe(Number(durationMs) / 1_000, { effect: String(effect ?? 'none') });
      },
    ],
    [
      applianceRequest,
      ({ appliance, operation, error, durationMs }) => {
        requests.add({
          appliance: String(appliance),
          operation: String(operation),
          outcome: String(error ?? 'ok'),
        });
        requestTimes.observe(Number(durationMs) / 1_000, { appliance: String(appliance) });
      },
    ],
    [
      phaseOver,
      ({ phase, durationMs }) => phases.observe(Number(durationMs) / 1_000, { phase: String(phase) }),
    ],
    [approvalOver, ({ outcome }) => approvals.add({ outcome: String(outcome) })],
    [spansLost, ({ left }) => tracesLost.add({}, Number(left))],
    [journalWritten, ({ durationMs }) => writes.observe(Number(durationMs) / 1_000, {})],
    [acknowledged, ({ durationMs }) => acknowledgements.observe(Number(durationMs) / 1_000, {})],
  ]);

  return {
    text: metrics.text,
    declared: metrics.declared,
    observe: (event, given) => {
      events.add({ event: event.id, level: event.level });
      made.get(event)?.(given);
      observeLasting(event, given);
    },
  };
}

const effects = ['none', 'read', 'write', 'destructive', 'unknown'];
const outcomes = ['done', 'failed', 'unknown', 'refused', 'cancelled', 'expired'];
const approvalOutcomes = ['given', 'denied', 'withdrawn', 'expired'];
const openStates = ['asked', 'waiting', 'planned', 'approved', 'running'] as const;
