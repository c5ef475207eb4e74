import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { Carrier } from './connections.ts';
import { decoded, Undecodable } from './encoding.ts';
import { isRefusedByAlert } from './way.ts';

/** One request and its answer over one connection, with every bound kept. Sends once, never again. */

export interface ExchangeRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Text, or the pieces of something too large to hold. */
  readonly body?: string | AsyncIterable<Uint8Array> | undefined;
}

export interface ExchangeBounds {
  /** Milliseconds until a connection must stand. */
  readonly connect: number;
  /** Milliseconds of silence while the answer is awaited. */
  readonly read: number;
  /** Milliseconds in which the next piece of a body must be taken. */
  readonly send: number;
  /** Bytes of answer that are read. */
  readonly replyBytes: number;
}

export interface ExchangeReply {
  readonly status: number;
  readonly location: string;
  /** As they came. */
  readonly setCookies: readonly string[];
  /** The answer was there before all of the body had been taken. */
  readonly early: boolean;
  readonly text: string;
}

/** `unreadable`: what came is no HTTP that can be read; `undecodable`: what it holds is compressed and cannot be. */
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

/**
 * Why there is no answer. `left` is false only when no byte of the request was handed to a connection.
 */
export class Broken extends Error {
  readonly kind: BreakKind;
  readonly left: boolean;
  /** A system code such as ECONNRESET; of what is unreadable, what the parser says. */
  readonly reason: string;
  /** Of what is unreadable, where the parser stopped. Hostile text. */
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
 * undici tells when it begins to write (`onRequestStart`). Until then the request certainly never left, whatever went
 * wrong; that is a firmer ground than a list of error codes. If we have given up before, or it may not leave any more, the
 * writing is called off.
 *
 * The timers are our own because undici's are only as exact as half a second.
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

    /** Every piece that is taken is a sign of life. */
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
          // The process may have stood still since the connection was asked for.
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
          // An appliance that wants another certificate of us says so after we began to write, and reads nothing of it.
          const hasBegun = controller !== undefined && !(status === 0 && isRefusedByAlert(reason));
          if (hasBegun && isUnreadable(error)) return fail('unreadable', reason, error);
          fail(closed ? 'ended' : hasBegun ? 'lost' : 'connect', reason, error);
        },
      },
    );
    // On a connection that stands, it has begun already.
    if (controller === undefined && !over) {
      timer = setTimeout(() => fail('connect', 'CONNECT_TIMEOUT'), bounds.connect);
    }
  });
}

/** The system's word for what happened, at most one identifier long; of the HTTP parser, also what it says. */
function codeOf(error: Error): string {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return 'CONNECT_TIMEOUT';
  const says = error.name === parserError ? /\(([\w ,/'-]{1,80})\)/.exec(error.message)?.[1] : undefined;
  return says === undefined ? code : `${code}: ${says}`;
}

const parserError = 'HTTPParserError';

/** An answer that ends too early is one whose connection broke. */
const isUnreadable = (error: Error): boolean =>
  error.name === parserError
    ? !/\bEOF\b/i.test(error.message)
    : 'code' in error && error.code === 'UND_ERR_HEADERS_OVERFLOW';
