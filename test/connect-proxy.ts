import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { onTestFinished } from 'vitest';

interface ConnectProxy {
  /** Host and port. */
  readonly address: string;
  /** Everything it was asked for: the host and port of tunnels, the address of plain requests. */
  readonly asked: readonly string[];
  /** How many tunnels are open. */
  readonly open: () => number;
  /** It answers this to every request for a tunnel from now on, and closes those that are open; undefined: it serves them again. */
  readonly refuse: (status: number | undefined) => void;
}

/** A company's HTTP proxy. Every host is this machine to it, also where nobody else knows its name. Ends with the test. */
export async function startConnectProxy(login?: string): Promise<ConnectProxy> {
  const asked: string[] = [];
  const open = new Set<Duplex>();
  const wanted = login && `Basic ${Buffer.from(login).toString('base64')}`;
  let refusing: number | undefined;
  const server = createServer(({ url = '' }, response) => {
    asked.push(url);
    response.writeHead(502).end();
  });
  server.on('connect', ({ url = '', headers }, client: Duplex) => {
    client.on('error', () => client.destroy());
    asked.push(url);
    const status = wanted && headers['proxy-authorization'] !== wanted ? 407 : refusing;
    if (status !== undefined) return client.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`);
    const behind = connect(Number(url.split(':').at(-1)), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      client.pipe(behind).pipe(client);
    });
    open.add(client);
    behind.on('error', () => client.destroy());
    client.on('close', () => {
      open.delete(client);
      behind.destroy();
    });
    return undefined;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const closeAll = () => {
    for (const client of open) client.destroy();
  };
  onTestFinished(() => {
    closeAll();
    server.close();
  });
  // A server that listens on a TCP port has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  return {
    address: `127.0.0.1:${port}`,
    asked,
    open: () => open.size,
    refuse: (status) => {
      refusing = status;
      if (status !== undefined) closeAll();
    },
  };
}
