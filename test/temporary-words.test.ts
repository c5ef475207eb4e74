import { describe, expect, test } from 'vitest';
import { withBob } from './with-bob.ts';

const afternoon = Date.UTC(2026, 10, 25, 14, 1);

/** A shop that is allowed until six, and the answers to lines. */
async function withShop() {
  const house = await withBob({ from: afternoon });
  const card = await house.ask('category add 252 shop.example.net --until 18:00');
  const said = async (line: string) => (await house.ask(line)).split('\n\n').at(-1) ?? '';
  return { ...house, card, said };
}

test('an end given as a time of the day is extended to another such time, and one given as a length by that length', async () => {
  const { card, ask } = await withShop();
  expect(card).toContain('[Extend by 4 h]');
  expect(await ask('category add 252 travel.example --for 58m')).toContain('[Extend by 58 min]');
});

test.each([
  'shopping',
  'shoppings',
  'the shopping category',
  'the shop exception',
  'shops',
  'shop.example.net',
])('a temporary change is found by %s', async (words) => {
  const { said } = await withShop();
  expect(await said(`end ${words} --dry-run`)).toContain('Dry run: this would end early');
});

test('words that match no change end nothing at once', async () => {
  const { said, category } = await withShop();
  expect(await said('end temporary change')).toContain('[1: End now]');
  expect(category(252).sites.has('shop.example.net')).toBe(true);
});

describe('a reason behind end, extend and keep', () => {
  test.each([
    ['end shop.example.net --reason "all is done by 20:00"', 'End now', 'Ended early: shop.example.net'],
    [
      'extend shop.example.net --reason "the call goes on until 21:00" by 1h',
      'Extend',
      'Extended until today 19:00',
    ],
    ['extend shop.example.net --reason they still talk by 1h', 'Extend', 'Extended until today 19:00'],
    ['extend shop.example.net until 20:00 --reason they still talk', 'Extend', 'Extended until today 20:00'],
  ])('is no name of a change, and stands in the record: %s', async (line, button, done) => {
    const { said, click, bots } = await withShop();
    await said(line);
    expect(await click(button)).toContain(done);
    const found = await bots[0]?.journal.recent();
    expect(found?.map((action) => action.line)).toContain(line);
  });
});

test.each([
  ['stop shop.example.net', 'temporary end shop.example.net'],
  ['stop the shop.example.net exception', 'temporary end shop.example.net'],
  ['prolong shop.example.net', 'temporary extend shop.example.net'],
  ['extned shop.example.net', 'temporary extend shop.example.net'],
  ['exted shop.example.net', 'temporary extend shop.example.net'],
])('typing %s offers %s, and does nothing', async (line, offered) => {
  const { said, orders } = await withShop();
  const before = orders();
  expect(await said(line)).toContain(offered);
  expect(orders()).toBe(before);
});
