/**
 * The connection to Slack, direct or through a company's proxy: for API calls, files, private answers and the
 * WebSocket. Requests to appliances never use it (`api/wire/exchange.ts`).
 */

import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebAPIRequestError } from '@slack/web-api';
import { type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';
import { connector, fetchThrough, openAgent, usualTimeout } from '../dial.ts';
import type { Problem } from '../problem.ts';

export interface ProxySettings {
  /** With its user name and password, if it has any: a secret. */
  readonly url: string;
  /** Its host and port. */
  readonly address: string;
  /** Hosts without the proxy, as NO_PROXY lists them; '' for none. */
  readonly except: string;
}

export interface Network {
  readonly fetch: typeof fetch;
  /** For successive web sockets. */
  readonly forWebSockets: () => WebSocketWay;
}

interface WebSocketWay {
  readonly dispatcher: Dispatcher;
  /** Ends the rest of the last one. Slack would keep counting it, and sending to it (slack-facts.md §5). */
  readonly end: () => void;
}

/**
 * `onProblem` gets the setting that keeps Slack unreachable: once, until it is reached again. `onAnswer` is
 * called for every answer, as soon as its headers arrive.
 */
export function openNetwork(
  proxy: ProxySettings | undefined,
  onProblem: (problem: Problem) => void,
  onAnswer: (answer: Response) => void = () => undefined,
): Network {
  let told: string | undefined;
  const failed = (error: unknown) => {
    const problem = isOutOfFiles(error) ? undefined : problemIn(error);
    if (problem === undefined || problem.wrong === told) return;
    told = problem.wrong;
    onProblem(problem);
  };
  const dispatcher = proxy === undefined ? openAgent() : dispatcherFor(proxy, failed);
  const direct = fetchThrough(dispatcher);
  return {
    forWebSockets: () => {
      let last: Duplex | undefined;
      const opened = (socket: Duplex) => {
        last = socket;
      };
      return { dispatcher: oneAtATime(dispatcher, opened), end: () => last?.destroy() };
    },
    fetch: patient(async (...given) => {
      try {
        const answer = await direct(...given);
        told = undefined;
        onAnswer(answer);
        return answer;
      } catch (error) {
        failed(error);
        throw error;
      }
    }),
  };
}

function dispatcherFor(proxy: ProxySettings, failed: (error: ProxyFailure) => void): Dispatcher {
  return new EnvHttpProxyAgent({
    httpsProxy: proxy.url,
    noProxy: proxy.except,
    // Plain http stays on this machine (`config/slack-address.ts`).
    httpProxy: '',
    // A web socket needs its own connection, which HTTP/2 would not give it.
    allowH2: false,
    connect: connector(usualTimeout),
    clientFactory: (origin, options) =>
      new Tunnels(origin, { ...options, connect: connector(usualTimeout) }, proxy.address, failed),
  });
}

/**
 * Ends the rest of the last web socket when the next one opens. A silent peer would otherwise keep it, because
 * the SDK destroys only sockets of its own dispatcher.
 */
export function oneAtATime(
  dispatcher: Dispatcher,
  hear: (socket: Duplex) => void = () => undefined,
): Dispatcher {
  let last: Duplex | undefined;
  return dispatcher.compose((dispatch) => (options, handler) => {
    const opened = handler.onRequestUpgrade?.bind(handler);
    handler.onRequestUpgrade = (controller, status, headers, socket) => {
      last?.destroy();
      last = socket;
      hear(socket);
      opened?.(controller, status, headers, socket);
    };
    return dispatch(options, handler);
  });
}

/** How long a proxy may take to open a tunnel, in milliseconds. */
const answerTimeout = 10_000;

/** Opens tunnels through the proxy, and distinguishes its failures from those behind it. */
class Tunnels extends Pool {
  readonly #address: string;
  readonly #failed: (error: ProxyFailure) => void;

  constructor(origin: URL, options: Pool.Options, address: string, failed: (error: ProxyFailure) => void) {
    super(origin, options);
    this.#address = address;
    this.#failed = failed;
  }

  override async connect(options: Dispatcher.ConnectOptions<null>): Promise<Dispatcher.ConnectData<null>> {
    // undici would wait five minutes.
    const signal = AbortSignal.timeout(answerTimeout);
    const opened = await super.connect({ ...options, signal }).catch((error: unknown) => {
      throw this.#failure({ cause: error });
    });
    if (opened.statusCode === 200) return opened;
    opened.socket.on('error', () => undefined).destroy();
    throw this.#failure({ status: opened.statusCode });
  }

  #failure(why: ConstructorParameters<typeof ProxyFailure>[1]): ProxyFailure {
    const failure = new ProxyFailure(this.#address, why);
    this.#failed(failure);
    return failure;
  }
}

/** No file handle is left for a connection. Nothing was sent. */
const codes: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE']);
/** In milliseconds: recently used connections end within seconds. */
const pause = 100;
const longest = 20_000;

/** A `fetch` that waits for a while if no file handle is left. */
function patient(hasty: typeof fetch): typeof fetch {
  return async (...given) => {
    const until = performance.now() + longest;
    for (;;) {
      try {
        return await hasty(...given);
      } catch (error) {
        if (!isOutOfFiles(error) || performance.now() > until) throw error;
        await sleep(pause);
      }
    }
  };
}

function isOutOfFiles(error: unknown): boolean {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : undefined;
  return cause !== undefined && 'code' in cause && codes.has(cause.code);
}

/** No tunnel to Slack was opened, so nothing was sent. */
class ProxyFailure extends Error {
  override readonly name = 'ProxyFailure';
  readonly proxy: string;
  /** The proxy's HTTP status; undefined without an answer. */
  readonly status: number | undefined;
  /** The system's code. undici decides by it, too. */
  readonly code: string;

  constructor(proxy: string, { status, cause }: { readonly status?: number; readonly cause?: unknown }) {
    super(`No tunnel through the proxy ${proxy}`, { cause });
    this.proxy = proxy;
    this.status = status;
    this.code = status === undefined ? codeIn(cause) : `PROXY_${status}`;
  }
}

/** The proxy failure behind an error; undefined if there is none. */
export const proxyFailureIn = (error: unknown): ProxyFailure | undefined =>
  causesOf(error).find((one) => one instanceof ProxyFailure);

/** OpenSSL's codes for a certificate of an unknown authority. */
const unknownAuthority: ReadonlySet<unknown> = new Set([
  ...['SELF_SIGNED_CERT_IN_CHAIN', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
  ...['UNABLE_TO_GET_ISSUER_CERT', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'],
]);

/** The setting that keeps Slack unreachable; undefined if none is known. */
export function problemIn(error: unknown): Problem | undefined {
  const failure = proxyFailureIn(error);
  const codes = causesOf(error).map(codeIn);
  const distrust = codes.find((code) => unknownAuthority.has(code));
  if (distrust !== undefined) {
    const whose = failure === undefined ? 'Slack’s address' : `the proxy ${failure.proxy}`;
    return {
      key: 'NODE_EXTRA_CA_CERTS',
      wrong: `does not name the authority of the certificate of ${whose} (${distrust}). If your company inspects TLS, set it to the PEM file of your company’s certificate authority and restart the bot.`,
      example: 'NODE_EXTRA_CA_CERTS=/etc/ssl/certs/company-ca.pem',
    };
  }
  if (failure === undefined) return undefined;
  return {
    key: 'HTTPS_PROXY',
    wrong: `names the proxy ${failure.proxy}, which ${whatItDid(failure)}`,
    example: 'HTTPS_PROXY=http://user:password@proxy.example.com:3128',
  };
}

function whatItDid({ status, code }: ProxyFailure): string {
  if (status === undefined)
    return `could not be reached (${code}). Check its host and port, and that it runs.`;
  if (status === 407)
    return 'requires a user name and password, or rejected these (407). Set them in its address.';
  return `did not connect to Slack (${status}). Ask its administrator whether it allows and reaches slack.com and its subdomains on port 443.`;
}

/** The error and its causes, outermost first. */
function causesOf(error: unknown): readonly unknown[] {
  const causes: unknown[] = [];
  let next = error;
  while (next instanceof Error && !causes.includes(next)) {
    causes.push(next);
    next = next instanceof WebAPIRequestError ? next.original : next.cause;
  }
  return causes;
}

function codeIn(error: unknown): string {
  if (!(error instanceof Error)) return 'no reason given';
  // A timeout's code is a number.
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
