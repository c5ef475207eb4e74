import { actionables } from './actionables.ts';
import { allBlocks } from './attachment.ts';
import type { Stored } from './messages.ts';
import { messagePlace, viewPlace } from './payloads.ts';
import type { Member, Room } from './people.ts';
import type { Act, Attachment, Block } from './protocol.ts';
import type { StoredView } from './views.ts';
import type { World } from './world.ts';

type Payload = Record<string, unknown>;

/** The place of an interaction: a message in a channel, or a view. */
export type Place =
  | { readonly message: Stored; readonly room: Room; readonly blocks: readonly Block[] }
  | { readonly view: StoredView; readonly blocks: readonly Block[] };

/** The target of an act, if the person can see it and it is still there. */
export function find(
  world: World,
  person: Member,
  container: Extract<Act, { act: 'use' }>['container'],
): Place | undefined {
  switch (container.kind) {
    case 'message': {
      const room = world.roster.room(container.channel);
      const { channel, ts } = container;
      const message =
        world.messages.findEphemeral(person.id, channel, ts) ?? world.messages.find(channel, ts);
      if (room === undefined || message === undefined || !room.members.has(person.id)) return undefined;
      return { message, room, blocks: allBlocks(message) };
    }
    case 'view': {
      const view = world.views.stack(person.id).find(({ id }) => id === container.id);
      return view && { view, blocks: view.content.blocks };
    }
    case 'home': {
      const view = world.views.home(person.id);
      return view && { view, blocks: view.content.blocks };
    }
  }
}

/** The element with that action_id in that block, also in blocks inside a container. */
export function findElement(blocks: readonly Block[], blockId: string, actionId: string): Block | undefined {
  for (const block of blocks) {
    if (block.block_id === blockId) {
      for (const { element } of actionables([block], '')) if (element.action_id === actionId) return element;
    }
    const nested = [block.child_blocks, block.type === 'carousel' ? block.elements : undefined].find(
      Array.isArray,
    );
    const found =
      nested === undefined ? undefined : findElement(nested as readonly Block[], blockId, actionId);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The part of a payload that says where something was done: in which attachment, if in one. */
export function where(world: World, place: Place, blockId: string, actionId: string): Payload {
  if ('view' in place) return viewPlace(place.view);
  const { message, room } = place;
  const attachments = (message.attachments ?? []) as readonly (Attachment & { is_app_unfurl?: boolean })[];
  const index = attachments.findIndex(({ blocks = [] }) => findElement(blocks, blockId, actionId));
  const attachment = attachments[index];
  return messagePlace(
    world,
    message,
    room,
    attachment && { id: index + 1, isUnfurl: attachment.is_app_unfurl === true },
  );
}

/** Only messages have one; a view has no channel to answer in. */
export function responseUrl(world: World, person: Member, place: Place): Payload {
  if ('view' in place) return {};
  const path = world.responseUrls.make('actions', {
    user: person.id,
    channel: place.room.id,
    message: place.message,
  });
  return { response_url: world.url() + path };
}
