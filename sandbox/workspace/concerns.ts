import type { World } from './world.ts';

/**
 * The people whom a call is about: its readers, the owner of the form, the looked-up person. Empty for a message to a
 * whole channel.
 */
export function concerns(
  { roster, triggers, views }: World,
  args: Readonly<Record<string, unknown>>,
): readonly string[] {
  const { user, user_id, channel, trigger_id, view_id } = args;
  const direct = roster.rooms.find(({ id }) => id === channel);
  return [
    ...[user, user_id, channel],
    ...(direct?.isIm ? direct.members : []),
    typeof trigger_id === 'string' ? triggers.madeBy(trigger_id) : undefined,
    typeof view_id === 'string' ? views.find(view_id)?.user : undefined,
  ].filter((id) => typeof id === 'string');
}
