import { createServer, type ServerResponse } from 'node:http';
import { limitSockets } from '../bot/connection/open-sockets.ts';
import { CannotStart } from '../problem.ts';

export interface HealthSettings {
  readonly host: string;
  readonly port: number;
}

interface HealthParts {
  /** Reasons why the bot is not ready; empty if it is. */
  readonly notReady: () => Promise<readonly string[]> | readonly string[];
  /** In the text format of Prometheus. */
  readonly metrics: () => Promise<string>;
}

export interface HealthServer {
  /** Resolves to its address, such as `http://127.0.0.1:9464`. @throws CannotStart if it cannot listen */
  readonly start: () => Promise<string>;
  readonly stop: () => void;
}

/** In milliseconds. Probes are nearby machines, and requests are short and without a body. */
const arriving = { headersTimeout: 5_000, requestTimeout: 5_000, connectionsCheckingInterval: 500 };
const keepAliveTimeout = 75_000;

/** An excess connection replaces the oldest: refusing it could shut out the probe, which then ends the bot. */
const mostConnections = 32;

const text = 'text/plain; charset=utf-8';

/**
 * Serves `/healthz` (the process lives), `/readyz` (everything works, otherwise 503 with the reasons) and
 * `/metrics`. A separate port, so that Slack and browsers cannot reach them.
 */
export function createHealthServer({ host, port }: HealthSettings, parts: HealthParts): HealthServer {
  const answers: Readonly<Record<string, (response: ServerResponse) => Promise<void>>> = {
    '/healthz': async (response) => answer(response, 200, text, 'alive\n'),
    '/readyz': async (response) => {
      const missing = await parts.notReady();
      if (missing.length === 0) answer(response, 200, text, 'ready\n');
      else answer(response, 503, text, `not ready\n${missing.map((one) => `- ${one}\n`).join('')}`);
    },
    '/metrics': async (response) =>
      answer(response, 200, 'text/plain; version=0.0.4; charset=utf-8', await parts.metrics()),
  };
  const server = createServer({ ...arriving, keepAliveTimeout }, (request, response) => {
    const path = request.url?.split('?', 1)[0] ?? '';
    const reply = Object.hasOwn(answers, path) ? answers[path] : undefined;
    if (reply === undefined) return answer(response, 404, text, `${Object.keys(answers).join(' ')}\n`);
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD');
      return answer(response, 405, text, 'GET only\n');
    }
    reply(response).catch(() => answer(response, 500, text, 'failed\n'));
  });
  limitSockets(server, mostConnections);
  // Invalid HTTP gets no answer.
  server.on('clientError', (_, socket) => socket.destroy());

  return {
    start: () =>
      new Promise((resolve, reject) => {
        server.once('error', ({ code }: NodeJS.ErrnoException) =>
          reject(
            new CannotStart([
              {
                key: 'HEALTH_PORT',
                wrong: `cannot be used: listening on ${host}, port ${port}, failed (${code}). Use a free port, and an address of this machine.`,
                example: 'HEALTH_PORT=9464',
              },
            ]),
          ),
        );
        server.listen({ host, port }, () => {
          const address = server.address();
          const own = typeof address === 'object' && address !== null ? address.port : port;
          resolve(`http://${host.includes(':') ? `[${host}]` : host}:${own}`);
        });
      }),
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function answer(response: ServerResponse, status: number, type: string, body: string): void {
  if (response.headersSent) return;
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}
