import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TlsOptions } from 'node:tls';
import { onTestFinished } from 'vitest';

interface ConnectProxy {
  readonly port: number;
  /** Its IP address and port. */
  readonly address: string;
  /** Everything it was asked for: the host and port of tunnels, the address of plain requests. */
  readonly asked: readonly string[];
  /** How many tunnels are open. */
  readonly open: () => number;
  /** Answers every request for a tunnel with this status, and closes open tunnels. Undefined: tunnels work again. */
  readonly refuse: (status: number | undefined) => void;
}

interface ConnectProxyOptions {
  /** A user name and a password with a colon between them, which it wants. */
  readonly login?: string | undefined;
  /** TLS options when clients speak to the proxy by TLS. */
  readonly tls?: TlsOptions | undefined;
  /** Accepts every request and answers none. */
  readonly isSilent?: boolean | undefined;
}

/** A company's HTTP proxy. Every host is this machine to it, also where nobody else knows its name. Ends with the test. */
export async function startConnectProxy({
  login,
  tls,
  isSilent,
}: ConnectProxyOptions = {}): Promise<ConnectProxy> {
  const asked: string[] = [];
  const open = new Set<Duplex>();
  const wanted = login && `Basic ${Buffer.from(login).toString('base64')}`;
  let refusing: number | undefined;
  const server = tls === undefined ? createServer() : createSecureServer(tls);
  server.on('request', ({ url = '' }, response) => {
    asked.push(url);
    response.writeHead(502).end();
  });
  server.on('connect', ({ url = '', headers }, client: Duplex) => {
    client.on('error', () => client.destroy());
    asked.push(url);
    if (isSilent) return void open.add(client);
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
    port,
    address: `127.0.0.1:${port}`,
    asked,
    open: () => open.size,
    refuse: (status) => {
      refusing = status;
      if (status !== undefined) closeAll();
    },
  };
}
