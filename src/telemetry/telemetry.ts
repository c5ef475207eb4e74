/** What whoever watches the bot sees of it: its log, its metrics, and whether it is ready. */

import packageJson from '../../package.json' with { type: 'json' };
import { createHealthServer, type HealthSettings } from './health/server.ts';
import { createLog, type Log } from './log.ts';
import { createBotMetrics, type WatchedParts } from './metrics/bot.ts';

export interface Telemetry {
  readonly log: Log;
  /** To be called when the parts are there that are asked. */
  readonly watch: (standing: WatchedParts) => void;
  /** Opens the port, where there is one; resolves to its address. @throws CannotStart where it cannot listen there */
  readonly start: () => Promise<string | undefined>;
  readonly stop: () => void;
}

interface TelemetrySettings {
  readonly level: string;
  /** In the place of one to standard output. */
  readonly log: Log | undefined;
  readonly health: HealthSettings | undefined;
  /** Version of the policy in force. */
  readonly policy: () => string;
}

export function createTelemetry({ level, log, health, policy }: TelemetrySettings): Telemetry {
  const { version } = packageJson;
  let standing: WatchedParts | undefined;
  const metrics = createBotMetrics(
    () => standing,
    () => ({ version, policy: policy() }),
  );
  const about = () => ({ version, replica: standing?.replica });
  const server = health && createHealthServer(health, { notReady, metrics: metrics.text });

  function notReady(): readonly string[] {
    if (standing === undefined) return ['it is starting'];
    const trouble = standing.journalTrouble();
    return [
      ...(trouble === undefined ? [] : [`the journal cannot be used: ${trouble}`]),
      ...(standing.isSlackConnected() ? [] : ['not connected to Slack']),
    ];
  }

  return {
    log: log ?? createLog(level, undefined, { about, observe: metrics.observe }),
    watch: (parts) => {
      standing = parts;
    },
    start: async () => server?.start(),
    stop: () => server?.stop(),
  };
}
