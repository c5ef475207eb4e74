import { done, refused } from '../acted.ts';
import type { Changes } from '../changes.ts';
import { emit } from '../events.ts';
import { channelStub, interaction } from '../payloads.ts';
import type { Member } from '../people.ts';
import type { Act, Acted } from '../protocol.ts';
import type { World } from '../world.ts';
import { entitiesOf, showEntity } from './entity.ts';
import type { EntityDetails } from './shown.ts';

interface Asked {
  readonly person: string;
  /** The ID in the app's own system (`external_ref`). */
  readonly entity: string;
}

const remembered = 2000;

/** Who opened what, and what the app showed of it. A trigger here lives on: when it dies in Slack is undocumented. */
export class Details {
  readonly #changes: Changes;
  readonly #asked = new Map<string, Asked>();
  readonly #shown = new Map<string, Map<string, EntityDetails>>();

  constructor(changes: Changes) {
    this.#changes = changes;
  }

  ask(trigger: string, asked: Asked): void {
    this.#asked.set(trigger, asked);
    const oldest = this.#asked.keys().next().value;
    if (this.#asked.size > remembered && oldest !== undefined) this.#asked.delete(oldest);
    this.show(asked, { state: 'asked' });
  }

  askedWith(trigger: string): Asked | undefined {
    return this.#asked.get(trigger);
  }

  show({ person, entity }: Asked, details: EntityDetails): void {
    const theirs = this.#shown.get(person) ?? new Map<string, EntityDetails>();
    this.#shown.set(person, theirs);
    theirs.set(entity, details);
    this.#changes.tell({ type: 'entity', user: person });
  }

  seenBy(person: string): Readonly<Record<string, EntityDetails>> {
    return Object.fromEntries(this.#shown.get(person) ?? []);
  }
}

/** An entity with its message, for whoever is in the channel. */
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
 * Presses a button that an entity has where this person has opened it, or below its message. What a click in the pane says besides its
 * container is undocumented; here it says as little as the container does.
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
