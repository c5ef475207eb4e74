import { expect, test } from 'vitest';
import { replicas } from '../replicas.ts';

const site = (name: string) => `/appliance category add ${name}.example.net to 252`;

test.each([1_900, 60_000])(
  'undo at either of two replicas whose clocks differ by %i ms takes back the last change',
  async (ahead) => {
    const house = await replicas(2, { clocksAhead: [ahead, 0] });
    const live = () => house.appliance.state.categories.all.get(252)?.live;
    house.at(0);
    await house.type(site('first'), 'bob');
    house.at(1);
    await house.type(site('second'), 'bob');
    house.at(0);
    await house.type('/appliance undo', 'bob');
    expect([live()?.has('first.example.net'), live()?.has('second.example.net')]).toEqual([true, false]);
  },
);
