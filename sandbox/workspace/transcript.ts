import { attachmentLines } from './plain/attachments.ts';
import { blockLines } from './plain/blocks.ts';
import { fileSize } from './plain/file-size.ts';
import { readingOf } from './plain/reading.ts';
import { mrkdwn, plain, type Reading, time } from './plain/text.ts';
import type { Message, Snapshot } from './protocol.ts';

export interface TranscriptOptions {
  /** An IANA time zone; the machine's own when absent. */
  readonly timeZone?: string;
  /** Milliseconds since 1970, for "today" and "yesterday". */
  readonly now?: number;
}

/**
 * The conversation for a reader at a terminal: author, time, the blocks as plain text, replies under their parent.
 * `channel` is an ID or a name; absent, all channels with messages are shown.
 */
export function transcript(snapshot: Snapshot, channel?: string, options: TranscriptOptions = {}): string {
  const reading = readingOf(snapshot, options);
  const wanted = snapshot.channels.filter(
    ({ id, name }) => channel === undefined || id === channel || name === channel,
  );
  const sections = wanted.map(({ id, name }) => conversation(snapshot.messages, id, name, reading));
  return sections.filter((section) => section !== '').join('\n\n');
}

/** One message without its replies, as a terminal prints it. */
function messageLines(message: Message, reading: Reading): string[] {
  const heading = [
    reading.person(message.user),
    time(Number(message.ts) * 1000, reading),
    ...(message.edited ? ['edited'] : []),
    ...(message.is_broadcast ? ['also in the channel'] : []),
    ...(message.ephemeral_to === undefined
      ? []
      : [`(only visible to ${reading.person(message.ephemeral_to)})`]),
  ].join(' · ');
  const reactions = (message.reactions ?? []).map(
    ({ name, users }) => `[${plain(`:${name}:`)} ${users.map(reading.person).join(', ')}]`,
  );
  const lines = [...bodyLines(message, reading), ...(reactions.length === 0 ? [] : [reactions.join(' ')])];
  return [heading, ...lines.map((line) => `  ${line}`.trimEnd())];
}

/** The lines of a message's content, and its files. */
export function bodyLines(message: Message, reading: Reading): string[] {
  const body = message.blocks?.length
    ? blockLines(message.blocks, reading)
    : message.text === '' && (message.files?.length || message.attachments?.length)
      ? []
      : mrkdwn(message.text, reading).split('\n');
  const attachments = attachmentLines(message.attachments ?? [], reading);
  const files = (message.files ?? []).map(({ name, size }) => `[file ${name}, ${fileSize(size)}]`);
  return [...body, ...attachments, ...files];
}

function conversation(all: readonly Message[], channel: string, name: string, reading: Reading): string {
  const here = all.filter((message) => message.channel === channel);
  const parents = new Set(here.filter(({ thread_ts }) => thread_ts === undefined).map(({ ts }) => ts));
  const threads = Map.groupBy(here, ({ thread_ts }) => thread_ts);
  const roots = here.filter(({ thread_ts }) => thread_ts === undefined || !parents.has(thread_ts));
  const told = roots.map((root) => {
    const isLost = root.thread_ts !== undefined;
    const lost = isLost ? ['(misplaced: written into the thread of a message that is no parent)'] : [];
    const replies = isLost ? [] : (threads.get(root.ts) ?? []);
    const indented = replies.flatMap((reply) =>
      messageLines(reply, reading).map((line) => `  │ ${line}`.trimEnd()),
    );
    return [...lost, ...messageLines(root, reading), ...indented].join('\n');
  });
  return told.length === 0 ? '' : [channel.startsWith('D') ? name : `#${name}`, ...told].join('\n\n');
}
