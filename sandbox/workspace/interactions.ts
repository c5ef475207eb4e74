import { done, refused } from './acted.ts';
import { withFiles } from './form-files.ts';
import { functionData } from './functions/run-step.ts';
import { channelStub, interaction, messagePayload } from './payloads.ts';
import type { Member } from './people.ts';
import { find, findElement, responseUrl, where } from './places.ts';
import type { Act, Acted, Block } from './protocol.ts';
import { completeState } from './view-state.ts';
import type { World } from './world.ts';

type Payload = Record<string, unknown>;
type Given<Name extends Act['act']> = Extract<Act, { act: Name }>;

/** A click, a choice in a menu: block_actions (slack-facts.md §2). */
export async function use(world: World, person: Member, given: Given<'use'>): Promise<Acted> {
  const place = find(world, person, given.container);
  if (place === undefined) return refused('This message or view is not there any more.');
  const element = findElement(place.blocks, given.block_id, given.action_id);
  if (element === undefined) return refused('This element is not there any more.');
  const step =
    'message' in place && place.message.step !== undefined
      ? world.executions.find(place.message.step)
      : undefined;
  // A message that a step posted with its own token dies with it (bolt-js#2508).
  if (step?.ended !== undefined) return refused('The step of the workflow that posted this has ended.');
  const values = withFiles(world, person, given.state ?? {});
  if ('view' in place) world.views.enter(place.view, values);
  const state = 'view' in place ? place.view.state : completeState(place.blocks, values);
  const payload = {
    ...interaction(world, 'block_actions', person),
    ...where(world, place, given.block_id, given.action_id),
    trigger_id: world.triggers.make(
      person.id,
      'view' in place && place.view.content.type === 'modal' ? place.view.id : undefined,
    ),
    ...responseUrl(world, person, place),
    ...('message' in place ? { state: { values: state } } : {}),
    ...(step === undefined ? {} : functionData(world, step, person)),
    actions: [actionPayload(world, element, given)],
  };
  const outcome = await world.dispatch.deliver('interactive', payload);
  return outcome.kind === 'acked' ? done : refused(`This app responded with the error “${outcome.kind}”`);
}

/** The part of a payload about the action. A button's text and value come from the block, never from the page. */
function actionPayload(world: World, element: Block, given: Given<'use'>): Payload {
  const seconds = world.now() / 1000;
  const { type, action_id, text, value, style, url, placeholder } = element;
  const own = { type, action_id, block_id: given.block_id, text, value, style, url, placeholder };
  const known = Object.entries(own).filter(([, field]) => field !== undefined);
  const entered = type === 'button' ? {} : given.value;
  return { ...Object.fromEntries(known), ...entered, action_ts: seconds.toFixed(6) };
}

/** A global shortcut has neither a channel nor a response URL (slack-facts.md §2). */
export async function globalShortcut(
  world: World,
  person: Member,
  given: Given<'global_shortcut'>,
): Promise<Acted> {
  if (!isShortcut(world, 'global', given.callback_id)) return refused('There is no such shortcut.');
  if (world.roster.isExternal(person)) return refused(notForOthers);
  const seconds = world.now() / 1000;
  const outcome = await world.dispatch.deliver('interactive', {
    ...interaction(world, 'shortcut', person),
    callback_id: given.callback_id,
    action_ts: seconds.toFixed(6),
    trigger_id: world.triggers.make(person.id),
  });
  return outcome.kind === 'acked' ? done : refused(`This app responded with the error “${outcome.kind}”`);
}

const notForOthers = 'This shortcut is not available to people outside this workspace.';

const isShortcut = ({ app }: World, kind: 'message' | 'global', id: string): boolean =>
  app.shortcuts.some(({ type, callback_id }) => type === kind && callback_id === id);

/** A message shortcut: message_action. */
export async function shortcut(world: World, person: Member, given: Given<'shortcut'>): Promise<Acted> {
  const known = isShortcut(world, 'message', given.callback_id);
  const room = world.roster.room(given.channel);
  const message = world.messages.find(given.channel, given.ts);
  if (!known || room === undefined || message === undefined || !room.members.has(person.id)) {
    return refused('This shortcut is not available here.');
  }
  if (world.roster.isExternal(person)) return refused(notForOthers);
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
    message: messagePayload(world, message),
  });
  return outcome.kind === 'acked' ? done : refused(`This app responded with the error “${outcome.kind}”`);
}
