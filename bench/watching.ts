import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSimulatedAppliance } from '../sandbox/appliance/index.ts';
import { freePort } from '../test/free-port.ts';
import { type Contestant, startContestant } from './contestant.ts';
import { alternate } from './duel.ts';
import { median, percentile } from './figures.ts';
import { createLoad, type Load } from './load.ts';
import { type Measurement, type Row, row } from './measurement.ts';
import { probe } from './memory.ts';

export interface WatchingOptions {
  readonly starts: number;
  readonly rounds: number;
  readonly commands: number;
  readonly perSecond: number;
  /** After which memory is read. */
  readonly memoryAfter: number;
}

const usual: WatchingOptions = { starts: 15, rounds: 6, commands: 300, perSecond: 50, memoryAfter: 3_000 };
const channels = 200;
const megabyte = 1024 * 1024;
const unwatched = 'itself, not watched';

/** Measures the cost of metrics that are read every second and of a trace for each command. */
export const watching: Measurement = {
  name: 'watching',
  method: `the bot with a health port that is read every second and a trace of each command sent to a collector; ${usual.starts} starts, ${usual.rounds} rounds of ${usual.commands} commands, ${usual.perSecond} a second, memory after ${usual.memoryAfter} more; against the bot with neither`,
  measure: () => measureWatching(usual),
};

export async function measureWatching(options: WatchingOptions): Promise<readonly Row[]> {
  const { starts, rounds, commands, perSecond, memoryAfter } = options;
  const appliance = await startSimulatedAppliance();
  const collector = await startCollector();
  const port = await freePort();
  const data = mkdtempSync(join(tmpdir(), 'appliance-bot-bench-watching-'));
  const environment = { HEALTH_PORT: String(port), OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  const common = { kind: 'bot', applianceUrl: appliance.url, channels, nodeFlags: probe } as const;
  const watched = () => startContestant({ ...common, environment, data: join(data, 'watched') });
  const alone = () => startContestant({ ...common, data: join(data, 'alone') });
  const startOf = async (start: () => Promise<Contestant>): Promise<number> => {
    const contestant = await start();
    await contestant.stop();
    return contestant.connectedAfter;
  };
  const scrapes = { count: 0 };
  const started: Contestant[] = [];
  try {
    await alternate(
      1,
      () => startOf(watched),
      () => startOf(alone),
    );
    const start = await alternate(
      starts,
      () => startOf(watched),
      () => startOf(alone),
    );

    const [one, other] = [await watched(), await alone()];
    started.push(one, other);
    const timer = setInterval(() => {
      fetch(`http://127.0.0.1:${port}/metrics`)
        .then(async (answer) => {
          if ((await answer.text()).includes('appliance_bot_commands_total')) scrapes.count += 1;
        })
        .catch(() => undefined);
    }, 1_000);
    const [ours, theirs] = [createLoad(one), createLoad(other)];
    const round = async (load: Load) =>
      (await load.type(commands, { perSecond }, 'answer')).map(({ acknowledged }) => acknowledged);
    await alternate(
      1,
      () => round(ours),
      () => round(theirs),
    );
    const trips = await alternate(
      rounds,
      () => round(ours),
      () => round(theirs),
    );
    for (const load of [ours, theirs]) await load.type(memoryAfter, { atOnce: 4 }, 'answer');
    clearInterval(timer);
    const [resident, against] = [await residentOf(one), await residentOf(other)];
    if (scrapes.count === 0 || collector.received() === 0) throw new Error('Nobody watched.');

    const compared = (value: number) => ({ whom: unwatched, value });
    const at = (all: readonly (readonly number[])[], share: number) => percentile(all.flat(), share);
    return [
      row('Start, watched', 'ms', median(start.one), compared(median(start.other)), { ratio: 1.1 }),
      row('Acknowledgement, watched, median', 'ms', at(trips.one, 50), compared(at(trips.other, 50)), {
        ratio: 1.1,
      }),
      row('Acknowledgement, watched, p99', 'ms', at(trips.one, 99), compared(at(trips.other, 99)), {
        ratio: 1.3,
      }),
      row('Resident memory, watched', 'MB', resident, compared(against), { more: 10 }),
    ];
  } finally {
    await Promise.all(started.map((contestant) => contestant.stop()));
    collector.stop();
    rmSync(data, { recursive: true, force: true });
    await appliance.close();
  }
}

async function residentOf(contestant: Contestant): Promise<number> {
  // The probe answers nothing else.
  const { resident } = (await contestant.ask('memory')) as { readonly resident: number };
  return resident / megabyte;
}

/** Takes everything, and counts it. */
async function startCollector() {
  let received = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      received += 1;
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${port}`,
    received: () => received,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
