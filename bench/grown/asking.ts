import { setTimeout as sleep } from 'node:timers/promises';
import { type Contestant, channelId, typist } from '../contestant.ts';
import { median, percentile } from '../figures.ts';

/** Requests of people and their machines to a bot, and how long each takes. Everything in milliseconds. */

/** Lines that somebody types in the busiest channel. */
export const lines = [
  ...['help', 'audit', 'audit today', 'audit since last night', `audit --by <@${typist(1)}>`],
  ...['audit ticket CHG-7', 'audit --command "acl object"', 'who blocked example.com', 'timeline'],
  ...['temporary', 'planned', 'categorize example.com'],
] as const;

const timeout = 60_000;

/** Types a line, and waits until something of the bot's stands there: a result, or the message that will become it. */
export async function answerTo({ workspace, complaint }: Contestant, line: string, who = 0): Promise<number> {
  const [as, channel] = [typist(who), channelId(who)];
  const answered = next(
    workspace,
    (change) =>
      (change.type === 'message' || change.type === 'ephemeral') &&
      change.channel === channel &&
      change.message.user !== as,
  );
  const began = performance.now();
  const acted = await workspace.act({ act: 'type', as, channel, text: `/appliance ${line}` });
  if (!acted.ok) throw new Error(`${line}: ${acted.error}\n${complaint()}`);
  return (await answered) - began;
}

/** Opens somebody's page, and waits until it is drawn. */
export async function homeOf({ workspace }: Contestant, who = 0): Promise<number> {
  const drawn = next(workspace, (change) => change.type === 'home' && change.user === typist(who));
  const began = performance.now();
  await workspace.act({ act: 'open_home', as: typist(who) });
  return (await drawn) - began;
}

export async function scrape(port: number): Promise<number> {
  const began = performance.now();
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
  const text = await answer.text();
  if (!text.includes('appliance_bot_audit')) throw new Error('These are no metrics of a journal.');
  return performance.now() - began;
}

function next(
  workspace: Contestant['workspace'],
  isIt: (change: Parameters<Parameters<Contestant['workspace']['onChange']>[0]>[0]) => boolean,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('Nothing was said.')), timeout);
    const stop = workspace.onChange((change) => {
      if (!isIt(change)) return;
      clearTimeout(timer);
      stop();
      resolve(performance.now());
    });
  });
}

/** How soon lines are acknowledged and answered, five a second, for as long as something else takes. */
export async function meanwhile(contestant: Contestant, task: () => Promise<unknown>): Promise<Meanwhile> {
  contestant.workspace.log.clear();
  const began = performance.now();
  let isOver = false;
  const over = task().finally(() => {
    isOver = true;
  });
  const answers: Promise<number | undefined>[] = [];
  let lost = 0;
  const lose = () => {
    lost += 1;
    return undefined;
  };
  // A channel at a time, so that whose answer it is is known, and nobody waits for Slack's own pace.
  for (let turn = 10; !isOver; turn = turn === 49 ? 10 : turn + 1) {
    // One that Slack has given up is counted, and ends no measurement of an hour.
    answers.push(answerTo(contestant, 'categorize example.com', turn).catch(lose));
    await sleep(200);
  }
  await over;
  const took = performance.now() - began;
  const answered = spreadOf((await Promise.all(answers)).filter((one) => one !== undefined));
  const acks = contestant.workspace.log
    .envelopes()
    .filter(({ kind }) => kind === 'slash_commands')
    .flatMap(({ sentAt, ackedAt }) => (ackedAt === undefined ? [] : [ackedAt - sentAt]));
  return { took, acknowledged: spreadOf(acks), answered, lost };
}

export interface Meanwhile {
  readonly took: number;
  readonly acknowledged: Spread;
  readonly answered: Spread;
  /** Lines that were acknowledged too late, or not answered. */
  readonly lost: number;
}

interface Spread {
  readonly median: number;
  readonly p99: number;
  readonly longest: number;
}

const spreadOf = (values: readonly number[]): Spread => ({
  ...{ median: median(values), p99: percentile(values, 99), longest: Math.max(...values) },
});
