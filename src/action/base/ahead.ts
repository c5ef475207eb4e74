import { leadsTo } from '../../journal/actions/states.ts';
import type { Journal } from '../../journal/journal.ts';
import { type Card, type Chat, ChatRefused, type Place } from './chat.ts';
import type { Generations } from './generations.ts';
import type { Stamp } from './stamp.ts';

/**
 * Messages that tell more than the journal knows, because it was restored from a backup. What they say is true, and the
 * journal must not be put in its place.
 */
export interface Ahead {
  /**
   * Whether this message is one. `card`: how its action stands now; nothing leads there from what the message shows. Rejects with
   * a passing `ChatRefused` while the chat does not tell.
   */
  readonly isAhead: (place: Place, ts: string, card?: Pick<Card, 'action' | 'state'>) => Promise<boolean>;
  /** Whether a message was found that nobody has noticed so far: there was a restore. */
  readonly found: () => Stamp | undefined;
  /** The same, and it is noticed now. */
  readonly take: () => Stamp | undefined;
}

/** With this code a message is refused that stays as it is, for it tells more. */
export const aheadOfJournal = 'ahead_of_journal';

export function createAhead(
  chat: Pick<Chat, 'stamps'>,
  generations: Pick<Generations, 'standing'>,
  journal: Pick<Journal, 'byId'>,
): Ahead {
  let found: Stamp | undefined;

  return {
    found: () => found,

    take: () => {
      const taken = found;
      found = undefined;
      return taken;
    },

    isAhead: async (place, ts, card) => {
      const seen = await chat.stamps(place, ts);
      if (seen.kind === 'try_later') throw new ChatRefused('cannot_look_now', { isPassing: true });
      const stamp = seen.kind === 'read' ? seen.messages[0]?.stamp : undefined;
      if (stamp === undefined) return false;
      const standing = await generations.standing(stamp);
      if (standing === 'lost') return true;
      if (standing !== 'foreign' && !(await contradicts(stamp, card))) return false;
      found ??= stamp;
      return true;
    },
  };

  async function contradicts({ state }: Stamp, card: Parameters<Ahead['isAhead']>[2]): Promise<boolean> {
    if (state === undefined || card === undefined || leadsTo(state, card.state)) return false;
    // Another replica may have moved it on this moment.
    const current = await journal.byId(card.action);
    return current !== undefined && !leadsTo(state, current.state);
  }
}

/** So many messages are remembered of which it is known that they are not ahead. */
const most = 1_000;
/** How far the chat's clock may be ahead of ours, in milliseconds. */
const clockDifference = 60_000;

/**
 * The same chat, in which no message is changed that is ahead of the journal: refused with `aheadOfJournal`. Messages of this
 * process are its own; those from before it began are looked at once.
 */
export function sparing(chat: Chat, { isAhead }: Pick<Ahead, 'isAhead'>, startedAt: number): Chat {
  const spared = new Set<string>();

  async function check(place: Place, ts: string, card?: Card): Promise<void> {
    const message = `${place.channel} ${ts}`;
    if (Number(ts) * 1_000 > startedAt + clockDifference || spared.has(message)) return;
    if (await isAhead(place, ts, card)) throw new ChatRefused(aheadOfJournal);
    spared.add(message);
    for (const oldest of spared) {
      if (spared.size <= most) break;
      spared.delete(oldest);
    }
  }

  return {
    ...chat,
    show: async (card, key) => {
      if (card.card !== undefined) await check({ channel: card.channel, card: card.thread }, card.card, card);
      return chat.show(card, key);
    },
    edit: async (message, said, noted) => {
      const { channel, ts, thread } = message;
      if (noted !== undefined) await check({ channel, card: thread }, ts);
      return chat.edit(message, said, noted);
    },
  };
}
