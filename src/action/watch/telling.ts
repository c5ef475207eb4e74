import { isDeepStrictEqual } from 'node:util';
import { shortened } from '../../graphemes.ts';
import {
  code,
  elapsed,
  enumerate,
  moment,
  plainText,
  plural,
  type Reply,
  say,
  strong,
  type Text,
} from '../../handlers/reply.ts';
import type { WatchAnnouncement } from '../../handlers/watch/damping.ts';
import type { WatchRow } from '../../journal/journal.ts';
import { createSemaphore } from '../../semaphore.ts';
import { watchNotPosted } from '../../telemetry/events/watches.ts';
import type { Log } from '../../telemetry/log.ts';
import { ChatRefused, gotOut, type Place, type Said } from '../base/chat.ts';
import type { Parts } from '../ground/ground.ts';
import { type KeptWatch, keptWatch, nextLook, type WatchPost, watchToKeep } from '../target/watches.ts';
import type { DoneBefore } from './done-before.ts';
import type { EndWatch } from './ending.ts';
import {
  announcementOf,
  doneBefore,
  headlineOf,
  overNow,
  type ToldLine,
  type ToldWatch,
  texts,
  undoOffers,
} from './words.ts';

/** Tells a channel what was seen, all of it in as few messages as there can be, and when each is looked at next. */
type Tell = (channel: string, all: readonly ToTell[]) => Promise<void>;

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
  const turns = createSemaphore();
  const last = new Map<string, number>();

  return async (channel, all) => {
    const end = await turns.acquire(channel);
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

/** Says in the place of a message about what was wrong how all that stands there is by now. */
type Redraw = (channel: string, ts: string) => Promise<void>;

interface RedrawParts extends Pick<Parts, 'journal' | 'chat' | 'present'> {
  readonly toldOf: (row: WatchRow) => ToldWatch | undefined;
  readonly doneBefore: Pick<DoneBefore, 'standing'>;
}

export function createRedraw({ journal, chat, present, toldOf, doneBefore }: RedrawParts): Redraw {
  return async (channel, ts) => {
    // Another replica may change the same message with what it has seen: whoever comes last looks once more.
    for (let lines = await linesOf(channel, ts); lines.length > 0; ) {
      const drawn = lines;
      await gotOut(chat.edit({ channel, ts }, await present(problemOf(drawn), { channel })));
      lines = await linesOf(channel, ts);
      if (isDeepStrictEqual(lines, drawn)) return;
    }
  };

  async function linesOf(channel: string, ts: string): Promise<readonly ToldLine[]> {
    const lines: ToldLine[] = [];
    for (const row of await journal.watches(channel)) {
      const { post } = row.kind === 'watch' ? keptWatch(row) : {};
      const told = toldOf(row);
      if (post?.ts !== ts || told === undefined) continue;
      const { said, over } = post;
      const standing = post.done && (await doneBefore.standing(post.done));
      lines.push({ told, said, ...(over !== undefined && { over }), ...(standing ?? { undo: [] }) });
    }
    return lines;
  }
}

/** What was seen of one thing on watch, and is to be told. */
export interface ToTell {
  readonly row: WatchRow;
  readonly told: ToldWatch;
  readonly kept: KeptWatch & { readonly unsaid: WatchAnnouncement };
  /** It was looked at a moment ago, and was as is told. */
  readonly isSure: boolean;
}

interface Announced extends ToTell {
  readonly line: ToldLine;
}

/** A message that holds what is wrong tells of it again when it is over. */
const isOpen = ({ kept: { unsaid } }: Pick<ToTell, 'kept'>): boolean =>
  unsaid.kind !== 'news' && (unsaid.now.is !== 'fine' || unsaid.kind === 'flapping');

/** By which a message is found that tells of it first. */
function keyOf({ row, kept: { unsaid } }: ToTell): string {
  const moment = unsaid.kind === 'news' ? (unsaid.entries.at(-1)?.id ?? '') : unsaid.now.since;
  return `watch-${row.id}-${unsaid.kind}-${moment}`;
}

/** What is known of it when that has been told; without a message where nobody would take one. */
function afterwards(
  one: Announced,
  message: { readonly ts: string; readonly isBelow: boolean } | undefined,
): KeptWatch {
  const { unsaid, attempt: _, paused: __, post, ...kept } = one.kept;
  const open = post?.over === undefined ? post : undefined;
  if (unsaid.kind === 'news') return { ...kept, ...(post !== undefined && { post }) };
  if (!isOpen(one)) {
    return { ...kept, ...(open !== undefined && { post: { ...open, over: unsaid } }) };
  }
  // What is wrong, or keeps changing, goes on below that message, unless it is gone.
  if (message === undefined) return { ...kept, ...(open !== undefined && { post: open }) };
  if (open !== undefined && message.isBelow) return { ...kept, post: open };
  const { done, undo } = one.line;
  const begun: WatchPost = {
    ts: message.ts,
    said: unsaid,
    ...(done !== undefined && { done }),
    ...(undo.length > 0 && { isOffered: true as const }),
  };
  return { ...kept, post: begun };
}

/** What became of a message about something on watch. */
type Posted =
  | { readonly kind: 'stands'; readonly ts: string; readonly isBelow: boolean }
  /** `mayStand`: it may have got out. */
  | { readonly kind: 'later'; readonly mayStand: boolean }
  /** The channel takes nothing from the bot. */
  | { readonly kind: 'no_place'; readonly code: string }
  /** No channel would take it, however plain. */
  | { readonly kind: 'not_said' };

/** Says something once: in its thread if that takes it, else in the channel, and as plain as it must be. */
type PostOnce = (
  place: Place,
  reply: Reply,
  key: string,
  /** Since when it may stand there already; undefined where it does not. */
  since: number | undefined,
) => Promise<Posted>;

/** Characters of a message that was refused for what it says. */
const plainest = 1_000;

export function createPostOnce({
  chat,
  present,
  log,
}: Pick<Parts, 'chat' | 'present'> & { readonly log: Log }): PostOnce {
  return async ({ channel, card: thread }, reply, key, since) => {
    let below = thread;
    if (since !== undefined) {
      const found = await chat.find({ channel, card: below }, key, since);
      if (found.kind === 'try_later') return { kind: 'later', mayStand: true };
      if (found.kind === 'stands') return { ...found, isBelow: below !== undefined };
    }
    let said = await present(reply, { channel });
    for (let isPlain = false; ; ) {
      try {
        const ts =
          below === undefined
            ? await chat.post(channel, said, key)
            : await chat.reply({ channel, card: below, broadcast: true }, said, key);
        return { kind: 'stands', ts, isBelow: below !== undefined };
      } catch (error) {
        if (!(error instanceof ChatRefused)) throw error;
        const { code, about, isPassing, mayStand } = error;
        if (isPassing) return { kind: 'later', mayStand };
        if (about === 'place') return { kind: 'no_place', code };
        if (about === 'thread' && below !== undefined) below = undefined;
        else if (about === 'content' && !isPlain) {
          isPlain = true;
          said = plain(said);
        } else {
          log.tell(watchNotPosted, { channel, code });
          return { kind: 'not_said' };
        }
      }
    }
  };
}

/** Only what happened. */
const plain = ({ headline }: Said): Said => ({
  headline: headline
    .map((span) => (typeof span === 'string' ? shortened(span, plainest) : span))
    .slice(0, 20),
});

/** So many have a line of their own in a message, and of so many it is told what was done before. */
const most = { lines: 40, before: 3, named: 100 } as const;

/** What is or was wrong, as it stands now: one thing, or many that were seen at the same look. */
function problemOf(lines: readonly ToldLine[]): Reply {
  const merged = merge(lines);
  const [only] = merged;
  if (only !== undefined && merged.length === 1)
    return only.over === undefined ? announcementOf(only) : overNow(only.told, only.over);
  const over = merged.filter((one) => one.over !== undefined);
  const what = thingsIn(merged);
  const headline =
    over.length === 0
      ? say`${what} changed`
      : over.length === merged.length
        ? say`✅ ${what} changed and recovered`
        : say`${what} changed, of which ${thingsIn(over)} recovered`;
  return several(headline, merged);
}

/** What follows on that, or is all right. */
function followUpOf(lines: readonly ToldLine[]): Reply {
  const merged = merge(lines);
  const [only] = merged;
  if (only !== undefined && merged.length === 1) return announcementOf(only);
  const isRecovery = merged.every(({ said }) => said.kind === 'recovered');
  return several(say`${thingsIn(merged)} ${isRecovery ? 'recovered' : 'changed'}`, merged);
}

function several(headline: Text, lines: readonly ToldLine[]): Reply {
  // What is still wrong is read first.
  const sorted = [
    ...lines.filter(({ over }) => over === undefined),
    ...lines.filter(({ over }) => over !== undefined),
  ];
  const shown = sorted.slice(0, most.lines);
  const left = sorted.slice(most.lines).map(({ told }) => `${told.appliance} ${told.name}`);
  const named = left.slice(0, most.named);
  const rest = left.length > named.length ? [...named, `${left.length - named.length} more`] : named;
  const blamed = sorted.filter(({ done, over }) => done !== undefined && over === undefined);
  const beside = new Set(blamed.slice(0, most.before));
  return {
    headline,
    details: [
      { kind: 'list', items: shown.map((one) => lineOf(one, beside.has(one))) },
      ...(left.length === 0 ? [] : texts([say`And ${enumerate(rest)}.`])),
      {
        kind: 'offers',
        offers: [
          ...[...beside].flatMap(({ told, done, undo }) => undoOffers(done, undo, told.appliance)),
          { label: 'Watches', line: 'watches' },
        ],
      },
    ],
  };
}

function lineOf({ told, said, over, done }: ToldLine, isBlamed: boolean): Text {
  const what = say`${strong(told.appliance)} ${told.name}`;
  if (over?.kind === 'recovered')
    return say`✅ ${what} recovered after ${elapsed(over.now.since - over.since)}`;
  if (over !== undefined) return say`✅ ${what} is all right again`;
  const began = said.kind === 'changed' ? say` (since ${moment(said.now.since)})` : say``;
  const before = isBlamed && said.kind === 'changed' ? doneBefore(done, said.now.since) : [];
  return say`${headlineOf(told, said)}${began}${before.flatMap((one) => ['. ', ...one])}`;
}

/** One appliance under several watches that tell the same is one line. */
function merge(lines: readonly ToldLine[]): readonly ToldLine[] {
  const groups = Map.groupBy(lines, ({ told, said, over }) =>
    JSON.stringify([told.appliance, over === undefined, said.kind, sayingOf(over ?? said)]),
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const names = enumerate(group.map(({ told }) => told.name));
    return group.length === 1
      ? [first]
      : [{ ...first, told: { ...first.told, name: plainText(names) }, isMerged: true as const }];
  });
}

/** What makes two of them the same: nothing does where things have happened. */
const sayingOf = (said: WatchAnnouncement): string =>
  said.kind === 'news' ? (said.entries.at(-1)?.id ?? '') : `${said.kind} ${plainText(said.now.says)}`;

/** Appliances, or what is on watch of the only one. */
function thingsIn(lines: readonly ToldLine[]): Text {
  const appliances = new Set(lines.map(({ told }) => told.appliance));
  const [only = ''] = appliances;
  return appliances.size > 1
    ? say`${strong(plural(appliances.size, 'appliance'))}`
    : say`${strong(only)} ${enumerate(lines.map(({ told }) => told.name))}`;
}
