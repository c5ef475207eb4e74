import { done, refused } from './acted.ts';
import { tellOfLinks } from './entities/links.ts';
import { escapeTyped } from './escape.ts';
import { emit } from './events.ts';
import type { StoredFile } from './files.ts';
import type { Stored, Witness } from './messages.ts';
import { messagePayload } from './payloads.ts';
import { botUserId, type Member, type Room, slackbotId } from './people.ts';
import type { Act, Acted } from './protocol.ts';
import type { World } from './world.ts';

type Payload = Record<string, unknown>;
type AppEvent = Payload & { readonly type: string };

const mentionOfApp = `<@${botUserId}>`;

/** Posts a person's text, with their attached or forwarded content. */
export function say(
  world: World,
  person: Member,
  room: Room,
  line: string,
  files: readonly StoredFile[],
  threadTs: string | undefined,
  attachments?: readonly unknown[],
): Acted {
  const text = escapeTyped(line, world.roster);
  const draft = { channel: room.id, user: person.id, isApp: false, text, attachments, files, threadTs };
  const message = world.messages.post(draft);
  for (const file of files) world.files.share(file, message);
  if (isMention(message) && !room.members.has(botUserId)) {
    const told = `You mentioned ${mentionOfApp}, but they’re not in this channel. Invite them, or they will not see it.`;
    world.messages.whisper(
      { channel: room.id, user: slackbotId, isApp: false, text: told, threadTs },
      person.id,
    );
  }
  return done;
}

/** Writes a message of one's own anew. */
export function edit(world: World, person: Member, given: Extract<Act, { act: 'edit' }>): Acted {
  const message = world.messages.find(given.channel, given.ts);
  const isTheirs = message?.user === person.id && message.subtype === undefined;
  if (!isTheirs || !world.roster.isMember(given.channel, person.id))
    return refused('You can edit messages of your own.');
  const text = escapeTyped(given.text.trim(), world.roster);
  if (text === '' && message.files.length === 0) return refused('There is nothing to send.');
  if (text !== message.text) world.messages.rewrite(message, { text });
  return done;
}

/** The author's last message in the channel, if it was a mention: inviting the app delivers it. */
export function lateMention(world: World, person: Member, room: Room): AppEvent | undefined {
  const last = world.messages.standing(room.id).findLast(({ user }) => user === person.id);
  return last && isMention(last) ? mentionEvent(world, last) : undefined;
}

/** Sends the app the messages of its channels, as its manifest subscribes to them; its own messages, too. */
export function witnessFor(world: () => World): Witness {
  const heard = (message: Stored, tell: (world: World, room: Room) => void): void => {
    // Not before the caller is done: files are shared when their message stands.
    queueMicrotask(() => {
      const room = world().roster.room(message.channel);
      if (room?.members.has(botUserId)) tell(world(), room);
    });
  };
  return {
    posted: (message) => {
      const room = world().roster.room(message.channel);
      if (room !== undefined) tellOfLinks(world(), room, message);
      heard(message, (here, room) => {
        if (isMention(message) && !room.isIm) void emit(here, mentionEvent(here, message));
        tellOfMessage(here, room, {
          ...heading(here, message),
          ...(message.files.length === 0 || message.isApp ? {} : { subtype: 'file_share' }),
        });
        for (const { id } of message.files) {
          const file = { file_id: id, file: { id }, user_id: message.user, channel_id: room.id };
          void emit(here, { type: 'file_shared', ...file });
        }
      });
    },
    changed: (message, before) => {
      // A copy of the present state, which may change again before the event is made.
      const after = { ...message };
      heard(message, (here, room) => {
        if (isMention(after) && !isMention(before) && !room.isIm) void emit(here, mentionEvent(here, after));
        tellOfMessage(here, room, {
          ...silently(here, room, 'message_changed'),
          message: messagePayload(here, after),
          previous_message: messagePayload(here, before),
        });
      });
    },
    removed: (message) =>
      heard(message, (here, room) =>
        tellOfMessage(here, room, {
          ...silently(here, room, 'message_deleted'),
          deleted_ts: message.ts,
          previous_message: messagePayload(here, message),
        }),
      ),
  };
}

/** Only people mention the app: its own messages are no `app_mention`. */
const isMention = (message: Stored): boolean =>
  !message.isApp && message.subtype === undefined && message.text.includes(mentionOfApp);

const mentionEvent = (world: World, message: Stored): AppEvent => ({
  ...heading(world, message),
  type: 'app_mention',
});

/** A message in an event: with its channel, and the author of its parent. */
function heading(world: World, message: Stored): AppEvent {
  const { threadTs, channel, user } = message;
  const parent = threadTs === undefined ? undefined : world.messages.find(channel, threadTs);
  const author = world.roster.person(user);
  return {
    ...messagePayload(world, message),
    type: 'message',
    channel,
    event_ts: message.editedTs ?? message.ts,
    ...(parent === undefined ? {} : { parent_user_id: parent.user }),
    // Slack Connect: said of people of other organisations only.
    ...(author !== undefined && world.roster.isExternal(author)
      ? { user_team: author.teamId, source_team: author.teamId }
      : {}),
  };
}

/** An event about a message is a hidden message with a `ts` of its own. */
function silently(world: World, room: Room, subtype: string): AppEvent {
  const ts = (world.now() / 1000).toFixed(6);
  return { type: 'message', subtype, hidden: true, channel: room.id, ts, event_ts: ts };
}

function tellOfMessage(world: World, room: Room, event: AppEvent): void {
  const kind = room.isIm ? 'im' : room.isPrivate ? 'group' : 'channel';
  const subscription = { im: 'message.im', group: 'message.groups', channel: 'message.channels' }[kind];
  void emit(world, { ...event, channel_type: kind }, { subscription });
}
