import { describe, expect, test } from 'vitest';
import { ordersTo } from './orders.ts';
import { withBob as start } from './with-bob.ts';

const minute = 60_000;
const hour = 60 * minute;
const site = 'shop.example.net';

/** Somebody who adds a site for a time. */
async function withBob() {
  const house = await start();
  return { ...house, isIn: () => house.category(252).live.has(site) };
}

describe('a temporary change', () => {
  test('is made at once, shows its end, sends a reminder, and is undone, compiled and reported then', async () => {
    const { ask, read, pass, isIn } = await withBob();
    const said = await ask(`category add ${site} to 252 --for 2h`);
    expect(said).toMatch(/✅ shop\.example\.net added to category shopping, until \d\d:\d\d\n/);
    expect(said).toContain('[End now] [Extend by 2 h]');
    expect(isIn()).toBe(true);
    await pass(hour + 54 * minute);
    expect(read('bob')).not.toContain('Ends in');
    await pass(2 * minute);
    expect(read('bob')).toMatch(/⏳ Ends in 4 min, at .* @bob: if it is still needed, extend it now\./);
    expect(isIn()).toBe(true);
    await pass(5 * minute);
    expect(isIn()).toBe(false);
    const after = read('bob');
    expect(after).toContain('✅ Undone: shop.example.net added to category shopping');
    expect(after).not.toMatch(/\[End now\]|\[Extend/);
    expect(after).toMatch(
      /Ended and undone: shop\.example\.net added to category shopping, on hq\.[\s\S]*Ended {2}automatically[\s\S]*Verified {2}yes\. Looked up shop\.example\.net: it is no longer in shopping/,
    );
    expect(after).toMatch(/✅ Undone: shop\.example\.net added to category shopping\n.*Compiled/);
    expect(after.match(/Compiled/g)).toHaveLength(1);
  });

  test('is ended by End now, once, and by nothing at its time', async () => {
    const { ask, click, read, pass, isIn, orders } = await withBob();
    await ask(`category add ${site} to 252 --for 2h`);
    await click('End now');
    await pass(minute);
    expect(isIn()).toBe(false);
    expect(read('bob')).toMatch(/Ended and undone:[\s\S]*Ended {2}by @bob/);
    // The real end differs from the planned one.
    const [, at, planned] = /Time {2}from .* to (.*), [^,;]+; planned until (.*)/.exec(read('bob')) ?? [];
    expect([planned === undefined, planned === at]).toEqual([false, false]);
    const before = orders();
    await pass(3 * hour);
    expect(orders()).toBe(before);
  });

  test('is extended by its button, and by the same line with a later end; nothing is sent for that', async () => {
    const { ask, click, pass, isIn, orders } = await withBob();
    await ask(`category add ${site} to 252 --for 1h`);
    const sent = orders();
    expect(await click('Extend by 1 h')).toContain('Extended');
    expect(orders()).toBe(sent);
    await pass(hour + 30 * minute);
    expect(isIn()).toBe(true);
    expect(await ask(`category add ${site} to 252 --for 10m`)).toContain('This is temporary already, until');
    expect(await ask(`category add ${site} to 252 --for 2h`)).toContain('Extended');
    await pass(hour + 30 * minute);
    expect(isIn()).toBe(true);
    await pass(hour);
    expect(isIn()).toBe(false);
  });

  test('is kept for good by the same line without an end, which asks first', async () => {
    const { ask, click, pass, isIn } = await withBob();
    await ask(`category add ${site} to 252 --for 1h`);
    expect(await ask(`category add ${site} to 252`)).toContain(
      'Keep the addition of shop.example.net to category shopping for good?',
    );
    expect(await click('Keep')).toContain('It stays, and no longer ends by itself');
    await pass(3 * hour);
    expect(isIn()).toBe(true);
  });

  test('is over, and not undone again, when somebody has taken it back with the bot or behind its back', async () => {
    for (const isBehind of [false, true]) {
      const { ask, click, read, pass, category, isIn, orders } = await withBob();
      await ask(`category add ${site} to 252 --for 1h`);
      if (isBehind) {
        const one = category(252);
        one.sites.delete(site);
        one.live = new Set([...one.live].filter((other) => other !== site));
      } else {
        await ask(`category delete ${site} from 252`);
        await click('Remove');
      }
      await pass(minute);
      const sent = orders();
      await pass(2 * hour);
      expect(isIn()).toBe(false);
      expect(read('bob')).toMatch(/Ended and undone:[\s\S]*Ended/);
      expect(orders()).toBe(sent);
    }
  });

  test('is not undone where somebody has changed it since: people decide, and are asked once', async () => {
    const { read, pass, type, press, appliance } = await withBob();
    const [first, second, third] = ['TLS_AES_256_GCM_SHA384', 'TLS_AES_128_GCM_SHA256', 'AES128-SHA'];
    await type(`/appliance rdp ciphers set ${first} --for 30m`, 'dana');
    await pass(10 * minute);
    await type(`/appliance rdp ciphers set ${second} ${third}`, 'dana');
    const orders = () => ordersTo(appliance).length;
    const before = orders();
    await pass(40 * minute);
    const asked = 'This was temporary and was not undone';
    expect(read('dana')).toContain(
      `@dana and @carol: ${asked} on hq: Remote-desktop gateway set to 1 cipher suite.`,
    );
    expect(read('dana')).toContain('Somebody has changed it since.');
    await pass(3 * hour);
    expect(read('dana').split(asked)).toHaveLength(2);
    expect(orders()).toBe(before);
    // Somebody who undoes it by hand ends that.
    await press('Undo now', 'dana');
    await pass(minute);
    expect(read('dana')).toMatch(/Ended and undone:[\s\S]*Ended {2}by @dana/);
    expect(read('dana')).not.toContain('[Keep]');
  });

  test('is tried again while the appliance does not answer, calls people, and is undone when it does', async () => {
    const { ask, read, pass, isIn, appliance } = await withBob();
    await ask(`category add ${site} to 252 --for 30m`);
    await pass(29 * minute);
    appliance.faults.set('GET /categories/list', { kind: 'status', status: 503 });
    await pass(5 * minute);
    expect(read('bob')).toContain(
      'This was temporary and couldn’t be undone on hq: shop.example.net added to category shopping',
    );
    appliance.faults.clear();
    await pass(hour);
    expect(isIn()).toBe(false);
    expect(read('bob')).toMatch(/Ended {2}automatically at \d\d:\d\d, after \d+ (?:try|tries) that failed/);
  });

  test('outlives a restart, also one in which its time is over', async () => {
    const { ask, read, pass, isIn, restart } = await withBob();
    await ask(`category add ${site} to 252 --for 30m`);
    await restart();
    await pass(10 * minute);
    expect(isIn()).toBe(true);
    await restart();
    await pass(30 * minute);
    expect(isIn()).toBe(false);
    expect(read('bob').match(/Ended and undone/g)).toHaveLength(1);
  });

  test('waits for a click or an approval as without an end, and shows its term before that', async () => {
    const { type, press, pass, read } = await withBob();
    expect(await type('/appliance vlan stop 3 --for 10m', 'dana')).toContain(
      'For  10 min, then it is undone automatically',
    );
    const stopped = await press('Stop', 'dana');
    expect(stopped).toMatch(/until \d\d:\d\d/);
    await pass(12 * minute);
    expect(read('dana')).toContain('Ended and undone');
  });

  test('is refused without a possible undo, with an unreadable end, and with one that has passed', async () => {
    const { ask, type, orders } = await withBob();
    const before = orders();
    expect(await ask('category compile 252 --for 2h')).toContain(
      '--for makes a change temporary by undoing it at its end, and category compile can’t be undone automatically.',
    );
    expect(await ask(`category add ${site} to 252 --until whenever`)).toContain(
      '--until takes a time such as 18:00',
    );
    expect(await ask(`category add ${site} to 252 --for 2h --until 18:00`)).toContain('A change has one end');
    expect(await ask(`category add ${site} to 252 --until 2020-01-01`)).toContain('is over already');
    expect(await type('/appliance categorize example.com --for 2h', 'bob')).toContain(
      'can’t be undone automatically',
    );
    expect(orders()).toBe(before);
  });

  test('with a missing argument keeps its end in the form that asks for it', async () => {
    const { ask, person, read, bot } = await withBob();
    await ask(`block ${site} for two hours`);
    await person('bob').press('helpdesk', `category add ${site} to … --for "two hours"`);
    expect(person('bob').form()?.title).toBe('Category add');
    expect(JSON.stringify(person('bob').form())).toContain('It is undone automatically');
    await person('bob').fill({ Category: 'shopping' });
    await person('bob').submit();
    expect(read('bob')).toMatch(/shop\.example\.net added to category shopping, until \d\d:\d\d/);
    expect(await bot.journal.timedChanges()).toHaveLength(1);
  });

  test('is listed with its requester and its end, and ended from there', async () => {
    const { ask, click, pass, isIn } = await withBob();
    expect(await ask('temporary')).toContain('Nothing is temporary in this channel.');
    await ask(`category add ${site} to 252 --for 2h`);
    const listed = await ask('temporary');
    expect(listed).toContain('1 temporary change in this channel');
    expect(listed).toMatch(/shop\.example\.net added to category shopping[\s\S]*@bob/);
    await click('End now');
    await pass(minute);
    expect(isIn()).toBe(false);
  });

  test('is not undone too early when the same is done again for good, or for another time by somebody else', async () => {
    const { ask, pass, isIn, category } = await withBob();
    await ask(`category add ${site} to 252 --for 1h`);
    const one = category(252);
    one.sites.delete(site);
    one.compiled = new Set(one.sites);
    one.live = new Set(one.sites);
    await ask(`category add ${site} to 252 --for 3h`);
    await pass(2 * hour);
    expect(isIn()).toBe(true);
    await pass(2 * hour);
    expect(isIn()).toBe(false);
  });
});
