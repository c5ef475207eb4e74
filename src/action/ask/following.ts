import { itself, onBehalfOf } from '../../caller.ts';
import { person, say, type Text } from '../../handlers/reply.ts';
import { when } from '../../handlers/wording/when.ts';
import { underWay } from '../../journal/actions/states.ts';
import type { Action, SiteRequestRow, TimedChangeRow } from '../../journal/journal.ts';
import type { Log } from '../../log.ts';
import type { Parts } from '../ground/ground.ts';
import { requestIn, type SiteRequest, type SiteRequestContent } from '../requests/site-request.ts';
import { findingsInWords } from '../requests/words.ts';
import type { Checking } from './checking.ts';
import { deliveryOf } from './deciding.ts';
import { isFree, type LookAtSite } from './looking.ts';
import type { MoveRequest } from './moving.ts';
import { lastWords, tellAskers, tellDecider, toldOf, worksOrNot } from './telling.ts';

/** What becomes of requests by themselves: they are checked, expire, and hear of what was done for them. */
export interface Following {
  readonly tick: () => Promise<void>;
  /** What has become of a request whose line was asked this moment. */
  readonly follow: (request: SiteRequest) => Promise<void>;
}

export interface FollowingParts extends Parts {
  readonly checking: Checking;
  readonly lookAtSite: LookAtSite;
  readonly move: MoveRequest;
  readonly log: Log;
}

/**
 * In milliseconds: how soon it is looked again at what is under way, whether a site works by now, and whether what was allowed has
 * ended; and for how long it is waited for that it works. A compile comes after a burst of changes, and may be tried again.
 */
const look = { underWay: 2_000, works: 5_000, ends: 20_000, worksAtMost: 5 * 60_000, afterFailure: 60_000 };

export function createFollowing(parts: FollowingParts): Following {
  const { journal, checking, lookAtSite, move, log, now } = parts;

  return {
    tick: () =>
      onBehalfOf(itself, async () => {
        const due = await journal.claimSiteRequests();
        await Promise.all(due.map(safely));
      }),
    follow: async ({ row }) => {
      const current = await journal.siteRequest(row.id);
      if (current?.state === 'asking') await step(current);
    },
  };

  /** Whatever goes wrong with one, the others are looked at, and it is tried again. */
  async function safely(row: SiteRequestRow): Promise<void> {
    try {
      await step(row);
    } catch (error) {
      log.error({ err: error, request: row.id }, 'A request for a site could not be looked at');
      await journal.siteRequestLater(row.id, now() + look.afterFailure);
    }
  }

  async function step(row: SiteRequestRow): Promise<void> {
    const content = requestIn(row);
    if (content === undefined) {
      log.error({ request: row.id }, 'A request for a site in the journal cannot be read');
      return journal.siteRequestLater(row.id, now() + look.worksAtMost);
    }
    switch (row.state) {
      case 'checking':
        await checking.check(row, false);
        return;
      case 'open':
        return expire(row, content);
      case 'asking':
      case 'waiting':
        return followAction(row, content);
      case 'verifying':
        return verify(row, content);
      case 'allowed':
        return seeEnd(row, content);
      case 'closed':
        return;
    }
  }

  async function expire(row: SiteRequestRow, content: SiteRequestContent): Promise<void> {
    // It is open and due before its end: its categories could not be read.
    if (now() < row.closesAt) return void (await checking.lookAgain(row));
    const ending = { kind: 'expired', at: now(), says: [] } as const;
    await move(
      row,
      { ...content, ending },
      { state: 'closed', messages: (one) => toldOf(one, lastWords(one, now())) },
    );
  }

  async function followAction(row: SiteRequestRow, content: SiteRequestContent): Promise<void> {
    const { attempts, allowed } = content;
    const delivery = deliveryOf(row, attempts);
    const id = row.action ?? (await journal.actionOfDelivery(delivery, allowed?.at ?? row.createdAt));
    const action = id === undefined ? undefined : await journal.byId(id);
    if (action === undefined) {
      const words = say`Appliance Bot was interrupted before it was allowed, so nothing was changed. Press the button again.`;
      return reopen(row, content, words);
    }
    switch (action.state) {
      case 'done':
      case 'unknown':
        return begin(row, content, action);
      default:
        return underWay.has(action.state) ? wait(row, content, action) : reopen(row, content, whyNot(action));
    }
  }

  /** It waits for a click or an approval, or runs. */
  async function wait(row: SiteRequestRow, content: SiteRequestContent, action: Action): Promise<void> {
    const notice = action.state === 'waiting' ? waitsFor(action) : undefined;
    const isNews = row.state !== 'waiting' || notice?.join() !== content.notice?.join();
    if (!isNews) return journal.siteRequestLater(row.id, now() + look.underWay);
    const { notice: _, ...others } = content;
    const words = say`Your request was allowed by ${person(content.allowed?.by ?? '')} and waits for another approval.`;
    const isTold = action.state === 'waiting' && row.state !== 'waiting' && action.consent !== undefined;
    await move(
      row,
      { ...others, ...(notice && { notice }) },
      {
        ...{ state: 'waiting', action: action.id, nextAt: now() + look.underWay },
        messages: (one) => toldOf(one, isTold ? words : undefined),
      },
    );
  }

  /** It was not allowed after all, and others may still decide. */
  async function reopen(row: SiteRequestRow, content: SiteRequestContent, notice: Text): Promise<void> {
    const { allowed: _, ...others } = content;
    await move(
      row,
      { ...others, notice },
      {
        ...{ state: 'open', action: null, nextAt: row.closesAt },
        messages: (one) => toldOf(one, undefined),
      },
    );
  }

  /** It was done: does it work? */
  async function begin(row: SiteRequestRow, content: SiteRequestContent, action: Action): Promise<void> {
    const until = endOf(await journal.timedChangesOf(action.id));
    const { notice: _, ...others } = content;
    await move(
      row,
      { ...others, tryingSince: now(), ...(until !== undefined && { until }) },
      { state: 'verifying', action: action.id, messages: (one) => toldOf(one, undefined) },
    );
  }

  async function verify(row: SiteRequestRow, content: SiteRequestContent): Promise<void> {
    const seen = await lookAtSite(row.site, row.appliances);
    const is = isFree(seen);
    const { tryingSince = now() } = content;
    const isTried = now() >= tryingSince + look.worksAtMost;
    if (!is && !isTried) return journal.siteRequestLater(row.id, now() + look.works);
    const timed = row.action === undefined ? [] : await journal.timedChangesOf(row.action);
    const until = endOf(timed);
    const works = { is, at: now(), says: findingsInWords({ ...content, ...seen }) };
    const after: SiteRequestContent = { ...content, works, ...(until !== undefined && { until }) };
    const isForGood = timed.length === 0;
    await move(row, isForGood ? { ...after, ending: { kind: 'allowed', at: now(), says: [] } } : after, {
      ...(isForGood ? { state: 'closed' } : { state: 'allowed', nextAt: now() + look.ends }),
      messages: (one) => [...toldOf(one, worksOrNot(one, now())), ...(is ? [] : tellDecider(one))],
    });
  }

  async function seeEnd(row: SiteRequestRow, content: SiteRequestContent): Promise<void> {
    const timed = row.action === undefined ? [] : await journal.timedChangesOf(row.action);
    const until = endOf(timed);
    if (timed.some(({ state }) => state !== 'over')) {
      if (until === undefined || until === content.until)
        return journal.siteRequestLater(row.id, now() + look.ends);
      const words = say`The time for ${row.site} has changed: it is allowed until ${when(until, now())} now.`;
      await move(
        row,
        { ...content, until },
        {
          nextAt: now() + look.ends,
          messages: (one) => [...toldOf(one, undefined), ...tellAskers(one, words)],
        },
      );
      return;
    }
    const ending = { kind: 'over', at: now(), says: howOver(timed, now()) } as const;
    await move(
      row,
      { ...content, ending },
      { state: 'closed', messages: (one) => toldOf(one, lastWords(one, now())) },
    );
  }
}

/** The last of the ends, where it is allowed on several appliances. */
const endOf = (timed: readonly TimedChangeRow[]): number | undefined =>
  timed.length === 0 ? undefined : Math.max(...timed.map(({ endsAt }) => endsAt));

function howOver(timed: readonly TimedChangeRow[], now: number): Text {
  const ended = timed.flatMap(({ ended: one }) => (one === undefined ? [] : [one]));
  if (ended.length > 0 && ended.every(({ how }) => how === 'kept'))
    return say`it is no longer allowed for a time only, and stays allowed`;
  const at = ended.length === 0 ? now : Math.max(...ended.map((one) => one.at));
  return say`the time it was allowed for is over since ${when(at, now)}`;
}

const whyNot = ({ person: by, outcome }: Action): Text =>
  say`${person(by)} pressed Allow, and it was not done: ${outcome?.says ?? 'no changes were made.'}`;

function waitsFor({ consent }: Action): Text {
  return consent === undefined
    ? say`whoever pressed Allow has to confirm it in the thread`
    : say`others have to approve it, in the thread`;
}
