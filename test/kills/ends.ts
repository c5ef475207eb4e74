import type { SimulatedAppliance } from '../../sandbox/appliance/index.ts';
import type { State } from '../../src/journal/actions/states.ts';
import type { Action, Journal, PendingApply, TimedChangeRow, Unsent } from '../../src/journal/journal.ts';
import { ordersTo } from '../orders.ts';
import type { Kind } from './kind.ts';

/** What stands in the journal when a story is over. */
export interface Facts {
  readonly actions: readonly Pick<Action, 'line' | 'state' | 'phrase' | 'outcome' | 'person' | 'card'>[];
  /** What another replica would take over, where that was tried. */
  readonly held?: readonly Pick<Action, 'line' | 'state'>[];
  readonly unsent: readonly Pick<Unsent, 'kind' | 'tries'>[];
  readonly pending: readonly Pick<PendingApply, 'what' | 'state'>[];
  readonly timedChanges: readonly Pick<TimedChangeRow, 'appliance' | 'state'>[];
}

export const factsOf = async (journal: Journal): Promise<Facts> => ({
  // The newest first. What people do without a line, such as a click that does nothing, is over with its record.
  actions: (await journal.recent(1_000)).filter(({ interaction }) => interaction === undefined),
  unsent: await journal.unsent(),
  pending: await journal.pendingApplies(),
  timedChanges: await journal.timedChanges(),
});

/** What there is when a story is over. */
export interface Ending {
  readonly facts: Facts;
  readonly appliances: ReadonlyMap<string, SimulatedAppliance>;
  /** Messages that stand there twice, in the words of whoever has looked. */
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
export function judge(kind: Kind, { facts, appliances, twice, untold }: Ending): Verdict {
  const { actions, held = [], unsent, pending, timedChanges } = facts;
  const [last] = actions;
  const withoutEnd = [
    ...actions.filter(({ state }) => !over.includes(state)).map((one) => `${one.line} is ${one.state}`),
    ...actions.filter(isUnlooked).map(({ line }) => `nobody looked what became of ${line}`),
    ...held.map(({ line, state }) => `${line} is held, ${state}`),
    ...unsent.map(({ kind: what, tries }) => `not sent: ${what} after ${tries} tries`),
    ...pending.map(({ what, state }) => `${what} is ${state}`),
    ...timedChanges.map(({ appliance, state }) => `a lease on ${appliance} is ${state}`),
  ];
  const isAsExpected = last !== undefined && [kind.ends, ...(kind.mayEnd ?? [])].includes(last.state);
  const isCertain = actions.every(({ state }) => state !== 'unknown');
  const wrong = [
    ...(isAsExpected || last?.state === 'unknown' ? [] : [`it ended ${last?.state}: ${last?.outcome?.says}`]),
    ...(isCertain && isAsExpected && kind.isRight !== undefined
      ? [...appliances]
          .filter(([, one]) => !kind.isRight?.(one))
          .map(([name]) => `${name} is not as it is told`)
      : []),
  ];
  const executedTwice = [...appliances].flatMap(([name, appliance]) =>
    tooMany(kind, name, appliance, actions),
  );
  return { state: last?.state, executedTwice, withoutEnd, toldTwice: twice, untold, wrong };
}

/** Of an unknown outcome the journal knows why, by somebody who has looked. */
const isUnlooked = ({ state, outcome }: Facts['actions'][number]): boolean =>
  state === 'unknown' && (outcome === undefined || outcome.code === 'interrupted');

function tooMany(
  { once = {}, again = [] }: Kind,
  name: string,
  appliance: SimulatedAppliance,
  actions: Facts['actions'],
): readonly string[] {
  const orders = ordersTo(appliance).filter((operation) => !again.includes(operation));
  return [...Map.groupBy(orders, (order) => order)].flatMap(([order, sent]) => {
    const phrase = once[order];
    const most = actions.filter(
      (action) => phrase !== undefined && action.phrase?.startsWith(phrase) && ran.includes(action.state),
    ).length;
    return sent.length > most
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
