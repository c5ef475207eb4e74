import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { strangerRefused } from '../../telemetry/events/slack.ts';
import { type Log, seldom } from '../../telemetry/log.ts';
import { createPace } from '../delivery/pace.ts';

/** Whoever sends a request that is not Slack's: a scanner, a health check, an attacker. */
export interface Strangers {
  /** Answers with this HTTP status and closes the connection; `what` goes to the log. */
  readonly refuse: (response: ServerResponse, status: number, what?: typeof strangerRefused) => void;
  /** The same for what comes to a server and is no request by the rules of HTTP: there is a connection, and no response. */
  readonly keepFrom: (server: Server) => void;
}

/** What is told of a request that broke off or went wrong, by Node's code of it. */
const brokenStatus: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Each by itself: so many at once, and so many a second from then on. */
const usualRates = {
  answers: { burst: 100, perSecond: 50 },
  lines: { burst: 10, perSecond: 1 / 30 },
};

/**
 * Turns them away. A flood of them is not answered, and fills no log: lines beyond the rate are counted, and the next line
 * says how many there were. Nothing that a stranger has written is logged: there may be a secret in it, or words for whoever reads
 * the log.
 */
export function createStrangers(
  log: Log,
  now: () => number,
  rates: typeof usualRates = usualRates,
): Strangers {
  const answers = createPace(rates.answers.burst, rates.answers.perSecond, now);
  const lines = createPace(rates.lines.burst, rates.lines.perSecond, now);
  const tell = seldom(log, () => {
    const isDue = lines.due('') <= 0;
    if (isDue) lines.wait('');
    return isDue;
  });

  /** Says whether it is to be answered. */
  function note(
    what: typeof strangerRefused,
    status: number,
    socket: Socket | null,
    method?: string,
  ): boolean {
    const from = socket?.remoteAddress;
    tell(what, { status, method, from });
    if (answers.due('') > 0) return false;
    answers.wait('');
    return true;
  }

  function hangUp(socket: Socket, status: number): void {
    // Node does not listen to the errors of a tunnel, and one that nobody listens to ends the process.
    socket.on('error', () => undefined);
    // Gone by itself: a health check that only connects is nothing to tell of.
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
