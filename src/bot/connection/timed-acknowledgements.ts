import type { App } from '@slack/bolt';
import { acknowledged, acknowledgedLate } from '../../telemetry/events/slack.ts';
import { type Log, onceIn, seldom } from '../../telemetry/log.ts';

/** In milliseconds, of the 3,000 that Slack gives. */
const late = 2_000;
const minute = 60_000;

/** Tells how long after it came in each event is acknowledged, whatever it is. All ways in end in `processEvent`. */
export function timeAcknowledgements(app: App, log: Log): void {
  const process = app.processEvent.bind(app);
  const tellLate = seldom(log, onceIn(minute));
  app.processEvent = (event) => {
    const since = performance.now();
    return process({
      ...event,
      ack: async (...given) => {
        await event.ack(...given);
        const durationMs = Math.round(performance.now() - since);
        log.tell(acknowledged, { durationMs });
        if (durationMs > late) tellLate(acknowledgedLate, { durationMs });
      },
    });
  };
}
