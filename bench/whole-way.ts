import { alternate, duel } from './duel.ts';
import { median } from './figures.ts';
import { createLoad, type Load } from './load.ts';
import { bareBolt, type Measurement, type Row, row } from './measurement.ts';

export interface WholeWayPlan {
  readonly rounds: number;
  /** In each round. */
  readonly commands: number;
  readonly perSecond: number;
  readonly warmUp: number;
  readonly channels: number;
}

/** Short rounds: what disturbs the machine for some seconds disturbs both. */
const plan: WholeWayPlan = { rounds: 25, commands: 20, perSecond: 25, warmUp: 700, channels: 200 };

/** From the envelope to the result in the thread: what the checks, the journal and the manners cost. */
export const wholeWay: Measurement = {
  name: 'whole-way',
  method: `envelope sent to result in the thread; ${plan.perSecond} commands a second, evenly spaced; ${plan.rounds} rounds of ${plan.commands}; against a Bolt app that makes the same calls and checks nothing`,
  measure: () => measureWholeWay(plan),
};

export function measureWholeWay(given: WholeWayPlan): Promise<readonly Row[]> {
  const { rounds, commands, perSecond, warmUp, channels } = given;
  return duel({ bare: 'bare_answers', channels }, async (contestants) => {
    const [bot, bare] = [createLoad(contestants.bot), createLoad(contestants.bare)];
    for (const load of [bot, bare]) await load.type(warmUp, { perSecond: 3 * perSecond }, 'answer');
    const round = async (load: Load): Promise<number> => {
      const trips = await load.type(commands, { perSecond }, 'answer');
      return median(trips.map(({ answered = Number.NaN }) => answered));
    };
    const { one, other } = await alternate(
      rounds,
      () => round(bot),
      () => round(bare),
    );
    const against = { whom: bareBolt, value: median(other) };
    return [row('Whole way, median', 'ms', median(one), against, { ratio: 1.3 })];
  });
}
