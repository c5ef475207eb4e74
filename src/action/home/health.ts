import type { Appliance } from '../../api/index.ts';
import { say, type Text } from '../../handlers/reply.ts';
import { status } from '../../handlers/status/status.commands.ts';
import { type After, inTime } from '../base/timeout.ts';
import type { Parts } from '../ground/ground.ts';
import { faultOf } from '../target/target.ts';
import { explain } from '../wording/faults.ts';

/**
 * How an appliance is, in one line: the answer of `status`, asked at most once a minute for everybody who looks, and anew when what is on
 * for a time there has changed.
 */
export type HealthLine = (appliance: Appliance) => Promise<Text>;

const freshFor = 60_000;

interface Asked {
  readonly at: number;
  readonly timed: string | undefined;
  readonly answer: Promise<Text>;
  known: Text | undefined;
}

export function createHealth({
  commandByPhrase,
  contexts,
  journal,
  now,
  after,
}: Parts & { readonly after: After }): HealthLine {
  const command = commandByPhrase.get(status.phrase);
  if (command?.kind !== 'lookup') throw new Error('The status of an appliance is looked up');
  const { answer: statusOf } = command;
  const asked = new Map<string, Asked>();

  return async (appliance) => {
    const { name } = appliance;
    let latest = asked.get(name);
    const standing = await journal.timedChange(name);
    const timed = standing && `${standing.id} ${standing.state}`;
    const isSame = latest !== undefined && latest.timed === timed;
    if (latest === undefined || !isSame || latest.at + freshFor <= now()) {
      const earlier = isSame ? latest?.known : undefined;
      const answer = ask(appliance);
      const begun: Asked = { at: now(), timed, answer, known: earlier };
      void answer.then((text) => {
        begun.known = text;
      });
      asked.set(name, begun);
      latest = begun;
    }
    // Nobody waits longer for the page; what comes later is shown the next time.
    return latest.known ?? (await inTime(after, latest.answer)) ?? say`asking…`;
  };

  async function ask(appliance: Appliance): Promise<Text> {
    try {
      const nobody = { id: 'home', person: '', channel: '' };
      const { brief, headline } = await statusOf(contexts.asking(nobody, { appliance, args: {} as never }));
      return brief ?? headline;
    } catch (error) {
      return explain(faultOf(error, appliance.name, 'lookup')).headline;
    }
  }
}
