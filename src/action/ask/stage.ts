import type { Log } from '../../telemetry/log.ts';
import type { Invocation } from '../base/chat.ts';
import type { WorkInFlight } from '../base/work-in-flight.ts';
import type { Parts } from '../ground/ground.ts';
import { createChecking } from './checking.ts';
import { createDeciding, type Deciding } from './deciding.ts';
import { createFollowing, type Following } from './following.ts';
import { createRequestList } from './listing.ts';
import { createLookAtSite } from './looking.ts';
import { createBarToDecide } from './may-decide.ts';
import { createMoveRequest } from './moving.ts';
import { createRequestBook } from './request-book.ts';
import { createSiteRequests, type SiteRequests } from './site-requests.ts';
import { createWithdrawing } from './withdrawing.ts';

/** Requests for sites, from the first word to the last. */
export interface SelfService extends Deciding, Pick<Following, 'tick'> {
  readonly siteRequests: SiteRequests;
  readonly bookOf: ReturnType<typeof createRequestBook>;
}

export function createAskStage(
  parts: Parts & {
    readonly log: Log;
    readonly ask: (invocation: Invocation) => Promise<void>;
    readonly later: WorkInFlight['later'];
  },
): SelfService {
  const move = createMoveRequest(parts);
  const lookAtSite = createLookAtSite(parts);
  const checking = createChecking({ ...parts, lookAtSite, move });
  const bar = createBarToDecide(parts);
  const following = createFollowing({ ...parts, checking, lookAtSite, move });
  const siteRequests = createSiteRequests({ ...parts, checking });
  return {
    ...createDeciding({ ...parts, move, bar, checking, follow: following.follow }),
    tick: following.tick,
    siteRequests,
    bookOf: createRequestBook({
      ...{ ...parts, siteRequests, list: createRequestList({ ...parts, bar }) },
      withdraw: createWithdrawing(parts),
    }),
  };
}
