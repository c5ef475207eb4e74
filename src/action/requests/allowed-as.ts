/** What a button says of how long a site is to be allowed, and what that comes to at the moment at which it is pressed. */

import type { TypedTerm } from '../../handlers/language/term.ts';
import { typedMoment } from '../../handlers/language/times/said-time.ts';
import { type Reply, say } from '../../handlers/reply.ts';
import { when } from '../../handlers/wording/when.ts';
import type { SiteRequest } from './site-request.ts';
import { leftOf, longestOf, wantedUntil } from './wanted.ts';
import { siteInWords } from './words.ts';

/** For so long from now on, or for so much longer than it is allowed, in milliseconds; until a moment; or for good. */
export type AllowedAs =
  | { readonly kind: 'for' | 'more'; readonly lasts: number }
  | { readonly kind: 'until'; readonly at: number }
  | { readonly kind: 'good' };

export function pressedIn(detail = ''): AllowedAs | { readonly kind: 'deny' } {
  const [, kind, digits] = /^(for|more|until):([0-9]+)$/.exec(detail) ?? [];
  if (kind === 'until') return { kind, at: Number(digits) };
  if (kind === 'for' || kind === 'more') return { kind, lasts: Number(digits) };
  return { kind: detail === 'good' ? 'good' : 'deny' };
}

/** For how long from now on, in milliseconds; never for longer than anybody wants it. */
export function spanOf(pressed: AllowedAs, request: SiteRequest, now: number): number {
  if (pressed.kind === 'good') return Number.POSITIVE_INFINITY;
  const wanted = leftOf(longestOf(request, now), request.content, now);
  if (pressed.kind === 'until') return Math.min(wanted, Math.max(0, pressed.at - now));
  const { extends: is } = request.content;
  const before = pressed.kind === 'more' && is !== undefined ? Math.max(0, is.until - now) : 0;
  return Math.min(wanted, before + pressed.lasts);
}

/** As it stands in the line that allows it: a time stays that time, however late that is approved. Undefined for good. */
export function termFor(
  pressed: AllowedAs,
  request: SiteRequest,
  now: number,
  timeZone: string,
): TypedTerm | undefined {
  if (pressed.kind === 'good') return undefined;
  const span = spanOf(pressed, request, now);
  const { until } = longestOf(request, now);
  const at = pressed.kind === 'until' ? pressed.at : until;
  return at !== undefined && now + span >= at
    ? { option: 'until', text: typedMoment(at, timeZone) }
    : { option: 'for', text: `${Math.ceil(span / 60_000)}m` };
}

/** Why what was said on the button holds no more; `shown` is the request as it stood on its card. */
export function outdatedBy(
  pressed: AllowedAs,
  request: SiteRequest,
  shown: SiteRequest,
  now: number,
): Reply | undefined {
  const site = siteInWords(request.row.site);
  const until = pressed.kind === 'until' ? pressed.at : wantedUntil(request);
  if (until !== undefined && until <= now)
    return {
      headline: say`${site} was wanted until ${when(until, now)}, and that has passed. Your click did nothing.`,
    };
  const is = request.content.extends?.until;
  if (pressed.kind !== 'more' || (is !== undefined && is === shown.content.extends?.until)) return undefined;
  return {
    headline:
      is === undefined
        ? say`${site} is not allowed any more, so it can’t be for longer. Your click did nothing; the button was changed to what is asked for.`
        : say`${site} is allowed until ${when(is, now)} by now. Your click did nothing; the card says so now.`,
  };
}
