import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** What a server's connections may take together. */
export interface OpenSockets {
  /** So many bytes of a request have come in, and nobody knows yet whether it is signed. */
  readonly received: (socket: Socket, bytes: number) => void;
  /** A request on this connection was signed. */
  readonly trusted: (socket: Socket) => void;
}

/** Connections: fewer than the files that a process may open. Bytes: no machine that runs the bot misses them. */
const most = { sockets: 500, bytes: 16 * 1_024 * 1_024 };

/**
 * Keeps strangers from filling a server with connections and with halves of requests. For a new connection too many, the
 * oldest one goes, counted from its last signed request; for a byte too many, the oldest one with such bytes. Slack sends
 * a request at once, so its connections are never among the oldest: refusing new ones would shut out Slack instead.
 */
export function limitSockets(
  server: Server,
  mostSockets = most.sockets,
  mostBytes = most.bytes,
): OpenSockets {
  /** Bytes that are not known to be signed, by connection; the oldest one first. */
  const open = new Map<Socket, number>();
  let held = 0;

  function hold(socket: Socket, bytes: number): void {
    held += bytes - (open.get(socket) ?? 0);
    open.set(socket, bytes);
  }

  function forget(socket: Socket): void {
    held -= open.get(socket) ?? 0;
    open.delete(socket);
  }

  function drop(which: (bytes: number) => boolean): void {
    for (const [socket, bytes] of open) {
      if (!which(bytes)) continue;
      forget(socket);
      socket.destroy();
      return;
    }
  }

  server.on('connection', (socket: Socket) => {
    hold(socket, 0);
    socket.once('close', () => forget(socket));
    if (open.size > mostSockets) drop(() => true);
  });

  return {
    received: (socket, bytes) => {
      // What was dropped may still hand over what it had read.
      if (!open.has(socket)) return;
      hold(socket, (open.get(socket) ?? 0) + bytes);
      while (held > mostBytes) drop((others) => others > 0);
    },
    trusted: (socket) => {
      if (!open.has(socket)) return;
      forget(socket);
      hold(socket, 0);
    },
  };
}
