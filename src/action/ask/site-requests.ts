import { isInsideName } from '../../auth/asking/inside.ts';
import { type SelfServicePolicy, whyNotFor } from '../../auth/asking/self-service.ts';
import type { Decision } from '../../auth/decide.ts';
import { type Caller, onBehalfOf } from '../../caller.ts';
import type { AnyCommand } from '../../handlers/command.ts';
import { say } from '../../handlers/reply.ts';
import type { SiteRequestRow } from '../../journal/journal.ts';
import { askPhrase } from '../authority/ways.ts';
import { after, inTime } from '../base/timeout.ts';
import type { WorkInFlight } from '../base/work-in-flight.ts';
import type { Parts } from '../ground/ground.ts';
import { type OpenedRequest, type RequestState, stateIn } from '../requests/request-state.ts';
import {
  askersOf,
  type BlockPageAsker,
  isSameAsker,
  type RequestAsker,
  requestIn,
  requestToKeep,
  type SiteRequest,
  type SiteRequestContent,
  type SlackAsker,
  wishesOf,
} from '../requests/site-request.ts';
import { cappedTo } from '../requests/wanted.ts';
import { askerInWords, siteInWords } from '../requests/words.ts';
import { drawRequestCard, notifyPerson } from '../showing/messages.ts';
import type { Checking } from './checking.ts';
import { allowedForATime } from './for-a-time.ts';

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
  readonly from: (SlackAsker & Pick<SiteRequestRow, 'team'>) | BlockPageAsker;
}

/** What people without a role ask for. Whoever asks learns only whether the site is blocked, and why. */
export interface SiteRequests {
  readonly open: (wish: Wish) => Promise<OpenedRequest>;
  /** For whoever has joined it then, if that is told. */
  readonly stateOf: (id: string, joinedAt?: number) => Promise<RequestState | undefined>;
}

export interface SiteRequestsParts extends Parts {
  readonly checking: Checking;
  readonly later: WorkInFlight['later'];
}

/** All who ask from block pages take turns with each other, and as one of many with those who type. */
const beforeBlockPages: Caller = { person: 'block page', priority: 'low' };

const day = 24 * 60 * 60_000;

export function createSiteRequests(parts: SiteRequestsParts): SiteRequests {
  const { authority, journal, outbox, checking, later, commandByPhrase, now } = parts;

  return {
    open: (wish) =>
      wish.from.kind === 'slack' ? open(wish) : onBehalfOf(beforeBlockPages, () => open(wish)),

    stateOf: async (id, joinedAt) => {
      const request = await read(id);
      return (
        request &&
        stateIn(
          request,
          now(),
          wishesOf(request).find(({ at }) => at === joinedAt),
        )
      );
    },
  };

  async function open(wish: Wish): Promise<OpenedRequest> {
    const policy = authority.policy().selfService;
    const lasts = policy && lastsOf(wish, policy);
    const decision = await mayAsk(wish, policy, lasts);
    if (!decision.allow) return { kind: 'denied', denial: decision.denial };
    if (isInsideName(wish.site)) return { kind: 'inside' };
    if (policy === undefined) throw new Error('Nobody may ask where the policy says nothing of it');
    const { channel, appliances, perPerson } = policy;
    const there = await allowedNow(wish.site, policy);
    const longer = there && longerThan(there.until, wish, lasts);
    if (there?.row !== undefined && longer === undefined) return join(there.row, wish, lasts);
    const { from, site, reason } = wish;
    const opened = await journal.openSiteRequest({
      ...{ channel, appliances, site, reason },
      lasts: longer === undefined ? lasts : longer.lasts,
      team: from.kind === 'slack' ? from.team : '',
      person: limitedBy(from),
      content: requestToKeep({
        ...{ from: askerOf(from), joined: [], findings: [], unchecked: [], attempts: 0 },
        ...(wish.until !== undefined && { wantedUntil: wish.until }),
        ...(there?.until !== undefined && longer !== undefined && { extends: { until: there.until } }),
      }),
      closesAt: now() + policy.open,
      limits: { open: perPerson.open, most: perPerson.day, since: now() - day },
    });
    switch (opened.kind) {
      case 'too_many_open':
        return { kind: 'too_many', most: perPerson.open, again: undefined };
      case 'too_many':
        return { kind: 'too_many', most: perPerson.day, again: opened.again };
      case 'open':
        return join(opened.row, wish, longer === undefined ? lasts : longer.lasts);
      case 'new': {
        const check = checking.check(opened.row, true);
        // A browser shows nothing while it waits; the page of the request says that it is being checked.
        if (from.kind === 'block_page') later(async () => void (await check));
        const checked = await (from.kind === 'block_page' ? inTime(after, check) : check);
        const request = checked ?? (await read(opened.row.id));
        if (request === undefined) throw new Error('A request that was just opened is there');
        return { kind: 'opened', request: stateIn(request, now()) };
      }
    }
  }

  /** Through the one door, with all that is asked for; somebody before a block page is nobody whom it could know. */
  async function mayAsk(
    { site, from }: Wish,
    policy: SelfServicePolicy | undefined,
    lasts: number | undefined,
  ): Promise<Decision> {
    if (from.kind === 'slack') {
      const appliances = policy?.appliances ?? 'none';
      return authority.decide({
        ...{ person: from.person, channel: from.channel, command: askCommand(), access: 'run' },
        ...{ args: { domain: [site] }, appliances, lasts: lasts ?? 'forGood' },
      });
    }
    const why =
      policy === undefined
        ? 'off'
        : policy.appliances
            .map((name) => whyNotFor(policy, { appliance: { name, tags: [] }, lasts: lasts ?? 'forGood' }))
            .find((one) => one !== undefined);
    return why === undefined
      ? { allow: true, held: [], by: [] }
      : { allow: false, denial: { code: 'self_service', why, longest: policy?.longest } };
  }

  /** Whether a site is allowed already, by what was asked for or by hand: then it needs no other request, unless for longer. */
  async function allowedNow(site: string, { channel, appliances, allowCategory }: SelfServicePolicy) {
    const rows = await journal.siteRequestsIn([channel]);
    const row = rows.findLast((one) => one.site === site && one.state === 'allowed');
    const content = row && requestIn(row);
    if (row !== undefined && content?.works?.is === true && content.isLate === undefined)
      return { row, until: content.until };
    const byHand = await allowedForATime(journal, { site, appliances }, allowCategory);
    return byHand && { row: undefined, until: byHand.until };
  }

  /** How much longer it is wanted than it is allowed; undefined where it is not. */
  function longerThan(
    until: number | undefined,
    wish: Wish,
    lasts: number | undefined,
  ): { readonly lasts: number | undefined } | undefined {
    if (until === undefined || wish.anyTime) return undefined;
    if (wish.more || lasts === undefined) return { lasts };
    const more = now() + lasts - until;
    return more > slack ? { lasts: more } : undefined;
  }

  function askCommand(): AnyCommand {
    const command = commandByPhrase.get(askPhrase);
    if (command === undefined) throw new Error(`There is no command ${askPhrase}`);
    return command;
  }

  async function read(id: string): Promise<SiteRequest | undefined> {
    const row = await journal.siteRequest(id);
    const content = row && requestIn(row);
    return content && { row, content };
  }

  /** Somebody else wants the same: those who decide see it, and who asked first hears of it. */
  async function join(first: SiteRequestRow, wish: Wish, lasts: number | undefined): Promise<OpenedRequest> {
    for (let row: SiteRequestRow | undefined = first; ; ) {
      const content: SiteRequestContent | undefined = row && requestIn(row);
      if (row === undefined || content === undefined) throw new Error('An open request can be read');
      const from = askerOf(wish.from);
      const isThere = askersOf(content).some((one) => isSameAsker(one, from));
      const joinedTo = (at: SiteRequestRow, is: SiteRequestContent): OpenedRequest => {
        const own = wishesOf({ row: at, content: is }).find((one) => isSameAsker(one.from, from));
        const state = stateIn({ row: at, content: is }, now(), own);
        return at.state === 'allowed'
          ? { kind: 'allowed', request: state }
          : { kind: 'joined', isOwn: isThere, request: state };
      };
      if (isThere || content.joined.length >= mostJoined) return joinedTo(row, content);
      const joined = [
        ...content.joined,
        {
          ...{ from, reason: wish.reason, at: now() },
          ...(lasts !== undefined && { lasts }),
          ...(wish.until !== undefined && { until: wish.until }),
        },
      ];
      const after = { ...content, joined };
      const told = say`${askerInWords(from)} asks for ${siteInWords(row.site)}, too.`;
      const messages = [
        ...(row.card === undefined ? [] : [drawRequestCard(row.id)]),
        ...(content.from.kind === 'slack' && from.kind === 'slack' && row.state !== 'allowed'
          ? [notifyPerson(content.from.person, { headline: told })]
          : []),
      ];
      const changed = await journal.joinSiteRequest(row, { content: requestToKeep(after), messages });
      if (changed !== undefined) {
        await outbox.deliver(messages);
        return joinedTo(changed, after);
      }
      row = await journal.siteRequest(row.id);
    }
  }
}

/** Less is no longer time, in milliseconds. */
const slack = 60_000;

/** More names would make a card that nobody reads. */
const mostJoined = 20;

const lastsOf = ({ lasts }: Wish, { longest, forGood }: SelfServicePolicy): number | undefined =>
  lasts === undefined && forGood ? undefined : cappedTo(lasts, longest);

const askerOf = (from: Wish['from']): RequestAsker => {
  if (from.kind === 'block_page') return from;
  const { person, channel, askedIn } = from;
  return { kind: 'slack', person, channel, ...(askedIn && { askedIn }) };
};

/** Whose requests are counted together. */
const limitedBy = (from: Wish['from']): string | undefined => {
  if (from.kind === 'slack') return from.person;
  const known = [from.address ?? [], from.user ?? []].flat();
  return known.length === 0 ? undefined : `block page ${known.join(' ')}`;
};
