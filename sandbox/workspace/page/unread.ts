import { useEffect, useMemo, useState } from 'react';
import type { Snapshot } from '../protocol.ts';

export interface Unread {
  readonly messages: number;
  /** How many of them name the viewer. */
  readonly mentions: number;
}

const key = (viewer: string, channel: string) => `sandbox.seen.${viewer}.${channel}`;

/** The newest ts that the viewer saw, by channel. Kept in the browser, because the server does not track reading. */
function seen(viewer: string, channel: string): string {
  try {
    return localStorage.getItem(key(viewer, channel)) ?? '0';
  } catch {
    return '0';
  }
}

/** Channels with news for the viewer. Standing in a channel reads it. */
export function useUnread(snapshot: Snapshot | undefined, where: string): Readonly<Record<string, Unread>> {
  const [, reread] = useState(0);
  const viewer = snapshot?.viewer ?? '';
  const newest = snapshot?.messages.findLast((message) => message.channel === where)?.ts;
  useEffect(() => {
    if (!newest || !viewer) return;
    try {
      localStorage.setItem(key(viewer, where), newest);
    } catch {
      // Without storage everything stays unread until it is open, which is no harm.
    }
    reread((count) => count + 1);
  }, [viewer, where, newest]);

  return useMemo(() => {
    const unread: Record<string, Unread> = {};
    for (const channel of snapshot?.channels ?? []) {
      if (channel.id === where) continue;
      const since = seen(viewer, channel.id);
      const news = (snapshot?.messages ?? []).filter(
        (message) => message.channel === channel.id && message.ts > since && message.user !== viewer,
      );
      const mentions = news.filter((message) =>
        JSON.stringify([message.text, message.blocks]).includes(viewer),
      ).length;
      if (news.length > 0) unread[channel.id] = { messages: news.length, mentions };
    }
    return unread;
  }, [snapshot, where, viewer]);
}
