import type { App, Context } from '@slack/bolt';

/**
 * Delays Bolt's acknowledgement. Bolt acknowledges an event before any listener gets it, and Slack never
 * resends it, so a crash would lose it. Here the acknowledgement follows the listeners, or waits for the one
 * that holds it until the journal has the event (docs/decisions/0046). Works for every inlet: all of them end
 * in `processEvent`.
 */
export function holdEvents(app: App): void {
  const process = app.processEvent.bind(app);
  app.processEvent = async (event) => {
    if (!isAcknowledgedByBolt(event.body)) return process(event);
    let isDue = false;
    let isHeld = false;
    const hold = (): Acknowledge => {
      isHeld = true;
      return () => event.ack();
    };
    await process({
      ...event,
      ack: async () => {
        isDue = true;
      },
      customProperties: { ...event.customProperties, [property]: hold },
    });
    if (isDue && !isHeld) await event.ack();
  };
}

type Acknowledge = () => Promise<void>;

const property = 'holdAcknowledgement';

/** Called at once by an event's only listener: from then on only the returned function acknowledges it. */
export function holdAcknowledgement(context: Context): Acknowledge {
  const hold: unknown = context[property];
  return typeof hold === 'function' ? hold() : async () => undefined;
}

/** Bolt leaves workflow steps to their listener. */
function isAcknowledgedByBolt(body: unknown): boolean {
  const { event } = Object(body) as { readonly event?: unknown };
  const { type } = Object(event) as { readonly type?: unknown };
  return type !== undefined && type !== 'function_executed';
}
