import type { IncomingMessage, ServerResponse } from 'node:http';
import { readAct } from './act-schema.ts';
import type { Beside } from './beside.ts';
import type { Changes, Happening } from './changes.ts';
import type { StoredFile } from './files.ts';
import { readBody } from './http.ts';
import { readUpload, sendFile } from './page-files.ts';
import type { Act, Acted, SlackNow, Snapshot, Uploaded } from './protocol.ts';

/** Serves the page's own files; undefined for a path it does not have. */
export type Page = (
  path: string,
) => Promise<{ readonly type: string; readonly body: Buffer | string } | undefined>;

export interface SandboxRoutesOptions {
  readonly page: Page | undefined;
  /** Undefined when there is nothing else that could be steered. */
  readonly beside: Beside | undefined;
  readonly slack: {
    readonly now: () => SlackNow;
    /** Undefined when the JSON text is no act at all. */
    readonly act: (json: string) => Acted | undefined;
  };
  readonly snapshot: (as: string) => Snapshot | undefined;
  readonly act: (given: Act) => Promise<Acted>;
  readonly upload: (as: string, name: string, content: Buffer) => Uploaded;
  /** A file that this person can see. */
  readonly file: (as: string, id: string) => StoredFile | undefined;
  /** The `ts` of the first message of the thread that a message stands in; undefined when it is not there. */
  readonly threadOf: (channel: string, ts: string) => string | undefined;
  readonly changes: Changes;
  readonly port: () => number;
}

/** The kinds of news that an open page is waiting for. */
type News = 'workspace' | 'slack' | 'beside';

const debounceMs = 30;
const policy =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const guards = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

/**
 * The page and what it talks to: `GET /`, `GET /assets/*`, `GET /sandbox/events?as=U…`, `POST /sandbox/act`,
 * `POST /sandbox/upload?as=U…&name=…`, `GET /sandbox/file/<id>?as=U…`, `POST /sandbox/slack`, and what stands `Beside`.
 * Slack's own addresses of messages, `GET /archives/C…/p…`, lead to the place on the page.
 */
export class SandboxRoutes {
  readonly #options: SandboxRoutesOptions;
  readonly #pages = new Set<{ readonly viewer: string; readonly response: ServerResponse }>();
  readonly #news = new Set<News>();
  readonly #unsubscribe: readonly (() => void)[];
  #timer: NodeJS.Timeout | undefined;

  constructor(options: SandboxRoutesOptions) {
    this.#options = options;
    this.#unsubscribe = [
      options.changes.onChange(({ type }) => this.#changed(newsOf(type))),
      options.beside?.onChange(() => this.#changed(['beside'])) ?? (() => undefined),
    ];
  }

  /** Answers a request whose path is one of ours. */
  async answer(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    // A page of another site that got its name to point here (DNS rebinding) sends its own name.
    if (!this.#isOurHost(request.headers.host))
      return end(response, 403, 'This address is for 127.0.0.1 and localhost only.');
    if (url.pathname === '/sandbox/events')
      return this.#events(request, response, url.searchParams.get('as') ?? '');
    if (url.pathname === '/sandbox/act') return this.#act(request, response);
    if (url.pathname === '/sandbox/slack') return this.#actOn(this.#options.slack.act, request, response);
    const { beside } = this.#options;
    if (beside !== undefined && url.pathname === `/sandbox/${beside.name}`)
      return this.#actOn(beside.act, request, response);
    if (url.pathname === '/sandbox/upload') return this.#upload(request, response, url.searchParams);
    if (url.pathname.startsWith('/sandbox/file/')) {
      const id = url.pathname.slice('/sandbox/file/'.length);
      const file = this.#options.file(url.searchParams.get('as') ?? '', id);
      return file === undefined
        ? end(response, 404, 'There is no such file.')
        : sendFile(file, response, guards);
    }
    if (url.pathname.startsWith('/sandbox/')) return end(response, 404, 'There is nothing to steer.');
    const message = /^\/archives\/([A-Z0-9]+)\/p(\d+)(\d{6})$/.exec(url.pathname);
    if (message !== null) return this.#openMessage(response, message);
    return this.#file(request, response, url.pathname);
  }

  /** A message is looked at in its thread; see page/place.ts for the address. */
  #openMessage(response: ServerResponse, [, channel = '', seconds, micros]: readonly string[]): void {
    const thread = this.#options.threadOf(channel, `${seconds}.${micros}`);
    if (thread === undefined) end(response, 404, 'There is no such message.');
    else response.writeHead(302, { location: `/#${channel}/${thread}`, ...guards }).end();
  }

  stop(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    clearTimeout(this.#timer);
    for (const { response } of this.#pages) response.end();
  }

  #isOurHost(host: string | undefined): boolean {
    const port = this.#options.port();
    return host === `127.0.0.1:${port}` || host === `localhost:${port}`;
  }

  async #events(request: IncomingMessage, response: ServerResponse, viewer: string): Promise<void> {
    if (request.method !== 'GET') return end(response, 405, 'Only GET.');
    const first = this.#options.snapshot(viewer);
    if (first === undefined) return end(response, 404, 'Nobody here has this ID.');
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', ...guards });
    response.write(event(first));
    response.write(event(this.#options.slack.now(), 'slack'));
    const { beside } = this.#options;
    if (beside) {
      response.write(event(beside.catalogue, 'catalogue'));
      response.write(event(beside.now(), beside.name));
    }
    const page = { viewer, response };
    this.#pages.add(page);
    response.on('close', () => this.#pages.delete(page));
  }

  #changed(what: Iterable<News>): void {
    if (this.#pages.size === 0) return;
    for (const news of what) this.#news.add(news);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const news = new Set(this.#news);
      this.#news.clear();
      for (const { viewer, response } of this.#pages) this.#send(viewer, response, news);
    }, debounceMs);
  }

  /** A page that is slow to read waits for the next change, with everything that happened until then. */
  #send(viewer: string, response: ServerResponse, news: ReadonlySet<News>): void {
    if (response.writableNeedDrain) {
      response.once('drain', () => this.#changed(news));
      return;
    }
    const { beside } = this.#options;
    const seen = news.has('workspace') ? this.#options.snapshot(viewer) : undefined;
    if (seen !== undefined) response.write(event(seen));
    if (news.has('slack')) response.write(event(this.#options.slack.now(), 'slack'));
    if (beside && news.has('beside')) response.write(event(beside.now(), beside.name));
  }

  async #act(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await this.#posted(request, response);
    if (body === undefined) return;
    const given = readAct(body);
    if (given === undefined) return end(response, 400, 'This is not an act; see protocol.ts.');
    return answerJson(response, await this.#options.act(given));
  }

  async #actOn(
    act: (json: string) => Acted | undefined,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const body = await this.#posted(request, response);
    if (body === undefined) return;
    const acted = act(body);
    if (acted === undefined) return end(response, 400, 'This is not an act; see protocol.ts.');
    return answerJson(response, acted);
  }

  async #upload(request: IncomingMessage, response: ServerResponse, query: URLSearchParams): Promise<void> {
    if (!this.#isFromOurPage(request, response, 'application/octet-stream')) return;
    const content = await readUpload(request);
    return answerJson(
      response,
      this.#options.upload(query.get('as') ?? '', query.get('name') ?? '', content),
    );
  }

  /** The JSON text that our own page posted; undefined when it was somebody else, who has been answered. */
  async #posted(request: IncomingMessage, response: ServerResponse): Promise<string | undefined> {
    if (!this.#isFromOurPage(request, response, 'application/json')) return undefined;
    return readBody(request, 1024 * 1024);
  }

  /** Whether our own page posted this; somebody else has been answered. */
  #isFromOurPage(request: IncomingMessage, response: ServerResponse, type: string): boolean {
    const refuse = (status: number, text: string): false => {
      end(response, status, text);
      return false;
    };
    if (request.method !== 'POST') return refuse(405, 'Only POST.');
    // Plain forms of other sites can send neither of our types, and browsers ask before scripts of other sites may.
    const sent = (request.headers['content-type'] ?? '').split(';')[0]?.trim();
    if (sent !== type) return refuse(415, `Only ${type}.`);
    const { origin } = request.headers;
    if (origin !== undefined && !this.#isOurHost(origin.replace(/^http:\/\//, '')))
      return refuse(403, 'Another origin.');
    return true;
  }

  async #file(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    if (request.method !== 'GET' && request.method !== 'HEAD') return end(response, 405, 'Only GET.');
    const file = await this.#options.page?.(path);
    if (file === undefined) return end(response, 404, 'There is no such page.');
    response.writeHead(200, { 'content-type': file.type, ...guards });
    response.end(request.method === 'HEAD' ? undefined : file.body);
  }
}

/** Connections are seen in both. */
function newsOf(type: Happening['type']): readonly News[] {
  if (type === 'trouble') return ['slack'];
  return type === 'connected' || type === 'disconnected' ? ['workspace', 'slack'] : ['workspace'];
}

/** One server-sent event; without a name it is what `EventSource` calls a message. */
function event(data: unknown, name?: string): string {
  return `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
}

function answerJson(response: ServerResponse, acted: Acted | Uploaded): void {
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', ...guards });
  response.end(JSON.stringify(acted));
}

function end(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...guards });
  response.end(text);
}
