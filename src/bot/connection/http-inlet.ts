import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type BufferedIncomingMessage, HTTPModuleFunctions, HTTPReceiver, isRawBodyError } from '@slack/bolt';
import { connectionFailed, requestFailed, requestRepeated } from '../../telemetry/events/slack.ts';
import { type Log, onceIn, seldom } from '../../telemetry/log.ts';
import { type Inlet, type OpenInlet, quietLogger } from './inlet.ts';
import { limitSockets } from './open-sockets.ts';
import { createStrangers } from './strangers.ts';

/** In milliseconds. Slack gives up after three seconds, so a slower request is not Slack's. */
const arriving = { headersTimeout: 5_000, requestTimeout: 5_000, connectionsCheckingInterval: 500 };

/** In milliseconds: longer than load balancers keep an idle connection, which is a minute for most. */
const keepAliveTimeout = 75_000;

/** How long a connection may delay closing, in milliseconds: Slack waits no longer for an answer. */
const closeTimeout = 3_000;

/** In bytes: twice the longest message in a payload; and the size of Slack's certificate check, which is unsigned. */
const limits = { signed: 2 * 1_024 * 1_024, unsigned: 1_024 };

/** How far a signature's time may differ, in seconds, either way (slack-facts.md §9). */
const tolerance = 300;

/**
 * A server that accepts Slack's signed requests at one path, and refuses everything else. Bolt's receiver runs
 * behind it. Bolt alone would end the process for other paths and for signed JSON that is no object. It would
 * trust the content type, which is unsigned, and would accept future and repeated signatures.
 */
export function httpInlet(
  { signingSecret, port, host }: Extract<Inlet, { kind: 'http' }>,
  log: Log,
  mostSockets?: number,
): OpenInlet {
  const receiver = new HTTPReceiver({ signingSecret, bodyLimit: limits.signed, logger: quietLogger(log) });
  const strangers = createStrangers(log, Date.now);
  const signatures = rememberSignatures(Date.now);
  // Without a Host, Node would answer without a log line.
  const server = createServer({ ...arriving, keepAliveTimeout, requireHostHeader: false });
  const sockets = limitSockets(server, mostSockets);
  const open = new Set<ServerResponse>();
  let isClosing = false;

  /** The connection closes after this answer. */
  function closeAfter(response: ServerResponse): void {
    if (!response.headersSent) response.shouldKeepAlive = false;
  }

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!/^\/slack\/events(?:\?|$)/.test(request.url ?? '')) return strangers.refuse(response, 404);
    if (request.method !== 'POST') {
      response.setHeader('allow', 'POST');
      return strangers.refuse(response, 405);
    }
    const seemsSigned = hasSignature(request);
    const read = await readVerified(request, seemsSigned ? limits.signed : limits.unsigned);
    if (typeof read === 'number') return strangers.refuse(response, seemsSigned ? read : 401);
    if (!isCertificateCheck(read)) {
      // Bolt accepts future signatures.
      if (!seemsSigned) return strangers.refuse(response, 401);
      sockets.trusted(request.socket);
      if (!isWhatItSays(read)) return strangers.refuse(response, 400);
      const signature = String(request.headers['x-slack-signature']);
      if (!signatures.isFirst(signature)) return strangers.refuse(response, 200, requestRepeated);
      // Slack may resend a request that was not accepted.
      response.once('close', () => response.statusCode === 200 || signatures.forget(signature));
    }
    receiver.requestListener(read, response);
  }

  /** The request with its verified body, or an HTTP error status. */
  async function readVerified(
    request: IncomingMessage,
    bodyLimit: number,
  ): Promise<BufferedIncomingMessage | number> {
    if (Number(request.headers['content-length']) > bodyLimit) return 413;
    request.on('data', (piece: Buffer) => sockets.received(request.socket, piece.length));
    try {
      return await HTTPModuleFunctions.parseAndVerifyHTTPRequest({ signingSecret, bodyLimit }, request);
    } catch (error) {
      return isRawBodyError(error) ? error.statusCode : 401;
    }
  }

  const answer = (request: IncomingMessage, response: ServerResponse) => {
    open.add(response);
    response.once('close', () => open.delete(response));
    if (isClosing) closeAfter(response);
    take(request, response).catch((error: unknown) => {
      log.tell(requestFailed, { error: error instanceof Error ? error.name : 'unknown' });
      response.destroy();
    });
  };
  server.on('request', answer);
  // Node would answer it without a log line.
  server.on('checkExpectation', answer);
  strangers.keepFrom(server);

  return {
    receiver,
    isOpen: () => server.listening,
    start: () =>
      new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen({ port, host }, () => {
          const tellFailed = seldom(log, onceIn(60_000));
          server.on('error', (error) => tellFailed(connectionFailed, { error: error.message }));
          resolve();
        });
      }),
    stop: () =>
      new Promise((resolve) => {
        isClosing = true;
        for (const response of open) closeAfter(response);
        server.close(() => resolve());
        // Closing disables Node's own time limits, and a stranger could hold half a request forever.
        setTimeout(() => server.closeAllConnections(), closeTimeout).unref();
      }),
  };
}

/** Whether it has a recent signature and so is worth reading. */
function hasSignature({ headers }: IncomingMessage): boolean {
  const signature = String(headers['x-slack-signature']);
  const timestamp = String(headers['x-slack-request-timestamp']);
  return (
    /^v0=[\da-f]{64}$/.test(signature) &&
    /^[1-9]\d{0,11}$/.test(timestamp) &&
    Math.abs(Number(timestamp) - Date.now() / 1_000) <= tolerance
  );
}

/** Slack checks the certificate without a signature; Bolt reduces such a request to this. */
function isCertificateCheck({ rawBody }: BufferedIncomingMessage): boolean {
  return rawBody.toString() === 'ssl_check=1';
}

/**
 * Whether the body matches its content type, which anybody on the way can change: an event with `&payload=…` in
 * its text must not be read as a form, and so as a click. An empty body does not match.
 */
function isWhatItSays(request: BufferedIncomingMessage): boolean {
  const isForm = request.headers['content-type'] === 'application/x-www-form-urlencoded';
  if (isForm === /^\s*[{[]/.test(request.rawBody.toString('latin1', 0, 64))) return false;
  try {
    const body: unknown = HTTPModuleFunctions.parseHTTPRequestBody(request);
    return typeof body === 'object' && body !== null && !Array.isArray(body);
  } catch {
    return false;
  }
}

/** Remembers valid signatures, so that each signed request is accepted once. */
function rememberSignatures(now: () => number) {
  const expiry = new Map<string, number>();
  return {
    isFirst: (signature: string): boolean => {
      for (const [old, end] of expiry) {
        if (end > now()) break;
        expiry.delete(old);
      }
      if (expiry.has(signature)) return false;
      expiry.set(signature, now() + 2 * tolerance * 1_000);
      return true;
    },
    forget: (signature: string) => expiry.delete(signature),
  };
}
