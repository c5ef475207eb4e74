import type { App, Context } from '@slack/bolt';
import { z } from 'zod';
import type { Invocation } from '../../action/base/chat.ts';
import { holdAcknowledgement } from '../connection/held-events.ts';
import { filesIn, filesOf, forwardsIn, withoutPermalinks } from './message.ts';

/** Somebody has written to the bot: in a channel or a thread with its name, or in a direct message. */
export interface Mention {
  readonly team: string;
  readonly channel: string;
  readonly person: string;
  /** What they wrote besides its name. */
  readonly line: string;
  /** The message: one, whatever events it comes by. */
  readonly ts: string;
  /** The first message of the thread that it stands in. */
  readonly thread: string | undefined;
  readonly files: Invocation['files'];
  readonly forwarded: Invocation['forwarded'];
  /** Set when it says something else than when it was sent: the timestamp of that edit. */
  readonly edited: string | undefined;
}

/** The part of both events that counts. Not every kind of message has all of it. */
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

/** An edit of a message comes as a message of its own, also where only a link was unfurled. */
const changed = z.object({
  subtype: z.literal('message_changed'),
  channel: z.string(),
  channel_type: z.string().optional(),
  message: z.looseObject({ text: z.string() }),
  previous_message: z.object({ text: z.string() }),
});

/** What people write; the rest of the subtypes tells of what became of a message, or comes from programs. */
const fromPeople: ReadonlySet<string | undefined> = new Set([undefined, 'file_share', 'thread_broadcast']);

/** Hands on what people write to the bot, to be acknowledged when it is taken. A program's message is no order. */
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
      // Whom they write to besides the bot.
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
  // In a direct message everything is written to the bot, whether it is named or not.
  app.event('message', async ({ event, body, context }) =>
    heard(editedIn(event) ?? event, body.team_id, context, true),
  );
}

/** Without the marks of bold, italic and struck-out words: "*categorize* example.com". A wildcard has one star and keeps it. */
const withoutMarks = (text: string): string =>
  [
    /(?<!\S)\*(?=\S)([^*\n]+)(?<=\S)\*(?!\S)/g,
    /(?<!\S)_(?=\S)([^_\n]+)(?<=\S)_(?!\S)/g,
    /(?<!\S)~(?=\S)([^~\n]+)(?<=\S)~(?!\S)/g,
  ].reduce((plain, marked) => plain.replace(marked, '$1'), text);

/** The message as it is since an edit of its text, with where it stands; Slack tells that of the event alone. */
function editedIn(event: unknown): unknown {
  const { data } = changed.safeParse(event);
  if (data === undefined || data.message.text === data.previous_message.text) return undefined;
  const { message, channel, channel_type } = data;
  return { ...message, channel, channel_type };
}
