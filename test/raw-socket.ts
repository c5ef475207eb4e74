import { connect, type Socket } from 'node:net';

/**
 * Opens a connection of its own, does this with it, and resolves to what came back until the other end closed it, or until so many
 * milliseconds are over.
 */
export function exchange(port: number, send: (socket: Socket) => void, timeout: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let said = '';
    const end = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve(said);
    };
    const timer = setTimeout(end, timeout);
    socket.setEncoding('latin1');
    socket.on('data', (text) => {
      said += text;
    });
    socket.on('error', end);
    socket.on('close', end);
    send(socket);
  });
}
