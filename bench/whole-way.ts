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

/** Short rounds, so that a disturbance of some seconds hits both. */
const plan: WholeWayPlan = { rounds: 25, commands: 20, perSecond: 25, warmUp: 700, channels: 200 };

/** From the envelope to the result: measures the checks, the journal and the wording. */
export const wholeWay: Measurement = {
  name: 'whole-way',
  method: `envelope sent to its result, of a slash command and of a mention; ${plan.perSecond} commands a second, evenly spaced; ${plan.rounds} rounds of ${plan.commands}; against a Bolt app that makes the same calls and checks nothing`,
  measure: () => measureWholeWay(plan),
};

export function measureWholeWay(given: WholeWayPlan): Promise<readonly Row[]> {
  const { rounds, commands, perSecond, warmUp, channels } = given;
  return duel({ bare: 'bare_answers', channels }, async (contestants) => {
    const rows: Row[] = [];
    for (const [what, way] of [
      ['Whole way, median', 'command'],
      ['Whole way of a mention, median', 'mention'],
    ] as const) {
      const [bot, bare] = [createLoad(contestants.bot, way), createLoad(contestants.bare, way)];
      for (const load of [bot, bare]) await load.type(warmUp, { perSecond: 3 * perSecond }, 'answer');
      rows.push(await measureWay(what, bot, bare));
    }
    return rows;
  });

  async function measureWay(what: string, bot: Load, bare: Load): Promise<Row> {
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
    return row(what, 'ms', median(one), against, { ratio: 1.3 });
  }
}
