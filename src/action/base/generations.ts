import { leadsTo } from '../../journal/actions/states.ts';
import type { Generation, Journal, Lost } from '../../journal/journal.ts';
import { JournalUnavailable } from '../../journal/unavailable.ts';
import { type Card, type Chat, ChatRefused, type Place, type Stamp } from './chat.ts';

/**
 * What the journal calls itself, and what it knew when it began to call itself so. A message is told from others by the
 * generation that it carries (`Stamp`): what was said between a backup and its restore is not in the journal.
 */
export interface Generations {
  readonly current: () => Promise<Generation>;
  /** What a message carries that is said now; undefined while the journal does not know all that has happened. */
  readonly stamp: () => Promise<Pick<Stamp, 'journal'> | undefined>;
  /** How a message stands to the journal. */
  readonly standing: (stamp: Stamp) => Promise<Standing>;
  /** The newest moment that it knew when it was restored: what stood open then has ended since. 0 where it never was. */
  readonly restoredUntil: () => Promise<number>;
  /** Begins the next one. Undefined where another replica has begun it. */
  readonly begin: (lost: Lost) => Promise<Generation | undefined>;
  /** What other replicas have begun meanwhile is known from now on. */
  readonly refresh: () => void;
}

/**
 * `foreign`: said by a journal that this one never was. `lost`: said after the moment that is known, and before the restore was
 * noticed. `own`: by this generation. `known`: all the rest.
 */
type Standing = 'foreign' | 'lost' | 'own' | 'known';

export function createGenerations(
  journal: Pick<Journal, 'generations' | 'beginGeneration' | 'isWritten'>,
): Generations {
  let loading: Promise<readonly Generation[]> | undefined;

  const all = (): Promise<readonly Generation[]> => {
    loading ??= journal.generations();
    const loaded = loading;
    // Away now, it is asked again.
    loaded.catch(() => refresh());
    return loaded;
  };
  const refresh = () => {
    loading = undefined;
  };
  const current = async () => {
    const newest = (await all()).at(-1);
    if (newest === undefined) throw new Error('The journal has no name');
    return newest;
  };

  return {
    current,
    refresh,

    stamp: async () => {
      if (!journal.isWritten()) return undefined;
      try {
        return { journal: (await current()).id };
      } catch (error) {
        if (!(error instanceof JournalUnavailable)) throw error;
        return undefined;
      }
    },

    standing: async ({ journal: id, at = 0 }) => {
      const known = await all();
      const place = known.findIndex((one) => one.id === id);
      if (id === undefined) return 'known';
      const newest = known.at(-1);
      // When the last restore was noticed, this was among what was lost.
      if (place === -1)
        return newest !== undefined && newest.number > 1 && at < newest.beganAt ? 'lost' : 'foreign';
      const next = known[place + 1];
      if (next === undefined) return 'own';
      return at > next.knownUntil && at < next.beganAt ? 'lost' : 'known';
    },

    restoredUntil: async () => {
      const { number, knownUntil } = await current();
      return number > 1 ? knownUntil : 0;
    },

    begin: async (lost) => {
      const { number } = await current();
      const begun = await journal.beginGeneration(number, lost);
      refresh();
      return begun;
    },
  };
}

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
  /** Who changes the same message meanwhile waits for the same look, so that they stay in their order. */
  const looking = new Map<string, Promise<boolean>>();

  async function check(place: Place, ts: string, card?: Card): Promise<void> {
    const message = `${place.channel} ${ts}`;
    if (Number(ts) * 1_000 > startedAt + clockDifference || spared.has(message)) return;
    const look = looking.get(message) ?? isAhead(place, ts, card).finally(() => looking.delete(message));
    looking.set(message, look);
    if (await look) throw new ChatRefused(aheadOfJournal);
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
