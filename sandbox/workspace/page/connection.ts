import { useEffect, useState } from 'react';
import type { Act, Acted, Snapshot } from '../protocol.ts';
import { share } from './share.ts';

/** Sends an act. Never rejects: a server that does not answer is told like any other failure. */
export async function send(act: Act): Promise<Acted> {
  try {
    const response = await fetch('/sandbox/act', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(act),
    });
    // The server is ours and speaks the protocol's types; a reply that is no JSON lands in the catch below.
    return (await response.json()) as Acted;
  } catch {
    return { ok: false, error: 'The sandbox did not answer. Is it still running?' };
  }
}

export interface Feed {
  readonly snapshot: Snapshot | undefined;
  /** False from a broken connection until the next snapshot. */
  readonly live: boolean;
}

/** The newest snapshot as `viewer` sees it. Reconnects by itself, for as long as the page is open. */
export function useFeed(viewer: string): Feed {
  const [feed, setFeed] = useState<Feed>({ snapshot: undefined, live: true });
  useEffect(() => {
    let source: EventSource;
    let retry: ReturnType<typeof setTimeout>;
    const take = (event: MessageEvent<string>) => {
      const fresh = JSON.parse(event.data) as Snapshot;
      setFeed((last) => ({ snapshot: share(last.snapshot, fresh), live: true }));
    };
    const open = () => {
      source = new EventSource(`/sandbox/events${viewer ? `?as=${encodeURIComponent(viewer)}` : ''}`);
      source.addEventListener('message', take);
      source.addEventListener('snapshot', take);
      source.addEventListener('error', () => {
        setFeed((last) => ({ ...last, live: false }));
        // The browser retries a dropped stream; after an error status it gives up for good, so we start anew.
        if (source.readyState === EventSource.CLOSED) retry = setTimeout(open, 1000);
      });
    };
    open();
    return () => {
      clearTimeout(retry);
      source.close();
    };
  }, [viewer]);
  return feed;
}
