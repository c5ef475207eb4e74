import { describe, expect, test } from 'vitest';
import { appliance, call, get, pass, withAnAppliance } from '../testing.ts';

withAnAppliance({ generation: 'field-v1' });

const shopping = () => {
  const category = appliance.state.categories.all.get(252);
  if (category === undefined) throw new Error('There is no category 252.');
  return category;
};

describe('adding to a category', () => {
  test('reports the number only in words, and counts every line, also of sites that were there already', async () => {
    const before = shopping().sites.size;
    const body = new URLSearchParams({ sites: 'fresh.example\nexample.com' });
    const { text } = await call('/categories/252/add', { method: 'POST', body });
    expect(JSON.parse(text)).toEqual({
      status: true,
      info: `2 sites added in category_shopping (${before + 1} elements)`,
    });
    expect(shopping().sites).toContain('fresh.example');
    expect(await get('/categories/252/other.example')).toEqual({
      status: true,
      info: `1 sites added in category_shopping (${before + 2} elements)`,
    });
  });

  test('keeps lower case, cuts www., drops lines without a dot, and makes a number of an IPv4 address', async () => {
    const before = new Set(shopping().sites);
    const body = new URLSearchParams({ items: 'WWW.Fresh.Example,localhost,203.0.113.9' });
    const { text } = await call('/categories/quick/252', { method: 'PUT', body });
    expect(text).toContain('2 sites added');
    expect([...shopping().sites.difference(before)]).toEqual(['fresh.example', '3405803785.addr']);
  });

  test('is found, moved and deleted in the spelling in which it was sent', async () => {
    await get('/categories/252/203.0.113.9');
    expect(await get('/categories/query/203.0.113.9')).toMatchObject({ status: true });
    const other = [...appliance.state.categories.all.values()].find(({ id }) => id !== 252);
    expect(await get(`/categories/move/252/203.0.113.9/${other?.id}`)).toMatchObject({ status: true });
    expect(other?.sites).toContain('3405803785.addr');
    expect(await get(`/categories/delete/${other?.id}/203.0.113.9`)).toMatchObject({ status: true });
    expect(other?.sites).not.toContain('3405803785.addr');
  });
});

test('an earlier site is found, moved and deleted in its own spelling', async () => {
  const { all } = appliance.state.categories;
  const [from, to] = [...all.values()].filter(({ id }) => id !== 252);
  from?.sites.add('198.51.100.200');
  expect(await get('/categories/query/198.51.100.200')).toMatchObject({ status: true });
  await get(`/categories/move/${from?.id}/198.51.100.200/${to?.id}`);
  expect(from?.sites).not.toContain('198.51.100.200');
  expect(await get(`/categories/delete/${to?.id}/198.51.100.200`)).toMatchObject({ status: true });
  expect(to?.sites).not.toContain('198.51.100.200');
});

describe('a compile', () => {
  test('is answered at once with the command that was launched in background: started, not done', async () => {
    await get('/categories/252/fresh.example');
    expect(await get('/categories/252/compile')).toEqual({
      status: true,
      info: expect.stringMatching(/^\/.* launched in background$/),
    });
    expect(shopping().compiled).not.toContain('fresh.example');
    pass(3);
    expect(shopping().compiled).toContain('fresh.example');
    expect(shopping().live).not.toContain('fresh.example');
  });

  test('by the rules takes categories that were being compiled before it', async () => {
    await get('/categories/252/fresh.example');
    await get('/categories/252/compile');
    expect(await get('/webfilter/rules/compile')).toMatchObject({
      info: expect.stringMatching(/ launched in background$/),
    });
    expect(shopping().live).not.toContain('fresh.example');
    pass(3);
    expect(shopping().live).toContain('fresh.example');
  });

  test('by the rules leaves out a category that was compiled after its start', async () => {
    await get('/webfilter/rules/compile');
    pass(1);
    await get('/categories/252/fresh.example');
    await get('/categories/252/compile');
    pass(10);
    expect(shopping().compiled).toContain('fresh.example');
    expect(shopping().live).not.toContain('fresh.example');
  });

  test('is part of adding quickly', async () => {
    await call('/categories/quick/252', {
      method: 'PUT',
      body: new URLSearchParams({ items: 'fresh.example' }),
    });
    pass(3);
    expect(shopping().live).toContain('fresh.example');
  });
});

test('the list is an object keyed by ID, within an envelope or without one', async () => {
  const entry = {
    table: 'category_shopping',
    items: String(shopping().sites.size),
    name: 'shopping',
    description: expect.any(String),
  };
  expect(await get('/categories/list')).toMatchObject({ status: true, categories: { 252: entry } });
  appliance.turn({ categoryList: 'B' });
  const bare = await get<Record<string, unknown>>('/categories/list');
  expect(bare[252]).toEqual(entry);
  expect(bare).not.toHaveProperty('status');
});
