import type { RequestBook } from '../../handlers/ask/request-book.ts';
import { momentSaid } from '../../handlers/language/times/said-time.ts';
import {
  type Acted,
  enumerate,
  moment,
  type Part,
  plural,
  type Reply,
  say,
  strong,
} from '../../handlers/reply.ts';
import { when } from '../../handlers/wording/when.ts';
import { leaveRequest } from '../approval/leave-request.ts';
import type { Invocation } from '../base/chat.ts';
import { siteKey, siteRequestOf, wishOf } from '../base/site-request.ts';
import type { Confirmation } from '../change/confirmation.ts';
import type { Parts } from '../ground/ground.ts';
import { siteInWords, timeInWords } from '../showing/site-request.ts';
import { explain } from '../wording/faults.ts';
import { type AskedSite, askedInWords } from './asked-words.ts';
import { ownRequests } from './own-requests.ts';
import type { RequestState } from './request-state.ts';
import type { SiteRequests } from './site-requests.ts';

/** More would be a wall of buttons. */
const mostDrawn = 5;

/** Requests as commands speak of them, on behalf of whoever asks. */
export const createRequestBook =
  (
    parts: Parts & {
      readonly siteRequests: SiteRequests;
      readonly cancel: Confirmation['cancelRequest'];
    },
  ) =>
  ({
    person,
    channel,
    team,
    askedIn,
  }: Pick<Invocation, 'person' | 'channel' | 'team' | 'askedIn'>): RequestBook => {
    const { siteRequests, authority, journal, now } = parts;

    return {
      ask: async (sites, said, reason) => {
        const { timeZone, selfService } = authority.policy();
        const isMore = typeof said === 'object' && 'more' in said;
        const until =
          typeof said === 'object' && !('more' in said) ? momentSaid(said, now(), timeZone) : undefined;
        if (until !== undefined && until <= now())
          return { headline: say`${when(until, now())} has passed. Nothing was requested.` };
        const lasts = typeof said !== 'object' ? said : 'more' in said ? said.more : (until ?? now()) - now();
        const wanted = lasts === undefined ? selfService?.longest : lasts;
        const isForGood = wanted === Number.POSITIVE_INFINITY;
        const asked: AskedSite[] = [];
        // One after the other: each counts for the limits of a person.
        for (const site of new Set(sites)) {
          const opened = await siteRequests.open({
            ...{ site, reason },
            from: {
              ...{ kind: 'slack', person, channel, team },
              ...(askedIn?.direct !== undefined && { isDirect: true }),
            },
            ...(isMore && { more: true }),
            ...(until !== undefined && Number.isFinite(until) && { until }),
            ...(lasts === undefined && { anyTime: true }),
            ...(!isForGood && wanted !== undefined && { lasts: wanted }),
          });
          asked.push({
            site,
            opened:
              opened.kind === 'denied'
                ? { kind: 'denied', why: explain(await authority.fault(opened.denial, channel)) }
                : opened,
          });
        }
        return askedInWords(asked, wanted, now());
      },

      withdraw: async (sites) => {
        const all: Acted[] = [];
        for (const site of new Set(sites)) all.push(await withdraw(site));
        const [only] = all;
        if (only !== undefined && all.length === 1) return only;
        return {
          ...(all.some(({ changed }) => changed) && { changed: true }),
          headline: say`${enumerate([...new Set(sites)].map(siteInWords))}:`,
          details: [{ kind: 'list', items: all.map((one) => one.headline) }],
        };
      },

      list: async () => {
        const own = await ownRequests(parts, person);
        if (own.length === 0) return { headline: say`You have requested no site lately.` };
        return {
          headline: say`You have requested ${strong(plural(own.length, 'site'))}:`,
          details: [ownTable(own), ...withdrawing(own)],
        };
      },
    };

    /** As long as nobody has decided; of several who asked for a site, theirs alone. */
    async function withdraw(site: string): Promise<Acted> {
      const place = authority.policy().selfService?.channel;
      const action = place === undefined ? undefined : await journal.onlyOne(siteKey(place, site));
      const request = action && siteRequestOf(action);
      if (action === undefined || request === undefined || wishOf(request, person) === undefined)
        return { headline: await whyNot(site) };
      const named = say`Withdrawn: your request for ${siteInWords(site)}.`;
      switch (await leaveRequest(parts, action, person)) {
        case 'left':
          return { changed: true, headline: say`${named} Others asked for it, too, and theirs stays open.` };
        case 'last':
          return (await parts.cancel(action, person))
            ? { changed: true, headline: say`${named} No decision is needed any more.` }
            : { headline: await whyNot(site) };
        case 'gone':
          return { headline: await whyNot(site) };
      }
    }

    async function whyNot(site: string): Promise<Reply['headline']> {
      const mine = (await ownRequests(parts, person)).find(({ request }) => request.site === site);
      switch (mine?.state) {
        case 'allowed':
          return say`${siteInWords(site)} is allowed already${mine.until === undefined ? '' : say`, until ${when(mine.until, now())}`}, so there is nothing to withdraw. Those who allowed it can end it.`;
        case 'allowing':
          return say`${siteInWords(site)} is being allowed right now, so your request can’t be withdrawn any more.`;
        case 'checking':
          return say`It is being checked right now whether ${siteInWords(site)} is blocked. Withdraw it in a minute.`;
        default:
          return say`You have no open request for ${siteInWords(site)}, so nothing was withdrawn.`;
      }
    }

    function ownTable(own: readonly RequestState[]): Part {
      return {
        kind: 'table',
        columns: ['Site', 'For', 'Reason', 'Asked', 'How it stands'],
        rows: own.map(({ request, wish, says }) => [
          [siteInWords(request.site)],
          timeInWords(wish, now()).map((span) =>
            typeof span === 'string' ? span.replace(/^for /, '') : span,
          ),
          say`${wish.reason}`,
          say`${moment(wish.at)}`,
          says,
        ]),
      };
    }
  };

function withdrawing(own: readonly RequestState[]): readonly Part[] {
  const sites = own.flatMap(({ state, request }) => (state === 'open' ? [request.site] : []));
  const offers = sites.slice(0, mostDrawn).map((site) => ({
    label: sites.length === 1 ? 'Withdraw' : `Withdraw ${site}`,
    line: `withdraw ${site}`,
  }));
  return offers.length === 0 ? [] : [{ kind: 'offers', offers }];
}
