import type { Action, Journal, TimedChangeRow } from '../../journal/journal.ts';
import { isPutBack } from '../../journal/timed/timed-change-row.ts';
import { addPhrase } from '../authority/ways.ts';
import { shownOf, targetsIn } from '../base/stored.ts';

type ForATime = Pick<Journal, 'timedChanges' | 'timedChangesOf' | 'byId'>;

/** What an action has made temporary, or what others had made temporary already, where it has only moved that end. */
export async function timedBy(
  journal: Pick<ForATime, 'timedChangesOf'>,
  action: Action,
): Promise<readonly TimedChangeRow[]> {
  const own = await journal.timedChangesOf(action.id);
  const of = shownOf(action)?.temporary?.extends;
  return own.length > 0 || of === undefined ? own : journal.timedChangesOf(of);
}

/** The last of the ends, where it is allowed on several appliances; undefined where nothing ends it any more. */
export const endOf = (timed: readonly TimedChangeRow[]): number | undefined =>
  timed.every(({ ended }) => ended?.how === 'kept' || ended?.how === 'replaced')
    ? undefined
    : Math.max(...timed.map(({ endsAt }) => endsAt));

/** By which action a site is allowed for a time now, whoever has allowed it and how: the one that ends last. */
export async function allowedForATime(
  journal: ForATime,
  { site, appliances }: { readonly site: string; readonly appliances: readonly string[] },
  category: string,
): Promise<{ readonly action: Action; readonly until: number } | undefined> {
  const live = (await journal.timedChanges()).filter(
    (row) => row.state === 'on' && isPutBack(row) && appliances.includes(row.appliance),
  );
  const lastFirst = live.toSorted((one, other) => other.endsAt - one.endsAt);
  for (const row of lastFirst) {
    const action = await journal.byId(row.action);
    if (action?.phrase !== addPhrase) continue;
    const isIt = targetsIn(action).some(
      ({ appliance, args }) =>
        appliance === row.appliance &&
        listed(args.site).includes(site) &&
        isCategory(args.category, category),
    );
    if (isIt) return { action, until: row.endsAt };
  }
  return undefined;
}

const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

/** As the policy names it, by its number or its name. */
function isCategory(value: unknown, wanted: string): boolean {
  const { id, name } = Object(value);
  return (
    String(id ?? value) === wanted ||
    (typeof name === 'string' && name.toLowerCase() === wanted.toLowerCase())
  );
}
