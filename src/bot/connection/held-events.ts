import type { App, Context } from '@slack/bolt';

/**
 * Bolt acknowledges an event before any listener has heard of it, and what is acknowledged Slack never sends again: it would be lost
 * with a crash. Here an event is acknowledged after its listeners were called, or later, by the one that holds it until what was
 * taken is written down (docs/decisions/0046). For every way in: all of them end in `processEvent`.
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

/** To be called at once by the one listener of an event: from now on it is acknowledged by what is returned, and by nothing else. */
export function holdAcknowledgement(context: Context): Acknowledge {
  const hold: unknown = context[property];
  return typeof hold === 'function' ? hold() : async () => undefined;
}

/** Of a step of a workflow Bolt leaves it to its listener. */
function isAcknowledgedByBolt(body: unknown): boolean {
  const { event } = Object(body) as { readonly event?: unknown };
  const { type } = Object(event) as { readonly type?: unknown };
  return type !== undefined && type !== 'function_executed';
}
