import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { connectAppliance } from '../../src/api/index.ts';
import { hostileReplies } from '../hostile-replies.ts';
import { seeded } from '../seeded.ts';

/** An appliance in a thread of its own, so that what it does is not counted; it answers what it was told last. */
const appliance = `
  const { parentPort } = require('node:worker_threads');
  let body = '';
  const server = require('node:http').createServer((_, response) => response.end(body));
  parentPort.on('message', (next) => {
    body = next;
    parentPort.postMessage('told');
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

const replies = 10_000;
const largest = 4_000_000;
/** Milliseconds beside what JSON.parse alone takes for it, on a machine that parses the text below in 20. */
const most = 250;
const text = JSON.stringify(
  Array.from({ length: 50_000 }, (_, id) => ({ id, name: `name ${id}`, enabled: true })),
);

const timeOf = async (does: () => unknown): Promise<number> => {
  const before = process.threadCpuUsage();
  await does();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
};

const parse = (json: string) => {
  try {
    JSON.parse(json);
  } catch {
    // Many are no JSON.
  }
};

test(`none of ${replies} hostile replies of up to 4 MB holds up the process for more than a quarter of a second`, {
  timeout: 1_800_000,
}, async () => {
  const worker = new Worker(appliance, { eval: true });
  onTestFinished(async () => void (await worker.terminate()));
  const heard = () => new Promise<unknown>((resolve) => worker.once('message', resolve));
  const url = `http://127.0.0.1:${await heard()}`;
  const hq = connectAppliance({
    name: 'hq',
    url,
    directoryUrl: url,
    key: 'sandbox-web-api-key',
    release: '4.50 SP5',
  });
  onTestFinished(() => hq.close());
  const calls = [
    () => hq.rdp.listSessions(),
    () => hq.rdp.getMember({ id: 1 }),
    () => hq.acl.listObjects(),
    () => hq.acl.compile(),
    () => hq.categories.addSites({ id: 1, sites: ['a.example'] }),
    () => hq.categories.list(),
    () => hq.authdns.statistics(),
    () => hq.sqldb.listDatabases(),
    () => hq.sqldb.listUsers(),
    () => hq.rdp.listMembers(),
    () => hq.directory.status(),
  ];
  const kinds = Object.entries(hostileReplies);
  const random = seeded(1);
  const slow: string[] = [];
  for (let index = 0; index < replies; index += 1) {
    const [name, make] = kinds[index % kinds.length] ?? ['', () => ''];
    // Most are small; about one in a hundred is as large as they come.
    const size = Math.ceil(largest * Math.min(1, 1.01 * random() ** 12));
    const body = make(size);
    worker.postMessage(body);
    await heard();
    const call = calls[Math.floor(random() * calls.length)];
    const whole = await timeOf(() =>
      call?.().catch((failure: { code?: string }) => expect(failure.code).toBeTypeOf('string')),
    );
    if (whole < most) continue;
    const parsing = Math.min(await timeOf(() => parse(body)), await timeOf(() => parse(body)));
    const slowness = Math.max(1, (await timeOf(() => parse(text))) / 20);
    if (whole - parsing > most * slowness) slow.push(`${name} of ${size}: ${whole.toFixed()} ms by ${call}`);
  }
  expect(slow).toEqual([]);
});
