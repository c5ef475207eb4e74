import { done, refused } from '../acted.ts';
import { emit } from '../events.ts';
import { channelStub, interaction } from '../payloads.ts';
import type { Member } from '../people.ts';
import type { Act, Acted } from '../protocol.ts';
import type { World } from '../world.ts';
import { entitiesOf, showEntity } from './entity.ts';

/** An entity with its message, for a member of the channel. */
function readBy(
  world: World,
  person: Member,
  { channel, ts, entity: id }: Extract<Act, { act: 'open_entity' }>,
) {
  const message = world.messages.find(channel, ts);
  const entity = message && entitiesOf(message).find(({ external_ref }) => external_ref.id === id);
  return message === undefined || entity === undefined || !world.roster.isMember(message.channel, person.id)
    ? undefined
    : { message, entity };
}

/** Opens an entity of a message: the app is asked for more than stands there. */
export async function openEntity(
  world: World,
  person: Member,
  given: Extract<Act, { act: 'open_entity' }>,
): Promise<Acted> {
  const found = readBy(world, person, given);
  if (found === undefined) return refused('This is not there any more.');
  const { message, entity } = found;
  if (!world.app.events.has('entity_details_requested')) return refused('The app has no details to show.');
  const trigger_id = world.triggers.make(person.id);
  world.details.ask(trigger_id, { person: person.id, entity: entity.external_ref.id });
  const outcome = await emit(world, {
    type: 'entity_details_requested',
    user: person.id,
    trigger_id,
    user_locale: 'en-US',
    external_ref: entity.external_ref,
    entity_url: entity.url,
    ...(entity.app_unfurl_url === undefined ? {} : { app_unfurl_url: entity.app_unfurl_url }),
    link: { url: entity.app_unfurl_url ?? entity.url, domain: new URL(entity.url).hostname },
    channel: message.channel,
    message_ts: message.ts,
    ...(message.threadTs === undefined ? {} : { thread_ts: message.threadTs }),
  });
  return outcome?.kind === 'acked'
    ? done
    : refused(`This app responded with the error “${outcome?.kind ?? 'dispatch_failed'}”`);
}

/**
 * Presses an entity's button in its opened pane, or below its message. The payload of a click in the pane is
 * undocumented; here it has no more than the container.
 */
export async function useEntity(
  world: World,
  person: Member,
  given: Extract<Act, { act: 'open_entity' }>,
): Promise<Acted> {
  const found = readBy(world, person, given);
  const room = world.roster.room(given.channel);
  if (found === undefined || room === undefined) return refused('This is not there any more.');
  const { message, entity } = found;
  const details = world.details.seenBy(person.id)[given.entity];
  const isOpen = details?.state === 'shown';
  const shown = isOpen ? details.entity : showEntity(entity);
  const button = shown.buttons?.find(({ action_id }) => action_id === given.press);
  if (button === undefined) return refused('This button is not there any more.');
  const { text, action_id, value } = button;
  const outcome = await world.dispatch.deliver('interactive', {
    ...interaction(world, 'block_actions', person),
    container: {
      type: isOpen ? 'entity_detail' : 'message_attachment',
      message_ts: message.ts,
      channel_id: room.id,
      entity_url: entity.url,
      external_ref: entity.external_ref,
      ...(message.threadTs === undefined ? {} : { thread_ts: message.threadTs }),
    },
    ...(isOpen ? {} : { channel: channelStub(room) }),
    trigger_id: world.triggers.make(person.id),
    actions: [
      {
        type: 'button',
        text: { type: 'plain_text', text, emoji: true },
        action_id,
        block_id: 'entity',
        ...(value === undefined ? {} : { value }),
        action_ts: (world.now() / 1000).toFixed(6),
      },
    ],
  });
  return outcome.kind === 'acked' ? done : refused(`This app responded with the error “${outcome.kind}”`);
}
