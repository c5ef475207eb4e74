import type { Denial } from '../../auth/decide.ts';
import type { Text } from '../../handlers/reply.ts';
import { type SiteRequest, type SiteWish, wishesOf } from './site-request.ts';
import { closingAt } from './wanted.ts';
import { isUnseen, standingOf, verdictForAsker } from './words.ts';

/** What came of asking for a site. */
export type OpenedRequest =
  /** `request.state` says how it stands: it may be over already, because nothing blocks the site. */
  | { readonly kind: 'opened'; readonly request: RequestState }
  /** The site is asked for already; `isOwn`: by the same person. */
  | { readonly kind: 'joined'; readonly request: RequestState; readonly isOwn: boolean }
  /** It is an address or a name of a network inside; nothing was looked up. */
  | { readonly kind: 'inside' }
  /** It is allowed already, for as long as that. */
  | { readonly kind: 'allowed'; readonly request: RequestState }
  | { readonly kind: 'denied'; readonly denial: Denial }
  /** So many requests of this person are open; or so many were made within a day, and there is room from `again` on. */
  | { readonly kind: 'too_many'; readonly most: number; readonly again: number | undefined };

/** How a request stands, for whoever asked. Moments: milliseconds since the epoch. */
export interface RequestState {
  readonly id: string;
  readonly site: string;
  /** So long, or until that moment, if one was said; for good where both are undefined. */
  readonly lasts: number | undefined;
  readonly wantedUntil: number | undefined;
  /**
   * `approving`: it was allowed, and waits for others to approve that. `not_known`: it could not be checked whether it works. `ending`: its
   * time is over, and it could not be ended so far. `checking`: nobody could look so far whether the site is blocked. `open`: it waits to be decided. `allowing`: it was allowed, and
   * whether it works is not known yet. `works`, `not_working`: as it was read through the proxy. The rest is over.
   */
  readonly state:
    | 'checking'
    | 'open'
    | 'approving'
    | 'allowing'
    | 'works'
    | 'not_working'
    | 'not_known'
    | 'ending'
    | 'not_blocked'
    | 'not_found'
    | 'not_askable'
    | 'denied'
    | 'expired'
    | 'withdrawn'
    | 'over'
    | 'not_posted';
  /** The same in words. */
  readonly says: Text;
  /** What whoever denied it has said. */
  readonly because: Text | undefined;
  readonly askedAt: number;
  /** When nobody decides it any more. */
  readonly expiresAt: number;
  /** When what was allowed ends. */
  readonly until: number | undefined;
  readonly reason: string;
  /** Whose wish it is, of several: when they joined. */
  readonly joinedAt: number | undefined;
  /** It is allowed until then, and is asked for longer. */
  readonly extends: number | undefined;
  /** Whether it is blocked, as far as whoever asks may know. */
  readonly verdict: Text;
}

/** For whoever has this wish, the first unless told. */
export function stateIn(
  request: SiteRequest,
  now: number,
  { lasts, until: wantedUntil, reason, at: joinedAt }: SiteWish = wishesOf(request)[0],
): RequestState {
  const { row, content } = request;
  const { id, site, createdAt } = row;
  const expiresAt = closingAt(request);
  const askedAt = joinedAt ?? createdAt;
  return {
    ...{ id, site, lasts, wantedUntil, askedAt, expiresAt, until: content.until, reason, joinedAt },
    extends: content.extends?.until,
    verdict: verdictForAsker(content),
    state: kindOf(request),
    says: standingOf(request, now),
    because: content.ending?.kind === 'denied' ? content.ending.says : undefined,
  };
}

function kindOf(request: SiteRequest): RequestState['state'] {
  const { row, content } = request;
  const worksOrNot = isUnseen(request) ? 'not_known' : content.works?.is === false ? 'not_working' : 'works';
  switch (row.state) {
    case 'checking':
    case 'open':
      return row.state;
    case 'waiting':
      return content.notice === undefined ? 'allowing' : 'approving';
    case 'asking':
    case 'verifying':
      return 'allowing';
    case 'allowed':
      return content.isLate ? 'ending' : worksOrNot;
    case 'closed':
      return content.ending === undefined ||
        content.ending.kind === 'allowed' ||
        content.ending.kind === 'kept' ||
        content.ending.kind === 'continued'
        ? worksOrNot
        : content.ending.kind;
  }
}
