import { enumerate, person, say, strong, type Text } from '../../handlers/reply.ts';
import { when } from '../../handlers/wording/when.ts';
import type { SiteRequestRow } from '../../journal/journal.ts';
import { addPhrase } from '../authority/ways.ts';
import type { Parts } from '../ground/ground.ts';
import { barredBy } from '../requests/askable.ts';
import { requestIn, type SiteRequest, type SiteRequestContent } from '../requests/site-request.ts';
import { closingAt, leftOf, longestOf } from '../requests/wanted.ts';
import { findingsInWords, siteInWords } from '../requests/words.ts';
import { allowedForATime } from './for-a-time.ts';
import { isFree, isNotFound, type LookAtSite } from './looking.ts';
import type { MoveRequest } from './moving.ts';
import { lastWords, tellAskers, toldOf, worksOrNot } from './telling.ts';

const minute = 60_000;
/** While no appliance can be asked, it is tried again after so long, and put before those who decide after so long. */
const look = { again: minute, atMost: 10 * minute, ends: minute / 3 };

export interface Checking {
  /**
   * Looks whether the site is blocked, and closes the request or puts it before those who decide. `isAsking`: whoever asked is answered
   * with how it stands; else they are told. Undefined where somebody else was at it.
   */
  readonly check: (row: SiteRequestRow, isAsking: boolean) => Promise<SiteRequest | undefined>;
  /**
   * Looks once more at one that is open. It is closed where nothing blocks it any more, or where it may not be asked for by now; and where it
   * is allowed for as long as that already (`lasts` from now on, of what somebody wants to allow), it is as if it had been allowed by that. `gone`:
   * somebody else has moved it on.
   */
  readonly lookAgain: (row: SiteRequestRow, lasts?: number) => Promise<SiteRequest | 'gone'>;
  /** Looks at one that is open and not over: whether its categories can be read by now, and until when it is allowed already. */
  readonly seeOpen: (row: SiteRequestRow, content: SiteRequestContent) => Promise<void>;
  /** Until when what is wanted for longer is allowed now; undefined where it is not, any more. */
  readonly allowedNow: (request: SiteRequest) => Promise<SiteRequestContent['extends']>;
  /** Who may decide, for whoever wants to talk to them. */
  readonly deciders: () => Promise<Text>;
}

export interface CheckingParts extends Parts {
  readonly lookAtSite: LookAtSite;
  readonly move: MoveRequest;
}

export function createChecking(parts: CheckingParts): Checking {
  const { authority, journal, lookAtSite, move, commandByPhrase, now } = parts;

  return { check, lookAgain, seeOpen, allowedNow, deciders };

  async function check(row: SiteRequestRow, isAsking: boolean): Promise<SiteRequest | undefined> {
    const before = requestIn(row);
    if (before === undefined) return undefined;
    const seen = await lookAtSite(row.site, row.appliances);
    const tryingSince = before.tryingSince ?? now();
    const content: SiteRequestContent = { ...before, ...seen, checkedAt: now(), tryingSince };
    const following = content.extends === undefined ? await followed(row, content, 0, isAsking) : undefined;
    if (following !== undefined) return following === 'gone' ? undefined : following;
    const ending = await endingOf(row, content);
    if (ending !== undefined) return close(row, { ...content, ending }, isAsking);
    const isUnread = seen.findings.length === 0 || isBarredUnread(content);
    if (isUnread && now() < tryingSince + look.atMost)
      return move(row, content, { nextAt: now() + look.again });
    return open(row, content, isAsking);
  }

  async function lookAgain(row: SiteRequestRow, wanted?: number): Promise<SiteRequest | 'gone'> {
    const before = requestIn(row);
    if (before === undefined) return 'gone';
    const content: SiteRequestContent = {
      ...before,
      ...(await lookAtSite(row.site, row.appliances)),
      ...{ checkedAt: now(), extends: await allowedNow({ row, content: before }) },
    };
    const longest = longestOf({ row, content }, now());
    const following = await followed(row, content, wanted ?? leftOf(longest, content, now()), false);
    if (following !== undefined) return following;
    const isShorter = isFree(content) && (await forATime(row)) !== undefined;
    const ending = isShorter ? undefined : await endingOf(row, content);
    const moved =
      ending === undefined
        ? await move(row, content, {
            nextAt: nextLook(row, content),
            messages: (request) => toldOf(request, undefined),
          })
        : await move(
            row,
            { ...content, ending },
            { state: 'closed', messages: (request) => toldOf(request, lastWords(request, now())) },
          );
    return moved ?? 'gone';
  }

  async function seeOpen(row: SiteRequestRow, content: SiteRequestContent): Promise<void> {
    if (isBarredUnread(content)) return void (await lookAgain(row));
    const allowed = await allowedNow({ row, content });
    if (allowed?.until === content.extends?.until)
      return journal.siteRequestLater(row.id, nextLook(row, content));
    const seen = allowed === undefined ? await seenSince(row, content) : {};
    const after = { ...content, ...seen, extends: allowed };
    await move(row, after, { nextAt: nextLook(row, after), messages: (one) => toldOf(one, undefined) });
  }

  /** What it was to be longer than has ended: what was found while that was on is not so any more. */
  async function seenSince(
    row: SiteRequestRow,
    { extends: was }: SiteRequestContent,
  ): Promise<Partial<SiteRequestContent>> {
    const seen = await lookAtSite(row.site, row.appliances);
    const isEarly = was !== undefined && was.until > now() && !isFree(seen);
    return {
      ...{ ...seen, checkedAt: now() },
      ...(isEarly && {
        notice: say`It was allowed until ${when(was.until, now())}, and somebody has ended that early since.`,
      }),
    };
  }

  async function allowedNow({ row, content }: SiteRequest): Promise<SiteRequestContent['extends']> {
    const there = content.extends && (await forATime(row));
    return there && { until: there.until };
  }

  /** By what it is allowed for a time now, if it is. */
  async function forATime(row: SiteRequestRow) {
    const policy = authority.policy().selfService;
    return policy && allowedForATime(journal, row, policy.allowCategory);
  }

  /** It is allowed for a time already, and for so long: whoever asks hears until when, and that it ends. */
  async function followed(
    row: SiteRequestRow,
    content: SiteRequestContent,
    lasts: number,
    isAsking: boolean,
  ): Promise<SiteRequest | 'gone' | undefined> {
    const there = isFree(content) ? await forATime(row) : undefined;
    if (there === undefined || there.until < now() + lasts) return undefined;
    const { action, until, since } = there;
    const after: SiteRequestContent = {
      ...{ ...content, until, allowed: { by: action.person, at: since } },
      works: { is: true, at: now(), says: findingsInWords(content) },
    };
    const moved = await move(row, after, {
      ...{ state: 'allowed', action: action.id },
      messages: (one) => toldOf(one, isAsking ? undefined : worksOrNot(one, now())),
    });
    return moved ?? 'gone';
  }

  /** What cannot be allowed before its categories are read is looked at until they are. */
  function nextLook(row: SiteRequestRow, content: SiteRequestContent): number {
    if (content.formUntil !== undefined) return now();
    return Math.min(
      closingAt({ row, content }),
      ...(isBarredUnread(content) ? [now() + look.again] : []),
      // Somebody may end what it is to be longer than.
      ...(content.extends === undefined ? [] : [now() + look.ends]),
    );
  }

  function isBarredUnread(content: SiteRequestContent): boolean {
    const policy = authority.policy().selfService;
    return policy !== undefined && barredBy(policy, content) === 'unread';
  }

  async function open(
    row: SiteRequestRow,
    content: SiteRequestContent,
    isAsking: boolean,
  ): Promise<SiteRequest | undefined> {
    const words = say`Your request for ${siteInWords(row.site)} waits for a decision now.`;
    const opened = await move(row, content, {
      ...{ state: 'open', nextAt: nextLook(row, content) },
      messages: (request) => toldOf(request, isAsking ? undefined : words),
    });
    if (opened?.delivered.kind !== 'refused') return opened;
    const says = say`The request couldn’t be posted where it is decided (${opened.delivered.code}). Ask an admin of Appliance Bot.`;
    return close(
      opened.row,
      { ...opened.content, ending: { kind: 'not_posted', at: now(), says } },
      isAsking,
    );
  }

  function close(
    row: SiteRequestRow,
    content: SiteRequestContent,
    isAsking: boolean,
  ): Promise<SiteRequest | undefined> {
    return move(row, content, {
      ...{ state: 'closed', isByItself: !isAsking },
      messages: (request) => (isAsking ? [] : tellAskers(request, lastWords(request, now()))),
    });
  }

  /** Why nobody has to decide. */
  async function endingOf(
    row: SiteRequestRow,
    content: SiteRequestContent,
  ): Promise<SiteRequestContent['ending']> {
    const { site } = row;
    const isLonger = content.extends !== undefined && (await forATime(row)) !== undefined;
    if (isFree(content) && !isLonger) return { kind: 'not_blocked', at: now(), says: [] };
    if (isNotFound(content)) return { kind: 'not_found', at: now(), says: [] };
    const policy = authority.policy().selfService;
    if (policy === undefined) return undefined;
    const barred = barredBy(policy, content);
    if (barred === undefined || barred === 'unread') return undefined;
    const which =
      barred === 'uncategorized'
        ? say`it is in no category, and only sites of some categories can be requested`
        : say`it is in category ${strong(barred.name || String(barred.id))}, whose sites can’t be requested`;
    const says = say`${siteInWords(site)} is blocked and can’t be requested: ${which}.${await deciders()}`;
    return { kind: 'not_askable', at: now(), says };
  }

  async function deciders(): Promise<Text> {
    const policy = authority.policy().selfService;
    const command = commandByPhrase.get(addPhrase);
    if (policy === undefined || command === undefined) return [];
    const { channel, appliances } = policy;
    const roles = authority.rolesFor({ command, args: 'any', appliances, lasts: 'any' }, channel);
    const people = await authority.people(
      roles.map(({ role }) => role),
      channel,
    );
    if (people === 'everyone' || people.length === 0) return [];
    const named = people.slice(0, 5).map(person);
    const more = people.length - named.length;
    return say` Talk to ${enumerate(more > 0 ? [...named, `${more} more`] : named, 'or')}.`;
  }
}
