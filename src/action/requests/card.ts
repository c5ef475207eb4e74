import { broadFields, broadSites } from '../../handlers/broad.ts';
import { channel, moment, say, type Text } from '../../handlers/reply.ts';
import { when } from '../../handlers/wording/when.ts';
import type { Journal } from '../../journal/journal.ts';
import type { Button, Chat, Place, Said } from '../base/chat.ts';
import { barredBy, type CategoryTerms } from './askable.ts';
import { type RequestAsker, requestIn, type SiteRequest, wishesOf } from './site-request.ts';
import { closingAt, leftOf, longestOf } from './wanted.ts';
import {
  askerInWords,
  categoriesInWords,
  findingsInWords,
  lastsInWords,
  standingOf,
  testsInWords,
  timeInWords,
  untoldInWords,
} from './words.ts';

/**
 * Draws the card of a request as it now stands, or posts it where it does not stand yet. `standing` looks whether it got out before.
 * Rejects with `ChatRefused`.
 */
export type DrawRequest = (
  id: string,
  key: string,
  standing: (place: Place) => Promise<string | undefined>,
) => Promise<void>;

/** The policy, as far as a card hangs on it. */
export interface RequestTerms {
  readonly selfService: () =>
    | (CategoryTerms & { readonly longest: number; readonly forGood: boolean })
    | undefined;
  readonly now: () => number;
}

export function createDrawRequest(
  chat: Pick<Chat, 'post' | 'edit'>,
  journal: Pick<Journal, 'siteRequest' | 'placedSiteRequest'>,
  terms: RequestTerms,
): DrawRequest {
  return async (id, key, standing) => {
    const request = await read(id);
    if (request === undefined) return;
    const { row } = request;
    const { channel: place } = row;
    const card = row.card ?? (await standing({ channel: place }));
    if (card === undefined) {
      const posted = await chat.post(place, requestCard(request, terms), key);
      return journal.placedSiteRequest(id, posted);
    }
    if (row.card === undefined) await journal.placedSiteRequest(id, card);
    await draw(request, card);
  };

  async function read(id: string): Promise<SiteRequest | undefined> {
    const row = await journal.siteRequest(id);
    const content = row && requestIn(row);
    return content && { row, content };
  }

  /** Another replica may have changed it meanwhile: what was late must not stay in its place. */
  async function draw(request: SiteRequest, card: string): Promise<void> {
    const { id, channel: place, revision } = request.row;
    await chat.edit({ channel: place, ts: card }, requestCard(request, terms));
    const current = await read(id);
    if (current !== undefined && current.row.revision !== revision) await draw(current, card);
  }
}

/** Everything that whoever decides has to know, and while it is open the buttons. */
function requestCard(request: SiteRequest, terms: RequestTerms): Said {
  const { row, content } = request;
  const now = terms.now();
  const { notice, joined, untold = [] } = content;
  const isOpen = row.state === 'open';
  const categories = categoriesInWords(content);
  const tests = testsInWords(content);
  return {
    headline: standingOf(request, now),
    details: [
      {
        kind: 'fields',
        fields: [
          // Its headline says so while nobody else asks for it.
          ...(isOpen && joined.length === 0
            ? []
            : [
                {
                  name: 'Asked by',
                  value: say`${askerInWords(content.from)} ${timeInWords(wishesOf(request)[0], now)}`,
                },
              ]),
          { name: 'Reason', value: say`${row.reason}` },
          ...broadFields(broadSites([row.site]), 1),
          ...joined.map((one) => ({
            name: 'Also asked by',
            value: say`${askerInWords(one.from)} ${timeInWords(one, now)}: ${one.reason}`,
          })),
          { name: isOpen ? 'Found' : 'Found before', value: foundInWords(request) },
          ...(tests === undefined ? [] : [{ name: 'Tested', value: tests }]),
          ...(categories === undefined ? [] : [{ name: 'Categories', value: categories }]),
          { name: 'Asked in', value: placeInWords(content.from, row.createdAt, now) },
          ...(untold.length === 0 ? [] : [{ name: 'Not told', value: untoldInWords(untold) }]),
          ...(isOpen ? [{ name: 'Expires', value: say`${when(closingAt(request), now)}` }] : []),
        ],
      },
      ...(isOpen && notice !== undefined ? [{ kind: 'text', text: notice } as const] : []),
      ...(isOpen && isUnread(request, terms) ? [{ kind: 'text', text: unreadInWords } as const] : []),
      ...(isOpen ? [{ kind: 'buttons', buttons: requestButtons(request, terms) } as const] : []),
    ],
  };
}

/** Until they are read, it may be one of those that the policy excludes. */
function isUnread({ content }: Pick<SiteRequest, 'content'>, { selfService }: RequestTerms): boolean {
  const policy = selfService();
  return policy !== undefined && barredBy(policy, content) === 'unread';
}

const unreadInWords = say`⚠ Its categories can’t be read now, and sites of some categories can’t be requested. It can be allowed when they are read; that is tried every minute.`;

const foundInWords = ({ content }: SiteRequest): Text => {
  const found = findingsInWords(content);
  return found.length === 0 ? say`not checked yet` : found;
};

function placeInWords(from: RequestAsker, at: number, now: number): Text {
  const time = now - at < 12 * 60 * 60_000 ? when(at, now) : moment(at);
  if (from.kind === 'block_page') return say`the block page, ${time}`;
  return from.askedIn?.direct !== undefined || from.channel.startsWith('D')
    ? say`a direct message, ${time}`
    : say`${channel(from.channel)}, ${time}`;
}

/** What those who decide can do. How long is capped by what the policy lets now. */
export function requestButtons(request: SiteRequest, terms: RequestTerms): readonly Button[] {
  const { row } = request;
  const { longest = 0, forGood = false } = (isUnread(request, terms) ? undefined : terms.selfService()) ?? {};
  const button = (label: string, detail: string) => ({
    ...({ press: 'request', label, token: row.id, detail } as const),
    about: row.site,
  });
  return [
    ...allowing(request, longest, terms.now()).map(
      ([label, detail]) => ({ ...button(label, detail), style: 'primary' }) as const,
    ),
    ...(forGood ? [button('Allow for good', 'good')] : []),
    button('Deny…', 'deny'),
  ];
}

/**
 * For as long as it is wanted, and never longer from now on than the policy lets. Of a time the headline says which: a label is the same
 * text for people in all zones.
 */
function allowing(
  request: SiteRequest,
  longest: number,
  now: number,
): readonly (readonly [label: string, detail: string])[] {
  const { content } = request;
  const { lasts, until, ...wish } = longestOf(request, now);
  const left = leftOf({ ...wish, lasts, until }, content, now);
  if (longest === 0 || left === 0) return [];
  const isMore = content.extends !== undefined;
  if (left > longest)
    return [[`Allow ${lastsInWords(longest)}${isMore ? ' from now' : ''}`, `for:${longest}`]];
  if (until !== undefined) return [['Allow until then', `until:${until}`]];
  return [
    isMore
      ? [`Allow ${lastsInWords(lasts)} more`, `more:${lasts}`]
      : [`Allow ${lastsInWords(lasts)}`, `for:${lasts}`],
  ];
}
