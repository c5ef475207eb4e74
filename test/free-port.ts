import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * A port for a process that listens on it in a moment. Below the system's own range (32,768 and on), so that no other
 * process gets it meanwhile.
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
