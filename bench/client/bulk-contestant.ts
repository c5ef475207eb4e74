import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { connectAppliance } from '../../src/api/index.ts';

/**
 * Adds sites in bulk, alone in a process of its own: with the client, or with bare undici and the same chunks. Tells
 * how long it took and how much more resident memory the process ever had than before it began.
 */
export interface BulkResult {
  readonly milliseconds: number;
  /** Megabytes resident before the first site, and at most while the sites went out. */
  readonly before: number;
  readonly peak: number;
  readonly progress: number;
}

const [name, url = '', howMany = '0'] = process.argv.slice(2);
const perRequest = 500;
const atOnce = 4;

function* sites(count: number): Generator<string> {
  for (let index = 0; index < count; index += 1) yield `host-${index}.bulk-${index % 977}.example.com`;
}

const pace = { atOnce: 8, perSecond: 1_000_000 };
const appliance = connectAppliance({ name: 'bench', url, pace, release: '4.50 SP5' });

async function withClient(count: number): Promise<number> {
  let told = 0;
  const onProgress = () => {
    told += 1;
  };
  const added = await appliance.categories.addManySites({
    id: 252,
    sites: sites(count),
    perRequest,
    atOnce,
    onProgress,
  });
  if (!added.complete || added.accepted !== count || added.count !== count)
    throw new Error('Not all sites were added.');
  return told;
}

/** The same sites in the same chunks, written down by hand. */
async function withUndici(count: number): Promise<number> {
  const pool = new Pool(url, { connections: atOnce, pipelining: 0 });
  const source = sites(count);
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  let accepted = 0;
  const send = async (chunk: readonly string[]) => {
    const body = new URLSearchParams({ sites: chunk.join('\n') }).toString();
    const response = await pool.request({ method: 'POST', path: '/categories/252/add', headers, body });
    const answer: { added: number } = JSON.parse(await response.body.text());
    accepted += answer.added;
  };
  const work = async () => {
    let chunk: string[] = [];
    for (let next = source.next(); !next.done; next = source.next()) {
      chunk.push(next.value);
      if (chunk.length < perRequest) continue;
      await send(chunk);
      chunk = [];
    }
    if (chunk.length > 0) await send(chunk);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  await pool.close();
  if (accepted !== count) throw new Error('Not all sites were added.');
  return 0;
}

const work = name === 'client' ? withClient : withUndici;
const resident = () => process.memoryUsage.rss() / 1e6;

process.on('message', async () => {
  // The startup of a process must not count as work for many sites.
  await work(20 * perRequest);
  await pause(200);
  globalThis.gc?.();
  const before = resident();
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, resident());
  }, 5);
  const began = performance.now();
  const progress = await work(Number(howMany));
  const milliseconds = performance.now() - began;
  clearInterval(timer);
  process.send?.({ milliseconds, before, peak: Math.max(peak, resident()), progress } satisfies BulkResult);
});
process.send?.('ready');
process.once('disconnect', () => process.exit());
