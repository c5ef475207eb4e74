import type { WatchAnnouncement } from '../../handlers/watch/damping.ts';
import type { WatchRow } from '../../journal/journal.ts';
import type { KeptWatch, WatchPost } from '../target/watches.ts';
import type { ToldLine, ToldWatch } from './words.ts';

/** What was seen of one thing on watch, and is to be told. */
export interface ToTell {
  readonly row: WatchRow;
  readonly told: ToldWatch;
  readonly kept: KeptWatch & { readonly unsaid: WatchAnnouncement };
  /** It was looked at a moment ago, and was as is told. */
  readonly isSure: boolean;
}

export interface Announced extends ToTell {
  readonly line: ToldLine;
}

/** A message that holds what is wrong tells of it again when it is over. */
export const isOpen = ({ kept: { unsaid } }: Pick<ToTell, 'kept'>): boolean =>
  unsaid.kind !== 'news' && (unsaid.now.is !== 'fine' || unsaid.kind === 'flapping');

/** By which a message is found that tells of it first. */
export function keyOf({ row, kept: { unsaid } }: ToTell): string {
  const moment = unsaid.kind === 'news' ? (unsaid.entries.at(-1)?.id ?? '') : unsaid.now.since;
  return `watch-${row.id}-${unsaid.kind}-${moment}`;
}

/** What is known of it when that has been told; without a message where nobody would take one. */
export function afterwards(
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
    ...{ ts: message.ts, said: unsaid },
    ...(done !== undefined && { done }),
    ...(undo.length > 0 && { isOffered: true as const }),
  };
  return { ...kept, post: begun };
}
