import type { App } from '@slack/bolt';
import { acknowledged } from '../../telemetry/events/slack.ts';
import type { Log } from '../../telemetry/log.ts';

/** Tells how long after it came in each event is acknowledged, whatever it is. All ways in end in `processEvent`. */
export function timeAcknowledgements(app: App, log: Log): void {
  const process = app.processEvent.bind(app);
  app.processEvent = (event) => {
    const since = performance.now();
    return process({
      ...event,
      ack: async (...given) => {
        await event.ack(...given);
        log.tell(acknowledged, { durationMs: Math.round(performance.now() - since) });
      },
    });
  };
}
