import { done, refused } from './acted.ts';
import type { Outcome } from './dispatch.ts';
import { giveFilesToApp, withFiles } from './form-files.ts';
import { inputProblems } from './input-problems.ts';
import { interaction, viewPlace } from './payloads.ts';
import type { Member } from './people.ts';
import type { Act, Acted } from './protocol.ts';
import { Refusal } from './refusal.ts';
import { acceptView, type StoredView } from './views.ts';
import type { World } from './world.ts';

type Payload = Record<string, unknown>;
type Given<Name extends Act['act']> = Extract<Act, { act: Name }>;

/** Slack's message in a modal when the app did not answer, or answered with nonsense. */
const trouble = 'We had some trouble connecting. Try again?';

/** Fills in inputs of an open modal, telling nobody. */
export function enter(world: World, person: Member, given: Given<'enter'>): Acted {
  const view = world.views.stack(person.id).at(-1);
  if (view === undefined || view.id !== given.view) return refused('This view is not open any more.');
  world.views.enter(view, withFiles(world, person, given.state));
  return done;
}

/** A submitted modal: view_submission, and what its acknowledgement asks for. */
export async function submit(world: World, person: Member, given: Given<'submit'>): Promise<Acted> {
  const view = world.views.stack(person.id).at(-1);
  if (view === undefined || view.id !== given.view) return refused('This view is not open any more.');
  world.views.enter(view, withFiles(world, person, given.state));
  const problems = inputProblems(view.content.blocks, view.state);
  if (Object.keys(problems).length > 0) {
    world.views.showErrors(view, problems);
    return refused('Please look at the marked fields.');
  }
  giveFilesToApp(world, view.state);
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

function viewPayloadOf(view: StoredView): Payload {
  return { view: viewPlace(view).view };
}
