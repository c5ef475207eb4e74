import { median } from '../figures.ts';
import { type Measurement, type Row, row } from '../measurement.ts';
import type { BulkResult } from './bulk-contestant.ts';
import { startProgram, startServer } from './program.ts';

export interface BulkPlan {
  readonly rounds: number;
  readonly sites: number;
}

const plan: BulkPlan = { rounds: 5, sites: 100_000 };

/** Many sites at once: how long, and in how much memory. */
export const bulk: Measurement = {
  name: 'bulk',
  method: `${plan.sites.toLocaleString('en')} sites added in chunks of 500, four at once, with progress; ${plan.rounds} times in fresh processes; against bare undici posting the same chunks, and the process's own memory before`,
  measure: () => measureBulk(plan),
};

export async function measureBulk({ rounds, sites }: BulkPlan): Promise<readonly Row[]> {
  const server = await startServer();
  const run = async (name: string): Promise<BulkResult> => {
    const program = await startProgram(
      './bulk-contestant.ts',
      [name, server.url, String(sites)],
      ['--expose-gc'],
    );
    try {
      // The program's own file declares its answers.
      return (await program.ask(0)) as BulkResult;
    } finally {
      program.stop();
    }
  };
  const client: BulkResult[] = [];
  const bare: BulkResult[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      client.push(await run('client'));
      bare.push(await run('undici'));
    }
  } finally {
    server.stop();
  }
  if (client.some(({ progress }) => progress !== Math.ceil(sites / 500))) {
    throw new Error('Not every chunk was told as progress.');
  }
  const before = median(client.map((result) => result.before));
  const grown = median(client.map((result) => result.peak - result.before));
  const time = (results: readonly BulkResult[]) => median(results.map(({ milliseconds }) => milliseconds));
  const count = sites.toLocaleString('en');
  return [
    row(
      `${count} sites, peak memory`,
      'MB',
      before + grown,
      { whom: 'itself before', value: before },
      { more: 30 },
    ),
    row(
      `${count} sites, time`,
      'ms',
      time(client),
      { whom: 'undici by hand', value: time(bare) },
      { ratio: 1.5 },
    ),
  ];
}
