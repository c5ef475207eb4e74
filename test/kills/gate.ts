import { createServer, type IncomingMessage, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A proxy for the bot's requests. The gate can stop one before it is carried out, or before its answer arrives. */
export interface Gate {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** Called for every request before it is passed on and before its answer is: true stops it. */
export type Watch = (path: string, when: 'before' | 'after', method: string) => boolean | Promise<boolean>;

export async function openGate(target: string, watch: Watch): Promise<Gate> {
  const server = createServer(async (request, response) => {
    const { url: path = '/', method = '' } = request;
    try {
      const body = await buffer(request);
      if (await watch(path, 'before', method)) return request.socket.destroy();
      const answer = await passOn(request, new URL(path, target), body);
      const answered = await buffer(answer);
      if (await watch(path, 'after', method)) return request.socket.destroy();
      response.writeHead(answer.statusCode ?? 502, answer.headers).end(answered);
    } catch {
      // The server behind the gate has broken off, and so does the gate.
      request.socket.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A listening TCP server has an address of this shape.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function passOn({ method, headers }: IncomingMessage, to: URL, body: Buffer): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const passed = send(to, { method, headers: { ...headers, host: to.host, connection: 'close' } }, resolve);
    passed.on('error', reject);
    passed.end(body);
  });
}
