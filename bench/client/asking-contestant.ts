import { Agent } from 'node:http';
import axios from 'axios';
import got from 'got';
import { Pool } from 'undici';
import { connectAppliance } from '../../src/api/index.ts';

/**
 * One way to ask an appliance for the categories of a domain, alone in a process of its own. Asks as often as requested,
 * 16 at once, and reports the milliseconds.
 */
export type ClientName = 'client' | 'undici' | 'got' | 'axios';

const atOnce = 16;
const [name, url = ''] = process.argv.slice(2);
const path = '/categories/query/example.com';

type Ask = () => Promise<number>;

/** Checks by hand what the client checks. */
function idsIn(body: unknown): number {
  if (typeof body !== 'object' || body === null || !('Status' in body) || !('Categories' in body))
    throw new Error('What is this?');
  if (body.Status !== true || !Array.isArray(body.Categories)) throw new Error('Refused');
  return body.Categories.map((entry: Record<string, unknown>) => {
    if (typeof entry.category_name !== 'string' || typeof entry.table_name !== 'string')
      throw new Error('No name');
    if (typeof entry.rpz_redirect !== 'string') throw new Error('No redirect');
    if (!Number.isInteger(entry.rpz_enabled) || !Number.isInteger(entry.rpz_action))
      throw new Error('No zone');
    if (!Number.isInteger(entry.category_id)) throw new Error('No number');
    return { id: Number(entry.category_id), name: entry.category_name, table: entry.table_name };
  }).length;
}

function askerOf(contestant: string | undefined): Ask {
  switch (contestant) {
    case 'client': {
      const pace = { atOnce, perSecond: 1_000_000 };
      const appliance = connectAppliance({ name: 'bench', url, pace, release: '4.50 SP5' });
      return async () => (await appliance.categories.query({ domain: 'example.com' })).categories.length;
    }
    case 'undici': {
      const pool = new Pool(url, { connections: atOnce });
      return async () => {
        const { body } = await pool.request({ method: 'GET', path });
        const parsed: { Categories: unknown[] } = JSON.parse(await body.text());
        return parsed.Categories.length;
      };
    }
    case 'got': {
      const agent = { http: new Agent({ keepAlive: true, maxSockets: atOnce }) };
      const client = got.extend({ prefixUrl: url, agent, retry: { limit: 0 }, timeout: { request: 30_000 } });
      return async () => idsIn(await client.get(path.slice(1)).json());
    }
    case 'axios': {
      const httpAgent = new Agent({ keepAlive: true, maxSockets: atOnce });
      const client = axios.create({ baseURL: url, httpAgent, timeout: 30_000 });
      return async () => idsIn((await client.get(path)).data);
    }
    default:
      throw new TypeError(`There is no client ${contestant}.`);
  }
}

const ask = askerOf(name);

process.on('message', async (times: number) => {
  const began = performance.now();
  let left = times;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (left > 0) {
        left -= 1;
        if ((await ask()) !== 2) throw new Error('That is not the answer.');
      }
    }),
  );
  process.send?.(performance.now() - began);
});
process.send?.('ready');
process.once('disconnect', () => process.exit());
