import { quoted } from '../../handlers/language/asked.ts';
import type { TemporaryThing } from '../../handlers/temporary/list.ts';
import { referenceOf } from '../../journal/actions/reference.ts';
import type { TimedChangeRow } from '../../journal/journal.ts';
import { changeOf, lineNow } from '../base/stored.ts';
import type { Parts } from '../ground/ground.ts';
import { timedName } from '../showing/timed-card.ts';
import { isWhole, undoneBy } from '../wishes/wishes.ts';
import { doneIn, endsOf, timedOffers } from '../wording/timed.ts';

/** What is on for a time in a channel, what ends first before the others. */
export async function temporaryIn(
  { journal, commandByPhrase, match, now }: Pick<Parts, 'journal' | 'commandByPhrase' | 'match' | 'now'>,
  channel: string,
): Promise<readonly TemporaryThing[]> {
  const live = (await journal.timedChanges()).filter((row) => row.channel === channel);
  const things = live.map(async (row): Promise<readonly TemporaryThing[]> => {
    const action = await journal.byId(row.action);
    if (action === undefined || row.state === 'over') return [];
    const named = timedName(action, changeOf(commandByPhrase, action), row);
    const { appliance, state, endsAt: until, person, reason } = row;
    const plan = action.step === undefined ? undefined : action.plan;
    const { card } = (plan === undefined ? undefined : await journal.byId(plan)) ?? action;
    return [
      {
        what: doneIn(named),
        appliance,
        state,
        until,
        person,
        reason,
        offers: timedOffers(named, row, false, now()),
        plan: plan && referenceOf(plan),
        ...{ action: action.id, reference: referenceOf(action.id), card, line: lineNow(action) },
        list: listIn(match, row),
        ...endsOf(named, row, now()),
      },
    ];
  });
  return (await Promise.all(things)).flat().toSorted((one, other) => one.until - other.until);
}

/** Its sites are not all named by its line: it may have come from a file. */
function listIn(match: Parts['match'], row: TimedChangeRow): TemporaryThing['list'] {
  const undone = undoneBy(match, row);
  if (undone === undefined || isWhole(undone.parts)) return undefined;
  const { parts, without } = undone;
  const back = (some: readonly string[]) => without(parts.filter((part) => !some.includes(part)));
  return { parts, back: (some) => `${back(some)} --on ${quoted(row.appliance)}` };
}
