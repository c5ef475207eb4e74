import { enumerate, person, say, type Text } from '../../handlers/reply.ts';
import { when } from '../../handlers/wording/when.ts';
import type { SiteRequestRow, TimedChangeRow } from '../../journal/journal.ts';
import type { Parts } from '../ground/ground.ts';
import type { RequestEnding, SiteRequestContent } from '../requests/site-request.ts';
import { siteInWords } from '../requests/words.ts';
import { allowedForATime, endOf, isKept, timedBy, wentWithOthers } from './for-a-time.ts';
import type { MoveRequest } from './moving.ts';
import { lastWords, toldOf } from './telling.ts';

/** How what was allowed comes to its end. */
export interface SeeEnds {
  readonly see: (row: SiteRequestRow, content: SiteRequestContent) => Promise<void>;
}

/** In milliseconds: how soon it is looked again; what has no end is looked at as long as its Undo can be pressed, at first more often. */
const look = { ends: 20_000, undoneSoon: 15 * 60_000, undone: 5 * 60_000, undoable: 25 * 60 * 60_000 };

export function createSeeEnds({
  authority,
  journal,
  move,
  now,
}: Parts & { readonly move: MoveRequest }): SeeEnds {
  return { see };

  async function see(row: SiteRequestRow, content: SiteRequestContent): Promise<void> {
    const timed = await timedBy(journal, row.action);
    if (content.until === undefined) return seeUndo(row, content);
    if (timed.some(({ state }) => state !== 'over')) return seeWhile(row, content, timed);
    if (!isKept(timed)) return finish(row, content, { kind: 'over', says: await howOver(timed) });
    // The same may have been done again since, and that has an end of its own.
    const policy = authority.policy().selfService;
    const next = policy && (await allowedForATime(journal, row, policy.allowCategory));
    if (next !== undefined) return changeEnd(row, content, next.until, next.action.id);
    if (wentWithOthers(timed)) return finish(row, content, { kind: 'over', says: await howOver(timed) });
    return finish(row, { ...content, until: undefined }, { kind: 'kept', says: [] });
  }

  /** As long as it is on. */
  async function seeWhile(
    row: SiteRequestRow,
    content: SiteRequestContent,
    timed: readonly TimedChangeRow[],
  ): Promise<void> {
    const until = endOf(timed);
    const late = timed.filter(({ state, lastProblem }) => state === 'ending' && lastProblem !== undefined);
    if (late.length > 0 && content.isLate === undefined) {
      const words = say`The time for ${siteInWords(row.site)} is over, but it could not be ended so far on ${enumerate(late.map(({ appliance }) => appliance))}. Appliance Bot keeps trying; until then it may still open.`;
      await move(
        row,
        { ...content, isLate: true },
        { nextAt: now() + look.ends, messages: (one) => toldOf(one, words) },
      );
      return;
    }
    const isCut = timed.some(({ state }) => state === 'ending');
    if (until === undefined || until === content.until || isCut)
      return journal.siteRequestLater(row.id, now() + look.ends);
    return changeEnd(row, content, until);
  }

  async function changeEnd(
    row: SiteRequestRow,
    content: SiteRequestContent,
    until: number,
    action?: string,
  ): Promise<void> {
    const words = say`The time for ${siteInWords(row.site)} has changed: it is allowed until ${when(until, now())} now.`;
    await move(
      row,
      { ...content, until },
      {
        ...{ nextAt: now() + look.ends, ...(action !== undefined && { action }) },
        messages: (one) => toldOf(one, words),
      },
    );
  }

  /** What has no end can be taken back by a click for a while, where it was done. */
  async function seeUndo(row: SiteRequestRow, content: SiteRequestContent): Promise<void> {
    const since = content.works?.at ?? row.createdAt;
    const action = row.action === undefined ? undefined : await journal.byId(row.action);
    const undone = action && (await journal.undoneSince(action.id, since));
    if (undone !== undefined) {
      const says = say`${person(undone.person)} undid it at ${when(undone.at, now())}, so it is not allowed any more`;
      return finish(row, content, { kind: 'over', says });
    }
    const age = now() - since;
    if (action?.state === 'done' && age < look.undoable)
      return journal.siteRequestLater(row.id, now() + (age < look.undoneSoon ? look.ends : look.undone));
    const ending = { kind: 'allowed', at: now(), says: [] } as const;
    await move(row, { ...content, ending }, { state: 'closed', messages: (one) => toldOf(one, undefined) });
  }

  async function finish(
    row: SiteRequestRow,
    content: SiteRequestContent,
    how: Pick<RequestEnding, 'kind' | 'says'>,
  ): Promise<void> {
    await move(
      row,
      { ...content, ending: { ...how, at: now() } },
      { state: 'closed', messages: (one) => toldOf(one, lastWords(one, now())) },
    );
  }

  async function howOver(timed: readonly TimedChangeRow[]): Promise<Text> {
    const [last] = timed.toSorted((one, other) => (other.ended?.at ?? 0) - (one.ended?.at ?? 0));
    if (last?.ended === undefined)
      return say`the time it was allowed for is over since ${when(now(), now())}`;
    const { at, how, person: by } = last.ended;
    const early = how === 'ended' ? last.extensions.find((one) => one.until <= one.at) : undefined;
    const who = how === 'person' ? by : early && (await journal.byId(early.action))?.person;
    if (who !== undefined)
      return say`${person(who)} ended it${early === undefined && at >= last.endsAt ? '' : ' early'} at ${when(at, now())}`;
    return say`the time it was allowed for is over since ${when(at, now())}`;
  }
}
