import type { Outcome } from './dispatch.ts';
import { eventCallback } from './payloads.ts';
import type { World } from './world.ts';

/** Any one of these lets an event through (the "Required scopes" of its page); the events that are not here need none. */
const scopesOf: Readonly<Record<string, readonly string[]>> = {
  app_mention: ['app_mentions:read'],
  channel_left: ['channels:read'],
  channel_shared: ['channels:read', 'groups:read'],
  channel_unshared: ['channels:read', 'groups:read'],
  file_shared: ['files:read'],
  group_left: ['groups:read'],
  link_shared: ['links:read'],
  'message.channels': ['channels:history'],
  'message.groups': ['groups:history'],
  'message.im': ['im:history'],
  reaction_added: ['reactions:read'],
  reaction_removed: ['reactions:read'],
  subteam_members_changed: ['usergroups:read'],
  subteam_updated: ['usergroups:read'],
  user_change: ['users:read'],
};

interface Wanted {
  /** The manifest's name of the event where it is not its type, as for `message.im`. */
  readonly subscription?: string;
  /** Any one of these, where the channel decides which scopes it takes. */
  readonly scopes?: readonly string[];
}

/** Sends an event to the app if its manifest subscribes to it and it has the scope; undefined when it does not. */
export async function emit(
  world: World,
  event: Readonly<Record<string, unknown>> & { readonly type: string },
  { subscription = event.type, scopes = scopesOf[subscription] ?? [] }: Wanted = {},
): Promise<Outcome | undefined> {
  const isHeard = scopes.length === 0 || scopes.some((scope) => world.conditions.scopes.has(scope));
  if (!isHeard || !world.app.events.has(subscription)) return undefined;
  return world.dispatch.deliverEvent(eventCallback(world, event));
}
