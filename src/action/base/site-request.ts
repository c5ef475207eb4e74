/** What an action keeps of the site that somebody asks for who may not allow it. */

import { z } from 'zod';
import { type Text, textShape } from '../../handlers/reply.ts';
import { codec, optional } from '../../journal/codec.ts';
import type { Action } from '../../journal/journal.ts';

/** Who asks: somebody whom Slack knows, or somebody before a block page. */
export type SiteAsker = SlackAsker | BlockPageAsker;

export interface SlackAsker {
  readonly kind: 'slack';
  readonly person: string;
  readonly channel: string;
  /** They asked in a direct message. */
  readonly isDirect?: true | undefined;
}

/** Of whom there is only what they say: nobody vouches for any of it. */
export interface BlockPageAsker {
  readonly kind: 'block_page';
  /** What the person calls herself. */
  readonly said: string;
  /** What the proxy says of her. */
  readonly user?: string | undefined;
  readonly address?: string | undefined;
}

/** One appliance's word on the site. */
export interface SiteFinding {
  readonly appliance: string;
  /**
   * `blocked`; `not_blocked`, and what is in the way is not the appliance; `unknown`: it was not tested. `not_found`: it is not on the
   * Internet: its name does not resolve, or to an address inside.
   */
  readonly kind: 'blocked' | 'not_blocked' | 'unknown' | 'not_found';
  /** The verdict of `why` in a sentence. */
  readonly says: Text;
  /** What came of the test of the website, where there was one. */
  readonly tested?: Text | undefined;
  /** None where they could not be read. */
  readonly categories?: readonly { readonly id: number; readonly name: string }[] | undefined;
}

/** What somebody wants of a site. */
export interface SiteWish {
  readonly from: SiteAsker;
  /** So long, in milliseconds, or until that moment; for good where both are absent. */
  readonly lasts?: number | undefined;
  readonly until?: number | undefined;
  readonly reason: string;
  /** When they asked. */
  readonly at: number;
}

export interface SiteRequest {
  readonly site: string;
  /** For how long it would be allowed: as long as whoever asked first wanted it. */
  readonly time: Pick<SiteWish, 'lasts' | 'until'>;
  /** What everybody wants who asks for it, the first one first. */
  readonly wishes: readonly [SiteWish, ...SiteWish[]];
  /** It is allowed until then already, and is wanted for longer. */
  readonly extends?: number | undefined;
  /** What was found, when it was asked for; empty until then. */
  readonly findings: readonly SiteFinding[];
}

const asker = z.discriminatedUnion('kind', [
  z.object({
    ...{ kind: z.literal('slack'), person: z.string(), channel: z.string() },
    isDirect: optional(z.literal(true)),
  }),
  z.object({
    ...{ kind: z.literal('block_page'), said: z.string() },
    ...{ user: optional(z.string()), address: optional(z.string()) },
  }),
]) satisfies z.ZodType<SiteAsker>;

const time = { lasts: optional(z.number()), until: optional(z.number()) };
const wish = z.object({
  ...{ from: asker, reason: z.string(), at: z.number(), ...time },
}) satisfies z.ZodType<SiteWish>;

const requests = codec<SiteRequest>(
  z.object({
    site: z.string(),
    time: z.object(time),
    wishes: z.tuple([wish], wish),
    extends: optional(z.number()),
    findings: z.array(
      z.object({
        appliance: z.string(),
        kind: z.enum(['blocked', 'not_blocked', 'unknown', 'not_found']),
        says: textShape,
        tested: optional(textShape),
        categories: optional(z.array(z.object({ id: z.number(), name: z.string() }))),
      }),
    ),
  }),
);

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
