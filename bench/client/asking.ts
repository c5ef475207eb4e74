import { median } from '../figures.ts';
import { type Measurement, type Row, row } from '../measurement.ts';
import type { ClientName } from './asking-contestant.ts';
import { type Program, startProgram, startServer } from './program.ts';

export interface AskingPlan {
  readonly rounds: number;
  /** Requests in each round. */
  readonly requests: number;
  readonly warmUp: number;
}

const plan: AskingPlan = { rounds: 15, requests: 3_000, warmUp: 6_000 };

/** Measures the cost of checking, pacing and explaining every answer. */
export const asking: Measurement = {
  name: 'asking',
  method: `requests a second to a local server, 16 at once, every answer parsed and checked; ${plan.rounds} rounds of ${plan.requests}; against raw undici with JSON.parse, and got and axios with checks by hand`,
  measure: () => measureAsking(plan),
};

export async function measureAsking({ rounds, requests, warmUp }: AskingPlan): Promise<readonly Row[]> {
  const server = await startServer();
  const names: readonly ClientName[] = ['client', 'undici', 'got', 'axios'];
  const programs: Program[] = [];
  const perSecond: number[][] = names.map(() => []);
  try {
    for (const name of names) programs.push(await startProgram('./asking-contestant.ts', [name, server.url]));
    for (const program of programs) await program.ask(warmUp);
    for (let round = 0; round < rounds; round += 1) {
      for (const [turn] of programs.entries()) {
        // Everybody is first once in a while.
        const index = (turn + round) % programs.length;
        const milliseconds = Number(await programs[index]?.ask(requests));
        perSecond[index]?.push((requests / milliseconds) * 1_000);
      }
    }
  } finally {
    for (const program of [...programs, server]) program.stop();
  }
  const [client = Number.NaN, undici = Number.NaN, got = Number.NaN, axios = Number.NaN] =
    perSecond.map(median);
  return [
    row(
      'Requests, 16 at once',
      '/s',
      client,
      { whom: 'undici and JSON.parse', value: undici },
      { atLeast: 0.85 },
    ),
    row('Requests, 16 at once', '/s', client, { whom: 'got, checks by hand', value: got }, { atLeast: 1 }),
    row(
      'Requests, 16 at once',
      '/s',
      client,
      { whom: 'axios, checks by hand', value: axios },
      { atLeast: 1 },
    ),
  ];
}
