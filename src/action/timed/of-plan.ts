import { elapsed, type Part, person, plural, type Reply, say, strong } from '../../handlers/reply.ts';
import { when } from '../../handlers/wording/when.ts';
import { referenceOf } from '../../journal/actions/reference.ts';
import type { Action, TimedChangeRow } from '../../journal/journal.ts';
import { appliancesOf, type PlanStep, stepsIn } from '../base/stored.ts';
import type { Applies } from '../change/apply.ts';
import type { Parts } from '../ground/ground.ts';
import { stillNeeded } from '../wording/timed.ts';

/** What the lines of a plan have made temporary, and that ends at one moment: it is ended in one turn, and told once. */
export interface EndsOfPlan {
  readonly plan: Action;
  /** In the order of its lines; of one alone the row tells itself. */
  readonly rows: readonly TimedChangeRow[];
  /** The steps that they are of, by ID. */
  readonly steps: ReadonlyMap<string, Action>;
}

/** Undefined of what is no step, and of one that ends by itself. */
export async function endsWith(
  { journal }: Pick<Parts, 'journal'>,
  action: Action,
  row: TimedChangeRow,
): Promise<EndsOfPlan | undefined> {
  const plan = await planOf({ journal }, action);
  if (plan === undefined) return undefined;
  const end = plannedEnd(row);
  const rows = (await journal.timedChangesOfPlan(plan.id)).filter((one) => plannedEnd(one) === end);
  if (rows.length < 2) return undefined;
  const steps = await journal.stepsOf(plan.id);
  return { plan, rows, steps: new Map(steps.map((step) => [step.id, step])) };
}

/** The end that was planned, also where somebody has ended it before. */
function plannedEnd({ extensions, endsAt }: TimedChangeRow): number {
  const last = extensions.at(-1);
  return last?.from !== undefined && last.until <= last.at ? last.from : endsAt;
}

/** The plan that an action is a step of, on whose card it stands. */
export const planOf = async (
  { journal }: Pick<Parts, 'journal'>,
  { plan, step }: Action,
): Promise<Action | undefined> => (step === undefined || plan === undefined ? undefined : journal.byId(plan));

/** What is to end, put together: of a plan all, the last line first, one after the other; everything else by itself. */
export async function inTurns(
  { journal }: Pick<Parts, 'journal'>,
  rows: readonly TimedChangeRow[],
): Promise<readonly (readonly TimedChangeRow[])[]> {
  const known = await Promise.all(
    rows.map(async (row) => {
      const action = await journal.byId(row.action);
      return { row, of: action?.step === undefined ? `row ${row.id}` : (action.plan ?? '') };
    }),
  );
  return [...Map.groupBy(known, ({ of }) => of).values()].map((group) =>
    group.map(({ row }) => row).toSorted((one, other) => other.id - one.id),
  );
}

/** Ends them one after the other: each, whatever becomes of those before it. What the lines of a plan have left is compiled once, after all of them. */
export function createEndTogether(
  { journal, appliances, applies }: Pick<Parts, 'journal' | 'appliances'> & { readonly applies: Applies },
  end: (row: TimedChangeRow) => Promise<void>,
): (rows: readonly TimedChangeRow[]) => Promise<void> {
  return async (rows) => {
    try {
      await endAll(rows);
    } finally {
      const origins = await Promise.all(rows.map(({ action }) => journal.byId(action)));
      const steps = origins.flatMap((one) => (one?.step === undefined ? [] : [one]));
      await applies.release(steps);
      for (const name of new Set(steps.flatMap(appliancesOf))) {
        const appliance = appliances.get(name);
        if (appliance !== undefined) applies.start(appliance);
      }
    }
  };

  async function endAll([first, ...others]: readonly TimedChangeRow[]): Promise<void> {
    if (first === undefined) return;
    try {
      // Those that wait for their turn are taken up by nobody else meanwhile.
      if (others.length > 0) await journal.timedEndsGoOn(others.map(({ id }) => id));
      await end(first);
    } finally {
      await endAll(others);
    }
  }
}

/** That the end of them is near. */
export function reminderOfPlan(
  { plan, rows }: EndsOfPlan,
  people: readonly string[],
  frozen: number | undefined,
  now: number,
): Reply {
  const on = rows.filter(({ state }) => state === 'on');
  const endsAt = rows[0]?.endsAt ?? now;
  return {
    headline: say`⏳ Ends in ${elapsed(endsAt - now + 30_000)}, at ${when(endsAt, now)}. ${strong(plural(on.length, 'change'))} of this plan are undone then, the last line first. ${stillNeeded(people, frozen, now)} Its card has the buttons.`,
    details: [
      {
        kind: 'offers',
        offers: [
          { label: 'End all now', line: `plan rollback ${referenceOf(plan.plan ?? plan.id)}`, loud: true },
        ],
      },
    ],
  };
}

/** The last word of all of them. */
export function closingOfPlan({ plan, rows, steps }: EndsOfPlan, now: number): Reply {
  const back = rows.filter(({ ended }) => ended?.how !== 'kept' && ended?.how !== 'replaced');
  const lines = stepsIn(plan);
  const stepOf = (row: TimedChangeRow): PlanStep | undefined => lines[(steps.get(row.action)?.step ?? 0) - 1];
  const table: Part = {
    kind: 'table',
    columns: ['Line', 'Command', 'On', 'How it ended'],
    rows: rows.map((row) => [
      say`${stepOf(row)?.number ?? ''}`,
      say`${stepOf(row)?.line ?? ''}`,
      say`${row.appliance}`,
      row.ended === undefined
        ? []
        : say`${row.ended.person === undefined ? [] : say`By ${person(row.ended.person)}. `}${row.ended.says}`,
    ]),
  };
  const [first] = rows;
  const count =
    back.length === rows.length
      ? `all ${plural(rows.length, 'change')}`
      : `${back.length} of ${plural(rows.length, 'change')}`;
  const isEarly = rows.every((row) => (row.ended?.at ?? row.endsAt) < plannedEnd(row));
  return {
    headline: say`${strong(isEarly ? 'Ended early and undone:' : 'Ended and undone:')} ${count} of this plan, planned until ${when(first === undefined ? now : plannedEnd(first), now)}.`,
    details: [table],
  };
}

/** How something is told of all of them. False when nobody could be told. */
type TellOfPlan = (
  ends: EndsOfPlan,
  reply: Reply,
  what: 'end' | 'over',
  people: readonly string[],
) => Promise<boolean>;

export function createTellOfPlan(
  tell: (
    plan: Action,
    reply: Reply,
    how: { readonly loudly: boolean; readonly key: string },
  ) => Promise<string | undefined>,
  notify: (people: readonly string[], reply: Reply, row: TimedChangeRow) => Promise<readonly string[]>,
): TellOfPlan {
  /** What this one has told, however many come here at once. What others have told stands there. */
  const told = new Set<string>();

  return async ({ plan, rows }, reply, what, people) => {
    const [row] = rows;
    if (row === undefined) return true;
    const key = `plan-${plan.id}-${what}-${plannedEnd(row)}`;
    if (told.has(key)) return true;
    told.add(key);
    if ((await tell(plan, reply, { loudly: what === 'end', key })) !== undefined) return true;
    const isHeard = (await notify(people, reply, row)).length > 0;
    if (!isHeard) told.delete(key);
    return isHeard;
  };
}
