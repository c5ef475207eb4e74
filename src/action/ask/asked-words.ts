import { broadSites } from '../../handlers/broad.ts';
import { code, moment, plural, type Reply, say, strong, type Text } from '../../handlers/reply.ts';
import { when } from '../../handlers/wording/when.ts';
import { siteInWords, timeInWords, verdictForAsker } from '../showing/site-request.ts';
import type { OpenedRequest, RequestState } from './request-state.ts';

/** What came of asking for a site; `denied` in the words of whoever may not. */
export interface AskedSite {
  readonly site: string;
  readonly opened:
    | Exclude<OpenedRequest, { kind: 'denied' }>
    | { readonly kind: 'denied'; readonly why: Reply };
}

/** In milliseconds; for good where it is Infinity, and what the policy lets where it was not said. */
type Wanted = number | undefined;

/** What whoever asked is told: of one site all, of several how each stands. */
export function askedInWords(asked: readonly AskedSite[], wanted: Wanted, now: number): Reply {
  const [only] = asked;
  if (only !== undefined && asked.length === 1) return oneInWords(only, wanted, now);
  const requested = asked.filter(({ opened }) => isAsked(opened));
  const of = plural(asked.length, 'site');
  const hear = say`You will get a direct message when they are decided.`;
  return {
    headline:
      requested.length === 0
        ? say`None of the ${of} was requested.`
        : requested.length === asked.length
          ? say`${strong(of)} requested. ${hear}`
          : say`${strong(String(requested.length))} of ${of} requested. ${hear}`,
    details: [{ kind: 'list', items: asked.map((one) => oneOfSeveral(one, wanted, now)) }],
  };
}

/** Somebody is to decide. */
const isAsked = (opened: AskedSite['opened']): boolean =>
  opened.kind === 'joined' || (opened.kind === 'opened' && isUndecided(opened.request));

const isUndecided = ({ state }: RequestState): boolean => state === 'checking' || state === 'open';

function oneInWords({ site, opened }: AskedSite, wanted: Wanted, now: number): Reply {
  switch (opened.kind) {
    case 'inside':
      return { headline: say`${inside(site)} ${insideNext}` };
    case 'denied':
      return opened.why;
    case 'too_many':
      return {
        headline: say`${tooMany(opened)} Nothing was requested. ${whenAgain(opened)}`,
      };
    case 'full':
      return { headline: full(site) };
    case 'not_taken':
      return { headline: notTaken(site) };
    case 'allowed':
      return { headline: allowed(opened.request) };
    case 'joined':
      return { headline: joined(opened, now), ...(isUndecided(opened.request) && withdrawing(site)) };
    case 'opened':
      return {
        ...saidOf(opened.request, wanted, now),
        ...(isUndecided(opened.request) && withdrawing(site)),
      };
  }
}

/** One line of a list; the sites stand in it by name. */
function oneOfSeveral({ site, opened }: AskedSite, wanted: Wanted, now: number): Text {
  const name = siteInWords(site);
  switch (opened.kind) {
    case 'inside':
      return inside(site);
    case 'denied':
      return say`${name}: ${opened.why.headline}`;
    case 'too_many':
      return say`${name}: not requested. ${tooMany(opened)} ${whenAgain(opened)}`;
    case 'full':
      return full(site);
    case 'not_taken':
      return notTaken(site);
    case 'allowed':
      return allowed(opened.request);
    case 'joined':
      return say`${name}: ${joined(opened, now)}`;
    case 'opened': {
      const { request: state } = opened;
      return state.state === 'open'
        ? say`${name}: waits for a decision until ${when(state.expiresAt ?? now, now)}, ${timeInWords(state.wish, now)}${shorter(state, wanted)}`
        : state.says;
    }
  }
}

const inside = (site: string): Text =>
  say`${siteInWords(site)} can’t be requested: it is an address or a name of a network of your own, and only websites on the Internet can be.`;

const full = (site: string): Text =>
  say`${siteInWords(site)}: so many have asked for it already that no more are noted. You were not added; what is decided counts for everybody.`;

const notTaken = (site: string): Text =>
  say`${siteInWords(site)}: not requested, because you have asked for too much at once. Ask again in a minute.`;

const insideNext = say`Nothing was requested or looked up. Ask your IT support.`;

const withdrawing = (site: string): Pick<Reply, 'details'> => ({
  details: [
    ...broadSites([site]).map(({ hits }) => ({
      kind: 'text' as const,
      text: say`That is ${hits}, and those who decide see it. If you need one of them only, withdraw this and ask for that one.`,
    })),
    { kind: 'offers', offers: [{ label: 'Withdraw', line: `withdraw ${site}` }] },
  ],
});

/** It needs no other request. */
const allowed = ({ request: { site }, until, says }: RequestState): Text =>
  until === undefined
    ? say`${says}. Nothing was requested.`
    : say`${says}. Nothing was requested. If you need it longer: ${code(`/appliance ask ${site} for 2h more --reason "…"`)}`;

type TooMany = Extract<OpenedRequest, { kind: 'too_many' }>;

const tooMany = ({ most, again }: TooMany): Text =>
  again === undefined
    ? say`You have ${plural(most, 'open request')}, as many as one person can have.`
    : say`You have made ${plural(most, 'request')} within a day, as many as one person can make.`;

const whenAgain = ({ again }: TooMany): Text =>
  again === undefined
    ? say`Wait until one of them is decided.`
    : say`There is room for another one from ${moment(again)} on.`;

function joined(opened: Extract<OpenedRequest, { kind: 'joined' }>, now: number): Text {
  const { request: state, isOwn } = opened;
  const { request, wish, says, expiresAt } = state;
  const site = siteInWords(request.site);
  const stands =
    state.state === 'open' && expiresAt !== undefined
      ? say`It waits for a decision until ${when(expiresAt, now)}`
      : say`How it stands: ${says}`;
  if (isOwn)
    return say`You have requested ${site} already, at ${when(wish.at, now)}, ${timeInWords(wish, now)}, with the reason “${wish.reason}”. That request stays as it is: the time and the reason that you gave now are not part of it. ${stands}; you will get a direct message.`;
  return say`${site} was requested already, by others. You were added to that request, with your reason beside the first one; what is decided counts for you, too: ${timeInWords(request.time, now)}. ${stands}; you will get a direct message.`;
}

function shorter({ wish: { lasts } }: RequestState, wanted: Wanted): Text {
  const isShorter = lasts !== undefined && (wanted ?? Number.POSITIVE_INFINITY) > lasts;
  return isShorter ? say`, the longest time possible` : [];
}

function saidOf(state: RequestState, wanted: Wanted, now: number): Reply {
  const { request, wish, says, expiresAt } = state;
  const { extends: allowedUntil } = request;
  switch (state.state) {
    case 'open': {
      const until = when(expiresAt ?? now, now);
      const asked = say`Requested: ${siteInWords(request.site)} ${timeInWords(wish, now)}`;
      const more = wish.lasts === undefined || wish.until !== undefined ? '' : ' more';
      // What is allowed is not blocked, and that is not what is asked.
      const requested =
        allowedUntil === undefined
          ? say`${asked}${shorter(state, wanted)}. ${verdictForAsker(request)}`
          : say`${asked}${more}, and it stays allowed until ${when(allowedUntil, now)}.`;
      return {
        headline: say`${requested} You will get a direct message when it is decided, or when nobody has decided by ${until}.`,
      };
    }
    case 'not_blocked':
      return { headline: says, details: [{ kind: 'text', text: notTheFilter }] };
    default:
      return { headline: says };
  }
}

const notTheFilter = say`If it doesn’t open for you, the cause is not the filter for everybody: ask your IT support.`;
