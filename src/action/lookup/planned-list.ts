import type { PlannedThing } from '../../handlers/planned/list.ts';
import type { Action } from '../../journal/journal.ts';
import { consentOf } from '../base/consent.ts';
import { appliancesActedOn, shownOf } from '../base/stored.ts';
import type { Parts } from '../ground/ground.ts';
import { withoutMark } from '../showing/card.ts';

/** More rows than anybody reads, and than are planned at once. */
const most = 1_000;

/** What is planned in a channel, what comes first before the others; what was planned in a direct message is listed there alone. */
export async function plannedIn(
  { journal }: Pick<Parts, 'journal'>,
  channel: string,
  inDirect: string | undefined,
): Promise<readonly PlannedThing[]> {
  const all = await journal.plannedIn([channel], most);
  const actions = all.filter(({ direct }) => direct === undefined || direct === inDirect);
  return (await Promise.all(actions.map((action) => thingOf(journal, action)))).flat();
}

async function thingOf(
  journal: Pick<Parts['journal'], 'approvalsOf'>,
  action: Action,
): Promise<readonly PlannedThing[]> {
  const { id, token, runAt, person, line, ticket, card, channel, direct, consent } = action;
  const shown = shownOf(action);
  if (token === undefined || runAt === undefined) return [];
  const given = consent === undefined ? [] : await journal.approvalsOf(id, token);
  return [
    {
      ...{ line, runsAt: runAt, person, channel, token, ticket },
      lasts: shown?.temporary?.lasts,
      until: shown?.temporary?.until,
      what: shown === undefined ? [line] : withoutMark(shown.question),
      appliances: appliancesActedOn(action),
      window: shown?.start?.window,
      approvedBy: given.map((one) => one.person),
      reason: consentOf(action)?.reason ?? '',
      card: direct === undefined ? card : undefined,
    },
  ];
}
