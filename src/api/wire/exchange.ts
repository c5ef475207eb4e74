import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, type InputType, inflate, inflateRaw, type ZlibOptions } from 'node:zlib';
import { type Dispatcher, Pool } from 'undici';
import type { Effect } from '../endpoint.ts';
import { type ApplianceWay, connectorFor, isRefusedByAlert } from './way.ts';

/** One request and its answer over one connection, within all limits. Sends once, never again. */

export interface ExchangeRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Text, or the chunks of something too large for memory. */
  readonly body?: string | AsyncIterable<Uint8Array> | undefined;
}

export interface ExchangeBounds {
  /** Milliseconds to establish a connection. */
  readonly connect: number;
  /** Milliseconds of silence while waiting for the answer. */
  readonly read: number;
  /** Milliseconds to take the next chunk of a body. */
  readonly send: number;
  /** Limit of the answer in bytes. */
  readonly replyBytes: number;
}

export interface ExchangeReply {
  readonly status: number;
  readonly location: string;
  /** Unchanged. */
  readonly setCookies: readonly string[];
  /** The answer came before the whole body was taken. */
  readonly early: boolean;
  readonly text: string;
}

/** `unreadable`: the answer is no readable HTTP; `undecodable`: its content is compressed in an undecodable way. */
type BreakKind =
  | 'connect'
  | 'lost'
  | 'silent'
  | 'too_large'
  | 'unreadable'
  | 'undecodable'
  | 'ended'
  | 'source'
  | 'withheld';

/** Why there is no answer. `left` is false only if no byte of the request was handed to a connection. */
export class Broken extends Error {
  readonly kind: BreakKind;
  readonly left: boolean;
  /** A system code such as ECONNRESET; for unreadable answers, the parser's error. */
  readonly reason: string;
  /** For unreadable answers, the text where the parser stopped. Hostile text. */
  readonly came: string;

  constructor(kind: BreakKind, left: boolean, reason: string, cause?: unknown) {
    super(`${kind} (${reason})`, { cause });
    this.name = 'Broken';
    this.kind = kind;
    this.left = left;
    this.reason = reason;
    this.came = cause instanceof Error && 'data' in cause && typeof cause.data === 'string' ? cause.data : '';
  }
}

/**
 * Rejects with a `Broken` and nothing else.
 *
 * undici reports when it begins to write (`onRequestStart`). Until then the request certainly never left,
 * whatever failed, which is more reliable than a list of error codes. If the client has aborted before, or the
 * request may no longer leave, the writing is cancelled.
 *
 * The timers are separate because undici's are accurate to half a second only.
 */
export function exchange(
  carrier: Carrier,
  request: ExchangeRequest,
  bounds: ExchangeBounds,
  signal: AbortSignal,
  mayLeave: () => boolean = () => true,
): Promise<ExchangeReply> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let broken: Broken | undefined;
    let over = false;
    let status = 0;
    let location = '';
    let setCookies: readonly string[] = [];
    let encoding = '';
    let size = 0;
    const chunks: Buffer[] = [];

    const fail = (kind: BreakKind, reason: string, cause?: unknown) => {
      if (broken) return;
      broken = new Broken(kind, controller !== undefined, reason, cause);
      settle();
      controller?.abort(broken);
      reject(broken);
    };
    const onAbort = () => fail('ended', 'ABORTED');
    let timer: NodeJS.Timeout | undefined;
    const expect = (milliseconds: number, reason: string) => {
      clearTimeout(timer);
      if (!over) timer = setTimeout(() => fail('silent', reason), milliseconds);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    const settle = () => {
      over = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    };
    if (signal.aborted) return onAbort();

    /** Every chunk that is taken resets the timer. */
    async function* watched(pieces: AsyncIterable<Uint8Array>) {
      try {
        for await (const piece of pieces) {
          expect(bounds.send, 'SEND_TIMEOUT');
          yield piece;
        }
      } catch (error) {
        fail('source', 'SOURCE', error);
        throw error;
      }
      bodyTaken = true;
      expect(bounds.read, 'READ_TIMEOUT');
    }
    const { body } = request;
    let bodyTaken = body === undefined || typeof body === 'string';
    const sent = body === undefined || typeof body === 'string' ? body : Readable.from(watched(body));

    carrier.dispatch(
      { ...request, body: sent ?? null, headersTimeout: 0, bodyTimeout: 0 },
      {
        onRequestStart(started) {
          // The process may have been suspended since it asked for the connection.
          if (!mayLeave()) fail('withheld', 'WITHHELD');
          if (broken) return started.abort(broken);
          controller = started;
          expect(bounds.read, 'READ_TIMEOUT');
        },
        onResponseStart(_controller, statusCode, headers) {
          if (broken) return;
          timer?.refresh();
          status = statusCode;
          location = String(headers.location ?? '');
          setCookies = [headers['set-cookie'] ?? []].flat();
          encoding = [headers['content-encoding'] ?? []].flat().join();
          if (Number(headers['content-length']) > bounds.replyBytes) fail('too_large', 'CONTENT_LENGTH');
        },
        onResponseData(_controller, chunk) {
          if (broken) return;
          timer?.refresh();
          size += chunk.length;
          if (size > bounds.replyBytes) fail('too_large', 'BODY');
          else chunks.push(chunk);
        },
        onResponseEnd() {
          if (broken) return;
          settle();
          const bytes = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size);
          decoded(bytes, encoding, bounds.replyBytes).then(
            (text) =>
              resolve({ status, location, setCookies, early: !bodyTaken, text: text.toString('utf8') }),
            (error: unknown) =>
              error instanceof Undecodable
                ? fail(error.isTooLarge ? 'too_large' : 'undecodable', error.reason, error)
                : reject(error),
          );
        },
        onResponseError(_controller, error) {
          const reason = codeOf(error);
          const closed = reason === 'UND_ERR_CLOSED' || reason === 'UND_ERR_DESTROYED';
          // An appliance that requires another client certificate says so after the writing has begun, without
          // reading any of it.
          const hasBegun = controller !== undefined && !(status === 0 && isRefusedByAlert(reason));
          if (hasBegun && isUnreadable(error)) return fail('unreadable', reason, error);
          fail(closed ? 'ended' : hasBegun ? 'lost' : 'connect', reason, error);
        },
      },
    );
    // On an open connection it has begun already.
    if (controller === undefined && !over) {
      timer = setTimeout(() => fail('connect', 'CONNECT_TIMEOUT'), bounds.connect);
    }
  });
}

/** The system code, at most one identifier long; for the HTTP parser, also its message. */
function codeOf(error: Error): string {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return 'CONNECT_TIMEOUT';
  const says = error.name === parserError ? /\(([\w ,/'-]{1,80})\)/.exec(error.message)?.[1] : undefined;
  return says === undefined ? code : `${code}: ${says}`;
}

const parserError = 'HTTPParserError';

/** An answer that ends too early counts as a broken connection. */
const isUnreadable = (error: Error): boolean =>
  error.name === parserError
    ? !/\bEOF\b/i.test(error.message)
    : 'code' in error && error.code === 'UND_ERR_HEADERS_OVERFLOW';

/**
 * Decodes compressed answers. Every request asks for uncompressed ones, but some servers and proxies compress
 * anyway (field notes).
 */

/** The compressed data is damaged, uses an unknown encoding, or exceeds the limit. */
class Undecodable extends Error {
  readonly reason: string;
  readonly isTooLarge: boolean;

  constructor(reason: string, cause?: unknown) {
    super(reason, { cause });
    this.name = 'Undecodable';
    this.reason = reason;
    this.isTooLarge = reason === 'ERR_BUFFER_TOO_LARGE';
  }
}

type Decoder = (bytes: InputType, options: ZlibOptions) => Promise<Buffer>;

const unzipped: Decoder = promisify(gunzip);
const inflated: Decoder = promisify(inflate);
const inflatedRaw: Decoder = promisify(inflateRaw);
const unbrotlied: Decoder = promisify(brotliDecompress);

/** By RFC 9110, "deflate" has a header, which some servers leave out. */
const deflated: Decoder = (bytes, options) =>
  (Buffer.isBuffer(bytes) && ((bytes[0] ?? 0) & 0x0f) === 8 ? inflated : inflatedRaw)(bytes, options);

const decoders: ReadonlyMap<string, Decoder> = new Map([
  ['gzip', unzipped],
  ['x-gzip', unzipped],
  ['deflate', deflated],
  ['br', unbrotlied],
]);

/** More layers are an attack. */
const mostEncodings = 3;

/**
 * The uncompressed bytes, up to this limit.
 * @param encoding the header `content-encoding`, '' if absent
 * @throws Undecodable
 */
async function decoded(bytes: Buffer, encoding: string, most: number): Promise<Buffer> {
  const named = encoding
    .toLowerCase()
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '' && one !== 'identity');
  // No text answer begins with these two bytes.
  const isUnnamed = named.length === 0 && bytes[0] === 0x1f && bytes[1] === 0x8b;
  const chain = isUnnamed ? ['gzip'] : named.toReversed();
  if (bytes.length === 0 || chain.length === 0) return bytes;
  if (chain.length > mostEncodings) throw new Undecodable('TOO_MANY_ENCODINGS');
  let plain = bytes;
  for (const one of chain) {
    const decode = decoders.get(one);
    if (decode === undefined) throw new Undecodable('UNKNOWN_ENCODING');
    try {
      plain = await decode(plain, { maxOutputLength: most });
    } catch (error) {
      throw new Undecodable(
        error instanceof Error && 'code' in error ? String(error.code) : 'UNKNOWN',
        error,
      );
    }
  }
  return plain;
}

/** Resolves with the place, unless the signal aborts first; a late place is then given back. */
export function placeBefore(signal: AbortSignal, place: Promise<() => void>): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      void place.then((leave) => leave());
      reject(signal.reason);
    };
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    void place.then((leave) => {
      signal.removeEventListener('abort', onAbort);
      if (!signal.aborted) resolve(leave);
    });
  });
}

type Carrier = Pick<Dispatcher, 'dispatch'>;

/** Two pools for every called address, opened on first use; or the caller's own dispatcher, which stays open. */
export function openConnections(
  connectTimeout: number,
  areKept: boolean,
  {
    way,
    dispatcher,
  }: { readonly way: ApplianceWay | undefined; readonly dispatcher: Dispatcher | undefined },
) {
  const pools = new Map<string, { readonly reads: Pool; readonly changes: Pool }>();
  const connector = connectorFor(way, connectTimeout);
  const options = { allowH2: false, connect: connector.connect };
  return {
    to(origin: string, effect: Effect): Carrier {
      if (dispatcher !== undefined) {
        return { dispatch: (options, handler) => dispatcher.dispatch({ ...options, origin }, handler) };
      }
      let found = pools.get(origin);
      if (found === undefined) {
        // A change gets a connection of its own. On a kept one that the appliance has just closed, an unread
        // change would seem to have possibly happened. It also leaves undici no kept socket to retry it on.
        found = {
          reads: new Pool(origin, areKept ? options : { ...options, pipelining: 0 }),
          changes: new Pool(origin, { ...options, pipelining: 0 }),
        };
        pools.set(origin, found);
      }
      return effect === 'read' ? found.reads : found.changes;
    },
    async close(): Promise<void> {
      const all = [...pools.values()].flatMap(({ reads, changes }) => [reads, changes]);
      await Promise.all(all.map((pool) => pool.close()));
      await connector.close();
    },
  };
}
