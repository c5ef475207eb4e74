import { afterEach, beforeEach, expect, test } from 'vitest';
import { type SimulatedAppliance, startSimulatedAppliance } from './index.ts';

let appliance: SimulatedAppliance;

beforeEach(async () => {
  appliance = await startSimulatedAppliance({ clock: () => new Date('2026-11-20T12:00:00Z') });
});

afterEach(() => appliance.close());

/** The caller names the parts of the answer that it checks. */
async function call<Reply = unknown>(path: string, init?: RequestInit): Promise<Reply> {
  return (await fetch(appliance.url + path, init)).json() as Promise<Reply>;
}

interface Item {
  id: number;
  pattern: string;
  uid: string;
  gpid: number;
  enabled: number;
}

async function itemsOf(objectId: number): Promise<Item[]> {
  return (await call<{ Items: Item[] }>(`/proxy/acls/record/list/${objectId}`)).Items;
}

async function find(keyword: string): Promise<string[]> {
  const path = `/proxy/acls/record/find/${encodeURIComponent(keyword)}`;
  return (await call<{ Items: Item[] }>(path)).Items.map(({ pattern }) => pattern);
}

test('a search counts in words, and is refused without a keyword', async () => {
  await push(3, { pattern: 'only-once.example' });
  expect(await call('/proxy/acls/record/find/only-once')).toMatchObject({ Info: '1 record found' });
  expect(await call('/proxy/acls/record/find/found-nowhere')).toMatchObject({ Info: '0 records found' });
  expect(await call('/proxy/acls/record/find/%20')).toEqual({
    Status: false,
    Error: 'A search needs a keyword',
    Info: '',
  });
});

const push = (objectId: number, fields: Record<string, string>) =>
  call(`/proxy/acls/record/add/${objectId}`, { method: 'PUT', body: new URLSearchParams(fields) });

test('26 objects are listed, with hundreds of records and the rules that use them', async () => {
  const { Objects } = await call<{ Objects: { ID: number; Items: Item[]; Rules: object[] }[] }>(
    '/proxy/acls/objects',
  );
  expect(Objects).toHaveLength(26);
  expect(new Set(Objects.flatMap(({ Items }) => Items.map(({ id }) => id))).size).toBeGreaterThan(300);
  const google = Objects.find(({ ID }) => ID === 3);
  expect(google).toMatchObject({ GroupName: 'google_sni', Type: 'ssl_sni', Enabled: 1 });
  expect(google?.Items[0]).toEqual({
    id: 101,
    pattern: '.google.com',
    date: expect.stringMatching(/^202[3-6]-\d\d-\d\d \d\d:\d\d:\d\d$/),
    uid: 'henrik.olsen',
    other: '',
    gpid: 3,
    enabled: 1,
  });
  expect(google?.Rules).toEqual([
    {
      ID: 5,
      Name: 'Google services are not cached',
      PortDirection: 0,
      AclPort: 0,
      AclGroup: 0,
      AclGpid: 0,
      Enabled: 1,
    },
  ]);
});

test('a compile takes what was changed to the proxy, and nothing else does', async () => {
  const { acl } = appliance.state;
  await call('/proxy/acls/object/disable/6');
  await call('/proxy/acls/object/enable/43');
  await call('/proxy/acls/object/delete/40');
  await call('/proxy/acls/record/disable/101');
  await call('/proxy/acls/record/delete/102');
  await push(3, { pattern: '.chromium.org' });
  const patterns = () => [...(acl.live.get(3)?.records.values() ?? [])].map(({ pattern }) => pattern);
  const live = () => ({
    enabled: [6, 43].map((id) => acl.live.get(id)?.enabled),
    deleted: !acl.live.has(40),
    record: acl.live.get(3)?.records.get(101)?.enabled,
    patterns: patterns().filter((one) => /googleapis|chromium/.test(one)),
  });
  expect(live()).toEqual({
    enabled: [true, false],
    deleted: false,
    record: true,
    patterns: ['.googleapis.com'],
  });
  expect(await call('/proxy/acls/compile')).toMatchObject({ Status: true });
  expect(live()).toEqual({
    enabled: [false, true],
    deleted: true,
    record: false,
    patterns: ['.chromium.org'],
  });
});

test('a configured state is answered at once, compiled or not', async () => {
  await call('/proxy/acls/object/disable/6');
  const { Objects } = await call<{ Objects: { ID: number; Enabled: number }[] }>('/proxy/acls/objects');
  expect(Objects.find(({ ID }) => ID === 6)?.Enabled).toBe(0);
  await call('/proxy/acls/record/disable/101');
  expect((await itemsOf(3))[0]).toMatchObject({ id: 101, enabled: 0 });
});

test('one pattern is pushed with its user and description, and commas stay in it', async () => {
  const pattern = '^https?://[a-z]{2,5}\\.example/é';
  expect(await push(40, { pattern, uid: 'alice.carter', description: 'Spring cleaning' })).toMatchObject({
    Status: true,
  });
  const added = (await itemsOf(40)).at(-1);
  expect(added).toEqual({
    id: 580,
    pattern,
    date: '2026-11-20 12:00:00',
    uid: 'alice.carter',
    other: '',
    gpid: 40,
    enabled: 1,
  });
  expect(await find('SPRING clean')).toEqual([pattern]);
});

test('in the path, every comma begins another record', async () => {
  await call('/proxy/acls/record/add/3/.a.example,.b.example,x%7B2%2C5%7D');
  expect((await itemsOf(3)).slice(-4).map(({ pattern }) => pattern)).toEqual([
    '.a.example',
    '.b.example',
    'x{2',
    '5}',
  ]);
});

test('a pattern that the object has is not added a second time, and the ID of a deleted one is not given again', async () => {
  expect(await push(3, { pattern: '.google.com' })).toMatchObject({
    Status: true,
    Info: expect.stringMatching(/^0 of 1/),
  });
  expect(await itemsOf(3)).toHaveLength(25);
  await push(3, { pattern: '.a.example' });
  await call('/proxy/acls/record/delete/580');
  await push(3, { pattern: '.b.example' });
  expect((await itemsOf(3)).at(-1)).toMatchObject({ id: 581, pattern: '.b.example' });
});

test('a keyword is found in any part of the description, the user and the pattern, in any case', async () => {
  expect(await find('LEAPIS')).toEqual(['.googleapis.com']);
  expect(await find('banks stay')).toHaveLength(10);
  expect((await find('tom.becker')).length).toBeGreaterThan(50);
  expect(await find('nothing like it')).toEqual([]);
});

test('enable and disable say the same of a record and of an unknown ID, and then change nothing', async () => {
  const answer = { Status: true, Info: 'Success', Error: '', Version: '4.50 Service Pack 5' };
  expect(await call('/proxy/acls/record/disable/103')).toEqual(answer);
  expect((await itemsOf(3)).find(({ id }) => id === 103)?.enabled).toBe(0);
  const before = structuredClone(appliance.state.acl);
  expect(await call('/proxy/acls/record/enable/99999')).toEqual(answer);
  // 3 is an object's ID, and no record's.
  expect(await call('/proxy/acls/record/disable/3')).toEqual(answer);
  expect(appliance.state.acl).toEqual(before);
  await call('/proxy/acls/record/enable/103');
  expect((await itemsOf(3)).find(({ id }) => id === 103)?.enabled).toBe(1);
});

test('an earlier build fails near zdate for every record, and leaves it as it is', async () => {
  appliance.state.acl.build = 'zdate';
  const before = structuredClone(appliance.state.acl);
  for (const path of ['disable/101', 'enable/101', 'disable/99999']) {
    expect(await call(`/proxy/acls/record/${path}`)).toMatchObject({
      Status: false,
      Info: expect.stringMatching(/syntax.*zdate/),
    });
  }
  expect(appliance.state.acl).toEqual(before);
});

test.each([
  ['/proxy/acls/object/disable/999', 'No object has the ID 999'],
  ['/proxy/acls/object/delete/3x', 'No object has the ID 3x'],
  ['/proxy/acls/object/delete/03', 'No object has the ID 03'],
  ['/proxy/acls/record/delete/0101', 'No record has the ID 0101'],
  ['/proxy/acls/record/list/101', 'No object has the ID 101'],
  ['/proxy/acls/record/add/999/.a.example', 'No object has the ID 999'],
  ['/proxy/acls/record/add/3/%20,', 'A record needs a pattern'],
  ['/proxy/acls/record/delete/99999', 'No record has the ID 99999'],
  ['/proxy/acls/record/enable/x', 'x is not a record ID'],
])('%s is refused: %s', async (path, reason) => {
  const before = structuredClone(appliance.state.acl);
  expect(await call(path)).toMatchObject({ Status: false, Error: reason });
  expect(appliance.state.acl).toEqual(before);
});
