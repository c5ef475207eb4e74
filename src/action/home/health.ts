import type { Appliance } from '../../api/index.ts';
import { endOfMode } from '../../handlers/emergency/mode.ts';
import { moment, say, type Text } from '../../handlers/reply.ts';
import { briefly } from '../../handlers/status/finding.ts';
import { healthOf } from '../../handlers/status/status.ts';
import { type After, inTime } from '../base/timeout.ts';
import type { Parts } from '../ground/ground.ts';
import { faultOf } from '../target/target.ts';
import { explain } from '../wording/faults.ts';

/**
 * How an appliance is, in one line: the answer of `status`, asked at most once a minute for everybody who looks, and anew when what is on
 * for a time there has changed. `beside`: whoever reads it is told of its emergency mode anyway.
 */
export type HealthLine = (appliance: Appliance, beside: 'emergency' | 'nothing') => Promise<Text>;

/** In one line each. */
type HealthWords = Readonly<Record<Parameters<HealthLine>[1], Text>>;

const freshFor = 60_000;
/** What is older than this, in milliseconds, nobody has looked at lately: it is shown with its time, or not at all. */
const currentFor = 2 * freshFor;

interface Asked {
  readonly at: number;
  readonly timed: string | undefined;
  readonly answer: Promise<HealthWords>;
  /** The newest answer that there is, and when it was asked for. */
  known: { readonly words: HealthWords; readonly at: number } | undefined;
  /** Somebody sees what was known before. */
  isShownOld: boolean;
}

export function createHealth({
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
  const asked = new Map<string, Asked>();

  return async (appliance, beside) => {
    const { name } = appliance;
    let latest = asked.get(name);
    const standing = await journal.timedChange(name, endOfMode);
    const timed = standing && `${standing.id} ${standing.state}`;
    const isSame = latest !== undefined && latest.timed === timed;
    if (latest === undefined || !isSame || latest.at + freshFor <= now()) {
      const earlier = isSame ? latest?.known : undefined;
      const answer = ask(appliance);
      const begun: Asked = { at: now(), timed, answer, known: earlier, isShownOld: false };
      void answer.then((words) => {
        begun.known = { words, at: begun.at };
        if (begun.isShownOld) changed();
      });
      asked.set(name, begun);
      latest = begun;
    }
    const { known } = latest;
    if (known !== undefined && known.at + currentFor > now()) return known.words[beside];
    // What stands there since the page was open last is marked at once. Nobody waits longer for the rest of the page either.
    const found = known === undefined ? await inTime(after, latest.answer) : undefined;
    if (found !== undefined) return found[beside];
    latest.isShownOld = true;
    return known === undefined
      ? say`asking…`
      : say`asking again… As of ${moment(known.at)}: ${known.words[beside]}`;
  };

  async function ask(appliance: Appliance): Promise<HealthWords> {
    try {
      const nobody = { id: 'home', person: '', channel: '' };
      const { findings } = await healthOf(contexts.asking(nobody, { appliance, args: {} as never }));
      const others = findings.filter(
        ({ gravity, ofEmergency }) => gravity !== 'emergency' && ofEmergency === undefined,
      );
      const isOn = others.length < findings.length;
      return { nothing: briefly(findings), emergency: briefly(others, isOn) };
    } catch (error) {
      const { headline } = explain(faultOf(error, appliance.name, 'lookup'));
      return { nothing: headline, emergency: headline };
    }
  }
}
