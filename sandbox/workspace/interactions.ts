import { done, refused } from './acted.ts';
import { actionables } from './blocks.ts';
import type { Outcome } from './dispatch.ts';
import type { Stored } from './messages.ts';
import { channelStub, interaction, messagePayload, messagePlace, viewPlace } from './payloads.ts';
import type { Member, Room } from './people.ts';
import type { Act, Acted, Block } from './protocol.ts';
import { Refusal } from './refusal.ts';
import { completeState, isEmpty } from './view-state.ts';
import { acceptView, type StoredView } from './views.ts';
import type { World } from './world.ts';

type Payload = Record<string, unknown>;
type Given<Name extends Act['act']> = Extract<Act, { act: Name }>;

/** What Slack says in a modal when the app did not answer, or answered with nonsense. */
const trouble = 'We had some trouble connecting. Try again?';

/** What was used: a message in a channel, or a view. */
type Place =
  | { readonly message: Stored; readonly room: Room; readonly blocks: readonly Block[] }
  | { readonly view: StoredView; readonly blocks: readonly Block[] };

/** A click, a choice in a menu: block_actions (slack-facts.md §2). */
export async function use(world: World, person: Member, given: Given<'use'>): Promise<Acted> {
  const place = find(world, person, given.container);
  if (place === undefined) return refused('This message or view is not there any more.');
  const element = findElement(place.blocks, given.block_id, given.action_id);
  if (element === undefined) return refused('This element is not there any more.');
  const values = given.state ?? {};
  if ('view' in place) world.views.enter(place.view, values);
  const state = 'view' in place ? place.view.state : completeState(place.blocks, values);
  const payload = {
    ...interaction(world, 'block_actions', person),
    ...where(place),
    trigger_id: world.triggers.make(
      person.id,
      'view' in place && place.view.content.type === 'modal' ? place.view.id : undefined,
    ),
    ...responseUrl(world, person, place),
    ...('message' in place ? { state: { values: state } } : {}),
    actions: [actionPayload(world, element, given)],
  };
  const outcome = await world.dispatch.deliver('interactive', payload);
  return outcome.kind === 'acked' ? done : refused(`This app responded with the error “${outcome.kind}”`);
}

/** The part of a payload that says what was done. A button's text and value are read from the block, never from the page. */
function actionPayload(world: World, element: Block, given: Given<'use'>): Payload {
  const seconds = world.now() / 1000;
  const { type, action_id, text, value, style, url, placeholder } = element;
  const own = { type, action_id, block_id: given.block_id, text, value, style, url, placeholder };
  const known = Object.entries(own).filter(([, field]) => field !== undefined);
  const entered = type === 'button' ? {} : given.value;
  return { ...Object.fromEntries(known), ...entered, action_ts: seconds.toFixed(6) };
}

/** A submitted modal: view_submission, and what its acknowledgement asks for. */
export async function submit(world: World, person: Member, given: Given<'submit'>): Promise<Acted> {
  const view = world.views.stack(person.id).at(-1);
  if (view === undefined || view.id !== given.view) return refused('This view is not open any more.');
  world.views.enter(view, given.state);
  const missing = missingInputs(view);
  if (Object.keys(missing).length > 0) {
    world.views.showErrors(view, missing);
    return refused('Please complete the required fields.');
  }
  world.views.showErrors(view, {});
  const outcome = await world.dispatch.deliver('interactive', {
    ...interaction(world, 'view_submission', person),
    ...viewPayloadOf(view),
    trigger_id: world.triggers.make(person.id, view.id),
    response_urls: [],
  });
  return settle(world, person, view, outcome);
}

function settle(world: World, person: Member, view: StoredView, outcome: Outcome): Acted {
  if (outcome.kind !== 'acked') return refused(trouble);
  const body = (outcome.body ?? {}) as Payload;
  try {
    switch (body.response_action) {
      case undefined:
        world.views.close(view);
        return done;
      case 'clear':
        world.views.clear(person.id);
        return done;
      case 'update':
        world.views.update(view, acceptView(body.view, 'modal'));
        return done;
      case 'push':
        world.views.push(person.id, acceptView(body.view, 'modal'));
        return done;
      case 'errors':
        return showErrors(world, view, body.errors);
      default:
        return refused(trouble);
    }
  } catch (error) {
    if (error instanceof Refusal) return refused(trouble);
    throw error;
  }
}

/** Errors stand under input blocks; keyed by anything else, Slack shows its trouble line. */
function showErrors(world: World, view: StoredView, errors: unknown): Acted {
  const inputs = new Set(
    view.content.blocks.filter(({ type }) => type === 'input').map(({ block_id }) => block_id),
  );
  const entries = Object.entries((errors ?? {}) as Payload);
  const fits = entries.every(([id, text]) => inputs.has(id) && typeof text === 'string' && text !== '');
  if (entries.length === 0 || !fits) return refused(trouble);
  world.views.showErrors(view, Object.fromEntries(entries.map(([id, text]) => [id, String(text)])));
  return done;
}

function missingInputs(view: StoredView): Record<string, string> {
  const missing = view.content.blocks.filter((block) => {
    if (block.type !== 'input' || block.optional === true) return false;
    return Object.values(view.state[block.block_id ?? ''] ?? {}).every(isEmpty);
  });
  return Object.fromEntries(
    missing.map(({ block_id }) => [block_id ?? '', 'Please complete this required field.']),
  );
}

/** A modal closed by hand; the app hears of it only if it asked to (`notify_on_close`). */
export async function close(world: World, person: Member, given: Given<'close'>): Promise<Acted> {
  const view = world.views.stack(person.id).find(({ id }) => id === given.view);
  if (view === undefined) return refused('This view is not open any more.');
  const isCleared = view.content.clear_on_close === true;
  if (isCleared) world.views.clear(person.id);
  else world.views.close(view);
  if (view.content.notify_on_close !== true) return done;
  await world.dispatch.deliver('interactive', {
    ...interaction(world, 'view_closed', person),
    ...viewPayloadOf(view),
    is_cleared: isCleared,
  });
  return done;
}

/** An external select asks for options: block_suggestion. Shorter than `min_query_length` (3), nothing is asked. */
export async function suggest(world: World, person: Member, given: Given<'suggest'>): Promise<Acted> {
  const place = find(world, person, given.container);
  const element = place && findElement(place.blocks, given.block_id, given.action_id);
  if (place === undefined || element === undefined) return refused('This menu is not there any more.');
  if (given.query.length < Number(element.min_query_length ?? 3)) return { ok: true, options: [] };
  const { block_id, action_id, query } = given;
  const outcome = await world.dispatch.deliver('interactive', {
    ...interaction(world, 'block_suggestion', person),
    ...where(place),
    block_id,
    action_id,
    value: query,
  });
  if (outcome.kind !== 'acked') return refused('Results did not load.');
  const body = (outcome.body ?? {}) as { readonly options?: unknown; readonly option_groups?: unknown };
  const options = body.options ?? body.option_groups;
  if (!Array.isArray(options) || options.length > 100) return refused('Results did not load.');
  return { ok: true, options };
}

/** A message shortcut: message_action. */
export async function shortcut(world: World, person: Member, given: Given<'shortcut'>): Promise<Acted> {
  const known = world.app.shortcuts.some(
    ({ type, callback_id }) => type === 'message' && callback_id === given.callback_id,
  );
  const room = world.roster.room(given.channel);
  const message = world.messages.find(given.channel, given.ts);
  if (!known || room === undefined || message === undefined || !room.members.has(person.id)) {
    return refused('This shortcut is not available here.');
  }
  if (world.roster.isExternal(person))
    return refused('This shortcut is not available to people outside this workspace.');
  const seconds = world.now() / 1000;
  const outcome = await world.dispatch.deliver('interactive', {
    ...interaction(world, 'message_action', person),
    callback_id: given.callback_id,
    action_ts: seconds.toFixed(6),
    trigger_id: world.triggers.make(person.id),
    response_url:
      world.url() + world.responseUrls.make('actions', { user: person.id, channel: room.id, message }),
    channel: channelStub(room),
    message_ts: message.ts,
    message: messagePayload(message),
  });
  return outcome.kind === 'acked' ? done : refused(`This app responded with the error “${outcome.kind}”`);
}

function find(world: World, person: Member, container: Given<'use'>['container']): Place | undefined {
  switch (container.kind) {
    case 'message': {
      const room = world.roster.room(container.channel);
      const { channel, ts } = container;
      const message =
        world.messages.findEphemeral(person.id, channel, ts) ?? world.messages.find(channel, ts);
      if (room === undefined || message === undefined || !room.members.has(person.id)) return undefined;
      return { message, room, blocks: message.blocks ?? [] };
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
function findElement(blocks: readonly Block[], blockId: string, actionId: string): Block | undefined {
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

function where(place: Place): Payload {
  return 'view' in place ? viewPlace(place.view) : messagePlace(place.message, place.room);
}

function viewPayloadOf(view: StoredView): Payload {
  return { view: viewPlace(view).view };
}

/** Only messages have one; a view has no channel to answer in. */
function responseUrl(world: World, person: Member, place: Place): Payload {
  if ('view' in place) return {};
  const path = world.responseUrls.make('actions', {
    user: person.id,
    channel: place.room.id,
    message: place.message,
  });
  return { response_url: world.url() + path };
}
