import { minute } from './approval-policy.ts';

/** The states of a request, modelled a second time and apart from the bot. Alice asks; carol has a second account, dana. */
export interface Model {
  readonly state: 'waiting' | 'done' | 'cancelled' | 'expired';
  /** Counts what has stood on the card, and whose session it said it was. */
  readonly question: number;
  readonly owner: string;
  readonly until: number;
  /** The people who have approved this question, in their order. */
  readonly yes: readonly string[];
}

/** How things are when something happens. */
export interface World {
  at: number;
  owner: string;
  approvers: ReadonlySet<string>;
  /** Alice may still run it. */
  askerMay: boolean;
  /** The number of approvals that the policy now requires. */
  wanted: number;
  /** People whose lookup fails. */
  hidden: ReadonlySet<string>;
}

export type Event =
  | { readonly does: 'approve' | 'deny' | 'cancel'; readonly who: string; readonly question: number }
  | { readonly does: 'tick' };

/** The request needs so many approvals, and expires after so long. */
export const needed = 2;
export const open = 10 * minute;

export const humanOf = (who: string): string => (who === 'dana' ? 'carol' : who);

export const asked = ({ at, owner }: World): Model => ({
  ...{ state: 'waiting', question: 1, owner, until: at + open, yes: [] },
});

export function next(model: Model, event: Event, world: World): Model {
  if (model.state !== 'waiting') return model;
  const expired: Model = { ...model, state: 'expired' };
  const isOver = world.at >= model.until;
  if (event.does === 'tick') return isOver ? expired : model;
  const { does, who, question } = event;
  if (question !== model.question) return model;
  if (does === 'cancel') return who === 'alice' ? { ...model, state: 'cancelled' } : model;
  if (isOver) return expired;
  const isKnown = (one: string) => !world.hidden.has(one) && !world.hidden.has('alice');
  const counts = (one: string) => one !== 'alice' && world.approvers.has(one) && isKnown(one);
  if (!counts(who)) return model;
  if (does === 'deny') return { ...model, state: 'cancelled' };
  if (world.wanted > needed) return model;
  const isNew = model.yes.every((one) => humanOf(one) !== humanOf(who));
  const yes = isNew ? [...model.yes, who] : model.yes;
  const isEnough = new Set(yes.filter(counts).map(humanOf)).size >= needed;
  if (!isEnough || !world.askerMay) return { ...model, yes };
  if (world.owner === model.owner) return { ...model, yes, state: 'done' };
  return { ...asked(world), question: question + 1 };
}
