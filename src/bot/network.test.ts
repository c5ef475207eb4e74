import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { Agent, WebSocket } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { oneAtATime } from './network.ts';

test('a web socket whose peer answers no more ends when the next one opens, which stays', async () => {
  const sockets: Duplex[] = [];
  const server = createServer().listen(0, '127.0.0.1');
  const accepting = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    sockets.push(socket);
    accepting.handleUpgrade(request, socket, head, (accepted) => accepted.pause());
  });
  await once(server, 'listening');
  const dispatcher = oneAtATime(new Agent());
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await dispatcher.destroy();
  });
  // A server that listens on a TCP port has an AddressInfo.
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const open = () => once(new WebSocket(url, { dispatcher }), 'open');
  await open();
  await open();
  await expect.poll(() => sockets.map(({ closed }) => closed)).toEqual([true, false]);
});
