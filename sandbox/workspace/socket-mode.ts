import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Changes } from './changes.ts';
import type { Carrier, Envelope } from './dispatch.ts';
import { appId } from './people.ts';
import { Refusal } from './refusal.ts';

/** Why Slack asks a connection to go (slack-facts.md §5). */
export type DisconnectReason = 'warning' | 'refresh_requested' | 'link_disabled';

interface Connection {
  readonly id: string;
  readonly socket: WebSocket;
  /** True after a request to disconnect: no envelopes follow. */
  leaving: boolean;
  /** Half-open: both ends believe that it is open, and no data passes. */
  frozen: boolean;
  alive: boolean;
}

/** Ten connections at most; a ticket is good for one connection within half a minute; a ping every ten seconds. */
const limits = {
  connections: 10,
  ticketMs: 30_000,
  pingMs: 10_000,
  leaveMs: 10_000,
  goodbyeMs: 200,
} as const;

/** The Socket Mode side of the server: hands out single-use addresses, carries envelopes to any one connection. */
export class Sockets implements Carrier {
  readonly #now: () => number;
  readonly #changes: Changes;
  readonly #acknowledged: (envelopeId: string, body: unknown) => void;
  readonly #server = new WebSocketServer({ noServer: true, autoPong: false });
  readonly #tickets = new Map<string, number>();
  readonly #connections: Connection[] = [];
  readonly #pings: NodeJS.Timeout;
  readonly #farewells = new Set<NodeJS.Timeout>();
  #turn = 0;
  #preferred: string | undefined;

  constructor(
    now: () => number,
    changes: Changes,
    acknowledged: (envelopeId: string, body: unknown) => void,
  ) {
    this.#now = now;
    this.#changes = changes;
    this.#acknowledged = acknowledged;
    this.#pings = setInterval(() => this.#ping(), limits.pingMs);
    this.#pings.unref();
  }

  /** How many connections there are. */
  get count(): number {
    return this.#connections.length;
  }

  /** How many of them take what Slack hands to the app, and hand it on. */
  get ready(): number {
    return this.#open().filter(({ frozen }) => !frozen).length;
  }

  /** The connections' IDs, oldest first. */
  get ids(): readonly string[] {
    return this.#connections.map(({ id }) => id);
  }

  /** All connections, with their faults. */
  all(): readonly { readonly id: string; readonly frozen: boolean }[] {
    return this.#connections.map(({ id, frozen }) => ({ id, frozen }));
  }

  /** The path and query of a WebSocket address that works once. Refuses with too_many_websockets. */
  ticket(): string {
    if (this.#connections.length >= limits.connections) throw new Refusal('too_many_websockets');
    const ticket = randomUUID();
    this.#tickets.set(ticket, this.#now());
    return `/link/?ticket=${ticket}&app_id=${appId}`;
  }

  /** Takes an HTTP upgrade. A ticket that is unknown, used or old is answered with 403. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const ticket = searchParams.get('ticket') ?? '';
    const made = this.#tickets.get(ticket);
    this.#tickets.delete(ticket);
    if (pathname !== '/link/' || made === undefined || this.#now() - made > limits.ticketMs) {
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
      return;
    }
    this.#server.handleUpgrade(request, socket, head, (webSocket) => this.#welcome(webSocket));
  }

  /** From now on everything goes to this connection while it is open; they take turns again when none is named. */
  prefer(id?: string): void {
    this.#preferred = id;
  }

  /** Sends to one connection that is open, taking turns unless one is preferred. */
  send(envelope: Envelope): string | undefined {
    const open = this.#open();
    const connection =
      open.find(({ id }) => id === this.#preferred) ?? open[this.#turn % Math.max(open.length, 1)];
    if (connection === undefined) return undefined;
    this.#turn += 1;
    if (!connection.frozen) connection.socket.send(JSON.stringify(envelope));
    return connection.id;
  }

  /** Asks a connection (all, when none is named) to reconnect, as Slack does every few hours; `warning` leaves it in use. */
  disconnect(reason: DisconnectReason = 'refresh_requested', id?: string): void {
    for (const connection of this.#named(id)) {
      connection.socket.send(JSON.stringify({ type: 'disconnect', reason, debug_info: { host: 'sandbox' } }));
      if (reason === 'warning') continue;
      connection.leaving = true;
      const timer = setTimeout(() => {
        this.#farewells.delete(timer);
        connection.socket.terminate();
      }, limits.leaveMs);
      timer.unref();
      this.#farewells.add(timer);
    }
  }

  /** Cuts a connection (all, when none is named) without a word, as a broken network does. */
  drop(id?: string): void {
    for (const connection of this.#named(id)) connection.socket.terminate();
  }

  /**
   * Blocks a connection (all open ones by default) in both directions, while both ends believe that it is open, as after
   * a firewall forgot it. Slack still sends envelopes into it.
   */
  freeze(id?: string): void {
    for (const connection of this.#named(id)) connection.frozen = true;
    this.#changes.tell({ type: 'trouble' });
  }

  /** Says goodbye to every connection and does not wait long for those that do not answer. */
  async stop(): Promise<void> {
    clearInterval(this.#pings);
    for (const timer of this.#farewells) clearTimeout(timer);
    const closed = this.#connections.map(
      ({ socket }) => new Promise((resolve) => socket.once('close', resolve)),
    );
    for (const { socket } of this.#connections) socket.close(1001);
    const impatience = setTimeout(() => this.drop(), limits.goodbyeMs);
    await Promise.all(closed);
    clearTimeout(impatience);
    this.#server.close();
  }

  #open(): readonly Connection[] {
    return this.#connections.filter(({ leaving, socket }) => !leaving && socket.readyState === socket.OPEN);
  }

  #named(id: string | undefined): readonly Connection[] {
    return this.#connections.filter((connection) => id === undefined || connection.id === id);
  }

  #welcome(socket: WebSocket): void {
    const connection: Connection = {
      id: randomBytes(4).toString('hex'),
      socket,
      leaving: false,
      frozen: false,
      alive: true,
    };
    this.#connections.push(connection);
    socket.on('message', (data) => {
      if (!connection.frozen) this.#hear(String(data));
    });
    socket.on('ping', (data) => {
      if (!connection.frozen) socket.pong(data);
    });
    socket.on('pong', () => {
      connection.alive = true;
    });
    // A socket's error is always followed by its close.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#connections.splice(this.#connections.indexOf(connection), 1);
      this.#changes.tell({ type: 'disconnected', connections: this.#connections.length });
    });
    socket.send(
      JSON.stringify({
        type: 'hello',
        num_connections: this.#connections.length,
        debug_info: { host: 'sandbox', build_number: 1, approximate_connection_time: 18_060 },
        connection_info: { app_id: appId },
      }),
    );
    this.#changes.tell({ type: 'connected', connections: this.#connections.length });
  }

  #hear(frame: string): void {
    try {
      const ack: unknown = JSON.parse(frame);
      if (typeof ack !== 'object' || ack === null || !('envelope_id' in ack)) return;
      this.#acknowledged(String(ack.envelope_id), 'payload' in ack ? ack.payload : undefined);
    } catch {
      // Slack ignores frames it cannot read.
    }
  }

  #ping(): void {
    for (const connection of this.#connections) {
      if (connection.frozen) continue;
      if (!connection.alive) connection.socket.terminate();
      connection.alive = false;
      connection.socket.ping(`Ping from sandbox`);
    }
  }
}
