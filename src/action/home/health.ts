import type { Appliance } from '../../api/index.ts';
import { endOfMode } from '../../handlers/emergency/mode.ts';
import { moment, say, type Text } from '../../handlers/reply.ts';
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
/** What is older than this, in milliseconds, nobody has looked at lately: it is shown with its time, or not at all. */
const currentFor = 2 * freshFor;

interface Asked {
  readonly at: number;
  readonly timed: string | undefined;
  readonly answer: Promise<Text>;
  /** The newest answer that there is, and when it was asked for. */
  known: { readonly text: Text; readonly at: number } | undefined;
  /** Somebody sees what was known before. */
  isShownOld: boolean;
}

export function createHealth({
  commandByPhrase,
  contexts,
  journal,
  now,
  after,
  changed,
}: Parts & {
  readonly after: After;
  /** Those who look see something that is not true any more. */
  readonly changed: () => void;
}): HealthLine {
  const command = commandByPhrase.get(status.phrase);
  if (command?.kind !== 'lookup') throw new Error('The status of an appliance is looked up');
  const { answer: statusOf } = command;
  const asked = new Map<string, Asked>();

  return async (appliance) => {
    const { name } = appliance;
    let latest = asked.get(name);
    const standing = await journal.timedChange(name, endOfMode);
    const timed = standing && `${standing.id} ${standing.state}`;
    const isSame = latest !== undefined && latest.timed === timed;
    if (latest === undefined || !isSame || latest.at + freshFor <= now()) {
      const earlier = isSame ? latest?.known : undefined;
      const answer = ask(appliance);
      const begun: Asked = { at: now(), timed, answer, known: earlier, isShownOld: false };
      void answer.then((text) => {
        begun.known = { text, at: begun.at };
        if (begun.isShownOld) changed();
      });
      asked.set(name, begun);
      latest = begun;
    }
    const { known } = latest;
    if (known !== undefined && known.at + currentFor > now()) return known.text;
    // What stands there since the page was open last is marked at once. Nobody waits longer for the rest of the page either.
    const found = known === undefined ? await inTime(after, latest.answer) : undefined;
    if (found !== undefined) return found;
    latest.isShownOld = true;
    return known === undefined ? say`asking…` : say`asking again… As of ${moment(known.at)}: ${known.text}`;
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
