import type { App, Context } from '@slack/bolt';
import { z } from 'zod';
import type { ForwardedMessage, Invocation } from '../../action/base/chat.ts';
import type { MessageShortcut } from '../../action/intake/shortcuts.ts';
import { holdAcknowledgement } from '../connection/held-events.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads the message of a shortcut as Slack sends it (slack-facts.md §2): its links, texts and files, and those
 * of forwarded messages. People and apps write messages of every shape, so nothing is assumed.
 */
export function readMessage(message: unknown): MessageShortcut['message'] {
  const { text, blocks, attachments, files } = fieldsOf(message);
  const found: Found = { links: [], texts: [] };
  take(found.texts, text);
  walk(blocks, found, 0);
  for (const attachment of listOf(attachments).map(fieldsOf)) {
    if (!isForward(attachment)) readAttachment(attachment, found);
  }
  const forwards = forwardsIn(attachments);
  return {
    links: [...found.links, ...forwards.flatMap(({ links }) => links)].filter(
      (link) => !isPermalink(link, forwards),
    ),
    texts: [...found.texts, ...forwards.flatMap(({ texts }) => texts)].map((one) =>
      withoutPermalinks(one, forwards),
    ),
    files: [...filesOf(files), ...filesIn(forwards)],
  };
}

/** A forwarded message, or one whose link was pasted: its content is what people mean. */
interface Forward extends ForwardedMessage {
  /** Slack's own link to the message. */
  readonly permalink: string;
  readonly files: MessageShortcut['message']['files'];
}

/** The forwarded messages in a message's attachments, followed by their own forwards. */
function forwardsIn(attachments: unknown, depth = 0): readonly Forward[] {
  if (depth > deepest) return [];
  return listOf(attachments)
    .map(fieldsOf)
    .filter(isForward)
    .flatMap((attachment) => {
      const { text, title, blocks, message_blocks, files, from_url } = attachment;
      const originals = listOf(message_blocks).map(fieldsOf);
      const messages = originals.map(({ message }) => fieldsOf(message));
      const found: Found = { links: [], texts: [] };
      for (const one of [title, text]) take(found.texts, one);
      walk(
        [blocks, originals.filter(({ message }) => message === undefined), messages.map((one) => one.blocks)],
        found,
        0,
      );
      const inner = [
        ...listOf(attachment.attachments),
        ...messages.flatMap((one) => listOf(one.attachments)),
      ];
      for (const one of inner.map(fieldsOf)) if (!isForward(one)) readAttachment(one, found);
      return [
        {
          ...found,
          text: typeof text === 'string' ? text : '',
          permalink: typeof from_url === 'string' ? from_url : '',
          files: [...filesOf(files), ...messages.flatMap((one) => filesOf(one.files))],
        },
        ...forwardsIn(inner, depth + 1),
      ];
    });
}

const isForward = ({ is_share, is_msg_unfurl }: Fields): boolean =>
  is_share === true || is_msg_unfurl === true;

const filesIn = (forwards: readonly Forward[]): Forward['files'] => [
  ...new Map(forwards.flatMap(({ files }) => files.map((file) => [file.id, file]))).values(),
];

/** Removes Slack's own links to forwarded messages. */
const withoutPermalinks = (text: string, forwards: readonly Forward[]): string =>
  text.replace(/<(https?:[^|<>]+)(?:\|[^<>]*)?>/g, (whole, link: string) =>
    isPermalink(link, forwards) ? '' : whole,
  );

const isPermalink = (link: string, forwards: readonly Forward[]): boolean => {
  const plain = link.replaceAll('&amp;', '&');
  return forwards.some(({ permalink }) => permalink !== '' && plain === permalink);
};

interface Found {
  readonly links: string[];
  readonly texts: string[];
}

/** Real messages nest less. */
const deepest = 12;

/** Links and texts occur at many depths of Block Kit, always under the same names. */
function walk(value: unknown, found: Found, depth: number): void {
  if (depth > deepest) return;
  if (Array.isArray(value)) {
    for (const one of value) walk(one, found, depth + 1);
  } else if (typeof value === 'object' && value !== null) {
    const { text, url, type, ...others } = fieldsOf(value);
    if (type === 'link' || type === 'button') take(found.links, url);
    if (typeof text === 'string') take(found.texts, text);
    else walk(text, found, depth + 1);
    for (const other of Object.values(others)) {
      if (typeof other === 'object') walk(other, found, depth + 1);
    }
  }
}

/** An app's attachment; of an unfurled link, only the link belongs to the message. */
function readAttachment(attachment: Fields, found: Found): void {
  take(found.links, attachment.from_url);
  if (attachment.from_url !== undefined) return;
  take(found.links, attachment.title_link);
  for (const name of ['pretext', 'title', 'text', 'fallback']) take(found.texts, attachment[name]);
  for (const { value } of listOf(attachment.fields).map(fieldsOf)) take(found.texts, value);
  walk(attachment.blocks, found, 0);
}

const filesOf = (files: unknown): MessageShortcut['message']['files'] =>
  listOf(files).map(fieldsOf).flatMap(readFile);

/**
 * A stub from another organisation may lack name and size (slack-facts.md §7); without an ID it cannot be
 * fetched.
 */
function readFile({ id, name, title, size }: Fields): MessageShortcut['message']['files'] {
  if (typeof id !== 'string') return [];
  const called = [name, title].find((one) => typeof one === 'string' && one !== '');
  return [{ id, name: String(called ?? ''), size: typeof size === 'number' ? size : 0 }];
}

function take(into: string[], value: unknown): void {
  if (typeof value === 'string' && value !== '') into.push(value);
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
/** Makes the fields of any value readable. */
const fieldsOf = (value: unknown): Fields => Object(value) as Fields;

/** A message to the bot: in a channel or a thread by its name, or in a direct message. */
interface Mention {
  readonly team: string;
  readonly channel: string;
  readonly person: string;
  /** The text without the bot's name. */
  readonly line: string;
  /** Identifies the message across its events. */
  readonly ts: string;
  /** The first message of its thread. */
  readonly thread: string | undefined;
  readonly files: Invocation['files'];
  readonly forwarded: Invocation['forwarded'];
  /** Set if the message was edited: the timestamp of the edit. */
  readonly edited: string | undefined;
}

/** The used part of both events. Some kinds of messages lack parts of it. */
const written = z.object({
  user: z.string(),
  text: z.string().default(''),
  ts: z.string(),
  channel: z.string(),
  channel_type: z.string().optional(),
  thread_ts: z.string().optional(),
  subtype: z.string().optional(),
  bot_id: z.string().optional(),
  edited: z.object({ ts: z.string() }).optional(),
  files: z.unknown().optional(),
  attachments: z.unknown().optional(),
});

/** An edit arrives as a message of its own, even if only a link was unfurled. */
const changed = z.object({
  subtype: z.literal('message_changed'),
  channel: z.string(),
  channel_type: z.string().optional(),
  message: z.looseObject({ text: z.string() }),
  previous_message: z.object({ text: z.string() }),
});

/** Messages from people; other subtypes report changes or come from programs. */
const fromPeople: ReadonlySet<string | undefined> = new Set([undefined, 'file_share', 'thread_broadcast']);

/** Passes on people's messages to the bot, to be acknowledged when stored. A program's message is no order. */
export function onMention(
  app: App,
  take: (mention: Mention, acknowledge: () => Promise<void>) => void,
): void {
  const heard = (event: unknown, team: string, context: Context, isDirect: boolean): void => {
    const { botUserId: bot } = context;
    const { data } = written.safeParse(event);
    if (data === undefined || bot === undefined || data.bot_id !== undefined || data.user === bot) return;
    if (!fromPeople.has(data.subtype)) return;
    if (isDirect !== (data.channel_type === 'im' || data.channel.startsWith('D'))) return;
    const { channel, user: person, ts, thread_ts, text } = data;
    const forwards = forwardsIn(data.attachments);
    const line = withoutMarks(withoutPermalinks(text, forwards))
      // Other people who are addressed before the bot.
      .replace(/^(?:<[@!][^<>]*>[\s,:]*)+(?=<@)/, '')
      .replaceAll(new RegExp(`<@${bot}(?:\\|[^>]*)?>(?:[:,]|\\s+[-–—:](?=\\s))?`, 'g'), ' ')
      .trim();
    const thread = thread_ts === ts ? undefined : thread_ts;
    const files = [...filesOf(data.files), ...filesIn(forwards)];
    const forwarded = forwards.map(({ text: said, texts, links }) => ({ text: said, texts, links }));
    take(
      { team, channel, person, line, ts, thread, files, forwarded, edited: data.edited?.ts },
      holdAcknowledgement(context),
    );
  };

  app.event('app_mention', async ({ event, body, context }) => heard(event, body.team_id, context, false));
  // In a direct message everything is addressed to the bot.
  app.event('message', async ({ event, body, context }) =>
    heard(editedIn(event) ?? event, body.team_id, context, true),
  );
}

/** Without marks of bold, italic and strike: "*categorize* example.com". A wildcard's single star stays. */
const withoutMarks = (text: string): string =>
  [
    /(?<!\S)\*(?=\S)([^*\n]+)(?<=\S)\*(?!\S)/g,
    /(?<!\S)_(?=\S)([^_\n]+)(?<=\S)_(?!\S)/g,
    /(?<!\S)~(?=\S)([^~\n]+)(?<=\S)~(?!\S)/g,
  ].reduce((plain, marked) => plain.replace(marked, '$1'), text);

/** The edited message with its place, which Slack gives only on the event. */
function editedIn(event: unknown): unknown {
  const { data } = changed.safeParse(event);
  if (data === undefined || data.message.text === data.previous_message.text) return undefined;
  const { message, channel, channel_type } = data;
  return { ...message, channel, channel_type };
}
