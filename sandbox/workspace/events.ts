import type { Outcome } from './dispatch.ts';
import { eventCallback } from './payloads.ts';
import type { World } from './world.ts';

/**
 * Sends an event to the app if its manifest subscribes to it; undefined when it does not.
 * `subscription` is the manifest's name where it is not the event's type, as for `message.im`.
 */
export async function emit(
  world: World,
  event: Readonly<Record<string, unknown>> & { readonly type: string },
  subscription: string = event.type,
): Promise<Outcome | undefined> {
  if (!world.app.events.has(subscription)) return undefined;
  return world.dispatch.deliverEvent(eventCallback(world, event));
}
