import type { RequestBook } from '../../handlers/ask/request-book.ts';
import { momentSaid } from '../../handlers/language/times/said-time.ts';
import { say } from '../../handlers/reply.ts';
import { when } from '../../handlers/wording/when.ts';
import type { Invocation } from '../base/chat.ts';
import type { Parts } from '../ground/ground.ts';
import { type AskedSite, askedInWords } from '../requests/asked-words.ts';
import { explain } from '../wording/faults.ts';
import type { RequestList } from './listing.ts';
import type { SiteRequests } from './site-requests.ts';
import type { WithdrawRequests } from './withdrawing.ts';

/** Requests as commands speak of them, on behalf of whoever asks. */
export const createRequestBook =
  (
    parts: Parts & {
      readonly siteRequests: SiteRequests;
      readonly list: RequestList;
      readonly withdraw: WithdrawRequests;
    },
  ) =>
  ({
    person,
    channel,
    team,
    askedIn,
  }: Pick<Invocation, 'person' | 'channel' | 'team' | 'askedIn'>): RequestBook => {
    const { siteRequests, list, withdraw, authority, now } = parts;
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
            ...{ site, reason, from: { kind: 'slack', person, channel, team, ...(askedIn && { askedIn }) } },
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
      withdraw: (sites) => withdraw(person, sites),
      list: () => list({ person, channel }),
    };
  };
