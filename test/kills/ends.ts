import type { SimulatedAppliance } from '../../sandbox/appliance/index.ts';
import type { State } from '../../src/journal/actions/states.ts';
import type {
  Action,
  Journal,
  PendingApply,
  PendingWebhook,
  TimedChangeRow,
  Unsent,
} from '../../src/journal/journal.ts';
import type { ToldChange } from '../lives.ts';
import { orderRequestsTo } from '../orders.ts';
import type { Kind } from './kind.ts';

/** The journal after a scenario. */
export interface Facts {
  readonly actions: readonly Pick<
    Action,
    'id' | 'ticket' | 'line' | 'state' | 'phrase' | 'outcome' | 'person' | 'card' | 'step'
  >[];
  /** Actions that another replica would adopt, where the test tried that. */
  readonly held?: readonly Pick<Action, 'line' | 'state'>[];
  readonly unsent: readonly Pick<Unsent, 'kind' | 'tries'>[];
  readonly pending: readonly Pick<PendingApply, 'what' | 'state'>[];
  readonly timedChanges: readonly Pick<TimedChangeRow, 'appliance' | 'state'>[];
  readonly webhooks: readonly Pick<PendingWebhook, 'event'>[];
}

export async function factsOf(journal: Journal): Promise<Facts> {
  // The newest first. Interactions without a line are over with their record.
  const actions = (await journal.recent(1_000)).filter(({ interaction }) => interaction === undefined);
  return {
    actions,
    unsent: await journal.unsent(),
    pending: await journal.pendingApplies(),
    timedChanges: await journal.timedChanges(),
    webhooks: await journal.pendingWebhooks(),
  };
}

/** The state after a scenario. */
export interface Ending {
  readonly facts: Facts;
  readonly appliances: ReadonlyMap<string, SimulatedAppliance>;
  /** Webhook deliveries for changes with a ticket, where a receiver is configured. */
  readonly told?: readonly ToldChange[];
  /** Duplicate messages, in the words of the checker. */
  readonly twice: readonly string[];
  /** People who were left without an end, likewise. */
  readonly untold: readonly string[];
}

/** Everything that must not be, in words. */
export interface Verdict {
  /** How the last action ended. */
  readonly state: State | undefined;
  readonly executedTwice: readonly string[];
  readonly withoutEnd: readonly string[];
  readonly toldTwice: readonly string[];
  readonly untold: readonly string[];
  readonly wrong: readonly string[];
}

const over: readonly State[] = ['done', 'failed', 'unknown', 'cancelled', 'expired', 'refused'];
/** After these the appliance may have been asked to change something. */
const ran: readonly State[] = ['done', 'failed', 'unknown'];

/** How a story has ended. */
export function judge(kind: Kind, { facts, appliances, told, twice, untold }: Ending): Verdict {
  const { actions, held = [], unsent, pending, timedChanges, webhooks } = facts;
  // The typed action, and not one of its steps.
  const last = actions.find(({ step }) => step === undefined);
  const withoutEnd = [
    ...actions.filter(({ state }) => !over.includes(state)).map((one) => `${one.line} is ${one.state}`),
    ...actions.filter(isUnlooked).map(({ line }) => `nobody looked what became of ${line}`),
    ...held.map(({ line, state }) => `${line} is held, ${state}`),
    ...unsent.map(({ kind: what, tries }) => `not sent: ${what} after ${tries} tries`),
    ...pending.map(({ what, state }) => `${what} is ${state}`),
    ...webhooks.map(({ event }) => `${event} was never told`),
    ...timedChanges.map(({ appliance, state }) => `a lease on ${appliance} is ${state}`),
  ];
  const isAsExpected = last !== undefined && [kind.ends, ...(kind.mayEnd ?? [])].includes(last.state);
  const [hq] = appliances.values();
  // A kill before the preview was recorded is reported as not sent.
  const wasNotSent = ({ state, outcome }: (typeof actions)[number]) =>
    state === 'failed' && outcome?.code === 'restarting';
  const isNotSent = last !== undefined && wasNotSent(last);
  const isSent = hq?.requests.some(({ operation = '' }) => operation in (kind.once ?? {})) ?? false;
  const isCertain = actions.every((one) => one.state !== 'unknown' && !wasNotSent(one));
  const wrong = [
    ...(isNotSent && isSent && actions.length === 1 ? ['it was sent, and is told as not sent'] : []),
    ...(isAsExpected || isNotSent || last?.state === 'unknown'
      ? []
      : [`it ended ${last?.state}: ${last?.outcome?.says}`]),
    ...(hq !== undefined && kind.agrees?.(actions, hq) === false ? ['what is told of it does not fit'] : []),
    ...(isCertain && isAsExpected && kind.isRight !== undefined
      ? [...appliances]
          .filter(([, one]) => !kind.isRight?.(one))
          .map(([name]) => `${name} is not as it is told`)
      : []),
  ];
  const lost =
    told === undefined
      ? []
      : [...actions.flatMap((action) => lostOf(action, told)), ...missingOf(kind, last, told)];
  const executedTwice = [...appliances].flatMap(([name, appliance]) =>
    tooMany(kind, name, appliance, actions),
  );
  return {
    state: last?.state,
    executedTwice,
    withoutEnd,
    toldTwice: twice,
    untold: [...untold, ...lost],
    wrong,
  };
}

/** A change with a ticket that ran was asked for and has ended: another system knows both, each by one key, and in this order. */
function lostOf(
  { id, ticket, line, state }: Facts['actions'][number],
  told: readonly ToldChange[],
): readonly string[] {
  if (ticket === undefined || !ran.includes(state)) return [];
  const own = told.filter(({ action, type }) => action === id && !afterwards.includes(type));
  const types = own.map(({ type }) => type);
  const [first, last] = [types[0], types.at(-1)];
  const keys = Map.groupBy(own, ({ key }) => key);
  // An action that failed before its question has sent nothing to anybody.
  if (state === 'failed' && own.length === 0) return [];
  const isMixed = [...keys.values()].some((some) => new Set(some.map(({ type }) => type)).size > 1);
  return first === 'change.asked' && last === `change.${state}` && !isMixed
    ? []
    : [`another system of ${line}, which is ${state}: ${types.join(', ') || 'nothing'}`];
}

/** Deliveries about the last action that the receiver should have got, and did not. */
function missingOf(
  { tells = [] }: Kind,
  last: Facts['actions'][number] | undefined,
  told: readonly ToldChange[],
): readonly string[] {
  if (last?.state !== 'done') return [];
  const types = told.filter(({ action }) => action === last.id).map(({ type }) => type);
  return tells.filter((one) => !types.includes(one)).map((one) => `another system: ${one}`);
}

/** Events that may follow a change's outcome. */
const afterwards: readonly string[] = ['change.undone', 'change.ended'];

/** The bot has explained every unknown outcome after a look. */
const isUnlooked = ({ state, outcome }: Facts['actions'][number]): boolean =>
  state === 'unknown' && (outcome === undefined || outcome.code === 'interrupted');

function tooMany(
  { once = {}, each = {}, pieces = 1, again = [] }: Kind,
  name: string,
  appliance: SimulatedAppliance,
  actions: Facts['actions'],
): readonly string[] {
  const orders = orderRequestsTo(appliance).filter(({ operation }) => !again.includes(operation));
  const nameOf = ({ operation, path }: (typeof orders)[number]) =>
    each[operation] === undefined ? operation : `${operation}: ${path}`;
  return [...Map.groupBy(orders, nameOf)].flatMap(([order, sent]) => {
    const operation = sent[0]?.operation ?? '';
    const phrase = once[operation] ?? each[operation];
    const most = actions.filter(
      (action) => phrase !== undefined && action.phrase?.startsWith(phrase) && ran.includes(action.state),
    ).length;
    return sent.length > most * (once[operation] === undefined ? 1 : pieces)
      ? [`${order} was sent to ${name} ${sent.length} times for ${most} actions`]
      : [];
  });
}

export const violationsOf = ({
  executedTwice,
  withoutEnd,
  toldTwice,
  untold,
  wrong,
}: Verdict): readonly string[] => [
  ...executedTwice,
  ...withoutEnd,
  ...toldTwice.map((words) => `told twice: ${words}`),
  ...untold.map((words) => `not told: ${words}`),
  ...wrong,
];
