import { useEffect, useState } from 'react';
import type { Act, Acted, SlackAct, SlackNow, Snapshot, Uploaded } from '../protocol.ts';
import { share } from './share.ts';

/** Sends an act. Never rejects: a missing answer is reported like any other failure. */
export const send = (act: Act): Promise<Acted> => post('/sandbox/act', act);

/** Makes Slack misbehave; in all else like `send`. */
export const sendToSlack = (act: SlackAct): Promise<Acted> => post('/sandbox/slack', act);

/** Uploads a file as this person; in all else like `send`. */
export const upload = (as: string, file: File): Promise<Uploaded> =>
  ask<Uploaded>(`/sandbox/upload?${new URLSearchParams({ as, name: file.name })}`, {
    headers: { 'content-type': 'application/octet-stream' },
    body: file,
  });

export const post = (path: string, act: object): Promise<Acted> =>
  ask<Acted>(path, { headers: { 'content-type': 'application/json' }, body: JSON.stringify(act) });

type Failed = { readonly ok: false; readonly error: string };

async function ask<Answer extends Acted | Uploaded>(
  path: string,
  request: RequestInit,
): Promise<Answer | Failed> {
  try {
    const response = await fetch(path, { method: 'POST', ...request });
    if (response.status === 413) return { ok: false, error: 'This is larger than Slack would take.' };
    // The server is ours and speaks the protocol's types; a reply that is no JSON lands in the catch below.
    return (await response.json()) as Answer;
  } catch {
    return { ok: false, error: 'The sandbox did not answer. Is it still running?' };
  }
}

export interface Feed {
  readonly snapshot: Snapshot | undefined;
  /** False from a broken connection until the next snapshot. */
  readonly live: boolean;
  /** The system beside Slack: its possible actions, and its state. Undefined where there is none. */
  readonly catalogue: unknown;
  readonly beside: unknown;
  readonly slack: SlackNow | undefined;
}

const nothingYet: Feed = {
  snapshot: undefined,
  live: true,
  catalogue: undefined,
  beside: undefined,
  slack: undefined,
};

/**
 * The newest of everything, as `viewer` sees it, and of what stands beside Slack under this name. Reconnects by itself, for as
 * long as the page is open.
 */
export function useFeed(viewer: string, beside: string | undefined): Feed {
  const [feed, setFeed] = useState(nothingYet);
  useEffect(() => {
    let source: EventSource;
    let retry: ReturnType<typeof setTimeout>;
    /** The server names its events and speaks the protocol's types. */
    const take = (event: string, part: Exclude<keyof Feed, 'live'>) =>
      source.addEventListener(event, ({ data }: MessageEvent<string>) => {
        const fresh: unknown = JSON.parse(data);
        setFeed((last) => ({ ...last, live: true, [part]: share(last[part], fresh) }));
      });
    const open = () => {
      source = new EventSource(`/sandbox/events${viewer ? `?as=${encodeURIComponent(viewer)}` : ''}`);
      take('message', 'snapshot');
      take('catalogue', 'catalogue');
      if (beside !== undefined) take(beside, 'beside');
      take('slack', 'slack');
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
  }, [viewer, beside]);
  return feed;
}
