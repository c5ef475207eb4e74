import type { RequestBook } from '../../handlers/ask/request-book.ts';
import { momentSaid } from '../../handlers/language/times/said-time.ts';
import { moment, type Offer, plural, type Reply, say, strong } from '../../handlers/reply.ts';
import { when } from '../../handlers/wording/when.ts';
import type { Invocation } from '../base/chat.ts';
import type { Parts } from '../ground/ground.ts';
import { requestButtons } from '../requests/card.ts';
import { requestIn, type SiteRequest } from '../requests/site-request.ts';
import { askerInWords, findingsInWords, lastsInWords, siteInWords } from '../requests/words.ts';
import { explain } from '../wording/faults.ts';
import type { OpenedRequest, SiteRequests } from './site-requests.ts';

/** More would be a wall of buttons; each stands on its card, too. */
const mostDrawn = 5;

/** Requests as commands speak of them, on behalf of whoever asks. */
export const createRequestBook =
  (parts: Parts & { readonly siteRequests: SiteRequests }) =>
  ({
    person,
    channel,
    team,
    askedIn,
  }: Pick<Invocation, 'person' | 'channel' | 'team' | 'askedIn'>): RequestBook => {
    const { siteRequests, authority, journal, now } = parts;
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
      list: async () => {
        const rows = await journal.siteRequestsIn([channel]);
        const open = rows.flatMap((row): readonly SiteRequest[] => {
          const content = requestIn(row);
          return content !== undefined && row.state === 'open' ? [{ row, content }] : [];
        });
        if (open.length === 0) return { headline: say`No request waits for a decision in this channel.` };
        return {
          headline: say`${strong(plural(open.length, 'request'))} ${open.length === 1 ? 'waits' : 'wait'} for a decision`,
          details: [
            {
              kind: 'table',
              columns: ['Site', 'For', 'Asked by', 'Reason', 'Found', 'Expires'],
              rows: open.map(({ row, content }) => [
                [siteInWords(row.site)],
                say`${lastsInWords(row.lasts).replace(/^for /, '')}`,
                askerInWords(content.from),
                say`${row.reason}`,
                findingsInWords(content),
                say`${moment(row.closesAt)}`,
              ]),
            },
            { kind: 'offers', offers: open.slice(0, mostDrawn).flatMap(offersOf) },
          ],
        };
      },
    };

    /** The buttons of its card, numbered as they stand in the table where there are several. */
    function offersOf(request: SiteRequest, index: number, { length }: readonly unknown[]): readonly Offer[] {
      const selfService = () => authority.policy().selfService;
      return requestButtons(request, { selfService, now }).map(({ label, token, detail = '' }) => ({
        label: length === 1 ? label : `${index + 1}: ${label}`,
        line: request.row.site,
        standing: { press: 'request', token, detail },
      }));
    }

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
          if (opened.isOwn)
            return {
              headline: say`You have requested ${siteInWords(request.site)} already, ${when(request.askedAt, now())}. It waits for a decision until ${when(request.expiresAt, now())}; you will get a direct message.`,
            };
          return {
            headline: say`${siteInWords(request.site)} was requested already, ${when(request.askedAt, now())}: your request was added to that one, and you will hear what is decided.`,
          };
        }
        case 'opened':
          return saidOf(opened, wanted);
      }
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
        default:
          return { headline: says };
      }
    }
  };
