import { expect, test } from 'vitest';
import { ordersTo } from '../orders.ts';
import { replicas, times } from '../replicas.ts';

const minute = 60_000;
const site = 'shop.example.net';
const add = `/appliance category add ${site} to 252 --for 1h`;
const undo = 'GET /categories/delete/{id}/{site}';

type House = Awaited<ReturnType<typeof replicas>>;
const undone = ({ appliance }: House) => ordersTo(appliance).filter((order) => order === undo).length;
const isIn = ({ appliance }: House) => appliance.state.categories.all.get(252)?.live.has(site);
const told = ({ read }: House) => times('Ended and undone', read('bob'));

test('three running replicas remind once, end a change once and report once', async () => {
  const house = await replicas(3);
  await house.type(add, 'bob');
  await house.pass(56 * minute);
  expect(times('Ends in', house.read('bob'))).toBe(1);
  await house.pass(5 * minute);
  await house.pass(minute);
  expect([isIn(house), undone(house), told(house)]).toEqual([false, 1, 1]);
});

test('End now pressed at two replicas at the same moment ends a change once', async () => {
  const house = await replicas(2);
  await house.type(add, 'bob');
  house.at(0);
  const first = house.hastily('bob').press('helpdesk', 'End now');
  house.at(1);
  await Promise.all([first, house.hastily('dana').press('helpdesk', 'End now')]);
  await house.idle();
  await house.pass(minute);
  expect([isIn(house), undone(house), told(house)]).toEqual([false, 1, 1]);
  await house.pass(2 * 60 * minute);
  expect([undone(house), told(house)]).toEqual([1, 1]);
});

test('one replica that stops before the end leaves it to the other', async () => {
  const house = await replicas(2);
  await house.type(add, 'bob');
  await house.stopBot(0);
  await house.pass(61 * minute);
  await house.pass(minute);
  expect([isIn(house), undone(house), told(house)]).toEqual([false, 1, 1]);
});

test('an end that one replica claims and does not order is taken over by the other; the first then orders nothing', async () => {
  const gate = Promise.withResolvers<void>();
  let stands = false;
  const house = await replicas(2, {
    world: {
      journal: (journal) => ({
        ...journal,
        orderTimedEnd: async (id) => {
          if (!stands) {
            stands = true;
            await gate.promise;
          }
          return journal.orderTimedEnd(id);
        },
      }),
    },
  });
  await house.type(add, 'bob');
  // The frozen replica never becomes idle.
  void house.pass(61 * minute);
  await expect.poll(() => stands).toBe(true);
  expect(undone(house)).toBe(0);
  // The other one takes it over at a look after it has noticed that the first is gone.
  const isUndone = () => {
    void house.pass(6 * minute);
    return undone(house);
  };
  await expect.poll(isUndone, { interval: 1_000 }).toBe(1);
  gate.resolve();
  await house.idle();
  await house.pass(minute);
  expect([isIn(house), undone(house), told(house)]).toEqual([false, 1, 1]);
});
