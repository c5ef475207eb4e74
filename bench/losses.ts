import { setTimeout as sleep } from 'node:timers/promises';
import type { Message } from '../sandbox/workspace/protocol.ts';
import { usablesOf } from '../sandbox/workspace/seen/usables.ts';
import { evenly } from './load.ts';
import { type Measurement, type Row, row } from './measurement.ts';
import { type Replicas, withReplicas } from './replicas.ts';

export interface LossesPlan {
  /** The target. */
  readonly wanted: number;
  /** The load that this machine can take beside the workspace, the appliances and the database. */
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
  wanted: 200,
  perSecond: 140,
  seconds: 60,
  killEvery: 10,
  channels: 1_000,
  people: 200,
  branches: 19,
};

/** Whether anything is lost or done twice where replicas die under load. */
export const losses: Measurement = {
  name: 'losses',
  method: `${plan.perSecond} commands a second, evenly spaced, for ${plan.seconds} s at three replicas on one PostgreSQL, one of them killed every ${plan.killEvery} s and started again; eight of ten look something up, one changes something, one asks before it disconnects somebody and is answered by a click; ${plan.channels} channels, ${plan.branches + 1} appliances`,
  measure: () => measureLosses(plan),
};

/** One typed line. */
interface Asked {
  readonly line: string;
  readonly kind: 'lookup' | 'change' | 'question';
  readonly appliance: string;
  readonly number: number;
  readonly typedAt: number;
  /** Whether Slack got an acknowledgement; otherwise the person saw an error and asks again. */
  isAcknowledged: boolean;
  /** When the first word about it was to be read. */
  answeredAt?: number;
  /** Presses the button of its question. */
  press?: (() => void) | undefined;
}

const firstNumber = 1_000_000;
const numberIn = /\b1\d{6}\b/;
/** Milliseconds for unfinished work after the last command: a dead replica is evicted within 12 s. */
const timeout = 90_000;

export function measureLosses(given: LossesPlan): Promise<readonly Row[]> {
  const { people, channels, branches } = given;
  return withReplicas({ people: { operators: people, approvers: 1 }, channels, branches }, (replicas) =>
    lose(given, replicas),
  );
}

async function lose(given: LossesPlan, replicas: Replicas): Promise<readonly Row[]> {
  const { perSecond, seconds, wanted } = given;
  const asked: Asked[] = [];
  const watch = watchChannels(replicas, asked);
  const began = performance.now();
  const killing = killEverySoOften(given, replicas);
  await evenly(perSecond * seconds, perSecond, () => ask(replicas, asked));
  const typedFor = performance.now() - began;
  await killing;
  await untilQuiet(replicas, watch.pressAgain);
  watch.stop();
  const acknowledged = asked.filter(({ isAcknowledged }) => isAcknowledged);
  const answered = acknowledged.filter(({ answeredAt }) => answeredAt !== undefined);
  const orders = [...ordersAt(replicas, asked).values()];
  const { all, over } = await actionsIn(replicas);
  return [
    row(
      'Commands a second, three replicas',
      '/s',
      acknowledged.length / (typedFor / 1_000),
      { whom: 'what a large house asks', value: wanted },
      { atLeast: 1 },
    ),
    row(
      `Answered, ${acknowledged.length} acknowledged of ${asked.length}`,
      'commands',
      answered.length,
      { whom: 'all that were acknowledged', value: acknowledged.length },
      { atLeast: 1 },
    ),
    row(
      'Orders at the appliances',
      'orders',
      orders.reduce((sum, times) => sum + times, 0),
      { whom: 'changes that were ordered', value: orders.length },
      { ratio: 1 },
    ),
    row(
      'Actions that are over, and told',
      'actions',
      over,
      { whom: 'all of them', value: all },
      { atLeast: 1 },
    ),
  ];
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
function watchChannels({ sandbox: { workspace }, operators, channels }: Replicas, asked: readonly Asked[]) {
  const stop = workspace.onChange((change) => {
    if (change.type !== 'message' && change.type !== 'changed' && change.type !== 'ephemeral') return;
    const { message } = change;
    if (message.user !== workspace.botUserId) return;
    const number = numberIn.exec(message.text)?.[0];
    // A message about an internal error names no line, so it answers the oldest one without an answer.
    const one =
      number !== undefined
        ? asked[Number(number) - firstNumber]
        : change.type === 'ephemeral'
          ? asked.find(
              ({ answeredAt }, index) => answeredAt === undefined && channelOf(index) === change.channel,
            )
          : undefined;
    if (one === undefined) return;
    one.answeredAt ??= change.at;
    one.press = pressOf(message, one);
    one.press?.();
  });
  const channelOf = (index: number) => channels[index % channels.length];

  function pressOf({ channel, ts, blocks = [] }: Message, { number }: Asked): (() => void) | undefined {
    const button = usablesOf(blocks).find(({ names }) => names[0] === 'Disconnect');
    return (
      button &&
      (() =>
        void workspace.act({
          act: 'use',
          as: operators[(number - firstNumber) % operators.length] ?? '',
          container: { kind: 'message', channel, ts },
          block_id: button.blockId,
          action_id: button.actionId,
          value: {},
        }))
    );
  }

  return {
    stop,
    /** A click that a replica took to its grave has left the question standing. */
    pressAgain: () => {
      for (const { press } of asked) press?.();
    },
  };
}

/** One after the other, while commands are typed. */
async function killEverySoOften({ seconds, killEvery }: LossesPlan, replicas: Replicas): Promise<void> {
  const began = performance.now();
  for (let number = 0; (number + 1) * killEvery < seconds; number += 1) {
    await sleep(began + (number + 1) * killEvery * 1_000 - performance.now());
    await replicas.kill(number % 3);
  }
}

/** Resolves when nothing is under way any more, or when that has taken too long. */
async function untilQuiet(replicas: Replicas, pressAgain: () => void): Promise<void> {
  const began = performance.now();
  for (let round = 1; performance.now() - began < timeout; round += 1) {
    // The journal records acknowledged lines a moment later.
    await sleep(1_000);
    const { all, over } = await actionsIn(replicas);
    const [left] = await replicas.rows(
      'select (select count(*) from outbox) + (select count(*) from deliveries where held_by is not null) as count',
    );
    if (over === all && Number(left?.count) === 0) return;
    if (round % 15 === 0) pressAgain();
  }
}

/** How many actions there are, and how many of them are over, with nothing left to be said. */
async function actionsIn(replicas: Replicas): Promise<{ readonly all: number; readonly over: number }> {
  const [counted] = await replicas.rows(
    `select count(*) as all, count(*) filter (
       where state not in ('asked', 'waiting', 'approved', 'running') and held_by is null
         and id not in (select action from outbox where action is not null)
     ) as over from actions`,
  );
  return { all: Number(counted?.all), over: Number(counted?.over) };
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
