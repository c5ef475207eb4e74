import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { type Appliance, type AskedAppliance, connectAppliance } from '../src/api/index.ts';
import { plainText } from '../src/handlers/reply.ts';
import { status } from '../src/handlers/status/status.commands.ts';
import { type Program, startProgram } from './client/program.ts';
import { alternate } from './duel.ts';
import { median } from './figures.ts';
import { questions } from './fleet-answers.ts';
import { type Measurement, type Row, row } from './measurement.ts';

export interface FleetPlan {
  readonly rounds: number;
  readonly warmUp: number;
  readonly appliances: number;
  /** How long an appliance takes for each answer, in milliseconds. */
  readonly delay: number;
}

const plan: FleetPlan = { rounds: 15, warmUp: 4, appliances: 200, delay: 50 };

/** Whether a fleet is asked side by side, and what one more appliance in it costs. */
export const fleet: Measurement = {
  name: 'fleet',
  method: `status of ${plan.appliances} appliances, of which each takes ${plan.delay} ms for each of ${questions.length} answers, all of them at once; median of ${plan.rounds} rounds; without a network against the slowest of them alone, and over HTTP against undici that asks the same ${plan.appliances * questions.length} questions and only parses`,
  measure: () => measureFleet(plan),
};

export async function measureFleet(given: FleetPlan): Promise<readonly Row[]> {
  return [await withoutNetwork(given), await overHttp(given)];
}

/** Measures asking, judging and wording without the waiting. */
async function withoutNetwork({ rounds, warmUp, appliances, delay }: FleetPlan): Promise<Row> {
  const all = Array.from({ length: appliances }, (_, index) => unplugged(`branch-${index}`, delay));
  const together = () => timed(() => askAll(all));
  const alone = async () => {
    const each: number[] = [];
    // A few are enough to know the slowest: they are all alike.
    for (const one of all.slice(0, 4)) each.push(await timed(() => askAll([one])));
    return Math.max(...each);
  };
  await alternate(warmUp, together, alone);
  const { one, other } = await alternate(rounds, together, alone);
  const against = { whom: 'the slowest of them alone', value: median(other) };
  return row(`Status of ${appliances} appliances`, 'ms', median(one), against, { ratio: 1.5 });
}

/** The same with everything that a request costs. */
async function overHttp({ rounds, warmUp, appliances, delay }: FleetPlan): Promise<Row> {
  const server = await startProgram('../fleet-server.ts', [String(delay)]);
  const all = Array.from({ length: appliances }, (_, index) => plugged(`branch-${index}`, server));
  const pools = all.map(() => new Pool(urlOf(server), { connections: questions.length }));
  try {
    const ours = () => timed(() => askAll(all));
    const bare = () => timed(() => Promise.all(pools.map(askBarely)));
    await alternate(warmUp, ours, bare);
    const { one, other } = await alternate(rounds, ours, bare);
    const against = { whom: 'undici and JSON.parse', value: median(other) };
    return row(`Status of ${appliances} appliances over HTTP`, 'ms', median(one), against, { ratio: 2 });
  } finally {
    await Promise.all([...all, ...pools].map((one) => one.close()));
    server.stop();
  }
}

/** As `--on all` asks them. @throws when one does not answer as it must: then something else would be measured */
async function askAll(all: readonly AskedAppliance[]): Promise<void> {
  if (status.kind !== 'lookup') throw new Error('The status is looked up');
  const { answer } = status;
  await Promise.all(
    all.map(async (appliance) => {
      const { headline } = await answer({
        appliance,
        args: {},
        ...{
          person: 'U0',
          channel: 'C0',
          now: Date.now(),
          pendingChanges: async () => [],
          identity: async () => undefined,
          wayToAllow: async () => undefined,
          otherOrders: async () => [],
          timedChange: async () => undefined,
          watch: async (_, terms) => ({ id: 1, kind: 'new', owner: 'U1', terms, isElsewhere: false }),
          limits: { emergency: 0 },
          files: noFiles,
        },
      });
      const said = plainText(headline);
      if (!said.includes('No problems found')) throw new Error(`${appliance.name} said: ${said}`);
    }),
  );
}

const noFiles = {
  open: () => Promise.reject(new Error('Nobody hands over files here')),
  digest: () => Promise.reject(new Error('Nobody hands over files here')),
};

async function askBarely(pool: Pool): Promise<void> {
  await Promise.all(
    questions.map(async (path) => {
      const { body } = await pool.request({ method: 'GET', path });
      JSON.parse(await body.text());
    }),
  );
}

function plugged(name: string, server: Program): Appliance {
  const url = urlOf(server);
  return connectAppliance({ name, url, mirrorUrl: url });
}

function urlOf({ greeting }: Program): string {
  if (typeof greeting !== 'string') throw new Error('The server did not say where it is.');
  return greeting;
}

function unplugged(name: string, delay: number): AskedAppliance {
  const after = (value: unknown) => async () => {
    await sleep(delay);
    return value;
  };
  const services = Array.from({ length: 13 }, (_, index) => [
    [`services.APP_${index}.name`, `Service ${index}`],
    [`services.APP_${index}.running`, '1'],
    [`services.APP_${index}.uptime`, '86400'],
  ]).flat();
  const appliance = {
    name,
    directory: {
      applianceVersion: after({ major: '4.50', version: '4.50 Service Pack 5', servicePack: '5' }),
      services: after({ info: '', fields: Object.fromEntries(services) }),
      status: after({
        connected: true,
        info: 'Connected',
        activeDaemons: 24,
        maxDaemons: 60,
        queueLength: 0,
      }),
      authenticationStatus: after({ linked: true, info: '' }),
      checkProxyPorts: after({ info: '', fields: { 'ports.0.port': '3128', 'ports.0.listening': 'true' } }),
      dnsFirewallStatus: after({ info: 'Running', fields: { running: '1' } }),
    },
    mirror: { status: after({ syncStats: { lastSyncEnd: new Date() }, diskSpace: { usedPercent: 64 } }) },
  };
  // These seven are all that `status` asks for; another one would be no function and end the measurement.
  return appliance as unknown as AskedAppliance;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
