import { recalled } from '../../../handlers/audit/recalled.ts';
import type { AnyCommand } from '../../../handlers/command.ts';
import { linesOf } from '../../../handlers/plan/line-numbers.ts';
import { enumerate, type Offer, plainText, plural, say, strong, type Text } from '../../../handlers/reply.ts';
import { when } from '../../../handlers/wording/when.ts';
import type { Action, Journal, TimedChangeRow } from '../../../journal/journal.ts';
import type { Button } from '../../base/chat.ts';
import { changeOf, stepsIn } from '../../base/stored.ts';
import { timedOffers } from '../../wording/timed.ts';
import { offerToKeep } from '../kept-offer.ts';
import { timedName } from '../timed-card.ts';

/** How the card of a plan looks, of which lines are or were on for a time; undefined of any other. */
export type PlanEnds = (
  plan: Action,
  steps: readonly Action[],
  rows: readonly TimedChangeRow[],
  headline: Text,
) => Promise<PlanEndsShown | undefined>;

interface PlanEndsShown {
  readonly headline: Text;
  readonly buttons: readonly Button[];
  /** All that it has done ends at one moment: what takes the plan back ends it. */
  readonly isOne: boolean;
  /** Nothing of it is left to take back. */
  readonly isOver: boolean;
}

const beyond = 24 * 60 * 60_000;
/** More buttons would be a wall. */
const mostKept = 3;

export function createPlanEnds(
  journal: Pick<Journal, 'keep'>,
  commandByPhrase: ReadonlyMap<string, AnyCommand>,
  now: () => number,
): PlanEnds {
  return async (plan, steps, rows, headline) => {
    if (rows.length === 0 || !isEnded.has(plan.state)) return undefined;
    const stepOf = new Map(steps.map((step) => [step.id, step]));
    const done = steps.filter(({ state }) => state === 'done');
    const isAll = done.every(({ id }) => rows.some(({ action }) => action === id));
    const numbered = (some: readonly TimedChangeRow[]) =>
      linesOf([...new Set(some.map(({ action }) => numberOf(plan, stepOf.get(action))))]);
    const groups = [...Map.groupBy(rows, (row) => `${stateOf(row)} ${row.state === 'on' ? row.endsAt : ''}`)];
    const isOver = isAll && rows.every(isTakenBack);
    const told = groups.map(([, group]) => ({ group, words: inWords(group, now()) }));
    const [only, ...others] = told;
    return {
      headline: isOver
        ? say`Ended and undone: ${strong(isEachLine(plan, rows) ? `all ${plural(stepsIn(plan).length, 'line')}` : numbered(rows))} of this plan`
        : isAll && only !== undefined && others.length === 0
          ? lasting(headline, only.words, 'all')
          : lasting(
              headline,
              enumerate(told.map(({ group, words }) => say`${numbered(group)} ${words}`)),
              'lines',
            ),
      buttons: await buttonsFor(plan, stepOf, rows, isAll),
      isOne: isOneEnd(rows, isAll),
      isOver,
    };
  };

  async function buttonsFor(
    plan: Action,
    steps: ReadonlyMap<string, Action>,
    rows: readonly TimedChangeRow[],
    isAll: boolean,
  ): Promise<readonly Button[]> {
    const offersOf = (row: TimedChangeRow): readonly Offer[] => {
      const step = steps.get(row.action);
      return step === undefined
        ? []
        : timedOffers(timedName(step, changeOf(commandByPhrase, step), row), row, false, now());
    };
    const on = rows.filter(({ state }) => state === 'on').map(offersOf);
    const ends = on.flatMap((offers) => offers.filter(({ moves }) => moves?.to === 'now'));
    const longer = on.flatMap((offers) => offers.filter(({ moves }) => typeof moves?.to === 'number'));
    const stuck = rows.filter((row) => row.state === 'ending' && row.lastProblem !== undefined);
    const keeps = stuck.slice(0, mostKept).flatMap((row) =>
      offersOf(row)
        .filter(({ moves }) => moves?.to === 'never')
        .map((offer) => ({ ...offer, label: `Keep line ${numberOf(plan, steps.get(row.action))}` })),
    );
    const all = [
      ...(isOneEnd(rows, isAll) ? [] : together(ends, 'End all now', 'end all')),
      ...together(longer, extendLabel(longer), 'extend all'),
      ...keeps,
    ];
    const until = Math.max(now(), ...rows.map(({ endsAt }) => endsAt)) + beyond;
    return Promise.all(
      all.map(async ({ label, line, loud, moves, each }): Promise<Button> => {
        const content = offerToKeep({ line, ...(moves && { moves, agreed: true }), ...(each && { each }) });
        const { channel, id: action } = plan;
        const token = await journal.keep({ kind: 'offer', content, channel, action, until });
        return { press: 'offer', label, token, ...(loud && { style: 'danger' }) };
      }),
    );
  }
}

/** What became of a plan, and until when what it has done lasts: all of it, or line by line. */
export function lasting(headline: Text, until: Text, of: 'all' | 'lines'): Text {
  // What has stopped is told in sentences.
  if (plainText(headline).endsWith('.')) return say`${headline} What was done: ${until}.`;
  return of === 'all' ? say`${headline}, ${until}` : say`${headline} (${until})`;
}

const isEachLine = (plan: Action, rows: readonly TimedChangeRow[]): boolean => {
  const count = new Set(rows.map(({ action }) => action)).size;
  return count > 1 && count === stepsIn(plan).length;
};

const isEnded: ReadonlySet<Action['state']> = new Set(['done', 'failed', 'unknown']);

/** Each as if its own button was pressed, with its roles and approvals. */
function together(offers: readonly Offer[], label: string, line: string): readonly Offer[] {
  const [first] = offers;
  if (first === undefined) return [];
  if (offers.length === 1) return [first];
  const each = offers.map(({ line: own, moves }) => ({ line: own, ...(moves && { moves }) }));
  return [{ label, line, each, ...(first.loud && { loud: true }) }];
}

const extendLabel = (offers: readonly Offer[]): string => {
  const [first] = offers;
  const isSame = offers.every(({ label }) => label === first?.label);
  return isSame && first !== undefined ? first.label.replace(/^Extend /, 'Extend all ') : 'Extend all';
};

const numberOf = (plan: Action, step: Action | undefined): number =>
  stepsIn(plan)[(step?.step ?? 0) - 1]?.number ?? 0;

const isOneEnd = (rows: readonly TimedChangeRow[], isAll: boolean): boolean =>
  isAll && rows.every(({ state, endsAt }) => state === 'on' && endsAt === rows[0]?.endsAt);

const isTakenBack = ({ state, ended }: TimedChangeRow): boolean =>
  state === 'over' && ended?.how !== 'kept' && ended?.how !== 'replaced';

const stateOf = ({ state, ended, lastProblem }: TimedChangeRow): string =>
  state === 'over'
    ? ended?.how === 'kept' || ended?.how === 'replaced'
      ? ended.how
      : 'over'
    : `${state} ${lastProblem ?? ''}`;

function inWords([row]: readonly TimedChangeRow[], now: number): Text {
  if (row === undefined) return [];
  if (row.state === 'on') return say`until ${when(row.endsAt, now)}`;
  if (row.state === 'over')
    return row.ended?.how === 'kept'
      ? say`kept for good`
      : row.ended?.how === 'replaced'
        ? say`replaced by a later change`
        : say`over`;
  return row.lastProblem === undefined
    ? say`being undone`
    : say`not undone so far: ${recalled(row.lastProblem)}`;
}
