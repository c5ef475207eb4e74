import { parseJson } from '../content.ts';
import { Refusal } from '../refusal.ts';
import { acceptView, type StoredView, type ViewContent, viewPayload } from '../views.ts';
import { optional, required, somebody } from './arguments.ts';
import type { Answering, Call } from './method.ts';

const open: Answering = (call) => {
  const content = given(call, 'modal');
  const trigger = call.world.triggers.exchange(required(call.args, 'trigger_id'));
  return { view: viewPayload(call.world.views.open(trigger.user, content)) };
};

/** Only an interaction inside an open modal gives a trigger that can push. */
const push: Answering = (call) => {
  const content = given(call, 'modal');
  const trigger = call.world.triggers.exchange(required(call.args, 'trigger_id'));
  const inside =
    trigger.view !== undefined && call.world.views.stack(trigger.user).some(({ id }) => id === trigger.view);
  if (!inside) throw new Refusal('invalid_trigger_id');
  return { view: viewPayload(call.world.views.push(trigger.user, content)) };
};

const update: Answering = (call) => {
  const { world, args } = call;
  const id = optional(args, 'view_id');
  const view = world.views.find(id, id === undefined ? required(args, 'external_id') : undefined);
  if (view === undefined) throw new Refusal('not_found');
  const content = given(call, view.content.type);
  refuseStale(call, view);
  return { view: viewPayload(world.views.update(view, content)) };
};

const publish: Answering = (call) => {
  const { world, args } = call;
  const person = somebody(world, required(args, 'user_id'));
  if (!world.app.homeTab) throw new Refusal('not_enabled');
  const content = given(call, 'home');
  refuseStale(call, world.views.home(person.id));
  return { view: viewPayload(world.views.publish(person.id, content)) };
};

/** `hash` is of the view the app saw last; somebody else may have changed it since, and of none it is no view's. */
function refuseStale({ args }: Call, view: StoredView | undefined): void {
  const hash = optional(args, 'hash');
  if (hash !== undefined && hash !== view?.hash) throw new Refusal('hash_conflict');
}

function given({ args }: Call, type: 'modal' | 'home'): ViewContent {
  return acceptView(parseJson(args.view ?? null, 'invalid_arguments'), type);
}

export const views = { open, push, update, publish };
