import { Worker } from 'node:worker_threads';
import { onTestFinished } from 'vitest';
import { type Appliance, connectAppliance } from '../src/api/index.ts';

const server = `
  const { parentPort } = require('node:worker_threads');
  let body = '';
  const server = require('node:http').createServer((_, response) => response.end(body));
  parentPort.on('message', (next) => {
    body = next;
    parentPort.postMessage('told');
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

/** An appliance in a thread of its own, so that its work is not counted; it gives the last reply it was set to. */
export async function oneReplyAppliance(): Promise<{
  readonly appliance: Appliance;
  readonly tell: (body: string) => Promise<void>;
}> {
  const worker = new Worker(server, { eval: true });
  onTestFinished(async () => void (await worker.terminate()));
  const heard = () => new Promise<unknown>((resolve) => worker.once('message', resolve));
  const url = `http://127.0.0.1:${await heard()}`;
  const key = 'sandbox-web-api-key';
  const appliance = connectAppliance({ name: 'hq', url, directoryUrl: url, key, release: '4.50 SP5' });
  onTestFinished(() => appliance.close());
  return {
    appliance,
    tell: async (body) => {
      worker.postMessage(body);
      await heard();
    },
  };
}
