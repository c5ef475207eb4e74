import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { limitSockets, type OpenSockets } from './open-sockets.ts';

/** A server with room for three connections and ten unverified bytes. */
async function startServer() {
  const server = createServer();
  const sockets = limitSockets(server, 3, 10);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const clients: Client[] = [];
  onTestFinished(() => {
    for (const { client } of clients) client.destroy();
    server.close();
  });
  /** Resolves when the server has accepted it. */
  const open = async () => {
    const accepted = once(server, 'connection');
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const closed = { yet: false };
    client
      .on('error', () => undefined)
      .on('close', () => {
        closed.yet = true;
      });
    const [socket]: Socket[] = await accepted;
    if (socket === undefined) throw new Error('A connection comes with its socket');
    const opened = { client, socket, closed };
    clients.push(opened);
    return opened;
  };
  return { sockets, open };
}

interface Client {
  readonly client: Socket;
  readonly socket: Socket;
  readonly closed: { yet: boolean };
}

const open = (...clients: readonly Client[]) => clients.map(({ closed }) => !closed.yet);
const gone = ({ closed }: Client) => expect.poll(() => closed.yet).toBe(true);
const receive = (sockets: OpenSockets, { socket }: Client, bytes: number) => sockets.received(socket, bytes);

test('an excess connection replaces the oldest', async () => {
  const { open: connection } = await startServer();
  const [first, second, third] = [await connection(), await connection(), await connection()];
  const fourth = await connection();
  await gone(first);
  expect(open(second, third, fourth)).toEqual([true, true, true]);
});

test('a connection with a signed request counts as new', async () => {
  const { sockets, open: connection } = await startServer();
  const [first, second, third] = [await connection(), await connection(), await connection()];
  sockets.trusted(first.socket);
  const fourth = await connection();
  await gone(second);
  expect(open(first, third, fourth)).toEqual([true, true, true]);
});

test('excess bytes close the connections that sent any, oldest first', async () => {
  const { sockets, open: connection } = await startServer();
  const [idle, slow, other] = [await connection(), await connection(), await connection()];
  receive(sockets, slow, 4);
  receive(sockets, other, 6);
  receive(sockets, other, 1);
  await gone(slow);
  expect(open(idle, other)).toEqual([true, true]);
  receive(sockets, slow, 100);
  expect(open(idle, other)).toEqual([true, true]);
});

test('signed or closed connections do not count any more', async () => {
  const { sockets, open: connection } = await startServer();
  const [signed, leaving, other] = [await connection(), await connection(), await connection()];
  receive(sockets, signed, 5);
  sockets.trusted(signed.socket);
  receive(sockets, leaving, 5);
  const left = once(leaving.socket, 'close');
  leaving.socket.destroy();
  await left;
  receive(sockets, other, 10);
  expect(open(signed, other)).toEqual([true, true]);
  receive(sockets, other, 1);
  await gone(other);
});
