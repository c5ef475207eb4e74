import { createServer } from 'node:http';
import { answers } from './fleet-answers.ts';

/** All appliances of a fleet, in a process of their own: each question of `status` is answered after so many milliseconds. */
const [delay = '50'] = process.argv.slice(2);

const written = new Map(Object.entries(answers).map(([path, answer]) => [path, JSON.stringify(answer)]));

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  const answer = written.get(request.url ?? '');
  setTimeout(() => {
    response
      .writeHead(answer === undefined ? 404 : 200, {
        'content-type': 'application/json',
        'content-length': answer?.length ?? 0,
      })
      .end(answer);
  }, Number(delay));
});
server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, () => {
  const address = server.address();
  process.send?.(typeof address === 'object' ? `http://127.0.0.1:${address?.port}` : '');
});
process.once('disconnect', () => process.exit());
