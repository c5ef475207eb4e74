import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { createServer, type TLSSocket, type TlsOptions } from 'node:tls';
import { onTestFinished } from 'vitest';

interface TlsFront {
  /** `https://127.0.0.1:40123`. */
  readonly url: string;
  readonly port: number;
  /** Shows another certificate from now on, also to connected clients. */
  readonly renew: (options: TlsOptions) => void;
}

/** Speaks TLS in front of an http address. Ends with the test. */
export async function startTlsFront(address: string, options: TlsOptions): Promise<TlsFront> {
  const behind = new URL(address);
  const open = new Set<TLSSocket>();
  const server = createServer(options, (socket) => {
    open.add(socket);
    const inner = connect(Number(behind.port), behind.hostname);
    socket.pipe(inner).pipe(socket);
    socket.on('error', () => inner.destroy()).on('close', () => open.delete(socket) && inner.destroy());
    inner.on('error', () => socket.destroy());
  });
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const closeAll = () => {
    for (const socket of open) socket.destroy();
  };
  onTestFinished(() => {
    closeAll();
    server.close();
  });
  // A server that listens on a TCP port has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}`,
    port,
    renew: (renewed) => {
      server.setSecureContext({ ...options, ...renewed });
      closeAll();
    },
  };
}
