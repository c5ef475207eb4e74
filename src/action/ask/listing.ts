import {
  moment,
  type Offer,
  type Part,
  plural,
  type Reply,
  say,
  strong,
  type Text,
} from '../../handlers/reply.ts';
import type { Parts } from '../ground/ground.ts';
import { requestButtons } from '../requests/card.ts';
import { requestsIn, type SiteRequest, wishOf } from '../requests/site-request.ts';
import { closingAt, longestOf, type WantedTime } from '../requests/wanted.ts';
import {
  askerInWords,
  findingsInWords,
  lastsInWords,
  siteInWords,
  standingForAsker,
  timeInWords,
} from '../requests/words.ts';

import type { BarToDecide } from './may-decide.ts';

/** What somebody has asked for, and what waits in a channel to whoever may see that. */
export type RequestList = (asker: { readonly person: string; readonly channel: string }) => Promise<Reply>;

const listPhrase = 'requests';
/** More would be a wall of buttons; each stands on its card, too. */
const mostDrawn = 5;
/** What is over is told to whoever asked as long as this, in milliseconds. */
const lately = 24 * 60 * 60_000;

export function createRequestList(parts: Parts & { readonly bar: BarToDecide }): RequestList {
  const { authority, journal, commandByPhrase, bar, now } = parts;
  const terms = { selfService: () => authority.policy().selfService, now };

  return async (asker) => {
    const [open, own] = await Promise.all([
      openIn(asker),
      journal.siteRequestsOf(asker.person, now() - lately).then(requestsIn),
    ]);
    if (open === undefined)
      return own.length === 0 ? none : { headline: ownInWords(own), details: ownParts(own, asker.person) };
    const bars = await Promise.all(open.map((one) => bar(asker, one)));
    const offers = open
      .map((one, index) => (bars[index] === undefined ? offersOf(one, index, open.length) : []))
      .slice(0, mostDrawn)
      .flat();
    return {
      headline:
        open.length === 0
          ? say`No request for a website waits for a decision in this channel.`
          : say`${strong(plural(open.length, 'request'))} ${open.length === 1 ? 'waits' : 'wait'} for a decision`,
      details: [
        ...(open.length === 0 ? [] : [openTable(open, now())]),
        ...(offers.length === 0 ? [] : [{ kind: 'offers', offers } as const]),
        ...(own.length === 0
          ? []
          : [{ kind: 'text', text: ownInWords(own) } as const, ...ownParts(own, asker.person)]),
      ],
    };
  };

  /** What waits there is for those with a role. Whoever only may ask knows of their own. */
  async function openIn({
    person,
    channel,
  }: Parameters<RequestList>[0]): Promise<readonly SiteRequest[] | undefined> {
    const command = commandByPhrase.get(listPhrase);
    if (command === undefined) throw new Error(`There is no command ${listPhrase}`);
    const decision = await authority.decide({
      ...{ person, channel, command, access: 'run' },
      ...{ args: {}, appliances: 'none', lasts: 'any' },
    });
    if (!decision.allow || decision.by.length === 0) return undefined;
    const rows = await journal.siteRequestsIn([channel]);
    return requestsIn(rows).filter(({ row }) => row.state === 'open');
  }

  /** The buttons of its card, numbered as they stand in the table where there are several. */
  function offersOf(request: SiteRequest, index: number, count: number): readonly Offer[] {
    return requestButtons(request, terms).map(({ label, token, detail = '' }) => ({
      label: count === 1 ? label : `${index + 1}: ${label}`,
      line: request.row.site,
      standing: { press: 'request', token, detail },
    }));
  }

  function ownParts(own: readonly SiteRequest[], person: string): readonly Part[] {
    const sites = own.filter(({ row }) => row.state === 'open').map(({ row }) => row.site);
    const offers = sites.slice(0, mostDrawn).map((site) => ({
      label: sites.length === 1 ? 'Withdraw' : `Withdraw ${site}`,
      line: `withdraw ${site}`,
    }));
    return [ownTable(own, person), ...(offers.length === 0 ? [] : [{ kind: 'offers', offers } as const])];
  }

  function ownTable(own: readonly SiteRequest[], person: string): Part {
    return {
      kind: 'table',
      columns: ['Site', 'For', 'Reason', 'Asked', 'How it stands'],
      rows: own.map((one) => [
        [siteInWords(one.row.site)],
        inColumn(wishOf(one, person), now()),
        say`${wishOf(one, person).reason}`,
        say`${moment(one.row.createdAt)}`,
        standingForAsker(one, now()),
      ]),
    };
  }
}

const openTable = (open: readonly SiteRequest[], now: number): Part => ({
  kind: 'table',
  columns: ['Site', 'For', 'Asked by', 'Reason', 'Found', 'Expires'],
  rows: open.map(({ row, content }) => [
    [siteInWords(row.site)],
    inColumn(longestOf({ row, content }, now), now),
    askerInWords(content.from),
    say`${row.reason}`,
    findingsInWords(content),
    say`${moment(closingAt({ row, content }))}`,
  ]),
});

/** Below “For”. */
const inColumn = (wanted: WantedTime, now: number): Text =>
  wanted.until === undefined
    ? say`${lastsInWords(wanted.lasts).replace(/^for /, '')}`
    : timeInWords(wanted, now);

const none: Reply = { headline: say`You have requested no site lately.` };

const ownInWords = (own: readonly SiteRequest[]) =>
  say`You have requested ${strong(plural(own.length, 'site'))}:`;
