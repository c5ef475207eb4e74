import { acl } from '../../src/api/endpoints/acl.ts';
import { understand } from '../../src/api/reading/understand-answer.ts';
import { alternate } from '../duel.ts';
import { median } from '../figures.ts';
import { type Measurement, type Row, row } from '../measurement.ts';
import { manyObjects } from './many-objects.ts';

export interface ReadingPlan {
  readonly rounds: number;
  readonly warmUp: number;
  readonly objects: number;
}

const plan: ReadingPlan = { rounds: 25, warmUp: 5, objects: 10_000 };

/** Measures the cost of checking a large answer and giving it types. */
export const reading: Measurement = {
  name: 'reading',
  method: `the list of ${plan.objects.toLocaleString('en')} ACL objects with ten records each, parsed and checked; ${plan.rounds} rounds; against JSON.parse of the same text`,
  measure: () => measureReading(plan),
};

export async function measureReading({ rounds, warmUp, objects }: ReadingPlan): Promise<readonly Row[]> {
  const text = manyObjects(objects);
  const timed = async (read: () => unknown): Promise<number> => {
    const began = performance.now();
    read();
    return performance.now() - began;
  };
  const checked = () => timed(() => understand('acl.listObjects', acl.listObjects, text, {}, []));
  const parsed = () => timed(() => JSON.parse(text));
  await alternate(warmUp, checked, parsed);
  const { one, other } = await alternate(rounds, checked, parsed);
  const count = `${objects.toLocaleString('en')} objects, ${(objects * 10).toLocaleString('en')} records`;
  const against = { whom: 'JSON.parse alone', value: median(other) };
  return [row(`Reading ${count}`, 'ms', median(one), against, { ratio: 2 })];
}
