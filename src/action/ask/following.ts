import { itself, onBehalfOf } from '../../caller.ts';
import { moment, person, say, type Text } from '../../handlers/reply.ts';
import { when } from '../../handlers/wording/when.ts';
import { underWay } from '../../journal/actions/states.ts';
import type { Action, SiteRequestRow } from '../../journal/journal.ts';
import { requestNotLookedAt, requestUnreadable } from '../../telemetry/events/requests.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Parts } from '../ground/ground.ts';
import {
  askersOf,
  deliveryOf,
  isSameAsker,
  type RequestAsker,
  requestIn,
  requestsIn,
  type SiteRequest,
  type SiteRequestContent,
  wishesOf,
} from '../requests/site-request.ts';
import { closingAt, wantedUntil } from '../requests/wanted.ts';
import { findingsInWords, siteInWords } from '../requests/words.ts';
import type { Checking } from './checking.ts';
import { endOf, isKept, timedBy } from './for-a-time.ts';
import { isFree, type LookAtSite, worksAsSeen } from './looking.ts';
import type { MoveRequest } from './moving.ts';
import { createSeeEnds } from './seeing-ends.ts';
import { lastWords, tellDecider, toldOf, worksOrNot } from './telling.ts';

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
 * ended; and for how long it is waited for that it works. A compile comes after a burst of changes, and may be tried again. A form of a
 * command is good for an hour.
 */
const look = {
  ...{ underWay: 2_000, works: 5_000, worksAtMost: 5 * 60_000, ends: 20_000 },
  ...{ afterFailure: 60_000, form: 60 * 60_000 },
};

export function createFollowing(parts: FollowingParts): Following {
  const ends = createSeeEnds(parts);
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
      log.tell(requestNotLookedAt, { err: error, request: row.id });
      await journal.siteRequestLater(row.id, now() + look.afterFailure);
    }
  }

  async function step(row: SiteRequestRow): Promise<void> {
    const content = requestIn(row);
    if (content === undefined) {
      log.tell(requestUnreadable, { request: row.id });
      return journal.siteRequestLater(row.id, now() + look.worksAtMost);
    }
    switch (row.state) {
      case 'checking':
        await checking.check(row, false);
        return;
      case 'open':
        if (content.formUntil !== undefined) return awaitForm(row, content);
        return now() < closingAt({ row, content }) ? checking.seeOpen(row, content) : expire(row, content);
      case 'asking':
      case 'waiting':
        return followAction(row, content);
      case 'verifying':
        return verify(row, content);
      case 'allowed':
        return ends.see(row, content);
      case 'closed':
        return;
    }
  }

  async function expire(row: SiteRequestRow, content: SiteRequestContent): Promise<void> {
    const until = wantedUntil({ row, content });
    const hasPassed = until !== undefined && until <= now();
    const says = hasPassed ? say`nobody decided before ${when(until, now())}, until when it was wanted` : [];
    const ending = { kind: 'expired', at: now(), says } as const;
    await move(
      row,
      { ...content, ending },
      { state: 'closed', messages: (one) => toldOf(one, lastWords(one, now())) },
    );
  }

  /** The form that Allow led to counts as Allow. */
  async function awaitForm(row: SiteRequestRow, content: SiteRequestContent): Promise<void> {
    const { formUntil = 0, notice: _, ...others } = content;
    const id = await journal.actionOfDelivery(deliveryOf(row, content.attempts), row.createdAt);
    const action = id === undefined ? undefined : await journal.byId(id);
    if (action !== undefined && !wantsForm(action)) {
      const allowed = { by: action.person, at: action.createdAt };
      await move(
        row,
        { ...others, allowed, formUntil: undefined },
        { state: 'asking', action: action.id, messages: (one) => toldOf(one, undefined) },
      );
      return;
    }
    if (now() >= closingAt({ row, content })) return expire(row, content);
    if (now() < formUntil) return journal.siteRequestLater(row.id, now() + look.underWay);
    await move(row, { ...content, formUntil: undefined }, {});
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
        return underWay.has(action.state) ? wait(row, content, action) : notDone(row, content, action);
    }
  }

  /** It waits for a click or an approval, or runs. */
  async function wait(row: SiteRequestRow, content: SiteRequestContent, action: Action): Promise<void> {
    const notice = action.state === 'waiting' ? waitsFor(action) : undefined;
    const isNews = row.state !== 'waiting' || notice?.join() !== content.notice?.join();
    if (!isNews) return journal.siteRequestLater(row.id, now() + look.underWay);
    const { notice: _, ...others } = content;
    const words = say`Your request for ${siteInWords(row.site)} was allowed by ${person(content.allowed?.by ?? '')} and waits for another approval.`;
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

  /** Whoever asked knows that it waits for others, and hears what they have said. */
  async function notDone(row: SiteRequestRow, content: SiteRequestContent, action: Action): Promise<void> {
    // Somebody else has done it, and it is looked whether it works.
    if (action.outcome?.code === 'nothing_to_act_on') return begin(row, content, action);
    const notice = whyNot(action);
    const wasWaiting = row.state === 'waiting' && action.consent !== undefined;
    const words = say`${siteInWords(row.site)} was not allowed. ${notice} Your request is open for a decision again, until ${when(closingAt({ row, content }), now())}.`;
    const form = wantsForm(action) ? { formUntil: action.createdAt + look.form } : {};
    return reopen(row, { ...content, ...form }, notice, wasWaiting ? words : undefined);
  }

  /** It was not allowed after all, and others may still decide. */
  async function reopen(
    row: SiteRequestRow,
    content: SiteRequestContent,
    notice: Text,
    words?: Text,
  ): Promise<void> {
    const { allowed: _, ...others } = content;
    await move(
      row,
      { ...others, notice },
      {
        ...{ state: 'open', action: null },
        nextAt: content.formUntil === undefined ? now() : now() + look.underWay,
        messages: (one) => toldOf(one, words),
      },
    );
  }

  /** Who asked for the site before hears of its end by this one from now on. */
  async function takenOver(row: SiteRequestRow, content: SiteRequestContent) {
    const all = content.extends === undefined ? [] : await journal.siteRequestsIn([row.channel]);
    const before = requestsIn(
      all.filter((one) => one.id !== row.id && one.site === row.site && one.state === 'allowed'),
    );
    const isKnown = (asker: RequestAsker) => askersOf(content).some((one) => isSameAsker(one, asker));
    const wishes = before.flatMap((one) =>
      wishesOf(one).map((wish) => ({ ...wish, at: wish.at ?? one.row.createdAt })),
    );
    const others = wishes.filter(({ from }) => !isKnown(from));
    return { before, joined: [...content.joined, ...others] };
  }

  /** It was done: does it work? */
  async function begin(row: SiteRequestRow, content: SiteRequestContent, action: Action): Promise<void> {
    const until = endOf(await timedBy(journal, action.id));
    const { notice: _, ...others } = content;
    const { before, joined } = await takenOver(row, content);
    await move(
      row,
      { ...others, joined, tryingSince: now(), ...(until !== undefined && { until }) },
      { state: 'verifying', action: action.id, messages: (one) => toldOf(one, undefined) },
    );
    for (const one of before) {
      const ending = { kind: 'continued', at: now(), says: [] } as const;
      await move(
        one.row,
        { ...one.content, ending },
        { state: 'closed', messages: (is) => toldOf(is, undefined) },
      );
    }
  }

  async function verify(row: SiteRequestRow, content: SiteRequestContent): Promise<void> {
    const seen = await lookAtSite(row.site, row.appliances);
    const { tryingSince = now() } = content;
    const isTried = now() >= tryingSince + look.worksAtMost;
    if (!isFree(seen) && !isTried) return journal.siteRequestLater(row.id, now() + look.works);
    const timed = await timedBy(journal, row.action);
    const until = isKept(timed) ? undefined : endOf(timed);
    const works = {
      ...worksAsSeen(seen),
      ...{ at: now(), says: findingsInWords({ ...content, ...seen }) },
    };
    const after: SiteRequestContent = { ...content, works, until };
    await move(row, after, {
      ...{ state: 'allowed', nextAt: now() + look.ends },
      messages: (one) => [...toldOf(one, worksOrNot(one, now())), ...tellDecider(one)],
    });
  }
}

/** Whoever pressed is asked for something in a form, which does the same. */
const wantsForm = ({ state, outcome }: Action): boolean =>
  state !== 'done' && (outcome?.code === 'ticket_wanted' || outcome?.code === 'reason_wanted');

/** Whoever asked reads it, too: what an appliance says of its network stays in the thread. */
const whyNot = ({ person: by, decidedBy, outcome, state }: Action): Text =>
  state === 'failed'
    ? say`${person(by)} pressed Allow, and it failed; the thread below the request says why.`
    : say`${person(by)} pressed Allow, and it was not done: ${named(outcome?.says ?? 'no changes were made.', [by, decidedBy ?? by])}`;

/** What is kept of an outcome has people by their numbers, and times as machines write them. */
const named = (text: string, people: readonly string[]): Text =>
  people.reduce<Text>(
    (parts, id) =>
      parts.flatMap((part) =>
        typeof part === 'string'
          ? part.split(id).flatMap((piece, index) => (index === 0 ? [piece] : [person(id), piece]))
          : [part],
      ),
    withTimes(text),
  );

const withTimes = (text: string): Text =>
  text
    .split(/(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)/)
    .map((piece, index) => (index % 2 === 1 ? moment(Date.parse(piece)) : piece));

function waitsFor({ consent }: Action): Text {
  return consent === undefined
    ? say`whoever pressed Allow has to confirm it in the thread`
    : say`others have to approve it, in the thread`;
}
