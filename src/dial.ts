/**
 * Opens every connection of the bot: to appliances, Slack, receivers of webhooks and traces, and PostgreSQL. A
 * name with several addresses is reached at the first that answers (RFC 8305, “Happy Eyeballs”). Node abandons
 * an address after 250 ms, even a distant one, and libraries that try addresses in sequence lose their time on
 * a dead one.
 */

import dns, { type LookupAddress } from 'node:dns';
import net, { type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { Agent, buildConnector, type Dispatcher, errors, fetch as undiciFetch } from 'undici';

interface Place {
  /** A name, or an address without brackets. */
  readonly host: string;
  readonly port: number;
}

interface Dialing {
  /** The limit in milliseconds. No address is abandoned before. */
  readonly timeout: number;
  readonly signal?: AbortSignal | undefined;
}

/** In milliseconds, before the next address is tried as well; a refusal ends the wait (RFC 8305, section 5). */
const stagger = 250;

interface Tried {
  readonly address: string;
  /** Undefined while it has not answered. */
  error?: NodeJS.ErrnoException;
}

/** No connection was established, so nothing was sent. The message names each tried address. */
export class NotConnected extends AggregateError {
  override readonly name = 'NotConnected';
  readonly code: string;
  readonly syscall = 'connect';

  /** `timeout`: the limit after which the rest was abandoned; undefined if all have answered. */
  constructor({ host, port }: Place, tried: readonly Tried[], timeout?: number) {
    const seconds = `${(timeout ?? 0) / 1_000} s`;
    const each = tried.map(
      ({ address, error }) => `${address} ${error?.code ?? `did not answer in ${seconds}`}`,
    );
    const all = each.length === 0 ? `its address could not be looked up in ${seconds}` : each.join(', ');
    super(
      tried.flatMap(({ error }) => error ?? []),
      `No connection to ${host}, port ${port}: ${all}`,
    );
    this.code = timeout === undefined ? mostTelling(tried) : 'ETIMEDOUT';
  }
}

/** Local limits first, then answers, then network errors. */
const byWeight = [
  'EMFILE',
  'ENFILE',
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
];

function mostTelling(tried: readonly Tried[]): string {
  const codes = tried.flatMap(({ error }) => error?.code ?? []);
  return byWeight.find((code) => codes.includes(code)) ?? codes[0] ?? 'ECONNREFUSED';
}

/** A plain TCP connection. All other attempts are closed. */
export function dial(place: Place, { timeout, signal }: Dialing): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const tried: Tried[] = [];
    const open = new Set<Socket>();
    let waiting: readonly string[] = [];
    let pause = 0;
    let next: NodeJS.Timeout | undefined;
    let isOver = false;
    const timer = setTimeout(() => fail(new NotConnected(place, tried, timeout)), timeout);
    const onAbort = () => fail(signal?.reason);

    function end(): void {
      isOver = true;
      clearTimeout(timer);
      clearTimeout(next);
      signal?.removeEventListener('abort', onAbort);
      for (const socket of open) socket.destroy();
    }

    function fail(why: unknown): void {
      end();
      reject(why);
    }

    function tryNext(): void {
      clearTimeout(next);
      const [address, ...rest] = waiting;
      if (address === undefined) {
        const [only, ...others] = tried;
        if (open.size === 0) fail(others.length === 0 ? only?.error : new NotConnected(place, tried));
        return;
      }
      waiting = rest;
      if (rest.length > 0) next = setTimeout(tryNext, pause);
      const one: Tried = { address };
      tried.push(one);
      const socket = net.connect({ host: address, port: place.port });
      open.add(socket);
      const onError = (error: Error) => {
        one.error = error;
        open.delete(socket);
        tryNext();
      };
      socket.once('error', onError);
      socket.once('connect', () => {
        open.delete(socket);
        socket.off('error', onError);
        end();
        resolve(socket);
      });
    }

    if (signal?.aborted) return onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
    const began = performance.now();
    addressesOf(place.host).then(
      (addresses) => {
        if (isOver) return;
        waiting = addresses;
        // Every address gets its turn within the time limit.
        pause = Math.min(stagger, (timeout - (performance.now() - began)) / (addresses.length + 1));
        tryNext();
      },
      (error: unknown) => !isOver && fail(error),
    );
  });
}

/** In the system's order, alternating between both families, because all addresses of one may be dead. */
async function addressesOf(host: string): Promise<readonly string[]> {
  if (net.isIP(host) !== 0) return [host];
  const found = await new Promise<readonly LookupAddress[]>((resolve, reject) => {
    dns.lookup(host, { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)));
  });
  const isFirst = ({ family }: LookupAddress) => family === found[0]?.family;
  const [preferred, others] = [found.filter(isFirst), found.filter((one) => !isFirst(one))];
  return [
    ...new Set(found.flatMap((_, at) => [preferred[at], others[at]].flatMap((one) => one?.address ?? []))),
  ];
}

/** For undici dispatchers. The time limit in milliseconds includes TLS. */
export function connector(timeout: number, tls: buildConnector.BuildOptions = {}): buildConnector.connector {
  const secured = buildConnector({ allowH2: false, ...tls, timeout });
  return (options, callback) => {
    // A tunnel's socket exists already.
    if (options.httpSocket) return secured(options, callback);
    const { hostname, port, protocol } = options;
    const isSecure = protocol === 'https:';
    const until = performance.now() + timeout;
    dial({ host: hostname, port: Number(port) || (isSecure ? 443 : 80) }, { timeout }).then(
      (socket) => {
        socket.setNoDelay(true).setKeepAlive(true, keepAliveDelay);
        if (!isSecure) return callback(null, socket);
        const late = setTimeout(() => {
          const tooLate = new errors.ConnectTimeoutError(`TLS with ${hostname} took too long`);
          if (handshake instanceof TLSSocket) handshake.destroy(tooLate);
        }, until - performance.now());
        // undici does not declare that it returns the socket at once.
        const handshake: unknown = secured({ ...options, httpSocket: socket }, (...ended) => {
          clearTimeout(late);
          callback(...ended);
        });
      },
      (error: Error) => callback(inWordsOfUndici(error), null),
    );
  };
}

/** undici's own value, in milliseconds. */
const keepAliveDelay = 60_000;

/** undici and its callers identify a connection timeout by this class. */
function inWordsOfUndici(error: Error): Error {
  if (!(error instanceof NotConnected) || error.code !== 'ETIMEDOUT') return error;
  const late = new errors.ConnectTimeoutError(error.message);
  late.cause = error;
  return late;
}

/** undici's own default, in milliseconds. */
export const usualTimeout = 10_000;

/** An agent whose connections begin so. */
export const openAgent = (timeout = usualTimeout): Agent =>
  new Agent({ allowH2: false, connect: connector(timeout) });

/** Node's own `fetch` uses another version of undici, which does not accept these dispatchers. */
export function fetchThrough(dispatcher: Dispatcher): typeof fetch {
  // Two declarations of the same standard.
  const through = undiciFetch as unknown as (url: unknown, init: object) => Promise<Response>;
  return (url, init) => through(url, { ...init, dispatcher });
}
