import { code, say } from '../../handlers/reply.ts';
import { createSerialQueue } from '../../journal/storage/serial-queue.ts';
import type { Parts } from '../ground/ground.ts';
import { type KeptWatch, nextLook, watchToKeep } from '../target/watches.ts';
import type { DoneBefore } from './done-before.ts';
import type { EndWatch } from './ending.ts';
import { type Announced, afterwards, isOpen, keyOf, type ToTell } from './outcome.ts';
import type { PostOnce } from './posting.ts';
import type { Redraw } from './problems.ts';
import { followUpOf, problemOf } from './several.ts';
import type { ToldLine } from './words.ts';

/** Tells a channel what was seen, all of it in as few messages as there can be, and when each is looked at next. */
export type Tell = (channel: string, all: readonly ToTell[]) => Promise<void>;

/** So long after a message the next one waits for what is seen meanwhile, in milliseconds. */
const gather = 6_000;
/** What could not be told, or whose owner could not be looked up, is tried again; and so late where the channel takes nothing. */
export const tryAgainAfter = { soon: 20_000, paused: 5 * 60_000 } as const;
/** What goes on below more messages than that is told in one. */
const mostThreads = 3;

interface TellParts extends Pick<Parts, 'journal' | 'now'> {
  readonly postOnce: PostOnce;
  readonly doneBefore: DoneBefore;
  readonly ending: Pick<EndWatch, 'tellPaused' | 'resumed'>;
  readonly redraw: Redraw;
}

/** What is told in one message, which may stand below another one. */
interface Group {
  readonly below: string | undefined;
  readonly all: readonly ToTell[];
}

export function createTell({ journal, now, postOnce, doneBefore, ending, redraw }: TellParts): Tell {
  const turns = createSerialQueue();
  const last = new Map<string, number>();

  return async (channel, all) => {
    const end = await turns.take(channel);
    try {
      const from = (last.get(channel) ?? Number.NEGATIVE_INFINITY) + gather;
      const isTried = all.some(({ kept }) => kept.attempt !== undefined);
      if (now() < from && !isTried) {
        for (const { row, kept } of all) await journal.watched(row.id, watchToKeep(kept), from);
        return;
      }
      for (const group of groupsOf(all)) await tellGroup(channel, group);
    } finally {
      end();
    }
  };

  async function tellGroup(channel: string, { below, all }: Group): Promise<void> {
    const [first] = all;
    if (first === undefined) return;
    const since = first.kept.attempt?.at;
    const attempt = first.kept.attempt ?? { key: keyOf(first), at: now() };
    const here: Announced[] = [];
    for (const one of all) {
      const kept = { ...one.kept, attempt };
      // Written down first: it is told whatever becomes of this process, and once.
      if (await journal.noteWatch(one.row.id, watchToKeep(kept)))
        here.push(await announced({ ...one, kept }));
    }
    if (here.length === 0) return;
    const lines = here.map(({ line }) => line);
    const reply = below === undefined && here.some(isOpen) ? problemOf(lines) : followUpOf(lines);
    const posted = await postOnce({ channel, card: below }, reply, attempt.key, since);
    if (posted.kind === 'stands') {
      last.set(channel, now());
      ending.resumed(channel);
    }
    if (posted.kind === 'no_place') {
      for (const { row } of here)
        await ending.tellPaused(row, say`Slack takes no messages there (${code(posted.code)})`);
    }
    const changed = new Set<string>();
    for (const one of here) {
      const { row, kept, isSure } = one;
      switch (posted.kind) {
        case 'stands':
        case 'not_said': {
          const told = afterwards(one, posted.kind === 'stands' ? posted : undefined);
          if (
            told.post?.over !== undefined &&
            kept.post?.over === undefined &&
            told.post.ts === kept.post?.ts
          )
            changed.add(told.post.ts);
          await journal.watched(
            row.id,
            watchToKeep(told),
            isSure ? nextLook(now(), row.appliances[0] ?? '') : now(),
          );
          break;
        }
        case 'later': {
          const next = posted.mayStand ? kept : withoutAttempt(kept);
          await journal.watched(row.id, watchToKeep(next), now() + tryAgainAfter.soon);
          break;
        }
        case 'no_place': {
          const paused = { since: kept.paused?.since ?? now(), isTold: true };
          const next = { ...withoutAttempt(kept), paused };
          await journal.watched(row.id, watchToKeep(next), now() + tryAgainAfter.paused);
        }
      }
    }
    // What stands there as wrong is not so any more.
    for (const ts of changed) await redraw(channel, ts);
  }

  async function announced(one: ToTell): Promise<Announced> {
    const { row, told, kept } = one;
    const { unsaid: said } = kept;
    const found =
      said.kind === 'changed' && said.now.is !== 'fine'
        ? await doneBefore.find(row, kept, told.appliance, said.now.since)
        : undefined;
    if (found === undefined) return { ...one, line: { told, said, undo: [] } };
    const { done, undo } = await doneBefore.standing(found);
    const line: ToldLine = { told, said, done, undo };
    return { ...one, line };
  }
}

function withoutAttempt({ attempt: _, ...kept }: KeptWatch): KeptWatch {
  return kept;
}

/** What may stand there already is looked for as it was sent; the others by the message that they belong below. */
function groupsOf(all: readonly ToTell[]): readonly Group[] {
  const tried = all.filter(({ kept }) => kept.attempt !== undefined);
  const fresh = all.filter(({ kept }) => kept.attempt === undefined);
  const again = [...Map.groupBy(tried, ({ kept }) => kept.attempt?.key).values()];
  const threads = Map.groupBy(fresh, belowOf);
  const own = threads.get(undefined) ?? [];
  threads.delete(undefined);
  const below = [...threads];
  const isCrowded = below.length > mostThreads;
  return [
    ...again.map((group) => ({ below: group[0] && belowOf(group[0]), all: group })),
    ...(own.length === 0 ? [] : [{ below: undefined, all: own }]),
    ...(isCrowded
      ? [{ below: undefined, all: below.flatMap(([, group]) => group) }]
      : below.map(([ts, group]) => ({ below: ts, all: group }))),
  ];
}

/** What follows on a problem stands below it, and is seen in the channel, too. */
const belowOf = ({ kept: { post, unsaid } }: ToTell): string | undefined =>
  post === undefined || post.over !== undefined || unsaid.kind === 'news' ? undefined : post.ts;
