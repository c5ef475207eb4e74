/** What an action keeps of the site that somebody asks for who may not allow it. */

import { z } from 'zod';
import { codec, type Stored } from '../../codec.ts';
import { textShape } from '../../handlers/reply.ts';
import type { Action } from '../../journal/journal.ts';

const slackAsker = z.object({
  kind: z.literal('slack'),
  person: z.string(),
  channel: z.string(),
  /** They asked in a direct message. */
  isDirect: z.literal(true).optional(),
});

/** Of whom there is only what they say: nobody vouches for any of it. */
export type BlockPageAsker = Stored<typeof blockPageAsker>;
const blockPageAsker = z.object({
  kind: z.literal('block_page'),
  /** What the person calls herself. */
  said: z.string(),
  /** What the proxy says of her. */
  user: z.string().optional(),
  address: z.string().optional(),
});

/** Who asks: somebody whom Slack knows, or somebody before a block page. */
export type SiteAsker = Stored<typeof asker>;
export type SlackAsker = Stored<typeof slackAsker>;
const asker = z.discriminatedUnion('kind', [slackAsker, blockPageAsker]);

const time = {
  /** So long, in milliseconds, or until that moment; for good where both are absent. */
  lasts: z.number().optional(),
  until: z.number().optional(),
};

/** One appliance's word on the site. */
export type SiteFinding = Stored<typeof finding>;
const finding = z.object({
  appliance: z.string(),
  /**
   * `blocked`; `not_blocked`, and what is in the way is not the appliance; `unknown`: it was not tested. `not_found`: it is not on the
   * Internet: its name does not resolve, or to an address inside.
   */
  kind: z.enum(['blocked', 'not_blocked', 'unknown', 'not_found']),
  /** The verdict of `why` in a sentence. */
  says: textShape,
  /** What came of the test of the website, where there was one. */
  tested: textShape.optional(),
  /** None where they could not be read. */
  categories: z.array(z.object({ id: z.number(), name: z.string() })).optional(),
});

/** What somebody wants of a site. */
export type SiteWish = Stored<typeof wish>;
const wish = z.object({
  from: asker,
  reason: z.string(),
  /** When they asked. */
  at: z.number(),
  ...time,
});

export type SiteRequest = Stored<typeof requestShape>;
const requestShape = z.object({
  site: z.string(),
  /** For how long it would be allowed: as long as whoever asked first wanted it. */
  time: z.object(time),
  /** What everybody wants who asks for it, the first one first. */
  wishes: z.tuple([wish], wish),
  /** It is allowed until then already, and is wanted for longer. */
  extends: z.number().optional(),
  /** What was found, when it was asked for; empty until then. */
  findings: z.array(finding),
});

const requests = codec(requestShape);

export const requestToStore = requests.store;

/** Undefined where nobody asked for a site, and where it can no longer be read. */
export const siteRequestOf = ({ request }: Pick<Action, 'request'>): SiteRequest | undefined =>
  request === undefined ? undefined : requests.read(request);

/** By which a request is known in the channel where it is decided, whoever asks: of each site there is one at a time. */
export const siteKey = (channel: string, site: string): string => JSON.stringify(['site', channel, site]);

export const isSameAsker = (one: SiteAsker, other: SiteAsker): boolean =>
  one.kind === 'slack'
    ? other.kind === 'slack' && one.person === other.person
    : other.kind === 'block_page' &&
      one.said === other.said &&
      one.user === other.user &&
      one.address === other.address;

/** Those of them whom Slack knows; at the block page the page tells. */
export const slackAskers = ({ wishes }: SiteRequest): readonly string[] => [
  ...new Set(wishes.flatMap(({ from }) => (from.kind === 'slack' ? [from.person] : []))),
];

/** What this person wants of it. */
export const wishOf = ({ wishes }: SiteRequest, person: string): SiteWish | undefined =>
  wishes.find(({ from }) => from.kind === 'slack' && from.person === person);

/** The same without somebody; undefined where nobody else wants it. */
export function withoutAsker(request: SiteRequest, person: string): SiteRequest | undefined {
  const [first, ...others] = request.wishes.filter(
    ({ from }) => from.kind !== 'slack' || from.person !== person,
  );
  return first && { ...request, wishes: [first, ...others] };
}
