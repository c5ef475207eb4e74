import { expect, test } from 'vitest';
import { converse } from '../conversation.ts';

/** A restart that comes to no end. */
const notOver = new Date('2999-01-01');

test('the DNS server is reported in one sentence, with its numbers in units', async () => {
  const { type } = await converse();
  expect(await type('/appliance dns status')).toMatch(/The DNS server is running for 9 days 4 h\n/);
  const statistics = await type('/appliance dns statistics');
  expect(statistics).toMatch(/received [\d,]{9,} queries in 9 days 4 h, 83% of them answered from its cache/);
  expect(statistics).toMatch(/UDP queries {2}[\d,]+\n/);
  expect(statistics).toMatch(/Average latency {2}\d+ µs/);
  const domains = await type('/appliance list dns domains');
  expect(domains).toContain('The DNS server manages 7 domains');
  expect(domains).toMatch(/corp\.example +1 +NATIVE +214 +2026111803\n/);
});

test('a stopped DNS server comes first', async () => {
  const { type, appliance } = await converse();
  appliance.state.authdns.restartOrderedAt = notOver;
  expect(await type('/appliance dns status')).toContain('⚠ The DNS server is not running');
  expect(await type('/appliance dns statistics')).toContain('hq refused: The server is not running.');
});

test('a restart asks first, and is over when another process answers', async () => {
  const { type, press, appliance } = await converse();
  const asked = await type('/appliance restart dns', 'bob');
  expect(asked).toMatch(/Restart the DNS server of hq\?\n +State {2}running for 9 days 4 h\n +Domains {2}7/);
  expect(appliance.state.authdns.restartOrderedAt).toBeUndefined();
  const told = await press('Restart', 'bob');
  expect(told).toContain('✅ DNS server restarted');
  expect(told).toContain('Status read back: the DNS server has started again, process 2265 instead of 1874');
  expect(appliance.requests.filter(({ path }) => path === '/authdns/restart')).toHaveLength(1);
});

test('a restart without effect is not believed', async () => {
  const { type, press, appliance } = await converse();
  await type('/appliance dns restart', 'bob');
  appliance.faults.set('GET /authdns/restart', { kind: 'forget' });
  const told = await press('Restart', 'bob');
  expect(told).toContain('⚠️ Restarting the DNS server: accepted, never seen');
  expect(told).toContain('the DNS server is still the same run as before, running for 9 days 4 h.');
});

test('a DNS server that never finishes its restart is not called restarted', async () => {
  const { type, press, appliance } = await converse();
  await type('/appliance dns restart', 'bob');
  const { authdns } = appliance.state;
  appliance.onChange(() => {
    if (authdns.restartOrderedAt !== undefined) authdns.restartOrderedAt = notOver;
  });
  const told = await press('Restart', 'bob');
  expect(told).toContain('⚠️ Restarting the DNS server: outcome unknown');
  expect(told).toContain('the DNS server is not running at the moment');
});

test('a server without a status can be restarted nevertheless', async () => {
  const { type, appliance } = await converse();
  appliance.faults.set('GET /authdns/status', { kind: 'refuse', error: 'no answer from the daemon' });
  expect(await type('/appliance dns restart', 'bob')).toMatch(
    /State {2}it replied: `no answer from the daemon`\n(?:.*\n)*.*\[Restart\]/,
  );
});

test('a reload runs at once and is verified by the time of the last one', async () => {
  const { type, appliance } = await converse();
  expect(await type('/appliance dns reload', 'bob')).toMatch(
    /✅ DNS server and recursor reloaded(?:.*\n)+.*Verified\. Status read back: the last reload was at 20/,
  );
  appliance.faults.set('GET /authdns/reload', { kind: 'forget' });
  expect(await type('/appliance dns reload', 'bob')).toContain(
    '10 min later it still doesn’t show. Status read back: the last reload is still',
  );
});

test('a domain is created and found in the list, without an Undo', async () => {
  const { type, appliance } = await converse();
  const told = await type('/appliance add dns domain https://Branch.corp.example/', 'bob');
  expect(told).toContain('✅ Domain branch.corp.example added to the DNS server');
  expect(told).toContain('branch.corp.example is there, with 3 records. Undo is not available');
  expect(told).not.toContain('[Undo]');
  expect(appliance.state.authdns.domains.has('branch.corp.example')).toBe(true);
});

test('an existing domain is not sent, and one that the appliance forgets is not called created', async () => {
  const { type, appliance } = await converse();
  expect(await type('/appliance dns domain add CORP.example', 'bob')).toContain(
    'The DNS server of hq already manages corp.example. No changes were made.',
  );
  expect(appliance.requests.some(({ path }) => path.startsWith('/authdns/add'))).toBe(false);
  appliance.faults.set('GET /authdns/add/domain/{domain}', { kind: 'forget' });
  const told = await type('/appliance dns domain add new.example', 'bob');
  expect(told).toContain('⚠️ Adding new.example to the DNS server: accepted, never seen');
  expect(told).toContain('new.example is not among them');
});

test.each(['10.20.4.11', '2001:db8::1', 'corp', '<!channel>'])(
  '%s is not taken for a domain',
  async (word) => {
    const { type, appliance } = await converse();
    expect(await type(`/appliance dns domain add ${word}`, 'bob')).toContain(
      'is not a domain. No changes were made.',
    );
    expect(appliance.requests).toEqual([]);
  },
);
