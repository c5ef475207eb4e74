import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** An answer as it came over the wire. */
export interface RecordedAnswer {
  readonly status: number;
  /** Without its parameters. */
  readonly type: string;
  readonly body: string;
}

/** Stands before each of these addresses, hands everything on, and keeps the answers. */
export async function recorder<Name extends string>(urls: Readonly<Record<Name, string>>) {
  const answers: RecordedAnswer[] = [];
  const servers = Object.entries<string>(urls).map(([name, url]) => [name, recording(url, answers)] as const);
  const listening = servers.map(async ([name, server]) => [name, await addressOf(server)]);
  return {
    answers,
    // The same names.
    urls: Object.fromEntries(await Promise.all(listening)) as Readonly<Record<Name, string>>,
    close() {
      for (const [, server] of servers) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}

function recording(url: string, answers: RecordedAnswer[]): Server {
  return createServer((asked, response) => {
    const { method, headers } = asked;
    const handedOn = request(new URL(asked.url ?? '', url), { method, headers }, async (answer) => {
      const body = await buffer(answer);
      const [type = ''] = (answer.headers['content-type'] ?? '').split(';');
      answers.push({ status: answer.statusCode ?? 0, type, body: body.toString() });
      response.writeHead(answer.statusCode ?? 0, answer.headers).end(body);
    });
    handedOn.on('error', () => response.destroy());
    asked.pipe(handedOn);
  });
}

async function addressOf(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // Listening at a port.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
