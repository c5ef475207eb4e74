import { expect, test } from 'vitest';
import { onlyNockAnswers } from '../../../test/nock.ts';
import { answers, appliance } from './testing.ts';

onlyNockAnswers();

const shapeA = {
  table_name: 'category_shopping',
  category_name: 'shopping',
  category_id: 252,
  rpz_enabled: 0,
  rpz_action: 0,
  rpz_redirect: '',
};
const shopping = {
  id: 252,
  name: 'shopping',
  table: 'category_shopping',
  rpz: { enabled: false, action: 0, redirect: '' },
};

test('a categorized domain comes with its categories', async () => {
  answers('/categories/query/example.com', {
    Status: true,
    Info: '1 category',
    Error: '',
    Categories: [shapeA],
  });
  expect(await appliance.categories.query({ domain: 'example.com' })).toEqual({
    categories: [shopping],
    info: '1 category',
  });
});

test.each([
  [{ Status: false, Info: '0 categories', Error: '', Categories: [] }],
  [{ Status: false, Info: '0 categories', Error: '', Categories: null }],
  [{ Status: 'False', Info: '0 categories' }],
  [{ status: true, info: '0 categories', categories: [] }],
])('a domain in no category is an answer and not an error: %j', async (body) => {
  answers('/categories/query/example.org', body);
  expect(await appliance.categories.query({ domain: 'example.org' })).toEqual({
    categories: [],
    info: '0 categories',
  });
});

test('the words about a search become one clean line of bounded length', async () => {
  answers('/categories/query/example.org', {
    Status: false,
    Info: `<b>none</b>\n\u202e${'x'.repeat(5_000)}`,
  });
  const { info } = await appliance.categories.query({ domain: 'example.org' });
  expect(info).toMatch(/^none x{100,}…$/);
  expect(info.length).toBeLessThanOrEqual(200);
});

test('a failed search is never called "not categorized"', async () => {
  answers('/categories/query/example.org', { Status: false, Info: '', Error: 'database is <b>locked</b>' });
  await expect(appliance.categories.query({ domain: 'example.org' })).rejects.toMatchObject({
    code: 'refused',
    operation: 'categories.query',
    reason: 'database is locked',
    sent: 'yes',
  });
});

test.each([
  [{ Status: false, Categories: [shapeA] }, 'Status'],
  [{ Status: true }, 'Categories'],
  [{ Status: true, Categories: [shapeA, { ...shapeA, category_id: 'many' }] }, 'Categories.1.category_id'],
  [{ Status: true, Categories: 'none' }, 'Categories'],
])('an unreadable answer names the place: %j', async (body, at) => {
  answers('/categories/query/example.com', body);
  await expect(appliance.categories.query({ domain: 'example.com' })).rejects.toMatchObject({
    code: 'unexpected_reply',
    at,
  });
});

test('the list is read in shape A, with numbers as text too', async () => {
  answers('/categories/list', {
    Status: true,
    Error: '',
    Categories: [
      shapeA,
      {
        category_name: 'malware',
        category_id: '188',
        rpz_enabled: '1',
        rpz_action: 2,
        rpz_redirect: 'b.test',
      },
    ],
  });
  expect(await appliance.categories.list()).toEqual([
    shopping,
    { id: 188, name: 'malware', rpz: { enabled: true, action: 2, redirect: 'b.test' } },
  ]);
});

test('the list is read in shape B', async () => {
  answers('/categories/list', {
    status: true,
    info: '',
    categories: {
      '252': { table: 'category_shopping', items: 51234, name: 'shopping', description: 'Online shops' },
      '301': { table: '', items: 0, name: 'partners', description: '' },
    },
  });
  expect(await appliance.categories.list()).toEqual([
    { id: 252, name: 'shopping', table: 'category_shopping', items: 51234, description: 'Online shops' },
    { id: 301, name: 'partners', items: 0 },
  ]);
});

test('a list that the appliance refuses is an error', async () => {
  answers('/categories/list', { status: false, info: 'service is starting' });
  await expect(appliance.categories.list()).rejects.toMatchObject({
    code: 'refused',
    reason: 'service is starting',
  });
});
