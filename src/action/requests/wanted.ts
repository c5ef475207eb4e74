/** How long a site is wanted, and what is left of that when somebody looks. */

import { type SiteRequest, type SiteRequestContent, type SiteWish, wishesOf } from './site-request.ts';

/** So long from when it is allowed, or until a moment; for good where both are absent. */
export type WantedTime = Partial<Pick<SiteWish, 'lasts' | 'until'>>;

/**
 * How long it is wanted from now on, in milliseconds: Infinity for good, and nothing where its time has passed. What is left of its time
 * counts where it is allowed already, and wanted for longer.
 */
export const leftOf = (
  { lasts, until }: WantedTime,
  { extends: is }: Pick<SiteRequestContent, 'extends'>,
  now: number,
): number =>
  Math.max(
    0,
    until === undefined
      ? (lasts ?? Number.POSITIVE_INFINITY) + (is === undefined ? 0 : Math.max(0, is.until - now))
      : until - now,
  );

/** What the one wants who wants it longest. */
export const longestOf = (request: SiteRequest, now: number): SiteWish =>
  wishesOf(request).reduce((longest, one) =>
    leftOf(one, request.content, now) > leftOf(longest, request.content, now) ? one : longest,
  );

/** The moment from which on nobody wants it any more, if there is one. */
export function wantedUntil(request: SiteRequest): number | undefined {
  const last = Math.max(...wishesOf(request).map(({ until }) => until ?? Number.POSITIVE_INFINITY));
  return last === Number.POSITIVE_INFINITY ? undefined : last;
}

/** Nobody decides it any more from then on. */
export const closingAt = (request: SiteRequest): number =>
  Math.min(request.row.closesAt, wantedUntil(request) ?? Number.POSITIVE_INFINITY);

/** Who asks for good is allowed it as long as may be by the first button. */
export const cappedTo = (lasts: number | undefined, longest: number): number =>
  Math.min(lasts ?? longest, longest);
