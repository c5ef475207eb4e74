import type { Denial } from '../../auth/decide.ts';
import { recalled } from '../../handlers/audit/recalled.ts';
import { person, say, type Text } from '../../handlers/reply.ts';
import { when } from '../../handlers/wording/when.ts';
import type { Action, Outcome, TimedChangeRow } from '../../journal/journal.ts';
import { type SiteRequest, type SiteWish, siteRequestOf } from '../base/site-request.ts';
import { failedInPart } from '../base/stored.ts';
import type { Parts } from '../ground/ground.ts';
import { isTakenBack } from '../history/left-to-undo.ts';
import { endOf, timedBy } from '../lookup/for-a-time.ts';
import { siteInWords } from '../showing/site-request.ts';

/** What came of asking for a site. */
export type OpenedRequest =
  /** `request.state` says how it stands: it may be over already, because nothing blocks the site. */
  | { readonly kind: 'opened'; readonly request: RequestState }
  /** The site is asked for already; `isOwn`: by the same person. */
  | { readonly kind: 'joined'; readonly request: RequestState; readonly isOwn: boolean }
  /** It is allowed already, for as long as that. */
  | { readonly kind: 'allowed'; readonly request: RequestState }
  /** So many ask for it that no more are noted who ask from a block page; what is decided counts for everybody. */
  | { readonly kind: 'full' }
  /** It is an address or a name of a network inside; nothing was looked up. */
  | { readonly kind: 'inside' }
  | { readonly kind: 'denied'; readonly denial: Denial }
  /** Nobody was asked, because the bot has too much to do for whoever asks. */
  | { readonly kind: 'not_taken' }
  /** So many requests of this person are open; or so many were made within a day, and there is room from `again` on. */
  | { readonly kind: 'too_many'; readonly most: number; readonly again: number | undefined };

/** How a request stands, for whoever asked. Moments: milliseconds since the epoch. */
export interface RequestState {
  readonly id: string;
  readonly request: SiteRequest;
  /** What they want of it. */
  readonly wish: SiteWish;
  /**
   * `checking`: it is looked whether the site is blocked. `open`: it waits for an approval. `allowing`: it was approved, and is not live so
   * far. `not_known`: it could not be read back. `in_part`: on some appliances it failed. `ending`: its time is over, and it could not be ended so far. `not_taken`: nobody was asked.
   * The rest is over.
   */
  readonly state:
    | 'checking'
    | 'open'
    | 'allowing'
    | 'allowed'
    | 'not_known'
    | 'failed'
    | 'in_part'
    | 'ending'
    | 'not_blocked'
    | 'not_found'
    | 'not_askable'
    | 'not_taken'
    | 'denied'
    | 'expired'
    | 'withdrawn'
    | 'over';
  /** The same in words. */
  readonly says: Text;
  /** What whoever denied it has said. */
  readonly because: string | undefined;
  /** When nobody decides it any more. */
  readonly expiresAt: number | undefined;
  /** When what was allowed ends. */
  readonly until: number | undefined;
}

/** For whoever has this wish, the first unless told. Undefined for what is no request, or one that can no longer be read. */
export async function stateOf(
  { journal, now }: Pick<Parts, 'journal' | 'now'>,
  action: Action,
  wanted?: SiteWish,
): Promise<RequestState | undefined> {
  const request = siteRequestOf(action);
  if (request === undefined) return undefined;
  const timed = action.state === 'done' ? await timedBy(journal, action) : [];
  const state = action.state === 'done' ? await stateOfDone(action, timed) : stateNow(action);
  const until = timed.length === 0 ? undefined : endOf(timed);
  return {
    ...{ id: action.id, request, wish: wanted ?? request.wishes[0], state, until },
    says: inWords(action, request, state, until, now()),
    because: action.outcome?.because,
    expiresAt: action.expiresAt,
  };

  async function stateOfDone(
    { id }: Action,
    rows: readonly TimedChangeRow[],
  ): Promise<RequestState['state']> {
    if (rows.some((row) => row.state === 'ending' && row.lastProblem !== undefined)) return 'ending';
    // An end that was moved stands in the row of what was allowed before.
    const isEnded = rows.length > 0 && endOf(rows) !== undefined && rows.every((row) => row.state === 'over');
    if (isEnded || (await isTakenBack({ journal }, { id }))) return 'over';
    const pending = await journal.pendingApplies();
    return pending.some((row) => row.action === id) ? 'allowing' : 'allowed';
  }
}

function stateNow({ state, outcome, consent }: Action): RequestState['state'] {
  if (failedInPart({ state, outcome })) return 'in_part';
  switch (state) {
    case 'asked':
      return 'checking';
    case 'waiting':
      return 'open';
    case 'unknown':
      return 'not_known';
    case 'expired':
      return 'expired';
    case 'refused':
    case 'cancelled':
    case 'failed':
      return endedBy(outcome, consent !== undefined);
    default:
      return 'allowing';
  }
}

/** `wasPut`: those who decide had a card. */
function endedBy(outcome: Outcome | undefined, wasPut: boolean): RequestState['state'] {
  if (outcome?.because !== undefined) return 'denied';
  switch (outcome?.code) {
    case 'not_blocked':
    case 'not_found':
    case 'not_askable':
      return outcome.code;
    case 'cancelled':
      return 'withdrawn';
    case 'cannot_post':
      return 'not_taken';
    case 'nothing_to_act_on':
      return wasPut ? 'not_blocked' : 'not_taken';
    default:
      return wasPut ? 'failed' : 'not_taken';
  }
}

function inWords(
  { outcome, decidedBy, expiresAt = 0 }: Action,
  { site: name, extends: allowedUntil }: SiteRequest,
  state: RequestState['state'],
  until: number | undefined,
  now: number,
): Text {
  const site = siteInWords(name);
  const by = decidedBy === undefined ? [] : say` by ${person(decidedBy)}`;
  switch (state) {
    case 'checking':
      return say`${site}: it is being checked whether it is blocked`;
    case 'open':
      return say`Waits for an approval until ${when(expiresAt, now)}`;
    case 'allowing':
      return say`⏳ ${site} was approved${by}, and is being allowed`;
    case 'allowed':
      return say`✅ ${site} is allowed${until === undefined ? ', with no end' : say`, until ${when(until, now)}`}`;
    case 'not_known':
      return say`⚠ ${site} was approved${by}, and it could not be checked whether it is allowed`;
    case 'failed':
      return say`${site} was approved, and could not be allowed`;
    case 'in_part':
      return say`⚠ ${site} was approved, and is allowed on some of your appliances only`;
    case 'ending':
      return say`⚠ ${site}: its time is over, but it could not be ended so far. Appliance Bot keeps trying`;
    case 'not_blocked':
    case 'not_found':
    case 'not_askable':
      if (outcome !== undefined && allowedUntil !== undefined)
        return say`☑ ${site}: ${recalled(outcome.says, outcome.named)}`;
      return outcome === undefined || outcome.code === 'nothing_to_act_on'
        ? say`☑ ${site} is not blocked any more`
        : say`${state === 'not_askable' ? '' : '☑ '}${recalled(outcome.says, outcome.named)}`;
    case 'not_taken':
      return say`${site} was not requested. ${whyNotTaken(outcome, allowedUntil, now)}`;
    case 'denied':
      return say`🚫 ${site} was denied${by}: ${outcome?.because ?? ''}`;
    case 'expired':
      return say`⌛ ${site}: nobody decided in time, so the request expired`;
    case 'withdrawn':
      return say`☑ ${site}: the request was withdrawn`;
    case 'over':
      return until === undefined
        ? say`☑ ${site} was allowed, and that was undone`
        : say`☑ ${site}: the time it was allowed for is over`;
  }
}

/** What is in the way is told as far as it is no matter of those inside. */
function whyNotTaken(outcome: Outcome | undefined, allowedUntil: number | undefined, now: number): Text {
  switch (outcome?.code) {
    case 'reason_wanted':
      return say`The policy wants another reason for it. Say more about what it is needed for.`;
    case 'ticket_wanted':
      return say`The policy wants a ticket for it, which a request can’t give. Ask your IT support.`;
    case 'nothing_to_act_on':
      if (allowedUntil !== undefined)
        return say`It is allowed until ${when(allowedUntil, now)}, and a request can’t make that later now. Ask again when it is over.`;
      return say`It is blocked although it is among the allowed sites already, so a request can’t help. Ask your IT support.`;
    case 'cannot_post':
      return say`The request couldn’t be posted where it is decided. Ask an admin of Appliance Bot.`;
    case 'approval_not_possible':
    case 'no_approver':
    case 'role_missing':
      return say`Nobody can approve it now. Ask your IT support.`;
    default:
      return say`It couldn’t be looked at right now whether it is blocked. Try again in a few minutes.`;
  }
}
