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
    'continues by itself when it breaks off with %i of them left, and is reported once',
    async (left) => {
      const { appliance, pass, isThere, read, bots, restart } = await withList(line);
      appliance.faults.set(operation, { kind: 'status', status: 503, times: left });
      await pass(61 * minute);
      expect(isThere(), read('bob')).toBe(left);
      expect(read('bob')).toMatch(/couldn’t be undone on hq: 60 [\s\S]*site-0\.example/);
      await restart();
      await pass(3 * minute);
      expect(isThere(), read('bob')).toBe(0);
      expect(read('bob').match(/Ended and undone/g)).toHaveLength(1);
      expect(await bots[0]?.journal.timedChanges()).toEqual([]);
    },
  );

  test('takes back the others when somebody has removed one meanwhile, and names that one', async () => {
    const { pass, isThere, read, appliance, category } = await withList(line);
    category(252).sites.delete('site-7.example');
    for (const [id, { pattern }] of appliance.state.acl.objects.get(12)?.records ?? [])
      if (pattern === 'site-7.example') appliance.state.acl.objects.get(12)?.records.delete(id);
    await pass(61 * minute);
    expect(isThere(), read('bob')).toBe(0);
    expect(read('bob')).toContain('Left alone, because somebody has changed it since: site-7.example.');
  });
});

test('a temporary record that was deleted by hand is over', async () => {
  const { ask, pass, read, appliance, sent } = await withBob();
  await ask('acl record add 12 shop.example.net --for 1h');
  const records = appliance.state.acl.objects.get(12)?.records;
  for (const [id, { pattern }] of records ?? []) if (pattern === 'shop.example.net') records?.delete(id);
  await pass(61 * minute);
  expect(sent(/record\/delete/)).toEqual([]);
  expect(read('bob')).toMatch(/shop\.example\.net added to ACL object banking_sni/);
  expect(read('bob')).not.toContain('was not undone');
});

test('an end is compiled once, and failed tries before it do not count', async () => {
  const { ask, pass, read, appliance } = await withBob();
  await ask('category add shop.example.net to 252 --for 1h');
  appliance.faults.set('GET /categories/delete/{id}/{site}', { kind: 'status', status: 503, times: 2 });
  for (const minutes of [61, 5, 10]) await pass(minutes * minute);
  const card = read('bob').slice(read('bob').indexOf('✅ Undone: shop.example.net'));
  expect(card.match(/Compiled/g)).toHaveLength(1);
});
