import { describe, expect, test } from 'vitest';
import { ordersTo } from '../orders.ts';
import { replicas, times } from '../replicas.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const site = 'shop.example.net';
const add = `/appliance category add ${site} to 252`;
/** The requests that add the site, in one way or another. */
const adds = /^(?:GET|POST|PUT) .categories.(?!query|delete|list|.*compile)/;

type House = Awaited<ReturnType<typeof replicas>>;
const sent = ({ appliance }: House) => ordersTo(appliance).filter((one) => adds.test(one)).length;
const isIn = ({ appliance }: House) => appliance.state.categories.all.get(252)?.live.has(site) === true;
const told = ({ read }: House, words = 'Done as planned') => times(words, read('bob'));

describe('several replicas', () => {
  test('run a planned change once, and report it once', async () => {
    const house = await replicas(3);
    await house.type(`${add} --at "in 1h"`, 'bob');
    await house.pass(59 * minute);
    expect(sent(house)).toBe(0);
    await house.pass(2 * minute);
    await house.pass(minute);
    expect([isIn(house), sent(house), told(house)]).toEqual([true, 1, 1]);
    await house.pass(hour);
    expect([sent(house), told(house)]).toEqual([1, 1]);
  });

  test('take over a planned change from one that stops', async () => {
    const house = await replicas(2);
    await house.type(`${add} --at "in 1h"`, 'bob');
    await house.stopBot(0);
    await house.pass(61 * minute);
    expect([isIn(house), sent(house), told(house)]).toEqual([true, 1, 1]);
  });

  test.each([day, -day])('run nothing sooner or later with one whose clock is off by %i ms', async (off) => {
    const house = await replicas(2, { clocksAhead: [0, off] });
    await house.type(`${add} --at "in 1h"`, 'bob');
    await house.pass(30 * minute);
    expect([sent(house), told(house, 'did not run')]).toEqual([0, 0]);
    await house.pass(31 * minute);
    await house.pass(minute);
    expect([isIn(house), sent(house), told(house), told(house, 'did not run')]).toEqual([true, 1, 1, 0]);
  });

  test('run, cancel or move a change, and never two of these, when two people press at its very time', async () => {
    const house = await replicas(2);
    await house.type(`${add} --at "in 1h"`, 'bob');
    await house.person('bob').press('helpdesk', 'Change the time…');
    await house.person('bob').fill({ 'Run at': 'in 3h' });
    house.at(0);
    const moved = house.hastily('bob').submit();
    house.at(1);
    const canceled = house.hastily('dana').press('helpdesk', 'Cancel');
    await Promise.all([moved, canceled, house.pass(61 * minute)]);
    await house.pass(minute);
    const action = (await house.bot.journal.recent(20)).find(({ runAt }) => runAt !== undefined);
    const ran = sent(house);
    expect([action?.state, ran]).toEqual(
      action?.state === 'done' ? ['done', 1] : [expect.stringMatching(/^(?:planned|cancelled)$/), 0],
    );
    await house.pass(3 * hour);
    expect(sent(house)).toBeLessThanOrEqual(1);
  });
});

describe('a clock that jumps', () => {
  test('over a planned time runs nothing, and back again runs it once', async () => {
    const house = await replicas(2);
    await house.type(`${add} --at "in 1h"`, 'bob');
    house.wait(-3 * hour);
    await house.pass(hour);
    expect(sent(house)).toBe(0);
    await house.pass(3 * hour + minute);
    await house.pass(minute);
    expect([isIn(house), sent(house), told(house)]).toEqual([true, 1, 1]);
    await house.type('/appliance acl object disable google_sni --at "in 1h"', 'bob');
    await house.pass(2 * day);
    await house.pass(minute);
    expect(told(house, 'and it is too late now')).toBeGreaterThan(0);
    expect(house.read('bob')).not.toContain('ACL object google_sni disabled');
  });
});
