import { createHash } from 'node:crypto';
import {
  type FilesInfoResponse,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  type WebClient,
} from '@slack/web-api';
import type { Members } from '../../auth/members.ts';
import { FileFailure, type Files, type FilesFor } from '../../handlers/context.ts';
import type { PostedFile } from '../../handlers/lists/posted-file.ts';
import { checkArchive } from '../../handlers/upgrade/archive.ts';
import { codeOf } from '../codes.ts';
import { limits } from '../rendering/slack-limits.ts';

export interface FileParts {
  readonly client: WebClient;
  readonly botToken: string;
  /** Ends in `/api/`; undefined means Slack itself. */
  readonly apiUrl: string | undefined;
  readonly fetch: typeof fetch;
  /** Finds the channels of the file's reader. */
  readonly members: Pick<Members, 'channelsOf'>;
}

type SlackFile = NonNullable<FilesInfoResponse['file']>;

/** How long a download may be silent, in milliseconds. */
const usualTiming = { silence: 30_000 };

/** Enough to identify a file's type (`archive.ts` in `handlers/`), in bytes. */
const headLength = 512;

/** A file as Slack reports it now, with an address that requires the token. */
interface Found {
  readonly name: string;
  readonly size: number;
  readonly mimetype: string;
  readonly address: URL;
  readonly postedBy: string | undefined;
}

/**
 * Posted files, streamed from Slack with the bot's token (slack-facts.md §7). Each is looked up by ID, because
 * a payload may be a stub. The token is sent only to Slack's own hosts, and a file may be incomplete. The bot
 * can read more files than a person, so the person must have posted the file or be in a channel with it.
 */
export function createSlackFiles(
  { client, botToken, apiUrl = 'https://slack.com/api/', fetch, members }: FileParts,
  timing: typeof usualTiming = usualTiming,
): FilesFor {
  const origins = ownOrigins(apiUrl);

  async function stream(found: Found): Promise<AsyncIterable<Uint8Array>> {
    const abort = new AbortController();
    const answer = await inTime(request(found, abort.signal), found.name, abort);
    try {
      checkAnswer(answer, found);
    } catch (error) {
      abort.abort();
      throw error;
    }
    return download(answer, found, abort);
  }

  /** Previews for many appliances need the same digest at once, so they share one download. */
  const underWay = new Map<string, ReturnType<Files['digest']>>();

  return (person) => ({
    open: async (posted) => stream(await find(posted, person)),
    digest: (posted) => {
      const key = JSON.stringify([person, posted]);
      const digest = underWay.get(key) ?? digestOf(posted, person).finally(() => underWay.delete(key));
      underWay.set(key, digest);
      return digest;
    },
  });

  async function digestOf(posted: PostedFile, person: string): ReturnType<Files['digest']> {
    const hash = createHash('sha256');
    const head: Uint8Array[] = [];
    const archive = checkArchive();
    let size = 0;
    const found = await find(posted, person);
    for await (const piece of await stream(found)) {
      hash.update(piece);
      if (size < headLength) head.push(piece.subarray(0, headLength - size));
      size += piece.length;
      await archive.take(piece);
    }
    const flaw = await archive.end();
    return { sha256: hash.digest('hex'), size, head: Buffer.concat(head), flaw, postedBy: found.postedBy };
  }

  async function find(posted: PostedFile, person: string): Promise<Found> {
    const { name } = posted;
    const { file } = await client.files.info({ file: posted.id }).catch((error: unknown) => {
      throw notFound(error, name);
    });
    if (file === undefined)
      throw new FileFailure('no_answer', `Couldn’t look up ${name}: Slack returned no information about it.`);
    await checkReader(file, name, person);
    if (file.mode === 'tombstone')
      throw new FileFailure(
        'not_found',
        `${name} was deleted from Slack, so it can’t be read. Post it again.`,
      );
    if (file.mode === 'hidden_by_limit') {
      throw new FileFailure(
        'not_found',
        `${name} is too old: this workspace’s Slack plan no longer gives access to it. Post it again.`,
      );
    }
    if (file.mode === 'external' || file.is_external === true) {
      throw new FileFailure(
        'no_access',
        `${name} is a link to a file outside Slack, and files are downloaded only from Slack. Upload the file itself to Slack.`,
      );
    }
    const { size, mimetype = '', url_private_download: address } = file;
    if (address === undefined || size === undefined) {
      throw new FileFailure(
        'no_access',
        `Couldn’t download ${name}: Slack doesn’t give Appliance Bot access to it. Invite the bot to the channel where it was posted, and try again.`,
      );
    }
    if (size === 0) throw new FileFailure('incomplete', `${name} is empty.`);
    if (size > limits.file) throw new FileFailure('too_large', `${name} is larger than 1 GiB.`);
    // Forms give no size.
    if (posted.size > 0 && posted.size !== size) {
      throw new FileFailure('changed', `${name} has changed since it was posted: its size is different now.`);
    }
    const url = URL.canParse(address) ? new URL(address) : undefined;
    if (url === undefined || !origins.has(url.origin)) {
      throw new FileFailure(
        'no_access',
        `${name} isn’t stored on Slack’s own server, and files are downloaded only from there.`,
      );
    }
    return { name, size, mimetype, address: url, postedBy: file.user };
  }

  /** A person who may not read it learns nothing, not even that it was deleted. */
  async function checkReader(file: SlackFile, name: string, person: string): Promise<void> {
    if (file.user === person && person !== '') return;
    // The bot itself requests no files.
    const theirs = person === '' ? new Map() : await members.channelsOf(person);
    if (theirs === 'lookup_failed')
      throw new FileFailure(
        'no_answer',
        `Couldn’t read from Slack whether you may open ${name}, so it was not read. Try again in a minute.`,
      );
    const { channels = [], groups = [], ims = [] } = file;
    if (![...channels, ...groups, ...ims].some((place) => theirs.has(place)))
      throw new FileFailure(
        'no_access',
        `${name} was not read: you didn’t post it, and you aren’t in a channel where it was posted. Post it yourself.`,
      );
  }

  function request({ address }: Found, signal: AbortSignal): Promise<Response> {
    return fetch(address, {
      // Uncompressed, so that the byte count is right.
      headers: { authorization: `Bearer ${botToken}`, 'accept-encoding': 'identity' },
      redirect: 'manual',
      signal,
    });
  }

  /** Waits for Slack with a limit. */
  async function inTime<Value>(task: Promise<Value>, name: string, abort: AbortController): Promise<Value> {
    let timer: NodeJS.Timeout | undefined;
    const silence = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(
          new FileFailure(
            'no_answer',
            `Slack sent no data of ${name} for ${timing.silence / 1_000} seconds, so the download was stopped. Try again in a moment.`,
          ),
        );
        abort.abort();
      }, timing.silence);
    });
    try {
      return await Promise.race([task, silence]);
    } catch (error) {
      if (error instanceof FileFailure) throw error;
      throw new FileFailure(
        'no_answer',
        `The connection to Slack was lost while downloading ${name}. Try again in a moment.`,
      );
    } finally {
      clearTimeout(timer);
    }
  }

  /** Silence counts only while somebody waits for a chunk: an appliance may be slow. */
  function download(
    answer: Response,
    { name, size }: Found,
    abort: AbortController,
  ): AsyncIterable<Uint8Array> {
    const reader = answer.body?.getReader();
    let seen = 0;
    const end = async () => {
      abort.abort();
      return { done: true, value: undefined } as const;
    };
    const next = async (): Promise<IteratorResult<Uint8Array, undefined>> => {
      // An answer without a body is empty.
      const reading: Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }> =
        reader?.read() ?? Promise.resolve({ done: true });
      const piece = await inTime(reading, name, abort);
      seen += piece.value?.length ?? 0;
      if (seen > size || (piece.done && seen < size)) {
        abort.abort();
        throw new FileFailure(
          'incomplete',
          `Slack sent ${seen > size ? 'more than' : `only ${seen} of`} the ${size} bytes of ${name}. Try again in a moment.`,
        );
      }
      return piece.value === undefined ? end() : { done: false, value: piece.value };
    };
    const iterator = { next, return: end };
    return { [Symbol.asyncIterator]: () => iterator };
  }
}

/** Slack's API and its files have one host each: slack.com and files.slack.com. */
function ownOrigins(apiUrl: string): ReadonlySet<string> {
  const { protocol, host, origin } = new URL(apiUrl);
  return new Set([origin, `${protocol}//files.${host}`]);
}

function notFound(error: unknown, name: string): FileFailure {
  if (error instanceof WebAPIRateLimitedError) {
    return new FileFailure('no_answer', `Couldn’t download ${name}: Slack is busy. Try again in a minute.`);
  }
  if (!(error instanceof WebAPIPlatformError)) {
    return new FileFailure(
      'no_answer',
      `Slack didn’t respond to the request for ${name}. Try again in a moment.`,
    );
  }
  switch (error.data.error) {
    case 'file_not_found':
      return new FileFailure(
        'not_found',
        `Slack doesn’t give Appliance Bot access to ${name}. If the file is in a channel that Appliance Bot isn’t in, invite the bot there. Otherwise, the file was deleted: post it again.`,
      );
    case 'file_deleted':
      return new FileFailure(
        'not_found',
        `${name} was deleted from Slack, so it can’t be read. Post it again.`,
      );
    case 'missing_scope':
    case 'no_permission':
    case 'access_denied':
      return new FileFailure(
        'no_access',
        `Couldn’t read ${name}: Appliance Bot isn’t allowed to read files in this workspace. Ask a workspace admin to add the scope files:read.`,
      );
    default:
      return new FileFailure(
        'no_answer',
        `Couldn’t look up ${name}: Slack returned an error (${codeOf(error)}).`,
      );
  }
}

/** Slack answers 200 with a login page if access is denied (slack-facts.md §7). */
function checkAnswer({ status, headers }: Response, { name, size, mimetype }: Found): void {
  const denied = new FileFailure(
    'no_access',
    `Slack doesn’t give Appliance Bot access to ${name}. Invite the bot to the channel where the file was posted, and try again.`,
  );
  // A redirect leads to a login page or another host; neither is followed.
  if ((status >= 300 && status < 400) || status === 401 || status === 403) throw denied;
  if (status === 404 || status === 410)
    throw new FileFailure('not_found', `${name} is no longer available in Slack. Post it again.`);
  if (status !== 200) {
    throw new FileFailure(
      'no_answer',
      `Couldn’t download ${name}: Slack returned HTTP ${status}. Try again in a moment.`,
    );
  }
  const type = (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (type === 'text/html' && mimetype.toLowerCase() !== 'text/html') throw denied;
  const announced = headers.get('content-length');
  if (announced !== null && Number(announced) !== size) {
    throw new FileFailure(
      'incomplete',
      `Slack sent ${announced} bytes for ${name}, whose size is ${size} bytes. Try again in a moment.`,
    );
  }
}
