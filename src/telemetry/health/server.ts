import { createServer, type ServerResponse } from 'node:http';
import { limitSockets } from '../../bot/connection/open-sockets.ts';
import { CannotStart } from '../../problem.ts';

/** Where health and metrics are asked for. */
export interface HealthSettings {
  readonly host: string;
  readonly port: number;
}

interface HealthParts {
  /** What keeps the bot from doing all that it is there for; nothing where it is ready. */
  readonly notReady: () => Promise<readonly string[]> | readonly string[];
  /** In the text format of Prometheus. */
  readonly metrics: () => Promise<string>;
}

export interface HealthServer {
  /** Where it listens, as `http://127.0.0.1:9464`. @throws CannotStart where it cannot */
  readonly start: () => Promise<string>;
  readonly stop: () => void;
}

/** Whoever asks is a machine beside the bot: nothing here takes long, or needs a body. In milliseconds. */
const arriving = { headersTimeout: 5_000, requestTimeout: 5_000, connectionsCheckingInterval: 500 };
const keepAliveTimeout = 75_000;

/** A new one too many takes the place of the oldest: refusing it would shut out the probe, which then ends the bot. */
const mostConnections = 32;

const text = 'text/plain; charset=utf-8';

/**
 * `/healthz`: the process lives. `/readyz`: it can do all that it is there for, else 503 with what is in the way. `/metrics`.
 * A port of its own, so that none of it can be reached where Slack or browsers come in.
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
  // A request that is none by the rules of HTTP gets no answer.
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
