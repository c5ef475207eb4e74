import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Certified } from './certificate.ts';

export type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Somewhere that requests are answered, on 127.0.0.1. */
export interface Listening {
  /** Such as `http://127.0.0.1:40123`. */
  readonly url: string;
  /** Breaks every connection; a second time does no harm. */
  readonly close: () => Promise<void>;
}

/**
 * Port 0 takes a free one; by https with a certificate, else by http. Rejects with Node's error (`code`, `port`) when the port
 * cannot be had.
 */
export async function listen(
  port: number,
  answer: Answer,
  certified: Certified | undefined,
): Promise<Listening> {
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    // Only a broken connection or the close can interrupt an answer, and then nobody is there to hear it.
    answer(request, response).catch(() => response.destroy());
  };
  const server =
    certified === undefined ? createServer(listener) : createTlsServer({ ...certified }, listener);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('The simulated appliance has no port.');
  return {
    url: `${certified === undefined ? 'http' : 'https'}://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
