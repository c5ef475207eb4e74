/** Every metric of the bot. docs/metrics.md is generated from their declarations. */

import { readdirSync } from 'node:fs';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import type { Figures } from '../../journal/figures.ts';
import { allEvents } from '../all-events.ts';
import { approvalOver, commandOver, phaseOver } from '../events/actions.ts';
import { applianceRequest } from '../events/appliances.ts';
import type { LogEvent } from '../events/event.ts';
import { diskEnough, diskLow, journalWritten } from '../events/journal.ts';
import { policyRefused, policySame, policyTaken } from '../events/policy.ts';
import {
  acknowledged,
  appElsewhere,
  appHereOnly,
  botTokenBack,
  botTokenRefused,
  slackAnswers,
  slackSilent,
  socketBrief,
  socketLasts,
  socketModeOff,
} from '../events/slack.ts';
import { tracesLost as spansLost } from '../events/traces.ts';
import type { Observe } from '../log.ts';
import { createMetrics, type Metrics, type Sample } from './metric-registry.ts';

export interface BotMetrics {
  readonly text: () => Promise<string>;
  readonly observe: Observe;
  readonly declared: Metrics['declared'];
}

export interface WatchedParts {
  readonly replica: string;
  readonly figures: () => Promise<Figures>;
  readonly isSlackConnected: () => boolean;
  /** Why the journal cannot be used; undefined if it can. */
  readonly journalTrouble: () => string | undefined;
  readonly replicas: () => Promise<number>;
  /** For each appliance that was asked, by area, whether it answers and accepts the bot's calls. */
  readonly appliancesUp: () => ReadonlyMap<string, ReadonlyMap<string, boolean>>;
  readonly now: () => number;
}

export interface RunningVersion {
  readonly version: string;
  readonly policy: string;
}

/** In seconds. Slack waits three. */
const acknowledging = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3];
const writing = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];
const answering = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900];
/** From immediate acts to waits for people, or for a planned time. */
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
  /** A gauge of the bot's state, once there is one. */
  const stands = (name: string, help: string, read: (of: WatchedParts) => number) =>
    gauge({ name, help }, () => {
      const now = standing();
      return now === undefined ? [] : [{ value: read(now) }];
    });

  let reading: Promise<Figures> | undefined;
  /** Read once for all gauges that use it. */
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
    {
      name: 'appliance_bot_info',
      help: 'The versions of the bot and of its policy; always 1',
      labels: ['version', 'policy'],
    },
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
  counted('appliance_bot_timed_changes', 'Temporary changes in effect', ({ timed }) => [
    { value: timed.count },
  ]);
  counted('appliance_bot_timed_changes_overdue', 'Temporary changes that are past their end', ({ timed }) => [
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

  /** Further metrics of an event besides its count. */
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

/** Standard process metrics, under their usual names. */
function declareProcess({ gauge, total }: Metrics): void {
  /** Measuring wakes the process fifty times a second, so it begins with the first request. */
  let delay: ReturnType<typeof monitorEventLoopDelay> | undefined;
  const one = (name: string, help: string, read: () => number) =>
    gauge({ name, help }, () => [{ value: read() }]);
  one('process_start_time_seconds', 'When the process was started', () => performance.timeOrigin / 1_000);
  total({ name: 'process_cpu_seconds_total', help: 'Processor time that was used' }, () => {
    const { user, system } = process.cpuUsage();
    return [{ value: (user + system) / 1e6 }];
  });
  one('process_resident_memory_bytes', 'Resident memory', () => process.memoryUsage.rss());
  one('nodejs_heap_size_used_bytes', 'Memory of the heap that is used', () => process.memoryUsage().heapUsed);
  gauge({ name: 'process_open_fds', help: 'Open file descriptors, where the system tells' }, () => [
    { value: readdirSync('/proc/self/fd').length },
  ]);
  gauge(
    {
      name: 'nodejs_eventloop_lag_p99_seconds',
      help: 'How late timers fired since the last look, 99 of 100',
    },
    () => {
      if (delay === undefined) {
        delay = monitorEventLoopDelay({ resolution: 20 });
        delay.enable();
        return [{ value: 0 }];
      }
      const value = Math.max(0, delay.percentile(99) / 1e9 - 0.02);
      delay.reset();
      return [{ value }];
    },
  );
}

/** Conditions that last from one event to another: an alert on one continues as long as it does. */

interface Lasting {
  readonly name: string;
  readonly help: string;
  /** Each lasts from its first event until one of the others. */
  readonly troubles: readonly (readonly [begins: LogEvent, ...ends: LogEvent[]])[];
}

const all: readonly Lasting[] = [
  {
    name: 'appliance_bot_slack_answering',
    help: '1 while Slack takes the bot’s token and answers its calls',
    troubles: [
      [botTokenRefused, botTokenBack],
      [slackSilent, slackAnswers],
    ],
  },
  {
    name: 'appliance_bot_slack_connection_lasting',
    help: '1 while connections to Slack last; 0 from when one was closed within a minute until one has lasted that long',
    troubles: [
      [socketBrief, socketLasts],
      [socketModeOff, socketLasts],
    ],
  },
  {
    name: 'appliance_bot_slack_app_alone',
    help: '1 while no other program is known to be connected to Slack with the same app',
    troubles: [[appElsewhere, appHereOnly]],
  },
  {
    name: 'appliance_bot_policy_file_valid',
    help: '1 while the policy file, as it was read last, has no mistakes',
    troubles: [[policyRefused, policyTaken, policySame]],
  },
  {
    name: 'appliance_bot_journal_disk_enough',
    help: '1 while the disk of the journal has room',
    troubles: [[diskLow, diskEnough]],
  },
];

/** Excludes response URLs: they are never retried, so their recovery would not be seen. */
const isCounted = (event: LogEvent, name: unknown): boolean => event !== slackSilent || name === 'Web API';

function declareLasting({ gauge }: Metrics): Observe {
  const begins = new Map<LogEvent, Set<LogEvent>>();
  const ends = new Map<LogEvent, (() => void)[]>();
  for (const { name, help, troubles } of all) {
    const lasting = new Set<LogEvent>();
    gauge({ name, help }, () => [{ value: Number(lasting.size === 0) }]);
    for (const [begin, ...those] of troubles) {
      begins.set(begin, lasting);
      for (const end of those) ends.set(end, [...(ends.get(end) ?? []), () => void lasting.delete(begin)]);
    }
  }
  return (event, { name }) => {
    if (isCounted(event, name)) begins.get(event)?.add(event);
    for (const end of ends.get(event) ?? []) end();
  };
}
