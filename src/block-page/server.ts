import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { limitSockets } from '../bot/connection/open-sockets.ts';
import { createStrangers } from '../bot/connection/strangers.ts';
import { CannotStart, type Problem } from '../problem.ts';
import { nobodyCanAsk, pageConnectionFailed, pageFailed } from '../telemetry/events/requests.ts';
import { type Log, onceIn, seldom } from '../telemetry/log.ts';
import { addressOf } from './address.ts';
import type { BlockPageSettings } from './link.ts';
import { createPageLimits } from './page-limits.ts';
import { createTokens } from './page-tokens.ts';
import { type Answer, documentOf, notice, securityHeaders } from './pages/document.ts';
import { createRoutes, type RouteParts } from './routes.ts';

/** The port that block pages link to. */
export interface BlockPageServer {
  /** @throws CannotStart if it cannot listen there */
  readonly start: () => Promise<void>;
  /** Accepts nothing new, and finishes running answers. */
  readonly stop: () => Promise<void>;
}

/** In milliseconds. Browsers send a small form faster. */
const arriving = { headersTimeout: 5_000, requestTimeout: 10_000, connectionsCheckingInterval: 500 };

/** In milliseconds: longer than reverse proxies keep idle connections. */
const keepAliveTimeout = 75_000;

/** How long a connection may delay closing, in milliseconds. */
const closeTimeout = 3_000;

/** All routes; other requests are refused without a word. */
const paths: Readonly<Record<string, readonly string[]>> = { form: ['GET', 'POST'], request: ['GET'] };

interface ServerParts extends Omit<RouteParts, 'limits' | 'tokens'> {
  readonly settings: BlockPageSettings;
  readonly log: Log;
  readonly mostSockets: number;
}

/** A separate server: it knows requests, and neither Slack nor the appliances. */
export function createBlockPage({ settings, log, mostSockets, ...parts }: ServerParts): BlockPageServer {
  const limits = createPageLimits(parts.now);
  const routes = createRoutes({ ...parts, tokens: createTokens(settings.secrets), log, limits });
  const strangers = createStrangers(log, parts.now);
  const server = createServer({ ...arriving, keepAliveTimeout, requireHostHeader: false });
  const sockets = limitSockets(server, mostSockets);
  const open = new Set<ServerResponse>();
  let isClosing = false;

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value);
    const address = addressOf(request, settings.trustedProxies);
    if (limits.request(address) > 0) return strangers.refuse(response, 429);
    if (!isCalledSo(request)) return strangers.refuse(response, 421);
    const [, requestToken, query = ''] = /^\/ask(?:\/([\w.-]{1,300}))?(?:\?(.*))?$/s.exec(
      request.url ?? '',
    ) ?? [undefined, ''];
    if (requestToken === '') return strangers.refuse(response, 404);
    const methods = paths[requestToken === undefined ? 'form' : 'request'] ?? [];
    if (!methods.includes(request.method ?? '')) {
      response.setHeader('allow', methods.join(', '));
      return strangers.refuse(response, 405);
    }
    const answer =
      requestToken !== undefined
        ? await routes.request(requestToken, query)
        : request.method === 'GET'
          ? routes.form(query, address)
          : isFromElsewhere(request)
            ? routes.fromElsewhere()
            : await routes.send(request, address);
    if (answer.isKnown) sockets.trusted(request.socket);
    send(request, response, answer);
  }

  /** Another host name that leads here belongs to somebody else, whose pages would share the origin. */
  function isCalledSo({ headersDistinct }: IncomingMessage): boolean {
    const [host = '', ...more] = headersDistinct.host ?? [];
    if (more.length > 0 || !/^[\w.:[\]-]+$/.test(host)) return false;
    return URL.parse(`http://${host}`)?.hostname === settings.url.hostname;
  }

  /** Browsers send the origin of a form. */
  function isFromElsewhere({ headers: { origin, 'sec-fetch-site': site } }: IncomingMessage): boolean {
    if (site !== undefined && site !== 'same-origin') return true;
    return origin !== undefined && origin !== settings.url.origin;
  }

  function send(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
    if (response.destroyed) return;
    // An unread rest of the request would be taken for the next one.
    if (isClosing || !request.complete) response.shouldKeepAlive = false;
    response.writeHead(answer.status, {
      'content-type': 'text/html; charset=utf-8',
      ...answer.headers,
    });
    response.end(answer.page === undefined ? '' : documentOf(answer.page));
  }

  /** Idle connections do not delay closing. */
  function closeWhenAnswered(): void {
    if (open.size === 0) server.closeAllConnections();
  }

  const answer = (request: IncomingMessage, response: ServerResponse) => {
    open.add(response);
    response.once('close', () => {
      open.delete(response);
      if (isClosing) closeWhenAnswered();
    });
    take(request, response).catch((error: unknown) => {
      if (request.destroyed && !request.complete) return;
      // Without the message, which may contain a stranger's text.
      log.tell(pageFailed, { error: error instanceof Error ? error.name : 'unknown' });
      if (response.headersSent) response.destroy();
      else {
        const page = notice('Something went wrong', 'Your request was not sent. Try again in a few minutes.');
        send(request, response, { status: 500, page, isKnown: false });
      }
    });
  };
  server.on('request', answer);
  server.on('checkExpectation', answer);
  strangers.keepFrom(server);

  return {
    start: () =>
      new Promise<void>((resolve, reject) => {
        const { host, port } = settings;
        const cannotListen = ({ code }: NodeJS.ErrnoException) =>
          reject(new CannotStart([cannotListenOn(host, port, code)]));
        server.once('error', cannotListen);
        server.listen({ port, host }, () => {
          server.off('error', cannotListen);
          if (parts.selfService() === undefined) {
            log.tell(nobodyCanAsk);
          }
          const tellFailed = seldom(log, onceIn(60_000));
          server.on('error', (error) => tellFailed(pageConnectionFailed, { error: error.message }));
          resolve();
        });
      }),
    stop: () =>
      new Promise((resolve) => {
        isClosing = true;
        for (const response of open) if (!response.headersSent) response.shouldKeepAlive = false;
        server.close(() => resolve());
        closeWhenAnswered();
        // Closing disables Node's own time limits.
        setTimeout(() => server.closeAllConnections(), closeTimeout).unref();
      }),
  };
}

const cannotListenOn = (host: string, port: number, code: string | undefined): Problem => ({
  key: 'BLOCK_PAGE_PORT',
  wrong: `cannot be used: listening on ${host}, port ${port}, failed (${code}). Use a free port, and an address of this machine in BLOCK_PAGE_HOST.`,
  example: 'BLOCK_PAGE_PORT=8080',
});
