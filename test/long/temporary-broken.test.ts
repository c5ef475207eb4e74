import { describe, expect, test } from 'vitest';
import { withBob } from '../with-bob.ts';

const minute = 60_000;
const names = Array.from({ length: 60 }, (_, index) => `site-${index}.example`);
const list = { name: 'list.txt', content: Buffer.from(names.join('\n')) };

/** Sixty records of an ACL object, or sites of a category, for an hour. */
async function withList(line: string) {
  const house = await withBob();
  const { attach, click, appliance, category } = house;
  await attach(`@appliance-bot ${line} --for 1h`, list, 'bob');
  await click('Add');
  const isThere = () => {
    const records = [...(appliance.state.acl.objects.get(12)?.records.values() ?? [])];
    const held = new Set([...records.map(({ pattern }) => pattern), ...category(252).sites]);
    return names.filter((name) => held.has(name)).length;
  };
  expect(isThere(), house.read('bob')).toBe(60);
  return { ...house, isThere };
}

describe.each([
  ['acl record add 12', 'GET /proxy/acls/record/delete/{itemId}'],
  ['category add to 252', 'GET /categories/delete/{id}/{site}'],
])('the end of many that were added for a time with %s', (line, operation) => {
  test.each([1, 30, 59])(
    'that breaks off with %i of them left goes on with those by itself, and is told once',
    async (left) => {
      const { appliance, pass, isThere, read, bots, restart } = await withList(line);
      appliance.faults.set(operation, { kind: 'status', status: 503, times: left });
      await pass(61 * minute);
      expect(isThere(), read('bob')).toBe(left);
      expect(read('bob')).toMatch(/couldn’t be undone on hq: 60 [\s\S]*site-0\.example/);
      await restart();
      await pass(3 * minute);
      expect(isThere(), read('bob')).toBe(0);
      expect(read('bob').match(/Over, and undone/g)).toHaveLength(1);
      expect(await bots[0]?.journal.timedChanges()).toEqual([]);
    },
  );

  test('of which somebody has taken one out meanwhile takes back the others, and names that one', async () => {
    const { pass, isThere, read, appliance, category } = await withList(line);
    category(252).sites.delete('site-7.example');
    for (const [id, { pattern }] of appliance.state.acl.objects.get(12)?.records ?? [])
      if (pattern === 'site-7.example') appliance.state.acl.objects.get(12)?.records.delete(id);
    await pass(61 * minute);
    expect(isThere(), read('bob')).toBe(0);
    expect(read('bob')).toContain('Left alone, because somebody has changed it since: site-7.example.');
  });
});

test('a record that was added for a time and deleted by hand is over', async () => {
  const { ask, pass, read, appliance, sent } = await withBob();
  await ask('acl record add 12 shop.example.net --for 1h');
  const records = appliance.state.acl.objects.get(12)?.records;
  for (const [id, { pattern }] of records ?? []) if (pattern === 'shop.example.net') records?.delete(id);
  await pass(61 * minute);
  expect(sent(/record\/delete/)).toEqual([]);
  expect(read('bob')).toMatch(/shop\.example\.net added to ACL object banking_sni/);
  expect(read('bob')).not.toContain('was not undone');
});

test('is live by what was undone, and not by tries that have undone nothing', async () => {
  const { ask, pass, read, appliance } = await withBob();
  await ask('category add shop.example.net to 252 --for 1h');
  appliance.faults.set('GET /categories/delete/{id}/{site}', { kind: 'status', status: 503, times: 2 });
  for (const minutes of [61, 5, 10]) await pass(minutes * minute);
  const card = read('bob').slice(read('bob').indexOf('✅ Undone: shop.example.net'));
  expect(card.match(/Compiled/g)).toHaveLength(1);
});
