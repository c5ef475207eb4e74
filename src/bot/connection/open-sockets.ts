import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Limits for all connections of a server. */
export interface OpenSockets {
  /** Received bytes of a request that is not verified yet. */
  readonly received: (socket: Socket, bytes: number) => void;
  /** A request on this connection was signed. */
  readonly trusted: (socket: Socket) => void;
}

/** Connections: fewer than the file limit. Bytes: a small part of any machine's memory. */
const most = { sockets: 500, bytes: 16 * 1_024 * 1_024 };

/**
 * Keeps strangers from filling a server with connections and partial requests. An excess connection closes the
 * oldest, counted from its last signed request; an excess byte closes the oldest connection with unverified
 * bytes. Slack sends at once, so its connections are never the oldest. Refusing new ones would shut out Slack
 * instead.
 */
export function limitSockets(
  server: Server,
  mostSockets = most.sockets,
  mostBytes = most.bytes,
): OpenSockets {
  /** Unverified bytes by connection, oldest first. */
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
      // A dropped connection may still deliver bytes that it had read.
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
