import type { WebClient } from '@slack/web-api';
import { ChatRefused } from '../../action/base/chat.ts';
import type { Sending } from './sending.ts';

/** A file on its way to a thread. Its content is always bytes: a string could be read as a path (slack-facts.md §7). */
interface FileOut {
  /** With its ending: "records.csv". */
  readonly name: string;
  readonly title: string;
  /** At least one. */
  readonly content: Uint8Array;
  /** Said along with it, escaped. */
  readonly comment: string | undefined;
  /** What a picture shows. */
  readonly alt: string | undefined;
}

/** Puts a file into a thread. Rejects with `ChatRefused`. */
export type Upload = (channel: string, thread: string, file: FileOut) => Promise<void>;

export interface UploadParts {
  readonly client: WebClient;
  readonly fetch: typeof fetch;
  readonly sending: Sending;
}

/** How often the bytes are brought, and how long that may take, in milliseconds. */
const bringing = { tries: 3, deadline: 60_000 };

/** Announce, bring the bytes, complete (slack-facts.md §7). Nothing is seen before the last step, so only that one must not be repeated. */
export function createUpload({ client, fetch, sending }: UploadParts): Upload {
  return async (channel, thread, file) => {
    const id = await bring(channel, file);
    await sending.send(channel, 'once', () =>
      client.files.completeUploadExternal({
        channel_id: channel,
        thread_ts: thread,
        files: [{ id, title: file.title }],
        ...(file.comment === undefined ? {} : { initial_comment: file.comment }),
      }),
    );
  };

  /** An address takes its bytes once, so every try begins with a new one. Resolves to the file's ID. */
  async function bring(channel: string, { name, content, alt }: FileOut): Promise<string> {
    for (let attempt = 1; ; attempt += 1) {
      const announced = await sending.send(channel, 'again', () =>
        client.files.getUploadURLExternal({
          filename: name,
          length: content.byteLength,
          ...(alt === undefined ? {} : { alt_text: alt }),
        }),
      );
      const { upload_url: url, file_id: id } = announced ?? {};
      if (url === undefined || id === undefined) throw new ChatRefused('no_upload_url');
      const code = await post(url, content);
      if (code === undefined) return id;
      // Nothing is seen of it so far.
      if (attempt === bringing.tries) throw new ChatRefused(code, { isPassing: true });
    }
  }

  /** Undefined when the bytes have arrived, else what went wrong. The address is a secret: it stands in no error. */
  async function post(url: string, content: Uint8Array): Promise<string | undefined> {
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/octet-stream' },
        // A copy: what `fetch` takes must lie in memory of its own.
        body: Uint8Array.from(content),
        redirect: 'error',
        signal: AbortSignal.timeout(bringing.deadline),
      });
      await answer.body?.cancel();
      return answer.ok ? undefined : `upload_${answer.status}`;
    } catch {
      return 'upload_failed';
    }
  }
}
