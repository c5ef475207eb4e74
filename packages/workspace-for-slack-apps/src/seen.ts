import { readingOf } from '../../../sandbox/workspace/plain/reading.ts';
import type { Block, Message as Shown, Snapshot } from '../../../sandbox/workspace/protocol.ts';
import { bodyLines } from '../../../sandbox/workspace/transcript.ts';

export interface Message {
  readonly ts: string;
  /** The name of the channel; of the app in direct messages with it. */
  readonly channel: string;
  readonly from: string;
  /** The visible text: blocks as plain text, people and channels by name, buttons in brackets. */
  readonly text: string;
  /** The text of notifications and the only one for screen readers: the `text` beside the blocks, as it was sent. */
  readonly fallback: string;
  /** As the app sent them; empty where there are none. */
  readonly blocks: readonly Block[];
  /** The `ts` of the message to which it is a reply; undefined outside of threads. */
  readonly thread: string | undefined;
  /** Only this person sees it. */
  readonly isEphemeral: boolean;
  readonly isEdited: boolean;
  /** Emoji by name, such as `eyes`, and who reacted with them, by name. */
  readonly reactions: readonly { readonly emoji: string; readonly from: readonly string[] }[];
  /** `size` is in bytes. */
  readonly files: readonly { readonly name: string; readonly mimetype: string; readonly size: number }[];
}

export interface Home {
  /** The visible text: blocks as plain text. */
  readonly text: string;
  /** As the app sent them. */
  readonly blocks: readonly Block[];
}

/** From all their channels, oldest first. */
export function messagesOf(seen: Snapshot, now: number): readonly Message[] {
  const reading = readingOf(seen, { now });
  return seen.messages.map((message: Shown) => ({
    ts: message.ts,
    channel: reading.channel(message.channel),
    from: reading.person(message.user),
    text: bodyLines(message, reading).join('\n'),
    fallback: message.text,
    blocks: message.blocks ?? [],
    thread: message.thread_ts,
    isEphemeral: message.ephemeral_to !== undefined,
    isEdited: message.edited,
    reactions: (message.reactions ?? []).map(({ name, users }) => ({
      emoji: name,
      from: users.map(reading.person),
    })),
    files: (message.files ?? []).map(({ name, mimetype, size }) => ({ name, mimetype, size })),
  }));
}
