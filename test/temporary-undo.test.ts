import { expect, test } from 'vitest';
import { referenceOf } from '../src/journal/actions/reference.ts';
import { withBob } from './with-bob.ts';

const minute = 60_000;
const site = 'shop.example.net';

test('undoing the end of a temporary change restores it until its end', async () => {
  const { ask, click, read, pass, category, bot } = await withBob();
  await ask(`category add ${site} to 252 --for 2h`);
  const [first] = await bot.journal.timedChanges();
  await pass(30 * minute);
  await ask(`category delete ${site} from 252`);
  await click('Remove');
  expect(await bot.journal.timedChanges()).toEqual([]);
  expect(await click('Undo')).toMatch(/✅ shop\.example\.net added to category shopping, until \d\d:\d\d\n/);
  const [again] = await bot.journal.timedChanges();
  // To the minute, as an end is typed.
  expect(Math.abs((again?.endsAt ?? 0) - (first?.endsAt ?? 0))).toBeLessThan(minute);
  await pass(80 * minute);
  expect(category(252).live.has(site)).toBe(true);
  await pass(15 * minute);
  expect(category(252).live.has(site), read('bob')).toBe(false);
  expect(read('bob').match(/Ended and undone/g)).toHaveLength(2);
});

test('a change whose time is over is not brought back by an undo, and people are asked', async () => {
  const { ask, click, pass, category, bot } = await withBob();
  await ask(`category add ${site} to 252 --for 5m`);
  await ask(`category delete ${site} from 252`);
  await click('Remove');
  await pass(6 * minute);
  const said = await click('Undo');
  expect(said).toMatch(
    /This would bring back a temporary change that ended at \d\d:\d\d: shop\.example\.net added to category shopping\. No changes were made\./,
  );
  expect(category(252).sites.has(site)).toBe(false);
  expect(await bot.journal.timedChanges()).toEqual([]);
  expect(await click('category add shop.example.net to 252 --for 1h --on hq')).toContain('[Add]');
  expect(await click('Add')).toContain('until');
});

test('people are asked when only some of an undone removal had an end', async () => {
  const { ask, click, category } = await withBob();
  await ask(`category add ${site} to 252 --for 2h`);
  await ask('category add stays.example to 252');
  await ask(`category delete ${site} stays.example from 252`);
  await click('Remove');
  const said = await click('Undo');
  expect(said).toMatch(/Some of what this would bring back was temporary, until \d\d:\d\d/);
  expect(category(252).sites.has(site)).toBe(false);
  expect(await click(`category add ${site} stays.example to 252 --on hq`)).toContain('[Add]');
});

test('a restored switch gets its end back, too', async () => {
  const { type, press, pass, appliance, read } = await withBob();
  const isOn = () => appliance.state.acl.objects.get(3)?.enabled;
  await type('/appliance acl object disable google_sni --for 1h', 'dana');
  await type('/appliance acl object enable google_sni', 'dana');
  expect(isOn()).toBe(true);
  await press('Undo', 'dana');
  expect(isOn(), read('dana')).toBe(false);
  await pass(62 * minute);
  expect(isOn()).toBe(true);
});

test('show gives the end of a change, and long after, the outcome of its end', async () => {
  const { ask, click, pass, bot } = await withBob({ from: Date.UTC(2026, 10, 25, 10) });
  const begin = async () => {
    await ask(`category add ${site} to 252 --for 10m`);
    const [row] = await bot.journal.timedChanges();
    return `show ${referenceOf(row?.action ?? '')}`;
  };
  const ended = await begin();
  expect(await ask(ended)).toMatch(/Temporary {2}until (?:\w+ )?\d\d:\d\d, and is undone then/);
  await pass(12 * minute);
  await pass(26 * 60 * minute);
  expect(await ask(ended)).toMatch(/Temporary {2}undone automatically at (?:today|yesterday) \d\d:\d\d/);
  const kept = await begin();
  await ask(`keep ${site}`);
  await click('Keep').catch(() => undefined);
  expect(await ask(kept)).toMatch(/Temporary {2}kept for good by @bob at/);
});

test('a change that an undo brings back belongs to its requester, whoever else had undone it', async () => {
  const { type, press, pass, read } = await withBob({ from: Date.UTC(2026, 10, 25, 14) });
  await type(`/appliance category add 252 ${site} --for 3h --reason "for a customer"`, 'dana');
  await pass(minute);
  await type(`/appliance category delete 252 ${site}`, 'bob');
  await press('Remove', 'bob');
  await press('Undo', 'bob');
  expect(await type('/appliance temporary', 'bob')).toMatch(
    /shop\.example\.net added to category shopping +hq +17:00 +@dana +for a customer/,
  );
  await pass(186 * minute);
  const over = read('bob');
  expect(over).toMatch(/Asked by {2}@dana; brought back by @bob\n.*Reason {2}for a customer/);
});
