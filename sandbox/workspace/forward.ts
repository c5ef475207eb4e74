import { done, refused } from './acted.ts';
import { filePayload } from './file-payload.ts';
import type { Stored } from './messages.ts';
import type { Member } from './people.ts';
import type { Act, Acted } from './protocol.ts';
import { say } from './said.ts';
import type { World } from './world.ts';

/** Shares messages in another channel or thread, perhaps with a line of one's own. Slack lets people forward what they can read. */
export function forward(world: World, person: Member, given: Extract<Act, { act: 'forward' }>): Acted {
  const room = world.roster.room(given.channel);
  if (room === undefined || !room.members.has(person.id)) return refused('You are not in this channel.');
  if (room.isArchived) return refused('This channel is archived.');
  const originals = given.messages.flatMap(({ channel, ts }) => {
    const isRead = world.roster.isMember(channel, person.id);
    return (isRead ? world.messages.find(channel, ts) : undefined) ?? [];
  });
  if (originals.length === 0 || originals.length < given.messages.length)
    return refused('This message is not there any more.');
  say(
    world,
    person,
    room,
    given.text.trim(),
    [],
    given.thread_ts,
    originals.map((one, index) => shared(world, one, index)),
  );
  return done;
}

/** A forwarded message as it stands in the attachments of the new one (slack-facts.md, "Added 2026-11-26"). */
function shared(world: World, message: Stored, index: number): Readonly<Record<string, unknown>> {
  const { ts, channel, user, text, threadTs } = message;
  const author = world.roster.person(user);
  const room = world.roster.room(channel);
  const address = `${world.url()}/archives/${channel}/p${ts.replace('.', '')}`;
  const permalink = threadTs === undefined ? address : `${address}?thread_ts=${threadTs}&cid=${channel}`;
  const team = author?.teamId;
  const name = author?.name ?? user;
  return {
    ts,
    author_id: user,
    channel_id: channel,
    channel_team: team,
    is_msg_unfurl: true,
    is_share: true,
    ...(threadTs === undefined ? {} : { is_reply_unfurl: true }),
    message_blocks: [{ team, channel, ts, message: { blocks: message.blocks ?? [asRichText(text)] } }],
    ...(message.files.length === 0 ? {} : { files: message.files.map((file) => filePayload(world, file)) }),
    ...(message.attachments === undefined ? {} : { attachments: message.attachments }),
    id: index + 1,
    original_url: permalink,
    from_url: permalink,
    fallback: `[${new Date(Number(ts) * 1000).toUTCString()}] ${name}: ${text}`,
    text,
    author_name: name,
    author_subname: author?.realName ?? name,
    mrkdwn_in: ['text'],
    color: 'D0D0D0',
    footer: room === undefined || room.isIm ? 'Direct message' : `Posted in #${room.name}`,
  };
}

/** Slack turns typed text into rich text. */
const asRichText = (text: string) => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text }] }],
});
