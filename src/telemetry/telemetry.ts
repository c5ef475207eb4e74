/** The observable side of the bot: log, metrics, and readiness. */

import type { DestinationStream } from 'pino';

import packageJson from '../../package.json' with { type: 'json' };
import { referenceOf } from '../journal/actions/reference.ts';
import type { AuditRecord } from '../journal/audit/record.ts';
import { createHealthServer, type HealthSettings } from './health-server.ts';
import { createLog, type Log, observed } from './log.ts';
import { createBotMetrics, type WatchedParts } from './metrics/bot.ts';
import { createTraceSender, type TraceSettings } from './traces/sender.ts';
import { spansOf, traceIdOf } from './traces/trace.ts';

export interface Telemetry {
  readonly log: Log;
  /** Called once the parts exist. */
  readonly watch: (standing: WatchedParts) => void;
  /** Opens the port, if configured; resolves to its address. @throws CannotStart if it cannot listen there */
  readonly start: () => Promise<string | undefined>;
  /** Sends pending traces within a moment, or not at all. */
  readonly stop: () => Promise<void>;
  /** Undefined if traces are off. */
  readonly traces: Traces | undefined;
}

/** A trace for each action, sent when it is over. */
interface Traces {
  readonly idOf: (action: string) => string;
  readonly over: (record: AuditRecord, earlier: AuditRecord | undefined) => void;
}

/** How long the last traces may take at the end of the process, in milliseconds. */
const last = 1_000;

interface TelemetrySettings {
  readonly logLevel: string;
  readonly health: HealthSettings | undefined;
  readonly traces: TraceSettings | undefined;
}

/** Test replacements for standard output: a destination, or a log. */
interface Outside {
  readonly log?: Log | undefined;
  readonly logTo?: DestinationStream;
}

interface Telling {
  /** The IDs of the actions for which the current code runs. */
  readonly current: () => readonly string[];
  readonly policy: () => string;
}

export function createTelemetry(
  { logLevel, health, traces }: TelemetrySettings,
  { log: given, logTo }: Outside,
  { current, policy }: Telling,
): Telemetry {
  const { version } = packageJson;
  let standing: WatchedParts | undefined;
  // Without an endpoint, nothing is counted.
  const metrics =
    health &&
    createBotMetrics(
      () => standing,
      () => ({ version, policy: policy() }),
    );
  /** A line's own action takes precedence. */
  const about = (said: { readonly action?: unknown }) => {
    const actions = current();
    const action = typeof said.action === 'string' ? said.action : actions[0];
    return {
      version,
      replica: standing?.replica,
      ...(actions.length > 0 && { actions }),
      ...(action !== undefined && { called: referenceOf(action) }),
      ...(traces !== undefined && action !== undefined && { trace: traceIdOf(action) }),
    };
  };
  const lines = given ?? createLog(logLevel, logTo, about);
  const log = metrics ? observed(lines, metrics.observe) : lines;
  const sender = traces && createTraceSender(traces, { version, log, replica: () => standing?.replica });
  const server = metrics && createHealthServer(health, { notReady, metrics: metrics.text });

  function notReady(): readonly string[] {
    if (standing === undefined) return ['it is starting'];
    const trouble = standing.journalTrouble();
    return [
      ...(trouble === undefined ? [] : [`the journal cannot be used: ${trouble}`]),
      ...(standing.isSlackConnected() ? [] : ['not connected to Slack']),
    ];
  }

  return {
    log,
    traces: sender && {
      idOf: traceIdOf,
      over: (record, earlier) => sender.add(spansOf(record, earlier)),
    },
    watch: (parts) => {
      standing = parts;
    },
    start: async () => server?.start(),
    stop: async () => {
      server?.stop();
      await sender?.stop(last);
    },
  };
}
