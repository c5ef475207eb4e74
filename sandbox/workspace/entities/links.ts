import { emit } from '../events.ts';
import type { Stored } from '../messages.ts';
import { botUserId, type Room } from '../people.ts';
import type { World } from '../world.ts';

interface Link {
  readonly url: string;
  /** The one of the manifest. */
  readonly domain: string;
}

/** Links in a person's message that the app may unfurl: to the domains of its manifest, or below them. */
export function linksIn({ app }: World, message: Stored): readonly Link[] {
  if (message.isApp) return [];
  return [...message.text.matchAll(/<(https?:[^|>]+)(?:\|[^>]*)?>/gi)].flatMap(([, escaped = '']) => {
    const url = escaped.replaceAll('&amp;', '&');
    const host = URL.parse(url)?.hostname ?? '';
    const domain = app.unfurlDomains.find((known) => host === known || host.endsWith(`.${known}`));
    return domain === undefined ? [] : [{ url, domain }];
  });
}

/** Tells the app of its links, in public channels also where it is not a member. */
export function tellOfLinks(world: World, room: Room, message: Stored): void {
  const links = linksIn(world, message);
  const isMember = room.members.has(botUserId);
  if (links.length === 0 || (room.isPrivate && !isMember)) return;
  void emit(world, {
    type: 'link_shared',
    channel: room.id,
    is_bot_user_member: isMember,
    user: message.user,
    message_ts: message.ts,
    ...(message.threadTs === undefined ? {} : { thread_ts: message.threadTs }),
    links,
    unfurl_id: unfurlId(message),
    source: 'conversations_history',
    event_ts: message.ts,
  });
}

const unfurlId = ({ channel, ts }: Stored): string => `${channel}.${ts}`;

/** The message of such an ID. */
export function readUnfurlId(id: string): { readonly channel: string; readonly ts: string } {
  const [channel = '', seconds, micros] = id.split('.');
  return { channel, ts: `${seconds}.${micros}` };
}
