import { randomUUID } from 'node:crypto';
import { isInsideName } from '../../auth/asking/inside.ts';
import type { SelfServicePolicy } from '../../auth/asking/self-service.ts';
import { type Caller, onBehalfOf } from '../../caller.ts';
import { shortened } from '../../graphemes.ts';
import { type Asked, lineOf } from '../../handlers/language/asked.ts';
import { typedMoment } from '../../handlers/language/times/said-time.ts';
import { say } from '../../handlers/reply.ts';
import { underWay } from '../../journal/actions/states.ts';
import type { Action } from '../../journal/journal.ts';
import { mayAskFor } from '../authority/site-rights.ts';
import { addPhrase } from '../authority/ways.ts';
import type { Invocation } from '../base/chat.ts';
import {
  type BlockPageAsker,
  isSameAsker,
  requestToStore,
  type SiteAsker,
  type SiteRequest,
  type SiteWish,
  type SlackAsker,
  siteKey,
  siteRequestOf,
} from '../base/site-request.ts';
import { after, inTime } from '../base/timeout.ts';
import type { WorkInFlight } from '../base/work-in-flight.ts';
import type { Parts } from '../ground/ground.ts';
import { allowedForATime } from '../lookup/for-a-time.ts';
import { drawCard, notifyPerson } from '../showing/messages.ts';
import { askerInWords, siteInWords, unverifiedName } from '../showing/site-request.ts';
import { type OpenedRequest, type RequestState, stateOf } from './request-state.ts';

/** Somebody wants a site. */
export interface Wish {
  readonly site: string;
  /** In milliseconds; for good where it is absent. What is longer than may be becomes the longest. */
  readonly lasts?: number | undefined;
  /** Until that moment, where one was said: `lasts` is how long that is from now. */
  readonly until?: number | undefined;
  /** So much longer than it is allowed already. */
  readonly more?: true | undefined;
  /** The time was not chosen, so that it is no reason to want it longer. */
  readonly anyTime?: true | undefined;
  readonly reason: string;
  readonly from: (SlackAsker & Pick<Invocation, 'team'>) | BlockPageAsker;
}

/**
 * What people without a role ask for. It is an access request for the line that allows the site: whoever may run that may approve it.
 * Whoever asks learns only whether the site is blocked, and why.
 */
export interface SiteRequests {
  readonly open: (wish: Wish) => Promise<OpenedRequest>;
  /** For whoever has joined it then, if that is told. */
  readonly stateOf: (id: string, askedAt?: number) => Promise<RequestState | undefined>;
}

export interface SiteRequestsParts extends Parts {
  readonly ownUser: string;
  /** Asks the line that allows it, as somebody who needs an approval for it. */
  readonly ask: (invocation: Invocation) => Promise<void>;
  readonly later: WorkInFlight['later'];
}

/** All who ask from block pages take turns with each other, and as one of many with those who type. */
const beforeBlockPages: Caller = { person: 'block page', priority: 'low' };

const day = 24 * 60 * 60_000;
/** Less is no longer time, in milliseconds. */
const slack = 60_000;
/** From block pages anybody in the network may ask under as many names as they like. */
const mostUnknown = 20;
/** Of a site that nothing blocks nobody hears: so many times as often as the policy lets somebody ask may be looked at. */
const looks = 2;
/** So often somebody else may be first in the very moment in which it is over. */
const mostTries = 3;

export function createSiteRequests(parts: SiteRequestsParts): SiteRequests {
  const { authority, journal, outbox, ownUser, later, commandByPhrase, now } = parts;

  return {
    open: (wish) =>
      wish.from.kind === 'slack' ? open(wish) : onBehalfOf(beforeBlockPages, () => open(wish)),

    stateOf: async (id, askedAt) => {
      const action = await journal.byId(id);
      const request = action && siteRequestOf(action);
      return (
        action &&
        stateOf(
          parts,
          action,
          request?.wishes.find(({ at }) => at === askedAt),
        )
      );
    },
  };

  async function open(wish: Wish): Promise<OpenedRequest> {
    const policy = authority.policy().selfService;
    const { site, from } = wish;
    const lasts = policy && lastsOf(wish, policy);
    const asked = { from, lasts: lasts ?? ('forGood' as const) };
    const decision = await mayAskFor(parts, site, policy?.appliances ?? 'none', asked);
    if (!decision.allow) return { kind: 'denied', denial: decision.denial };
    if (isInsideName(site)) return { kind: 'inside' };
    if (policy === undefined) throw new Error('Nobody may ask where the policy says nothing of it');
    const there = await allowedForATime(
      journal,
      { site, appliances: policy.appliances },
      policy.allowCategory,
    );
    const longer = there && longerThan(there.until, wish, lasts);
    if (there !== undefined && longer === undefined) {
      const allowed = await joinAllowed(there, wish, lasts);
      if (allowed !== undefined) return allowed;
    }
    // The moment that the card and whoever asks are told is the one at which it ends.
    const until = wish.until && Math.min(wish.until, now() + policy.longest);
    const time = { lasts: longer === undefined ? lasts : longer.lasts, until };
    const own: SiteWish = { from: askerOf(from), reason: wish.reason, at: now(), ...time };
    const request: SiteRequest = {
      ...{ site, time, wishes: [own], findings: [] },
      ...(longer !== undefined && { extends: there?.until }),
    };
    for (let tries = 0; tries < mostTries; tries += 1) {
      const first = await journal.onlyOne(siteKey(policy.channel, site));
      const joined = first && (await join(first, own));
      if (joined !== undefined) return joined;
      const excess = await excessOf(from, policy);
      if (excess !== undefined) return excess;
      const action = await ask(request, wish.from, policy);
      const state = action && (await stateOf(parts, action));
      if (state !== undefined) return { kind: 'opened', request: state };
    }
    return { kind: 'not_taken' };
  }

  /** Resolves to the action that came of it; undefined where somebody else asks for the site since a moment. */
  async function ask(
    request: SiteRequest,
    from: Wish['from'],
    policy: SelfServicePolicy,
  ): Promise<Action | undefined> {
    const asked = lineFor(request, policy);
    const delivery = `request:${randomUUID()}`;
    const since = now();
    const asking = parts.ask({
      ...(from.kind === 'slack'
        ? { team: from.team, person: from.person }
        : { team: '', person: ownUser, unattended: true }),
      ...{ channel: policy.channel, line: lineOf(asked), asked, delivery },
      ...{ accessRequest: true, forSite: request },
    });
    // A browser shows nothing while it waits; the page of the request says that it is being checked.
    if (from.kind === 'block_page') later(() => asking);
    await (from.kind === 'block_page' ? inTime(after, asking) : asking);
    return journal.actionOfDelivery(delivery, since);
  }

  /** The line that allows it. */
  function lineFor({ site, wishes: [own], extends: allowed }: SiteRequest, policy: SelfServicePolicy): Asked {
    const command = commandByPhrase.get(addPhrase);
    if (command === undefined) throw new Error(`There is no command ${addPhrase}`);
    const { channel, appliances, allowCategory, longest } = policy;
    const isOwn = appliances.length === 1 && appliances[0] === authority.channel(channel)?.appliance;
    const end =
      own.until ??
      (allowed === undefined || own.lasts === undefined
        ? undefined
        : Math.min(allowed + own.lasts, now() + longest));
    const { timeZone } = authority.policy();
    const term =
      end !== undefined
        ? ({ option: 'until', text: typedMoment(Math.min(end, now() + longest), timeZone) } as const)
        : own.lasts === undefined
          ? undefined
          : ({ option: 'for', text: `${Math.ceil(own.lasts / 60_000)}m` } as const);
    return {
      command,
      typed: { site: [site], category: [allowCategory] },
      ...(term !== undefined && { term }),
      ...(!isOwn && { on: appliances.join(',') }),
      reason: reasonFor(own),
    };
  }

  /** How much longer it is wanted than it is allowed; undefined where it is not. */
  function longerThan(
    until: number,
    wish: Wish,
    lasts: number | undefined,
  ): { readonly lasts: number | undefined } | undefined {
    if (wish.anyTime) return undefined;
    if (wish.more || lasts === undefined) return { lasts };
    const more = now() + lasts - until;
    return more > slack ? { lasts: more } : undefined;
  }

  /** Somebody else wants the same: those who decide see it, and who asked first hears of it. Undefined where it is decided by now. */
  async function join(first: Action, own: SiteWish): Promise<OpenedRequest | undefined> {
    for (let action: Action | undefined = first; ; action = await journal.byId(first.id)) {
      const request = action && siteRequestOf(action);
      if (action === undefined || request === undefined || !underWay.has(action.state)) return undefined;
      const mine = request.wishes.find((one) => isSameAsker(one.from, own.from));
      const { from } = request.wishes[0];
      // Whoever Slack knows is one person however often they ask, and must be known as an asker by whoever decides.
      if (mine === undefined && own.from.kind === 'block_page' && request.wishes.length > mostUnknown)
        return { kind: 'full' };
      const told = say`${askerInWords(own.from)} asks for ${siteInWords(request.site)}, too.`;
      const messages = [
        ...(action.state === 'waiting' ? [drawCard(action, 'waiting')] : []),
        ...(from.kind === 'slack' && own.from.kind === 'slack'
          ? [notifyPerson(from.person, { headline: told })]
          : []),
      ];
      const after = mine === undefined ? await added(action, request, own, messages) : action;
      const state = after && (await stateOf(parts, after, mine ?? own));
      if (state !== undefined) return { kind: 'joined', isOwn: mine !== undefined, request: state };
    }
  }

  /** It is allowed already: whoever asks hears until when. Undefined where the bot could not tell them when it ends. */
  async function joinAllowed(
    { action: first, until }: { readonly action: Action; readonly until: number },
    wish: Wish,
    lasts: number | undefined,
  ): Promise<OpenedRequest | undefined> {
    const own: SiteWish = {
      ...{ from: askerOf(wish.from), reason: wish.reason, at: now(), lasts, until: wish.until },
    };
    for (let action: Action | undefined = first; ; action = await journal.byId(first.id)) {
      const request = action && siteRequestOf(action);
      if (action === undefined) return undefined;
      if (request === undefined || request.site !== wish.site) {
        // Somebody has allowed it by hand: nobody has asked for it, and there is no page to show.
        if (own.from.kind === 'block_page') return undefined;
        const byHand: SiteRequest = { site: wish.site, time: {}, wishes: [own], findings: [] };
        const state = await stateOf(parts, { ...action, request: requestToStore(byHand) });
        return state && { kind: 'allowed', request: { ...state, until } };
      }
      const mine = request.wishes.find((one) => isSameAsker(one.from, own.from));
      const after = mine === undefined ? await added(action, request, own, []) : action;
      const state = after && (await stateOf(parts, after, mine ?? own));
      if (state !== undefined) return { kind: 'allowed', request: state };
    }
  }

  /** Undefined where something else has changed it before. */
  async function added(
    action: Action,
    request: SiteRequest,
    own: SiteWish,
    messages: Parameters<Parts['outbox']['deliver']>[0],
  ): Promise<Action | undefined> {
    const after = requestToStore({ ...request, wishes: [...request.wishes, own] });
    if (!(await journal.changeRequest(action, after, messages))) return undefined;
    await outbox.deliver(messages);
    return { ...action, request: after };
  }

  /** Two lines of one person at the same moment may both pass: the limit is against a flood. */
  async function excessOf(
    from: Wish['from'],
    { perPerson }: SelfServicePolicy,
  ): Promise<OpenedRequest | undefined> {
    const key = limitedBy(askerOf(from));
    if (key === undefined) return undefined;
    const since = now() - day;
    const asked = await journal.requestsOf(from.kind === 'slack' ? from.person : ownUser, since);
    const mine = asked.filter((one) => {
      const first = siteRequestOf(one)?.wishes[0].from;
      return first !== undefined && limitedBy(first) === key;
    });
    const open = mine.filter(({ state }) => state === 'asked' || state === 'waiting');
    if (open.length >= perPerson.open) return { kind: 'too_many', most: perPerson.open, again: undefined };
    const byTime = mine
      .filter(({ createdAt }) => createdAt > since)
      .toSorted((one, other) => one.createdAt - other.createdAt);
    // What was over before anybody had to decide was no trouble to anybody, but who only looks what can be reached ends, too.
    const put = byTime.filter(({ card, state }) => card !== undefined || underWay.has(state));
    const oldest = put.at(-perPerson.day) ?? byTime.at(-looks * perPerson.day);
    return oldest && { kind: 'too_many', most: perPerson.day, again: oldest.createdAt + day };
  }
}

const lastsOf = ({ lasts }: Wish, { longest, forGood }: SelfServicePolicy): number | undefined =>
  lasts === undefined && forGood ? undefined : Math.min(lasts ?? longest, longest);

const askerOf = (from: Wish['from']): SiteAsker => {
  if (from.kind === 'block_page') return from;
  const { kind, person, channel, isDirect } = from;
  return { kind, person, channel, ...(isDirect && { isDirect }) };
};

/** Whose requests are counted together. */
const limitedBy = (from: SiteAsker): string | undefined => {
  if (from.kind === 'slack') return from.person;
  const known = [from.address ?? [], from.user ?? []].flat();
  return known.length === 0 ? undefined : `block page ${known.join(' ')}`;
};

/** The change says why it was made; who asked stands above it on the card, but for people whom Slack does not know. */
const reasonFor = ({ from, reason }: SiteWish): string =>
  from.kind === 'slack'
    ? reason
    : shortened(`${reason} (block page, not verified: ${unverifiedName(from.said)})`, 500);
