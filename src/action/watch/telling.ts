import type { WatchAnnouncement } from '../../handlers/watch/damping.ts';
import type { WatchRow } from '../../journal/journal.ts';
import { ChatRefused, type Said } from '../base/chat.ts';
import { appliancesOf } from '../base/stored.ts';
import type { Parts } from '../ground/ground.ts';
import { undosOf } from '../showing/kept-offer.ts';
import type { KeptWatch } from '../target/watches.ts';
import { announcementOf, type DoneBefore, overNow, type ToldWatch } from './words.ts';

export type ToTell = KeptWatch & { readonly unsaid: WatchAnnouncement };

/** Posts what is to be told of a watch, once. Resolves to what is known of it then; rejects with `ChatRefused`. */
export type TellWatch = (
  row: WatchRow,
  told: ToldWatch,
  kept: ToTell,
  /** It may have got out with an earlier try. */
  isTried: boolean,
) => Promise<KeptWatch>;

/** A change that was over so short a time before may have something to do with it, in milliseconds. */
const shortlyBefore = 15 * 60_000;

export function createTellWatch({
  journal,
  chat,
  present,
}: Pick<Parts, 'journal' | 'chat' | 'present'>): TellWatch {
  return async (row, told, { memory, message, unsaid }, isTried) => {
    const { id, channel } = row;
    const now = 'now' in unsaid ? unsaid.now : undefined;
    const key = `watch-${id}-${unsaid.kind}-${now?.since ?? newsKey(unsaid)}`;
    const before =
      now !== undefined && now.is !== 'fine' ? await doneBefore(told.appliance, now.since) : undefined;
    const said = await present(announcementOf(told, unsaid, before), { channel });
    // What follows on a problem stands below it, and is seen in the channel, too.
    const ts = await post(channel, message, said, key, isTried ? row.createdAt : undefined);
    // What is wrong, or keeps changing, goes on below that message.
    if (now === undefined || now.is !== 'fine' || unsaid.kind === 'flapping') {
      const open = message ?? (now === undefined ? undefined : ts);
      return { memory, ...(open !== undefined && { message: open }) };
    }
    if (message !== undefined) {
      const over = await present(overNow(told, unsaid), { channel });
      await chat.edit({ channel, ts: message }, over).catch(ignoreRefusal);
    }
    return { memory };
  };

  async function post(
    channel: string,
    below: string | undefined,
    said: Said,
    key: string,
    lookSince: number | undefined,
  ): Promise<string> {
    const place = { channel, card: below };
    const found = lookSince === undefined ? undefined : await chat.find(place, key, lookSince);
    if (found?.kind === 'try_later') throw new ChatRefused('cannot_look_now', { isPassing: true });
    if (found?.kind === 'stands') return found.ts;
    return below === undefined
      ? chat.post(channel, said, key)
      : chat.reply({ channel, card: below, broadcast: true }, said, key);
  }

  /** Only what the journal shows: the last change there that was carried out by then. */
  async function doneBefore(appliance: string, since: number): Promise<DoneBefore | undefined> {
    const changes = await journal.changesIn(since - shortlyBefore, since);
    const last = changes.findLast(
      (one) => one.state === 'done' && one.changedAt <= since && appliancesOf(one).includes(appliance),
    );
    if (last === undefined) return undefined;
    const undo = (await undosOf(journal, last.id)).filter(({ takenBy }) => takenBy === undefined);
    return { by: last.person, line: last.line, at: last.changedAt, undo };
  }
}

const newsKey = (unsaid: WatchAnnouncement): string =>
  unsaid.kind === 'news' ? (unsaid.entries.at(-1)?.id ?? '') : '';

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof ChatRefused)) throw error;
}
