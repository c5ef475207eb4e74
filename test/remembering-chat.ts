import type { Card, Chat, Said, Stamp } from '../src/action/base/chat.ts';
import type { Form } from '../src/action/base/form.ts';
import type { Generations } from '../src/action/base/generations.ts';
import { plainText } from '../src/handlers/reply.ts';

/** Messages that everybody sees, in their order. */
export interface Seen {
  readonly cards: Map<string, Card>;
  /** `below`: the card of its thread; `isLoud`: the channel sees it, too. */
  readonly thread: { ts: string; said: Said; readonly below: string; readonly isLoud: boolean }[];
  /** Direct messages. */
  readonly notes: Heard[];
  /** Messages that one person alone sees in the channel. */
  readonly whispers: Heard[];
  /** The forms that are open before somebody. */
  readonly forms: { readonly by: string; readonly form: Form }[];
  /** The keys of messages that were posted a second time. */
  readonly twice: string[];
}

interface Heard {
  /** Or the channel. */
  readonly person: string;
  said: Said;
  readonly ts?: string;
}

/** A chat that takes everything, and only remembers. Its messages are found again by their keys. */
export function rememberingChat(stamp: Generations['stamp'] = async () => undefined): {
  readonly chat: Chat;
  readonly seen: Seen;
} {
  const seen: Seen = { cards: new Map(), thread: [], notes: [], whispers: [], forms: [], twice: [] };
  /** The messages that can be found again. */
  const keys = new Map<string, string>();
  /** The stamps on cards. */
  const noted = new Map<string, Stamp>();
  let messages = 0;
  const post = (key: string | undefined) => {
    messages += 1;
    const ts = String(messages);
    if (key === undefined) return ts;
    if (keys.has(key)) seen.twice.push(key);
    keys.set(key, ts);
    return ts;
  };
  const hear = (among: Heard[]) => async (person: string, said: Said, key?: string) => {
    const ts = post(key);
    among.push({ person, said, ts });
    return ts;
  };
  const note = hear(seen.notes);
  const chat: Chat = {
    show: async (card, key) => {
      const ts = card.card ?? post(key);
      seen.cards.set(ts, card);
      const { action, state, at, kind } = card;
      noted.set(ts, { key, action, state, at, isChange: kind === 'change', ...(await stamp()) });
      return ts;
    },
    reply: async ({ card: below, broadcast = false }, said, key) => {
      const ts = post(key);
      seen.thread.push({ ts, said, below, isLoud: broadcast });
      return ts;
    },
    post: note,
    find: async (_, key) => {
      const ts = keys.get(key);
      return ts === undefined ? { kind: 'not_there' } : { kind: 'stands', ts };
    },
    stamps: async (_, ts) => ({
      kind: 'read',
      messages: [...noted].flatMap(([message, one]) =>
        ts === undefined || ts === message ? [{ ts: message, stamp: one }] : [],
      ),
    }),
    edit: async ({ ts }, said) => {
      const message = [...seen.thread, ...seen.notes].find((one) => one.ts === ts);
      if (message !== undefined) message.said = said;
    },
    ephemeral: async ({ person }, said) => void (await hear(seen.whispers)(person, said)),
    notify: async (person, said) => (await note(person, said)) !== '',
    // In this chat everybody is their own trigger.
    openForm: async (by, form) => {
      // A person who presses a button again has closed their open form.
      const earlier = seen.forms.findIndex((one) => one.by === by);
      if (earlier !== -1) seen.forms.splice(earlier, 1);
      return seen.forms.push({ by, form }) > 0;
    },
    isAway: () => false,
  };
  return { chat, seen };
}

/** The words of a message, with the names of its fields. */
export const wordsOf = ({ headline, details = [] }: Said): string =>
  [
    plainText(headline),
    ...details.flatMap((part) =>
      part.kind === 'fields' ? part.fields.map(({ name, value }) => `${name}: ${plainText(value)}`) : [],
    ),
  ].join('\n');
