import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * A port for a process that is to listen on it in a moment. Below those that the system gives out by itself (32,768 and on): nobody
 * who asks for any port gets it meanwhile.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
