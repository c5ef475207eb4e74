/** What is kept of a site that somebody asks for, beside the columns of its row. */

import { z } from 'zod';
import { type Text, textShape } from '../../handlers/reply.ts';
import { codec, optional } from '../../journal/codec.ts';
import type { SiteRequestRow } from '../../journal/journal.ts';
import type { AskedIn } from '../base/chat.ts';
import { askedInShape } from '../base/shapes.ts';

/** Who asks: somebody whom Slack knows, or somebody before a block page. */
export type RequestAsker = SlackAsker | BlockPageAsker;

export interface SlackAsker {
  readonly kind: 'slack';
  readonly person: string;
  readonly channel: string;
  readonly askedIn?: AskedIn | undefined;
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
   * `blocked`; `works`, through the proxy; `not_blocked`, and what is in the way is not the appliance; `unknown`: it was not tested. `not_found`: it is not
   * on the Internet: its name does not resolve, or to an address inside.
   */
  readonly kind: 'blocked' | 'works' | 'not_blocked' | 'unknown' | 'not_found';
  /** The verdict of `why` in a sentence. */
  readonly says: Text;
  /** What came of the test of the website, where there was one. */
  readonly tested?: Text | undefined;
  /** None where they could not be read. */
  readonly categories?: readonly { readonly id: number; readonly name: string }[] | undefined;
}

/** How a request came to its end. */
export interface RequestEnding {
  readonly kind:
    | 'not_blocked'
    | 'not_found'
    | 'not_askable'
    | 'denied'
    | 'expired'
    | 'allowed'
    | 'kept'
    | 'withdrawn'
    | 'continued'
    | 'over'
    | 'not_posted';
  readonly at: number;
  readonly by?: string | undefined;
  /** Why, in words of a person or of the bot. */
  readonly says: Text;
}

export interface SiteRequestContent {
  readonly from: RequestAsker;
  /** Who asked for the same since. */
  readonly joined: readonly {
    readonly from: RequestAsker;
    readonly lasts?: number | undefined;
    readonly until?: number | undefined;
    readonly reason: string;
    readonly at: number;
  }[];
  /** Whoever asked first wants it until that moment. */
  readonly wantedUntil?: number | undefined;
  /** When it was looked, and what was found; empty where no appliance could be asked. */
  readonly checkedAt?: number | undefined;
  readonly findings: readonly SiteFinding[];
  /** Those that could not be asked, with the reason. */
  readonly unchecked: readonly { readonly appliance: string; readonly why: string }[];
  /** Since when it is tried to look, or to see that it works. */
  readonly tryingSince?: number | undefined;
  /** Who pressed Allow last, and when; how often it was pressed. */
  readonly allowed?: { readonly by: string; readonly at: number } | undefined;
  readonly attempts: number;
  /** What came of the last try to allow it, where it did not go through. */
  readonly notice?: Text | undefined;
  /** Since when it works, or when it was last seen that it does not; and when it ends. */
  readonly works?:
    | {
        readonly is: boolean;
        readonly at: number;
        readonly says: Text;
        /** The appliances where that could not be seen. */
        readonly unseen?: readonly string[] | undefined;
      }
    | undefined;
  readonly until?: number | undefined;
  /** It is allowed until then already, and is wanted for longer: `lasts` is how much longer. Gone where that has ended since. */
  readonly extends?: { readonly until: number } | undefined;
  /** Its time is over, and it could not be ended so far. */
  readonly isLate?: true | undefined;
  /** Whoever pressed Allow has a form to send first, until then: it counts as that press. */
  readonly formUntil?: number | undefined;
  readonly ending?: RequestEnding | undefined;
  /** Who could not be told of it in person, and why, as Slack calls it. */
  readonly untold?: readonly { readonly person: string; readonly why: string }[] | undefined;
}

const asker = z.discriminatedUnion('kind', [
  z.object({
    ...{ kind: z.literal('slack'), person: z.string(), channel: z.string() },
    askedIn: optional(askedInShape),
  }),
  z.object({
    ...{ kind: z.literal('block_page'), said: z.string() },
    ...{ user: optional(z.string()), address: optional(z.string()) },
  }),
]) satisfies z.ZodType<RequestAsker>;

const contents = codec<SiteRequestContent>(
  z.object({
    from: asker,
    joined: z.array(
      z.object({
        ...{ from: asker, reason: z.string(), at: z.number() },
        ...{ lasts: optional(z.number()), until: optional(z.number()) },
      }),
    ),
    wantedUntil: optional(z.number()),
    checkedAt: optional(z.number()),
    findings: z.array(
      z.object({
        appliance: z.string(),
        kind: z.enum(['blocked', 'works', 'not_blocked', 'unknown', 'not_found']),
        says: textShape,
        tested: optional(textShape),
        categories: optional(z.array(z.object({ id: z.number(), name: z.string() }))),
      }),
    ),
    unchecked: z.array(z.object({ appliance: z.string(), why: z.string() })),
    tryingSince: optional(z.number()),
    allowed: optional(z.object({ by: z.string(), at: z.number() })),
    attempts: z.number(),
    notice: optional(textShape),
    works: optional(
      z.object({
        ...{ is: z.boolean(), at: z.number(), says: textShape },
        unseen: optional(z.array(z.string())),
      }),
    ),
    until: optional(z.number()),
    extends: optional(z.object({ until: z.number() })),
    isLate: optional(z.literal(true)),
    untold: optional(z.array(z.object({ person: z.string(), why: z.string() }))),
    formUntil: optional(z.number()),
    ending: optional(
      z.object({
        kind: z.enum([
          'not_blocked',
          'not_found',
          'not_askable',
          'denied',
          'expired',
          'allowed',
          'kept',
          'withdrawn',
          'continued',
          'over',
          'not_posted',
        ]),
        ...{ at: z.number(), by: optional(z.string()), says: textShape },
      }),
    ),
  }),
);

export const requestToKeep = contents.store;

/** Undefined where it can no longer be read. */
export const requestIn = ({ content }: Pick<SiteRequestRow, 'content'>): SiteRequestContent | undefined =>
  contents.read(content);

/** A request with what is kept of it. */
export interface SiteRequest {
  readonly row: SiteRequestRow;
  readonly content: SiteRequestContent;
}

/** Those that can be read. */
export const requestsIn = (rows: readonly SiteRequestRow[]): readonly SiteRequest[] =>
  rows.flatMap((row) => {
    const content = requestIn(row);
    return content === undefined ? [] : [{ row, content }];
  });

/** All who are told of it. */
export const askersOf = ({ from, joined }: SiteRequestContent): readonly RequestAsker[] => [
  from,
  ...joined.map((one) => one.from),
];

/** What somebody wants of a site. */
export interface SiteWish {
  readonly from: RequestAsker;
  /** So long, in milliseconds, or until that moment; for good where both are undefined. */
  readonly lasts: number | undefined;
  readonly until: number | undefined;
  readonly reason: string;
  /** When they joined; undefined for whoever asked first. */
  readonly at: number | undefined;
}

/** What each of them wants. */
export const wishesOf = ({ row, content }: SiteRequest): readonly [SiteWish, ...SiteWish[]] => [
  {
    ...{ from: content.from, lasts: row.lasts, until: content.wantedUntil },
    ...{ reason: row.reason, at: undefined },
  },
  ...content.joined.map(({ from, lasts, until, reason, at }) => ({ from, lasts, until, reason, at })),
];

/** What somebody wants whom Slack knows; what was asked for first, where they have not asked. */
export function wishOf(request: SiteRequest, person: string): SiteWish {
  const all = wishesOf(request);
  return all.find(({ from }) => from.kind === 'slack' && from.person === person) ?? all[0];
}

export const isSameAsker = (one: RequestAsker, other: RequestAsker): boolean =>
  one.kind === 'slack'
    ? other.kind === 'slack' && one.person === other.person
    : other.kind === 'block_page' &&
      one.said === other.said &&
      one.user === other.user &&
      one.address === other.address;

/** By which the action is known that a press of Allow has led to. */
export const deliveryOf = ({ id }: Pick<SiteRequestRow, 'id'>, attempt: number): string =>
  `request:${id}:${attempt}`;

export const isOfRequest = (delivery: string | undefined): boolean =>
  delivery?.startsWith('request:') === true;
