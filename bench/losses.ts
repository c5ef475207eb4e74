import { setTimeout as sleep } from 'node:timers/promises';
import type { Message } from '../sandbox/workspace/protocol.ts';
import { usablesOf } from '../sandbox/workspace/seen/usables.ts';
import { percentile } from './figures.ts';
import { evenly } from './load.ts';
import type { Measurement, Row } from './measurement.ts';
import { type Replicas, withReplicas } from './replicas.ts';

export interface LossesPlan {
  readonly perSecond: number;
  readonly seconds: number;
  /** In seconds. */
  readonly killEvery: number;
  /** Slack takes about one message a second in each. */
  readonly channels: number;
  readonly people: number;
  /** Beside the headquarters: one change at a time is sent to each appliance. */
  readonly branches: number;
}

const plan: LossesPlan = {
  perSecond: 200,
  seconds: 60,
  killEvery: 10,
  channels: 1_000,
  people: 200,
  branches: 19,
};

/** Whether anything is lost or done twice where replicas die under load. */
export const losses: Measurement = {
  name: 'losses',
  method: `${plan.perSecond} commands a second for ${plan.seconds} s at three replicas on one PostgreSQL, one of them killed every ${plan.killEvery} s and started again; eight of ten look something up, one changes something, one asks before it disconnects somebody and is answered by a click; ${plan.channels} channels, ${plan.branches + 1} appliances`,
  measure: () => measureLosses(plan),
};

/** One typed line. */
interface Asked {
  readonly line: string;
  readonly kind: 'lookup' | 'change' | 'question';
  readonly appliance: string;
  readonly number: number;
  readonly typedAt: number;
  /** Whether Slack got an acknowledgement; where it did not, the person was shown an error and asks again. */
  isAcknowledged: boolean;
  /** When the first word about it was to be read. */
  answeredAt?: number;
  /** Its card, while it waits for the click. */
  question?: Message;
}

/** What the journal says of a line. */
interface Written {
  readonly line: string;
  readonly state: string;
}

const firstNumber = 1_000_000;
const numberIn = /\b1\d{6}\b/;
/** How long what is left may take after the last command, in milliseconds: a dead replica is missed within 12 s. */
const patience = 90_000;

export function measureLosses(given: LossesPlan): Promise<readonly Row[]> {
  const { people, channels, branches } = given;
  return withReplicas({ people: { operators: people, approvers: 1 }, channels, branches }, (replicas) =>
    lose(given, replicas),
  );
}

async function lose(given: LossesPlan, replicas: Replicas): Promise<readonly Row[]> {
  const { perSecond, seconds } = given;
  const asked: Asked[] = [];
  const watch = watchChannels(replicas, asked);
  const began = performance.now();
  const killing = killEverySoOften(given, replicas);
  await evenly(perSecond * seconds, perSecond, () => ask(replicas, asked));
  const typedFor = performance.now() - began;
  await killing;
  const quietAfter = await untilQuiet(replicas, asked);
  watch.stop();
  const acknowledged = asked.filter(({ isAcknowledged }) => isAcknowledged);
  const answered = acknowledged.filter(({ answeredAt }) => answeredAt !== undefined);
  const written = await writtenIn(replicas);
  const orders = ordersAt(replicas, asked);
  const expected = written.filter(
    ({ line, state }) => !line.startsWith('categorize') && ['done', 'failed', 'unknown'].includes(state),
  );
  console.error({
    typed: asked.length,
    acknowledged: acknowledged.length,
    answered: answered.length,
    quietAfter,
    typedFor,
    states: Object.fromEntries(
      [...Map.groupBy(written, ({ state }) => state)].map(([state, all]) => [state, all.length]),
    ),
    twiceWritten: written.length - new Set(written.map(({ line }) => line)).size,
    unwritten: acknowledged.filter(({ line }) => !written.some((one) => one.line === line)).length,
    unanswered: acknowledged
      .filter(({ answeredAt }) => answeredAt === undefined)
      .slice(0, 5)
      .map((one) => ({
        ...one,
        at: one.typedAt - began,
        written: written.find(({ line }) => line === one.line),
      })),
    orders: orders.size,
    twiceOrdered: [...orders].filter(([, times]) => times > 1),
    expected: expected.length,
    repeated: watch.repeated(),
    p50: percentile(
      answered.map(({ typedAt, answeredAt = 0 }) => answeredAt - typedAt),
      50,
    ),
    p95: percentile(
      answered.map(({ typedAt, answeredAt = 0 }) => answeredAt - typedAt),
      95,
    ),
    p99: percentile(
      answered.map(({ typedAt, answeredAt = 0 }) => answeredAt - typedAt),
      99,
    ),
    max: percentile(
      answered.map(({ typedAt, answeredAt = 0 }) => answeredAt - typedAt),
      100,
    ),
    outcomes: await replicas.rows(
      "select state, outcome_json::json->>'code' as code, split_part(line, ' ', 1) as what, max(outcome_json::json->>'says') as says, count(*)::int from actions group by 1,2,3 order by 4 desc limit 20",
    ),
  });
  return [];
}

/** Types the next line, as the next person in the next channel. */
async function ask(replicas: Replicas, asked: Asked[]): Promise<void> {
  const { sandbox, operators, channels } = replicas;
  const index = asked.length;
  const number = firstNumber + index;
  const names = ['hq', ...sandbox.branches.keys()];
  // Each kind goes to all of them in turn.
  const kind = index % 10 === 0 ? 'question' : index % 10 === 5 ? 'change' : 'lookup';
  // The branches are of an older release, which cannot look up a category.
  const appliance = kind === 'lookup' ? 'hq' : (names[Math.floor(index / 10) % names.length] ?? 'hq');
  if (kind === 'question') openSession(replicas, appliance, number);
  const line = `${lines[kind](number)} --on ${appliance}`;
  const one: Asked = { line, kind, appliance, number, typedAt: performance.now(), isAcknowledged: false };
  asked.push(one);
  const acted = await sandbox.workspace.act({
    act: 'type',
    as: operators[index % operators.length] ?? '',
    channel: channels[index % channels.length] ?? '',
    text: `/appliance ${line}`,
  });
  one.isAcknowledged = acted.ok;
}

const lines: Readonly<Record<Asked['kind'], (number: number) => string>> = {
  lookup: (number) => `categorize host-${number}.example`,
  change: (number) => `rdp pattern create pattern-${number} in all`,
  question: (number) => `rdp disconnect ${number}`,
};

const simulated = ({ sandbox }: Replicas, name: string) =>
  name === 'hq' ? sandbox.appliance : sandbox.branches.get(name);

function openSession(replicas: Replicas, appliance: string, id: number): void {
  const sessions = simulated(replicas, appliance)?.state.rdp.sessions;
  const [known] = sessions?.values() ?? [];
  if (known === undefined) throw new Error(`${appliance} has no session to disconnect`);
  sessions?.set(id, { ...known, id });
}

/** Reads along, and presses the button of every question. */
function watchChannels({ sandbox: { workspace }, operators }: Replicas, asked: readonly Asked[]) {
  const said = new Map<string, number[]>();
  const stop = workspace.onChange((change) => {
    if (change.type !== 'message' && change.type !== 'changed' && change.type !== 'ephemeral') return;
    const { message } = change;
    if (message.user !== workspace.botUserId) return;
    const number = numberIn.exec(message.text)?.[0];
    if (change.type === 'message') {
      const key = `${message.channel} ${message.thread_ts ?? number} ${message.text}`;
      said.set(key, [...(said.get(key) ?? []), change.at]);
    }
    const one = asked[Number(number) - firstNumber];
    if (one === undefined) return;
    one.answeredAt ??= change.at;
    const button = usablesOf(message.blocks ?? []).find(({ names }) => names[0] === 'Disconnect');
    if (button === undefined) return;
    void workspace.act({
      act: 'use',
      as: operators[(one.number - firstNumber) % operators.length] ?? '',
      container: { kind: 'message', channel: message.channel, ts: message.ts },
      block_id: button.blockId,
      action_id: button.actionId,
      value: {},
    });
  });
  return { stop, repeated: () => [...said].filter(([, times]) => times.length > 1) };
}

/** One after the other, while commands are typed. */
async function killEverySoOften({ seconds, killEvery }: LossesPlan, replicas: Replicas): Promise<void> {
  const began = performance.now();
  for (let number = 0; (number + 1) * killEvery < seconds; number += 1) {
    await sleep(began + (number + 1) * killEvery * 1_000 - performance.now());
    console.error('kill', number % 3, performance.now());
    await replicas.kill(number % 3);
    console.error('back', number % 3, performance.now());
  }
}

/** Resolves to how long it took until nothing was under way any more. */
async function untilQuiet(replicas: Replicas, _asked: readonly Asked[]): Promise<number> {
  const began = performance.now();
  // What was acknowledged a moment ago is written down in a moment.
  await sleep(1_000);
  for (;;) {
    const [left] = await replicas.rows(
      `select (select count(*) from actions where state in ('asked', 'waiting', 'approved', 'running') or held_by is not null)
            + (select count(*) from outbox) as left`,
    );
    const waited = performance.now() - began;
    if (Number(left?.left) === 0 || waited > patience) return waited;
    await sleep(200);
  }
}

async function writtenIn(replicas: Replicas): Promise<readonly Written[]> {
  const rows = await replicas.rows('select line, state from actions');
  return rows.map(({ line, state }) => ({ line: String(line), state: String(state) }));
}

/** How often each change has reached its appliance. */
function ordersAt(replicas: Replicas, asked: readonly Asked[]): ReadonlyMap<number, number> {
  const orders = new Map<number, number>();
  const count = (number: number) => orders.set(number, (orders.get(number) ?? 0) + 1);
  for (const name of new Set(asked.map(({ appliance }) => appliance))) {
    const appliance = simulated(replicas, name);
    for (const { pattern } of appliance?.state.rdp.patterns.values() ?? []) {
      const number = numberIn.exec(String(pattern))?.[0];
      if (number !== undefined) count(Number(number));
    }
    for (const { method, path } of appliance?.requests ?? []) {
      const number = numberIn.exec(path)?.[0];
      if (method === 'POST' && number !== undefined) count(Number(number));
    }
  }
  return orders;
}
