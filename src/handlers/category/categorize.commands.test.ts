import { expect, onTestFinished, test } from 'vitest';
import { type SimulatedAppliance, startSimulatedAppliance } from '../../../sandbox/appliance/index.ts';
import { ofKind, rowsOf } from '../../../test/commands.ts';
import { connectAppliance } from '../../api/index.ts';
import { match } from '../registry.ts';
import { plainText, type Reply } from '../reply.ts';
import { categorize } from './categorize.commands.ts';

const query = 'GET /categories/query/{domain}';

async function start() {
  const simulated = await startSimulatedAppliance();
  const appliance = connectAppliance({ name: 'hq', url: simulated.url, sleep: async () => undefined });
  onTestFinished(async () => {
    await appliance.close();
    await simulated.close();
  });
  const ask = (...domain: string[]): Promise<Reply> =>
    ofKind('lookup', categorize).answer({
      args: { domain },
      appliance,
      person: 'U0ALICE001',
      channel: 'C0HELPDESK',
      now: 0,
      pendingChanges: async () => [],
      otherOrders: async () => [],
      identity: async () => undefined,
      wayToAllow: async () => undefined,
      timedChange: async () => undefined,
      watch: async (_, terms) => ({ id: 1, kind: 'new', owner: 'U1', terms, isElsewhere: false }),
      limits: { emergency: 0 },
      files: noFiles,
    });
  return { simulated, ask };
}

/** The command takes no file. */
const noFiles = {
  open: () => Promise.reject(new Error('There is no file')),
  digest: () => Promise.reject(new Error('There is no file')),
};

/** Puts a site into a category of its own, with these response-policy settings. */
function listSite(simulated: SimulatedAppliance, id: number, site: string, rpz: object): void {
  const [some] = simulated.state.categories.all.values();
  if (some === undefined) throw new Error('There is no category');
  simulated.state.categories.all.set(id, {
    ...some,
    id,
    name: `list ${id}`,
    sites: new Set([site]),
    rpz: { ...some.rpz, ...rpz },
  });
}

test('a domain in one category is answered with its name, number and DNS firewall settings', async () => {
  const { ask } = await start();
  const reply = await ask('example.com');
  expect(plainText(reply.headline)).toBe('example.com is in 1 category: shopping');
  expect(rowsOf(reply)).toEqual([['shopping', '252', 'off']]);
});

test('a domain in two categories is answered with both', async () => {
  const { ask } = await start();
  const { headline } = await ask('reddit.com');
  expect(plainText(headline)).toBe('reddit.com is in 2 categories: forums and social_networks');
});

test("a domain in no category is not categorized, and shows only the appliance's own note", async () => {
  const { simulated, ask } = await start();
  const reply = await ask('example.org');
  expect(plainText(reply.headline)).toBe('example.org is not categorized');
  const [part] = reply.details ?? [];
  expect(part?.kind === 'text' && plainText(part.text)).toBe('hq replied: 0 categories');
  simulated.faults.set(query, { kind: 'refuse', error: '' });
  expect((await ask('example.org')).details).toEqual([]);
});

test('several domains are answered in one table, in the order they were typed', async () => {
  const { simulated, ask } = await start();
  const reply = await ask('reddit.com', 'example.org', 'example.com');
  expect(plainText(reply.headline)).toBe('2 of 3 domains categorized');
  const numbers = new Map([...simulated.state.categories.all.values()].map(({ name, id }) => [name, id]));
  expect(rowsOf(reply)).toEqual([
    [
      'reddit.com',
      `forums (${numbers.get('forums')}) and social_networks (${numbers.get('social_networks')})`,
    ],
    ['example.org', 'not categorized'],
    ['example.com', 'shopping (252)'],
  ]);
});

test('the DNS firewall settings are shown as far as they are documented', async () => {
  const { simulated, ask } = await start();
  listSite(simulated, 901, 'blocked.example', { enabled: true, action: 2, redirect: '' });
  listSite(simulated, 902, 'moved.example', { enabled: true, action: 3, redirect: '10.0.0.1' });
  expect(rowsOf(await ask('blocked.example'))).toEqual([['list 901', '901', 'on, action 2']]);
  expect(rowsOf(await ask('moved.example'))).toEqual([['list 902', '902', 'on, action 3 to 10.0.0.1']]);
});

test('a failed domain does not hide the answers for others', async () => {
  const { simulated, ask } = await start();
  simulated.faults.set(query, { kind: 'refuse', error: '*busy*', times: 1 });
  const reply = await ask('example.com', 'reddit.com', 'example.org');
  expect(plainText(reply.headline)).toBe('1 of 3 domains categorized, 1 could not be asked');
  const [refused, ...others] = rowsOf(reply).toSorted((row) => (row[1]?.includes('busy') ? -1 : 1));
  expect(refused?.[1]).toBe('could not be asked: refused, *busy*');
  expect(others).toHaveLength(2);
});

test('fifty different domains are accepted at once, and fifty-one are refused', async () => {
  const line = (count: number) =>
    `categorize example.com ${Array.from({ length: count }, (_, index) => `d${index}.example`).join(',')} EXAMPLE.com`;
  expect(match(line(49))).toMatchObject({ kind: 'command' });
  expect(match(line(50))).toMatchObject({ kind: 'too_many', given: 51, most: 50 });
});

test('an internationalised name is sent in ASCII and shown both ways', async () => {
  const { simulated, ask } = await start();
  const matched = match('categorize MÜNCHEN.de');
  expect(matched).toMatchObject({ kind: 'command', args: { domain: ['xn--mnchen-3ya.de'] } });
  const { headline } = await ask('xn--mnchen-3ya.de');
  expect(simulated.requests.at(-1)?.path).toBe('/categories/query/xn--mnchen-3ya.de');
  expect(plainText(headline)).toBe('münchen.de (xn--mnchen-3ya.de) is not categorized');
});

test('an address is sent as it is', async () => {
  const { simulated, ask } = await start();
  await ask('10.20.0.2', '2001:db8::1');
  const asked = simulated.requests
    .map(({ path }) => decodeURIComponent(path))
    .filter((path) => path.startsWith('/categories'))
    .sort();
  expect(asked).toEqual(['/categories/query/10.20.0.2', '/categories/query/2001:db8::1']);
});

test('a category with a hostile name stays plain text', async () => {
  const { simulated, ask } = await start();
  listSite(simulated, 903, 'hostile.example', {});
  const listed = simulated.state.categories.all.get(903);
  if (listed !== undefined) simulated.state.categories.all.set(903, { ...listed, name: '<!channel> *x*' });
  const reply = await ask('hostile.example');
  expect(reply.headline).toContainEqual({ kind: 'strong', text: '<!channel> *x*' });
  expect(rowsOf(reply)[0]?.[0]).toBe('<!channel> *x*');
});

test('a failed search is never shown as "not categorized"', async () => {
  const { simulated, ask } = await start();
  simulated.faults.set(query, { kind: 'refuse', error: 'database is being compiled' });
  await expect(ask('example.com')).rejects.toMatchObject({ code: 'refused' });
});

test('one broken answer is requested again; if all stay broken, that is the answer', async () => {
  const { simulated, ask } = await start();
  simulated.faults.set(query, { kind: 'status', status: 503, times: 1 });
  expect(plainText((await ask('example.com')).headline)).toContain('shopping');
  simulated.faults.set(query, { kind: 'html' });
  await expect(ask('example.com', 'example.org')).rejects.toMatchObject({ code: 'not_json' });
});
