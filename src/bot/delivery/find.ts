import type { WebClient } from '@slack/web-api';
import type { MessageSearch } from '../../action/base/stamp.ts';
import { lookupRefused } from '../../telemetry/events/messages.ts';
import type { Log } from '../../telemetry/log.ts';
import { refusalIn } from './refusal.ts';
import { stampIn } from './stamps.ts';

/**
 * Looks for a message of the bot by the key in its metadata (`event_payload.message`), so that what got out is not sent
 * again. `place` is a channel or, for a direct message, a person; `since` is when it was sent at the earliest, in
 * milliseconds since the epoch. Never rejects because of Slack.
 */
export type Find = (
  place: string,
  thread: string | undefined,
  key: string,
  since: number,
) => Promise<MessageSearch>;

/** How far Slack's clock may be behind the one by which a message was written, in milliseconds. */
const clockDifference = 60 * 60_000;

/** Slack asks for at most 200 messages a page; what is in doubt is seldom older than a minute, and so on the first. */
const reach = { messages: 200, conversations: 1_000, pages: 10 } as const;

export function createFind(asking: WebClient, log: Log, now: () => number): Find {
  const directs = new Map<string, string>();
  /** Why Slack refused, once each: every message in doubt would say the same. */
  const told = new Set<string>();

  return async (place, thread, key, since) => {
    try {
      const channel = /^[UW]/.test(place) ? await directWith(place) : place;
      // Nothing was ever written to this person.
      if (channel === undefined) return { kind: 'not_there' };
      // What seems to come from the future was written by a clock that has been set back since.
      const oldest = (Math.max(0, Math.min(since, now()) - clockDifference) / 1_000).toFixed(6);
      const limits = { channel, oldest, limit: reach.messages, include_all_metadata: true };
      const ts = await search(
        (page) =>
          thread === undefined
            ? asking.conversations.history({ ...limits, ...page })
            : asking.conversations.replies({ ...limits, ...page, ts: thread }),
        ({ messages }) => messages?.find(({ metadata }) => stampIn(metadata)?.key === key)?.ts,
      );
      return ts === undefined ? { kind: 'not_there' } : { kind: 'stands', ts };
    } catch (error) {
      return verdict(error);
    }
  };

  /**
   * The channel of the direct messages with a person. Reading, Slack takes no person for a channel; what would tell it at
   * once (conversations.open) needs a scope to write.
   */
  async function directWith(person: string): Promise<string | undefined> {
    const known = directs.get(person);
    if (known !== undefined) return known;
    const found = await search(
      (page) => asking.conversations.list({ types: 'im', limit: reach.conversations, ...page }),
      ({ channels }) => channels?.find(({ user }) => user === person)?.id,
    );
    if (found !== undefined) directs.set(person, found);
    return found;
  }

  /** What a call that failed says of the message. @throws what is not Slack's doing */
  function verdict(error: unknown): MessageSearch {
    if (error instanceof TooMany) return cannot('too_many_messages');
    const refusal = refusalIn(error);
    if (refusal === undefined) return { kind: 'try_later' };
    // Nothing can stand in a thread that does not exist.
    if (refusal.code === 'thread_not_found') return { kind: 'not_there' };
    return cannot(refusal.code, refusal.needed);
  }

  function cannot(code: string, needed?: string): MessageSearch {
    if (!told.has(`${code} ${needed}`)) log.tell(lookupRefused, { code, needed });
    told.add(`${code} ${needed}`);
    return { kind: 'cannot_look' };
  }
}

/** More pages than are looked through. */
class TooMany extends Error {
  override readonly name = 'TooMany';
}

interface Page {
  readonly response_metadata?: { readonly next_cursor?: string };
}

/** What the first of Slack's pages that has it says. @throws TooMany */
async function search<One extends Page>(
  ask: (page: { readonly cursor?: string }) => Promise<One>,
  pick: (page: One) => string | undefined,
): Promise<string | undefined> {
  let cursor: string | undefined;
  for (let count = 0; count < reach.pages; count += 1) {
    const page = await ask(cursor === undefined ? {} : { cursor });
    const found = pick(page);
    if (found !== undefined) return found;
    cursor = page.response_metadata?.next_cursor;
    if (!cursor) return undefined;
  }
  throw new TooMany(`More than ${reach.pages} pages`);
}
