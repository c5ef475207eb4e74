import type { RequestBook } from '../../handlers/ask/request-book.ts';
import { momentSaid } from '../../handlers/language/times/said-time.ts';
import { fieldList, moment, type Part, plural, type Reply, say, type Text } from '../../handlers/reply.ts';
import { when } from '../../handlers/wording/when.ts';
import type { Invocation } from '../base/chat.ts';
import type { Parts } from '../ground/ground.ts';
import { lastsInWords, siteInWords } from '../requests/words.ts';
import { explain } from '../wording/faults.ts';
import type { RequestList } from './listing.ts';
import type { OpenedRequest, RequestState, SiteRequests } from './site-requests.ts';

/** By what it is told that nothing blocks it. */
const evidenceOf = ({ found, tested }: RequestState): readonly Part[] => {
  const fields = [
    ...(found === undefined ? [] : [{ name: 'Found', value: found }]),
    ...(tested === undefined ? [] : [{ name: 'Tested', value: tested }]),
  ];
  const next = say`If it doesn’t open for you, the cause is not the filter for everybody: ask your IT support.`;
  return [...(fields.length === 0 ? [] : [fieldList(fields)]), { kind: 'text', text: next }];
};

/** Requests as commands speak of them, on behalf of whoever asks. */
export const createRequestBook =
  (parts: Parts & { readonly siteRequests: SiteRequests; readonly list: RequestList }) =>
  ({
    person,
    channel,
    team,
    askedIn,
  }: Pick<Invocation, 'person' | 'channel' | 'team' | 'askedIn'>): RequestBook => {
    const { siteRequests, list, authority, now } = parts;
    return {
      ask: async (site, said, reason) => {
        const { timeZone } = authority.policy();
        const lasts = typeof said === 'object' ? momentSaid(said, now(), timeZone) - now() : said;
        const wanted = lasts === undefined ? authority.policy().selfService?.longest : lasts;
        const isForGood = wanted === Number.POSITIVE_INFINITY;
        const opened = await siteRequests.open({
          ...{ site, reason, from: { kind: 'slack', person, channel, team, ...(askedIn && { askedIn }) } },
          ...(!isForGood && wanted !== undefined && { lasts: wanted }),
        });
        return replyTo(opened, wanted);
      },
      list: () => list({ person, channel }),
    };

    async function replyTo(opened: OpenedRequest, wanted: number | undefined): Promise<Reply> {
      switch (opened.kind) {
        case 'denied':
          return explain(await authority.fault(opened.denial, channel));
        case 'too_many':
          return {
            headline:
              opened.again === undefined
                ? say`You have ${plural(opened.most, 'open request')}, as many as one person can have. Nothing was requested. Wait until one of them is decided.`
                : say`You have made ${plural(opened.most, 'request')} within a day, as many as one person can make. Nothing was requested. There is room for another one from ${moment(opened.again)} on.`,
          };
        case 'joined': {
          const { request } = opened;
          return { headline: joinedInWords(request, opened.isOwn) };
        }
        case 'opened':
          return saidOf(opened, wanted);
      }
    }

    function joinedInWords(request: RequestState, isOwn: boolean): Text {
      const { state, says, site, lasts, reason, askedAt, expiresAt } = request;
      const isUndecided = state === 'checking' || state === 'open';
      const stands = isUndecided
        ? say`It waits for a decision until ${when(expiresAt, now())}`
        : say`How it stands: ${says}`;
      const before = say`at ${when(askedAt, now())}, ${lastsInWords(lasts)}`;
      return isOwn
        ? say`You have requested ${siteInWords(site)} already, ${before}, with the reason “${reason}”. That request stays as it is: the time and the reason that you gave now are not part of it. ${stands}; you will get a direct message.`
        : say`${siteInWords(site)} was requested already, ${before}. You were added to that request: your reason stands beside the first one, and what is decided counts for you, too, and for that time. ${stands}; you will get a direct message.`;
    }

    function saidOf(
      { request }: Extract<OpenedRequest, { request: unknown }>,
      wanted: number | undefined,
    ): Reply {
      const { site, state, says, lasts, expiresAt } = request;
      const isShorter = lasts !== undefined && (wanted ?? Number.POSITIVE_INFINITY) > lasts;
      const shorter = isShorter ? say` That is the longest time possible.` : [];
      switch (state) {
        case 'open':
          return {
            headline: say`Requested: ${siteInWords(site)} ${lastsInWords(lasts)}.${shorter} You will get a direct message when it is decided, or when nobody has decided by ${when(expiresAt, now())}.`,
          };
        case 'checking':
          return {
            headline: say`Requested: ${siteInWords(site)} ${lastsInWords(lasts)}.${shorter} The appliance can’t be asked right now whether it is blocked; this is tried again, and then others decide. You will get a direct message.`,
          };
        case 'not_blocked':
          return { headline: says, details: evidenceOf(request) };
        default:
          return { headline: says };
      }
    }
  };
