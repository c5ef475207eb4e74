/** What those are told in person who have asked for a site: in words of their own, with nothing of the card. */

import { recalled } from '../../handlers/audit/recalled.ts';
import { code, person, say, type Text } from '../../handlers/reply.ts';
import { when } from '../../handlers/wording/when.ts';
import type { State } from '../../journal/actions/states.ts';
import type { Action, Outcome, ToSend } from '../../journal/journal.ts';
import { type SiteRequest, siteRequestOf, slackAskers } from '../base/site-request.ts';
import { failedInPart } from '../base/stored.ts';
import { notifyAsker } from './messages.ts';
import { siteInWords } from './site-request.ts';

/** Everybody who asked is told in person; at the block page the page tells. */
export function tellAskers(
  action: Pick<Action, 'id' | 'request'>,
  headline: Text | undefined,
  but: readonly string[] = [],
): readonly ToSend[] {
  const request = siteRequestOf(action);
  if (request === undefined || headline === undefined) return [];
  return slackAskers(request)
    .filter((one) => !but.includes(one))
    .map((one) => notifyAsker(one, { headline }, action.id));
}

const askAgain = (site: string): Text => say`If it is still needed, type ${code(`/appliance ask ${site}`)}`;

/**
 * What whoever asked is told of its end. Undefined while nothing has ended, and of what is told when it is live. `by`: who has decided last.
 */
export function endForAskers(
  action: Pick<Action, 'request'>,
  to: State,
  outcome: Outcome | undefined,
  by: string | undefined,
): Text | undefined {
  const request = siteRequestOf(action);
  if (request === undefined || outcome === undefined) return undefined;
  const site = siteInWords(request.site);
  const again = askAgain(request.site);
  switch (to) {
    case 'expired':
      return say`Nobody approved your request for ${site} in time, so it expired. ${again}`;
    case 'cancelled':
      if (outcome.code === 'cancelled') return undefined;
      if (outcome.because !== undefined)
        return say`Your request for ${site} was denied by ${person(by ?? '')}: ${outcome.because}`;
      if (outcome.code === 'nothing_to_act_on' && request.extends !== undefined)
        return say`You asked for ${site} for longer. ${recalled(outcome.says, outcome.named)} Your request was closed. ${again}`;
      if (outcome.code === 'not_blocked' || outcome.code === 'nothing_to_act_on')
        return say`You asked for ${site}, and nothing was to be done for it any more. Your request was closed. If it doesn’t open for you, ask your IT support.`;
      return outcome.code === 'not_askable'
        ? say`${recalled(outcome.says, outcome.named)} Your request was closed.`
        : say`${site} was not allowed: it was approved, and then something was in the way. No changes were made. ${again}`;
    case 'failed':
      if (failedInPart({ state: to, outcome }))
        return say`${site} is allowed in part: the change failed on some of your appliances. Try it. Those who approved it see where and why.`;
      return say`${site} was not allowed: the change failed. Those who approved it see why. ${again}`;
    case 'unknown':
      return say`${site} was allowed, and it could not be checked whether it is. Try it.`;
    default:
      return undefined;
  }
}

/** It is allowed, and read back. */
export const allowedForAskers = (
  { site }: SiteRequest,
  until: number | undefined,
  by: Text,
  now: number,
): Text =>
  say`✅ ${siteInWords(site)} is allowed${until === undefined ? ', with no end' : say`, until ${when(until, now)}`}. ${by}`;

/** What was allowed is over. */
export const overForAskers = ({ site }: SiteRequest, how: Text): Text =>
  say`${siteInWords(site)}: ${how}. ${askAgain(site)}`;
