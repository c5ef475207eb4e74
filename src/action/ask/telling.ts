import { code, person, say, type Text } from '../../handlers/reply.ts';
import type { ToSend } from '../../journal/journal.ts';
import { askersOf, type SiteRequest } from '../requests/site-request.ts';
import { isUnseen, requestInWords, siteInWords, standingOf, worksInWords } from '../requests/words.ts';
import { drawRequestCard, notifyAsker, notifyPerson } from '../showing/messages.ts';

/** What people are told when a request moves on: its card is drawn anew, and everybody who asked hears of it in person. */
export function toldOf(request: SiteRequest, words: Text | undefined): readonly ToSend[] {
  const { row } = request;
  return [
    // One that is over before anybody had to decide has none.
    ...(row.card === undefined && row.state !== 'open' ? [] : [drawRequestCard(row.id)]),
    ...(words === undefined ? [] : tellAskers(request, words)),
  ];
}

/** Those of them whom Slack knows; at the block page the page tells. */
export const tellAskers = ({ row, content }: SiteRequest, headline: Text): readonly ToSend[] => {
  const people = new Set(askersOf(content).flatMap((one) => (one.kind === 'slack' ? [one.person] : [])));
  return [...people].map((one) => notifyAsker(one, { headline }, row.id));
};

/** The last words of a request to whoever asked. */
export function lastWords(request: SiteRequest, now: number): Text {
  const { row, content } = request;
  const { ending } = content;
  const site = siteInWords(row.site);
  switch (ending?.kind) {
    case 'not_blocked':
      return say`You asked for ${site}, and nothing blocks it${row.card === undefined ? '' : ' any more'}. Your request was closed.`;
    case 'denied':
      return say`Your request for ${content.joined.length > 0 ? site : requestInWords(request, now)} was denied by ${person(ending.by ?? '')}: ${ending.says}`;
    case 'expired':
      if (content.notice !== undefined)
        return say`Your request for ${site} was not allowed in time, so it expired. ${content.notice} If it is still needed, type ${askAgain(request)}`;
      if (ending.says.length > 0)
        return say`Your request for ${site} expired: ${ending.says}. If it is still needed, type ${askAgain(request)}`;
      return say`Nobody decided on your request for ${site} in time, so it expired. If it is still needed, type ${askAgain(request)}`;
    case 'over':
      return say`${site}: ${ending.says}. If it is still needed, type ${askAgain(request)}`;
    case 'not_askable':
      return ending.says;
    case 'kept':
      return say`✅ ${site} now stays allowed, with no end.`;
    default:
      return standingOf(request, now);
  }
}

const askAgain = ({ row }: SiteRequest) => code(`/appliance ask ${row.site}`);

/** Whether it works now, to whoever asked. */
export function worksOrNot(request: SiteRequest, now: number): Text {
  const { row, content } = request;
  const { allowed, works } = content;
  const by = allowed === undefined ? [] : say` Allowed by ${person(allowed.by)}.`;
  if (isUnseen(request))
    return say`${siteInWords(row.site)} was allowed, and it could not be checked that it works.${by} Try it.`;
  return works?.is === false
    ? say`${siteInWords(row.site)} was allowed, but it is still blocked.${by} Whoever decided has been told.`
    : say`✅ ${worksInWords(request, now)}.${by}`;
}

/** To whoever has allowed it: it did not help. */
export const tellDecider = (request: SiteRequest): readonly ToSend[] => {
  const {
    row,
    content: { allowed, works },
  } = request;
  return allowed === undefined || works?.is !== false || isUnseen(request)
    ? []
    : [
        notifyPerson(allowed.by, {
          headline: say`⚠ You allowed ${siteInWords(row.site)}, and it is still blocked: ${works.says}. Check the rules in the web console, or undo the change.`,
        }),
      ];
};
