import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { ToldEvent } from './testimony.ts';

/** A receiver of webhooks. */
export interface Receiver {
  readonly url: string;
  /** The accepted deliveries. */
  readonly told: readonly ToldEvent[];
  /** From now on it takes everything. */
  readonly recover: () => void;
  readonly stop: () => void;
}

/** The receiver sometimes fails, or loses its answer after accepting a delivery. */
export async function openReceiver(random: () => number): Promise<Receiver> {
  const told: ToldEvent[] = [];
  let isWell = false;
  const server = createServer(async (request, response) => {
    const chance = isWell ? 1 : random();
    const { type, data } = (await json(request)) as { type: string; data: { action: string } };
    if (chance < 0.1) return void response.writeHead(503).end();
    told.push({ at: Date.now(), id: String(request.headers['webhook-id']), type, action: data.action });
    if (chance < 0.15) request.socket.destroy();
    else response.writeHead(204).end();
  });
  server.on('clientError', (_, socket) => socket.destroy());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    told,
    recover: () => {
      isWell = true;
    },
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
