import { hash } from 'node:crypto';
import { z } from 'zod';
import { codec, optional, type Stored } from '../../codec.ts';
import { announcementShape, firstSeen, memoryShape } from '../../handlers/watch/damping.ts';
import type { Observation, WatchArgs, WatchStarted } from '../../handlers/watch/observation.ts';
import type { Recurrence } from '../../handlers/watch/recurrence.ts';
import type { Journal, WatchRow } from '../../journal/journal.ts';
import type { Authority } from '../authority/authority.ts';

/** What was done there shortly before: in the same channel, and when elsewhere. */
export type ChangesBefore = Stored<typeof changesBefore>;
const changesBefore = z.object({
  here: optional(
    z.object({
      action: z.string(),
      by: z.string(),
      line: z.string(),
      at: z.number(),
      undoneAt: optional(z.number()),
    }),
  ),
  elsewhere: optional(z.number()),
});

/** What a message tells of one thing on watch, which may be one of many there. */
export type WatchPost = Stored<typeof postShape>;
const postShape = z.object({
  ts: z.string(),
  said: announcementShape,
  /** How it came to its end. */
  over: optional(announcementShape),
  done: optional(changesBefore),
  /** Buttons that take that change back stand there. */
  isOffered: optional(z.literal(true)),
});

/** What is kept of a watch besides what was asked for. */
export type KeptWatch = Stored<typeof watchShape>;
const watchShape = z.object({
  memory: memoryShape,
  /** The message that tells of what is or was wrong last. */
  post: optional(postShape),
  /** What is to be told and was not yet, as far as is known. */
  unsaid: optional(announcementShape),
  /** By which key that may stand there already, and since when. */
  attempt: optional(z.object({ key: z.string(), at: z.number() })),
  /** Since when nothing of it can be told there, and whether its owner knows. */
  paused: optional(z.object({ since: z.number(), isTold: z.boolean() })),
  /** With whom the channel was shared when it was put on watch, or looked at last. */
  place: optional(z.enum(['own', 'shared'])),
});

const kept = codec(watchShape);

export const watchToKeep = kept.store;

/** Of one that can no longer be read, nothing is known: how it stands is seen anew. */
export const keptWatch = ({ state }: Pick<WatchRow, 'state'>): KeptWatch =>
  kept.read(state) ?? { memory: {} };

/** What was asked for with a watch. */
type WatchTerms = Stored<typeof termsShape>;
const termsShape = z.object({
  over: z.number().nullable(),
  quiet: z.string().nullable(),
  /** Those agreed whose approval the policy wanted. */
  approved: optional(z.boolean()),
});

const termsOf = codec(termsShape);
export const termsIn = ({ terms }: Pick<WatchRow, 'terms'>): WatchTerms =>
  termsOf.read(terms) ?? { over: null, quiet: null };

const recurrences = codec(
  z.object({ days: z.array(z.number()).min(1), minute: z.number().min(0).max(1439) }),
);
export const recurrenceToKeep = recurrences.store;
export const recurrenceIn = ({ terms }: Pick<WatchRow, 'terms'>): Recurrence | undefined =>
  recurrences.read(terms);

/** In milliseconds: a change is looked at twice, and told within a minute. */
const lookEvery = 40_000;

/** When an appliance is looked at next: together for all who watch something of it, and each at its own time. */
export function nextLook(at: number, appliance: string): number {
  const phase = Number.parseInt(hash('sha256', appliance).slice(0, 8), 16) % lookEvery;
  return Math.floor((at - phase) / lookEvery + 1) * lookEvery + phase;
}

interface WatchWanted extends Pick<WatchRow, 'team' | 'channel' | 'person' | 'subject'> {
  readonly appliance: string;
  readonly isApproved: boolean;
  /** Whether they may change what somebody else has set up. */
  readonly mayChange: () => Promise<boolean>;
}

/**
 * Has something looked at from now on. Where it is already, it stays whose it is, and what is known and told of it stays, too,
 * should it be wanted otherwise.
 */
export async function startWatching(
  {
    journal,
    authority,
    now,
  }: {
    readonly journal: Pick<Journal, 'watches' | 'startWatch' | 'changeWatch'>;
    readonly authority: Pick<Authority, 'placeOf'>;
    readonly now: () => number;
  },
  { appliance, isApproved, mayChange, ...row }: WatchWanted,
  first: Observation,
  args: WatchArgs,
): Promise<Omit<WatchStarted, 'isElsewhere'>> {
  const { channel, subject, person } = row;
  const terms: WatchTerms = {
    over: args.over ?? null,
    quiet: args.quiet ?? null,
    ...(isApproved && { approved: true }),
  };
  const there = (await journal.watches(channel)).find(
    (one) => one.kind === 'watch' && one.subject === subject && one.appliances.includes(appliance),
  );
  if (there === undefined) {
    const { id } = await journal.startWatch({
      kind: 'watch',
      ...row,
      appliances: [appliance],
      terms: termsOf.store(terms),
      state: watchToKeep({ memory: firstSeen(first, now()), ...(await placeNow(authority, channel)) }),
      nextAt: nextLook(now(), appliance),
    });
    return { kind: 'new', id, owner: person, terms: args };
  }
  const { id, person: owner } = there;
  const { over, quiet, approved } = termsIn(there);
  const stands = { id, owner, terms: { over: over ?? undefined, quiet: quiet ?? undefined } };
  if (over === terms.over && quiet === terms.quiet) return { kind: 'same', ...stands };
  if (owner !== person && !(await mayChange())) return { kind: 'not_yours', ...stands };
  await journal.changeWatch(id, termsOf.store({ ...terms, ...(approved && { approved }) }));
  return { kind: 'changed', id, owner, terms: args };
}

/** With whom a channel is shared; nothing where the chat does not say. */
export async function placeNow(
  authority: Pick<Authority, 'placeOf'>,
  channel: string,
): Promise<Pick<KeptWatch, 'place'>> {
  const place = await authority.placeOf(channel);
  return place === 'lookup_failed' ? {} : { place };
}
