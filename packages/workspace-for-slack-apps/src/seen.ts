import { readingOf } from '../../../sandbox/workspace/plain/reading.ts';
import type { Block, Message as Shown, Snapshot } from '../../../sandbox/workspace/protocol.ts';
import { bodyLines } from '../../../sandbox/workspace/transcript.ts';

/** A message as a person sees it. */
export interface Message {
  /** Its time, by which Slack and the app name it. */
  readonly ts: string;
  /** The name of the channel; of the app in direct messages with it. */
  readonly channel: string;
  /** Who wrote it, by name. */
  readonly from: string;
  /** What is read: blocks as plain text, people and channels by name, buttons in brackets. */
  readonly text: string;
  /** What stands in notifications, and is all that screen readers read: the `text` beside the blocks, as it was sent. */
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

/** The App Home of a person. */
export interface Home {
  /** What is read: blocks as plain text. */
  readonly text: string;
  /** As the app sent them. */
  readonly blocks: readonly Block[];
}

/** Of all channels of theirs, oldest first. */
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
