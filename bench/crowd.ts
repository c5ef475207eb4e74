import { setTimeout as sleep } from 'node:timers/promises';
import type { Message } from '../sandbox/workspace/protocol.ts';
import { usablesOf } from '../sandbox/workspace/seen/usables.ts';
import { median } from './figures.ts';
import { type Measurement, type Row, row } from './measurement.ts';
import { type Replicas, withReplicas } from './replicas.ts';

export interface CrowdPlan {
  readonly rounds: number;
  readonly people: number;
}

const plan: CrowdPlan = { rounds: 100, people: 50 };

/** Measures whether a card orders once, however many press, and wherever their clicks arrive. */
export const crowd: Measurement = {
  name: 'crowd',
  method: `${plan.people} people press Approve on the same card at the same moment, at three replicas on one PostgreSQL; ${plan.rounds} rounds, each with a card of its own`,
  measure: () => measureCrowd(plan),
};

/** The result of the clicks on one card. Times are milliseconds from the first click. */
interface Round {
  readonly session: number;
  /** People who were told, in person, that somebody else was first. */
  readonly told: readonly string[];
  readonly lastTold: number;
}

/** The crowds take turns: one person may not press sixty times a minute. */
const crowds = 4;
/** How long anything may take before the bench is given up, in milliseconds. */
const timeout = 20_000;

export function measureCrowd({ rounds, people }: CrowdPlan): Promise<readonly Row[]> {
  const approvals = [{ commands: [{ phrase: 'rdp disconnect' }], by: 'approver' }];
  return withReplicas(
    { people: { operators: 1, approvers: crowds * people }, channels: rounds, branches: 0, approvals },
    async (replicas) => {
      const { approvers, channels, sandbox } = replicas;
      const each: Round[] = [];
      const alone: number[] = [];
      for (const [index, channel] of channels.entries()) {
        const session = 10_000 + index;
        const card = await ask(replicas, channel, session);
        const first = (index % crowds) * people;
        const crowd = approvers.slice(first, first + people);
        each.push({ session, ...(await press(replicas, card, crowd)) });
        alone.push((await pressAgain(replicas, card)).lastTold);
      }
      // A second order may come late.
      await sleep(1_000);
      const orders = Map.groupBy(sandbox.appliance?.requests ?? [], ({ path }) => path);
      const isWhole = ({ session, told }: Round): boolean =>
        orders.get(`/rdpproxy/sessions/${session}/disconnect`)?.length === 1 &&
        told.length === people - 1 &&
        new Set(told).size === told.length;
      return [
        row(
          `${people} click, three replicas: 1 order, ${people - 1} answers`,
          'rounds',
          each.filter(isWhole).length,
          { whom: 'all rounds', value: rounds },
          { atLeast: 1 },
        ),
        row(
          `Until the last of the ${people - 1} is told, median`,
          'ms',
          median(each.map(({ lastTold }) => lastTold)),
          { whom: 'one late click alone', value: median(alone) },
          { most: 3_000 },
        ),
      ];
    },
  );
}

/** Somebody asks for what others must approve; resolves to its card. */
async function ask({ sandbox, operators }: Replicas, channel: string, session: number): Promise<Message> {
  const { workspace, appliance } = sandbox;
  const [known] = appliance?.state.rdp.sessions.values() ?? [];
  if (known === undefined) throw new Error('The appliance has no session to disconnect');
  appliance?.state.rdp.sessions.set(session, { ...known, id: session });
  const card = new Promise<Message>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`No card for session ${session}`)), timeout);
    const stop = workspace.onChange((change) => {
      if (change.type !== 'message' || change.channel !== channel || change.message.thread_ts) return;
      clearTimeout(timer);
      stop();
      resolve(change.message);
    });
  });
  const text = `/appliance rdp disconnect ${session}`;
  const acted = await workspace.act({ act: 'type', as: operators[0] ?? '', channel, text });
  if (!acted.ok) throw new Error(acted.error);
  return card;
}

/** All of them press Approve at once; resolves when all but one have read in person that they were not the first. */
function press(
  replicas: Replicas,
  card: Message,
  people: readonly string[],
): Promise<Omit<Round, 'session'>> {
  const { channel, ts, blocks = [] } = card;
  const button = usablesOf(blocks).find(({ names }) => names[0] === 'Approve');
  if (button === undefined) throw new Error('The card has no button Approve');
  const { workspace } = replicas.sandbox;
  return untilTold(replicas, channel, people.length - 1, async () => {
    const clicks = people.map((as) =>
      workspace.act({
        act: 'use',
        as,
        container: { kind: 'message', channel, ts },
        block_id: button.blockId,
        action_id: button.actionId,
        value: {},
      }),
    );
    const refused = (await Promise.all(clicks)).find(({ ok }) => !ok);
    if (refused?.ok === false) throw new Error(refused.error);
  });
}

/** The last of them presses again, on a screen that still shows the button. */
const pressAgain = (replicas: Replicas, { channel }: Message): Promise<Omit<Round, 'session'>> =>
  untilTold(replicas, channel, 1, async () => {
    await replicas.sandbox.workspace.repeat();
  });

async function untilTold(
  { sandbox: { workspace } }: Replicas,
  channel: string,
  people: number,
  click: () => Promise<void>,
): Promise<Omit<Round, 'session'>> {
  const told: { readonly who: string; readonly at: number }[] = [];
  const all = Promise.withResolvers<void>();
  const stop = workspace.onChange((change) => {
    if (change.type !== 'ephemeral' || change.channel !== channel) return;
    if (!change.message.text.startsWith('This was already approved by')) {
      return all.reject(new Error(`${change.to} was told: ${change.message.text}`));
    }
    told.push({ who: change.to, at: change.at });
    if (told.length >= people) all.resolve();
  });
  const timer = setTimeout(all.resolve, timeout);
  const began = performance.now();
  try {
    await Promise.all([click(), all.promise]);
  } finally {
    stop();
    clearTimeout(timer);
  }
  return { told: told.map(({ who }) => who), lastTold: Math.max(...told.map(({ at }) => at)) - began };
}
