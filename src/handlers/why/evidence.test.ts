import { expect, test } from 'vitest';
import { type AclObject, type AskedAppliance, Refused } from '../../api/index.ts';
import { gather } from './evidence.ts';

const refused = () => Promise.reject(new Refused('busy', { operation: 'some.call', sent: 'yes' }));

/** An appliance with the five calls that are used; `answers` overrides some. */
function appliance(answers: Readonly<Record<string, (given: never) => Promise<unknown>>> = {}) {
  const calls = {
    query: async () => ({ categories: [], info: '' }),
    listObjects: async (): Promise<AclObject[]> => [],
    listRecords: async () => [],
    listRules: async () => [{ id: 9 }],
    website: async () => ({ resolved: true }),
    ...answers,
  };
  // Only these are called; another call would fail the test.
  return { categories: calls, acl: calls, ssl: calls, analysis: calls } as unknown as AskedAppliance;
}

const none = async () => [];

test('all sources are asked in parallel', async () => {
  let underWay = 0;
  let most = 0;
  const slowly = async () => {
    underWay += 1;
    most = Math.max(most, underWay);
    await new Promise((resolve) => setImmediate(resolve));
    underWay -= 1;
    return [];
  };
  const query = async () => ({ categories: await slowly(), info: '' });
  const answers = { query, listObjects: slowly, listRules: slowly, website: slowly };
  await gather(appliance(answers), 'a.example', none);
  expect(most).toBe(4);
});

test('a failed source does not hide the others', async () => {
  const { categories, objects, sslRules, website } = await gather(
    appliance({ listObjects: refused, website: refused }),
    'a.example',
    none,
  );
  expect([categories.ok, objects.ok, sslRules.ok, website.ok]).toEqual([true, false, true, false]);
});

test('a failure of all sources is the answer, and a bug never becomes evidence', async () => {
  const all = { query: refused, listObjects: refused, listRules: refused, website: refused };
  await expect(gather(appliance(all), 'a.example', none)).rejects.toMatchObject({ code: 'refused' });
  const broken = async () => {
    throw new TypeError('ours');
  };
  await expect(gather(appliance({ query: broken }), 'a.example', none)).rejects.toThrow(TypeError);
});

test('an object whose records are not in the list is asked for them, if they could match a domain', async () => {
  const asked: number[] = [];
  const answers = {
    listObjects: async () => [
      { id: 1, type: 'dstdomain' },
      { id: 2, type: 'src' },
      { id: 3, type: 'ssl_sni', items: [] },
    ],
    listRecords: async ({ objectId }: { readonly objectId: number }) => {
      asked.push(objectId);
      return [{ id: 9, pattern: '.a.example' }];
    },
  };
  const { objects } = await gather(appliance(answers), 'a.example', none);
  expect(asked).toEqual([1]);
  expect(objects.ok && objects.value[0]?.items).toEqual([{ id: 9, pattern: '.a.example' }]);
});
