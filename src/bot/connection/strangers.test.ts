import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createLog } from '../../telemetry/log.ts';
import { createStrangers } from './strangers.ts';

/** A server that treats everybody as a stranger. */
async function startServer() {
  const lines: Record<string, unknown>[] = [];
  const log = createLog('info', { write: (line: string) => void lines.push(JSON.parse(line)) });
  const clock = { ms: 1_000_000 };
  const rates = { answers: { burst: 5, every: 1_000 }, lines: { burst: 2, every: 10_000 } };
  const strangers = createStrangers(log, () => clock.ms, rates);
  const server = createServer((_, response) => {
    response.setHeader('allow', 'GET, POST');
    strangers.refuse(response, 405);
  });
  strangers.keepFrom(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const knock = (method = 'GET') =>
    fetch(`http://127.0.0.1:${port}/`, { method }).then(
      ({ status, headers }) => ({
        status,
        allow: headers.get('allow'),
        connection: headers.get('connection'),
      }),
      () => 'hung up',
    );
  return { knock, lines, clock };
}

test('a stranger gets a status and is disconnected', async () => {
  const { knock } = await startServer();
  expect(await knock()).toEqual({ status: 405, allow: 'GET, POST', connection: 'close' });
});

test('requests beyond the log’s rate are counted, and the next line has the number', async () => {
  const { knock, lines, clock } = await startServer();
  for (let count = 0; count < 5; count += 1) await knock('PUT');
  expect(lines).toHaveLength(2);
  clock.ms += 10_000;
  await knock();
  expect(lines.at(1)).toMatchObject({
    status: 405,
    method: 'PUT',
    from: '127.0.0.1',
    msg: 'Refused an HTTP request',
  });
  expect(lines.at(1)).not.toHaveProperty('notLogged');
  expect(lines.at(2)).toMatchObject({ method: 'GET', notLogged: 3 });
});

test('a flood is not answered, until it is over', async () => {
  const { knock, clock } = await startServer();
  const answers = [];
  for (let count = 0; count < 8; count += 1) answers.push(await knock());
  expect(answers.map((answer) => answer === 'hung up')).toEqual([...Array(5).fill(false), true, true, true]);
  clock.ms += 1_000;
  expect(await knock()).toMatchObject({ status: 405 });
});
