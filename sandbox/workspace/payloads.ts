import { randomBytes } from 'node:crypto';
import { filePayload } from './file-payload.ts';
import type { Stored } from './messages.ts';
import { appId, botId, botUserId, type Member, type Room, team } from './people.ts';
import { type StoredView, viewPayload } from './views.ts';
import type { World } from './world.ts';

type Payload = Record<string, unknown>;

/** A slash command (slack-facts.md §1): every value is a string. */
export function slashCommand(
  world: World,
  person: Member,
  room: Room,
  command: string,
  text: string,
): Payload {
  return {
    token: world.tokens.verification,
    team_id: team.id,
    team_domain: world.team.domain,
    channel_id: room.id,
    channel_name: room.isIm ? 'directmessage' : room.isPrivate ? 'privategroup' : room.name,
    user_id: person.id,
    user_name: person.name,
    command,
    text,
    api_app_id: appId,
    is_enterprise_install: 'false',
    response_url: world.url() + world.responseUrls.make('commands', { user: person.id, channel: room.id }),
    trigger_id: world.triggers.make(person.id),
  };
}

/** The fields that all interactive payloads begin with. */
export function interaction(world: World, type: string, person: Member): Payload {
  return {
    type,
    user: { id: person.id, username: person.name, name: person.name, team_id: person.teamId },
    api_app_id: appId,
    token: world.tokens.verification,
    team: { id: team.id, domain: world.team.domain },
    enterprise: null,
    is_enterprise_install: false,
  };
}

/** The place of an interaction in a message (slack-facts.md §2): an ephemeral one is not sent along. */
export function messagePlace(
  world: World,
  message: Stored,
  room: Room,
  attachment?: { readonly id: number; readonly isUnfurl: boolean },
): Payload {
  const isEphemeral = message.ephemeralTo !== undefined;
  // The first message of a thread names itself, as `message.thread_ts` does in Slack.
  const thread = message.threadTs ?? (message.replies.length === 0 ? undefined : message.ts);
  return {
    container: {
      type: attachment === undefined ? 'message' : 'message_attachment',
      message_ts: message.ts,
      ...(attachment && { attachment_id: attachment.id, is_app_unfurl: attachment.isUnfurl }),
      channel_id: message.channel,
      is_ephemeral: isEphemeral,
      ...(thread === undefined ? {} : { thread_ts: thread }),
    },
    channel: channelStub(room),
    ...(isEphemeral ? {} : { message: messagePayload(world, message) }),
  };
}

/** The place of an interaction in a modal or the App Home. */
export function viewPlace(view: StoredView): Payload {
  return { container: { type: 'view', view_id: view.id }, view: viewPayload(view) };
}

export function channelStub(room: Room): Payload {
  return { id: room.id, name: room.isIm ? 'directmessage' : room.isPrivate ? 'privategroup' : room.name };
}

/** A message as Slack's answers and payloads carry it. */
export function messagePayload(world: World, message: Stored): Payload {
  return {
    type: 'message',
    ...(message.isBroadcast ? { subtype: 'thread_broadcast' } : {}),
    ...(message.subtype === undefined ? {} : { subtype: message.subtype }),
    user: message.user,
    ...(message.isApp ? { bot_id: botId, app_id: appId } : {}),
    ...(message.clientMsgId === undefined ? {} : { client_msg_id: message.clientMsgId }),
    ts: message.ts,
    team: world.roster.person(message.user)?.teamId ?? team.id,
    text: message.text,
    ...(message.files.length === 0
      ? {}
      : { files: message.files.map((file) => filePayload(world, file)), upload: false }),
    ...(message.blocks === undefined ? {} : { blocks: message.blocks }),
    ...(message.attachments === undefined ? {} : { attachments: message.attachments }),
    ...(message.metadata === undefined ? {} : { metadata: message.metadata }),
    ...(message.threadTs === undefined ? {} : { thread_ts: message.threadTs }),
    ...(message.replies.length === 0 ? {} : { thread_ts: message.ts, reply_count: message.replies.length }),
    ...(message.reactions.length === 0
      ? {}
      : { reactions: message.reactions.map((one) => ({ ...one, count: one.users.length })) }),
    ...(message.editedTs === undefined ? {} : { edited: { user: message.user, ts: message.editedTs } }),
  };
}

/** An event of the Events API around `event`. */
export function eventCallback(world: World, event: Payload): Payload {
  const seconds = Math.floor(world.now() / 1000);
  const unique = randomBytes(5).toString('hex').toUpperCase();
  return {
    token: world.tokens.verification,
    team_id: team.id,
    api_app_id: appId,
    event: { event_ts: `${seconds}.000100`, ...event },
    type: 'event_callback',
    event_id: `Ev0${unique}`,
    event_time: seconds,
    authorizations: [
      {
        enterprise_id: null,
        team_id: team.id,
        user_id: botUserId,
        is_bot: true,
        is_enterprise_install: false,
      },
    ],
    is_ext_shared_channel: false,
  };
}
