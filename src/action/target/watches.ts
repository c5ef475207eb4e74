import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { textShape } from '../../handlers/reply.ts';
import {
  type ConditionSince,
  firstSeen,
  type WatchAnnouncement,
  type WatchMemory,
} from '../../handlers/watch/damping.ts';
import type { Recurrence } from '../../handlers/watch/list.ts';
import type { Observation, WatchArgs, WatchNews } from '../../handlers/watch/observation.ts';
import { codec, optional } from '../../journal/codec.ts';
import type { Journal, WatchRow } from '../../journal/journal.ts';

/** What is kept of a watch besides what was asked for. */
export interface KeptWatch {
  readonly memory: WatchMemory;
  /** The message of what is wrong, while it is. */
  readonly message?: string;
  /** What is to be told and was not yet, as far as is known. */
  readonly unsaid?: WatchAnnouncement;
}

const condition = z.object({
  is: z.enum(['fine', 'problem', 'unasked']),
  key: z.string(),
  says: textShape,
  since: z.number(),
}) satisfies z.ZodType<ConditionSince>;

const news = z.object({ id: z.string(), says: textShape }) satisfies z.ZodType<WatchNews>;

const kept = codec<KeptWatch>(
  z.object({
    memory: z.object({
      now: optional(condition),
      doubt: optional(condition),
      known: optional(condition),
      meanwhile: optional(condition),
      openSince: optional(z.number()),
      changes: optional(z.array(z.number())),
      flapping: optional(z.object({ since: z.number() })),
      told: optional(z.array(z.string())),
    }),
    message: optional(z.string()),
    unsaid: optional(
      z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('changed'), before: condition, now: condition, wasQuiet: z.boolean() }),
        z.object({
          ...{ kind: z.literal('recovered'), before: condition, now: condition },
          ...{ since: z.number(), wasQuiet: z.boolean() },
        }),
        z.object({ kind: z.literal('flapping'), now: condition, times: z.number(), since: z.number() }),
        z.object({ kind: z.literal('steady'), now: condition, since: z.number() }),
        z.object({
          ...{ kind: z.literal('passed'), was: textShape, now: condition },
          ...{ from: z.number(), to: z.number() },
        }),
        z.object({ kind: z.literal('news'), entries: z.array(news) }),
      ]),
    ),
  }),
);

export const watchToKeep = kept.store;

/** Of one that can no longer be read, nothing is known: how it stands is seen anew. */
export const keptWatch = ({ state }: Pick<WatchRow, 'state'>): KeptWatch =>
  kept.read(state) ?? { memory: {} };

const termsOf = codec<{ readonly over: number | null; readonly quiet: string | null }>(
  z.object({ over: z.number().nullable(), quiet: z.string().nullable() }),
);
export const termsIn = ({ terms }: Pick<WatchRow, 'terms'>) =>
  termsOf.read(terms) ?? { over: null, quiet: null };

const recurrences = codec<Recurrence>(
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

/** Has something looked at from now on. Not new where the same is already; with other terms it takes the place of that. */
export async function startWatching(
  {
    journal,
    now,
  }: { readonly journal: Pick<Journal, 'watches' | 'startWatch' | 'stopWatch'>; readonly now: () => number },
  {
    appliance,
    subject,
    channel,
    ...who
  }: Pick<WatchRow, 'team' | 'channel' | 'person' | 'subject'> & { readonly appliance: string },
  first: Observation,
  { over, quiet }: WatchArgs,
): Promise<{ readonly isNew: boolean }> {
  const terms = termsOf.store({ over: over ?? null, quiet: quiet ?? null });
  const same = (await journal.watches(channel)).filter(
    (one) => one.kind === 'watch' && one.subject === subject && one.appliances.includes(appliance),
  );
  if (same.some((one) => isDeepStrictEqual(one.terms, terms))) return { isNew: false };
  for (const { id } of same) await journal.stopWatch(id);
  await journal.startWatch({
    ...{ kind: 'watch', ...who, channel, subject, appliances: [appliance], terms },
    state: watchToKeep({ memory: firstSeen(first, now()) }),
    nextAt: nextLook(now(), appliance),
  });
  return { isNew: true };
}
