/**
 * The way to Slack, directly or through a company's proxy: API calls, files, private answers and the WebSocket all go it.
 * Requests to appliances never do (`api/wire/connections.ts`).
 */

import type { Duplex } from 'node:stream';
import { type Dispatcher, EnvHttpProxyAgent, Pool, fetch as undiciFetch } from 'undici';
import type { Problem } from '../problem.ts';
import { isOutOfFiles, patient } from './delivery/patient-fetch.ts';
import { ProxyFailure, problemIn } from './proxy-failure.ts';

export interface ProxySettings {
  /** With its user name and password, if it has any: a secret. */
  readonly url: string;
  /** Its host and port. */
  readonly address: string;
  /** The hosts that are reached without it, as NO_PROXY lists them; '' for none. */
  readonly except: string;
}

export interface Network {
  readonly fetch: typeof fetch;
  /** For web sockets of which one follows the other; undefined without a proxy: the SDK's own is right then. */
  readonly forWebSockets: () => Dispatcher | undefined;
}

/** `onProblem` is told which setting keeps Slack from being reached: once, until it is reached again. */
export function openNetwork(
  proxy: ProxySettings | undefined,
  onProblem: (problem: Problem) => void,
): Network {
  let told: string | undefined;
  const failed = (error: unknown) => {
    const problem = isOutOfFiles(error) ? undefined : problemIn(error);
    if (problem === undefined || problem.wrong === told) return;
    told = problem.wrong;
    onProblem(problem);
  };
  const dispatcher = proxy && dispatcherFor(proxy, failed);
  const direct = dispatcher === undefined ? fetch : fetchThrough(dispatcher);
  return {
    forWebSockets: () => dispatcher && oneAtATime(dispatcher),
    fetch: patient(async (...given) => {
      try {
        const answer = await direct(...given);
        told = undefined;
        return answer;
      } catch (error) {
        failed(error);
        throw error;
      }
    }),
  };
}

/** Node's own `fetch` is of another version of undici, which does not work with dispatchers of this one. */
function fetchThrough(dispatcher: Dispatcher): typeof fetch {
  // The same standard, declared twice.
  const through = undiciFetch as unknown as (url: unknown, init: object) => Promise<Response>;
  return (url, init) => through(url, { ...init, dispatcher });
}

function dispatcherFor(proxy: ProxySettings, failed: (error: ProxyFailure) => void): Dispatcher {
  return new EnvHttpProxyAgent({
    httpsProxy: proxy.url,
    noProxy: proxy.except,
    // Plain http goes no further than this machine (`config/slack-address.ts`).
    httpProxy: '',
    // A web socket needs a connection of its own, which HTTP/2 would not give it.
    allowH2: false,
    proxyTls: { allowH2: false },

    clientFactory: (origin, options) => new Tunnels(origin, options, proxy.address, failed),
  });
}

/**
 * Ends what is left of the last web socket when the next one opens. A peer that no longer answers would otherwise keep it: the
 * SDK destroys only sockets of its own dispatcher.
 */
export function oneAtATime(dispatcher: Dispatcher): Dispatcher {
  let last: Duplex | undefined;
  return dispatcher.compose((dispatch) => (options, handler) => {
    const opened = handler.onRequestUpgrade?.bind(handler);
    handler.onRequestUpgrade = (controller, status, headers, socket) => {
      last?.destroy();
      last = socket;
      opened?.(controller, status, headers, socket);
    };
    return dispatch(options, handler);
  });
}

/** How long a proxy may take to open a tunnel, in milliseconds. */
const answerTimeout = 10_000;

/** Opens tunnels through the proxy, and tells when it is the proxy that fails, not what lies behind it. */
class Tunnels extends Pool {
  readonly #address: string;
  readonly #failed: (error: ProxyFailure) => void;

  constructor(origin: URL, options: Pool.Options, address: string, failed: (error: ProxyFailure) => void) {
    super(origin, options);
    this.#address = address;
    this.#failed = failed;
  }

  override async connect(options: Dispatcher.ConnectOptions<null>): Promise<Dispatcher.ConnectData<null>> {
    // undici would wait for five minutes.
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
