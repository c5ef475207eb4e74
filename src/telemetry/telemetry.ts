/** What whoever watches the bot sees of it: its log, its metrics, and whether it is ready. */

import type { DestinationStream } from 'pino';
import packageJson from '../../package.json' with { type: 'json' };
import { referenceOf } from '../journal/actions/reference.ts';
import type { AuditRecord } from '../journal/audit/record.ts';
import { createHealthServer, type HealthSettings } from './health/server.ts';
import { createLog, type Log, observed } from './log.ts';
import { createBotMetrics, type WatchedParts } from './metrics/bot.ts';
import { createTraceSender, type TraceSettings } from './traces/sender.ts';
import { spansOf, traceIdOf } from './traces/trace.ts';

export interface Telemetry {
  readonly log: Log;
  /** To be called when the parts are there that are asked. */
  readonly watch: (standing: WatchedParts) => void;
  /** Opens the port, where there is one; resolves to its address. @throws CannotStart where it cannot listen there */
  readonly start: () => Promise<string | undefined>;
  /** What it was still to send is sent within a moment, or not at all. */
  readonly stop: () => Promise<void>;
  /** Undefined where no traces are made. */
  readonly traces: Traces | undefined;
}

/** A trace for each action, made when it is over. */
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

/** What a test may put in place of standard output: where lines go, or a log of its own. */
interface Outside {
  readonly log?: Log | undefined;
  readonly logTo?: DestinationStream;
}

interface Telling {
  /** For which actions the code runs that is running now: their IDs. */
  readonly current: () => readonly string[];
  /** Version of the policy in force. */
  readonly policy: () => string;
}

export function createTelemetry(
  { logLevel, health, traces }: TelemetrySettings,
  { log: given, logTo }: Outside,
  { current, policy }: Telling,
): Telemetry {
  const { version } = packageJson;
  let standing: WatchedParts | undefined;
  // Where nobody can ask for them, nothing is counted.
  const metrics =
    health &&
    createBotMetrics(
      () => standing,
      () => ({ version, policy: policy() }),
    );
  /** Where a line says itself which action it is about, that counts. */
  const about = (said: { readonly action?: unknown }) => {
    const actions = current();
    const action = typeof said.action === 'string' ? said.action : actions[0];
    return {
      ...{ version, replica: standing?.replica },
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
