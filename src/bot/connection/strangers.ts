import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { createRateLimit } from '../../rate-limit.ts';
import { strangerRefused } from '../../telemetry/events/slack.ts';
import { type Log, seldom } from '../../telemetry/log.ts';

/** Senders of requests that are not Slack's: a scanner, a health check, an attacker. */
export interface Strangers {
  /** Answers with this HTTP status and closes the connection; `what` goes to the log. */
  readonly refuse: (response: ServerResponse, status: number, what?: typeof strangerRefused) => void;
  /** The same for connections without a valid HTTP request, which have no response. */
  readonly keepFrom: (server: Server) => void;
}

/** The HTTP status for a broken or wrong request, by Node's code. */
const brokenStatus: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Each separately. */
const usualRates = {
  answers: { burst: 100, every: 20 },
  lines: { burst: 10, every: 30_000 },
};

/**
 * Refuses them. A flood is not answered and does not fill the log: lines beyond the rate are counted, and the
 * next line has the number. A stranger's text is never logged, because it may contain a secret, or words for
 * the log's reader.
 */
export function createStrangers(
  log: Log,
  now: () => number,
  rates: typeof usualRates = usualRates,
): Strangers {
  const answers = createRateLimit(rates.answers, now);
  const lines = createRateLimit(rates.lines, now);
  const tell = seldom(log, () => lines.take('') === 0);

  /** Whether to answer. */
  function note(
    what: typeof strangerRefused,
    status: number,
    socket: Socket | null,
    method?: string,
  ): boolean {
    const from = socket?.remoteAddress;
    tell(what, { status, method, from });
    return answers.take('') === 0;
  }

  function hangUp(socket: Socket, status: number): void {
    // Node does not listen for errors of a tunnel, and an unhandled one ends the process.
    socket.on('error', () => undefined);
    // Closed by itself: a health check that only connects is not worth a line.
    if (!socket.writable || !note(strangerRefused, status, socket)) {
      socket.destroy();
      return;
    }
    const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;
    socket.end(head, () => socket.destroy());
  }

  return {
    refuse: (response, status, what = strangerRefused) => {
      const { req, socket } = response;
      if (!note(what, status, socket, req.method)) {
        socket?.destroy();
        return;
      }
      response.writeHead(status, { connection: 'close' }).end();
    },
    keepFrom: (server) => {
      server.on('connect', (_, socket: Socket) => hangUp(socket, 405));
      server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) =>
        hangUp(socket, brokenStatus[error.code ?? ''] ?? 400),
      );
    },
  };
}
