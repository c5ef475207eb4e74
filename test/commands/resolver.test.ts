import { expect, test } from 'vitest';
import { converse } from '../conversation.ts';

const path = '/system/network/resolvapply';

test.each(['resolver', 'resolver show', 'show resolver'])(
  '%s shows the configuration beside the real resolv.conf',
  async (line) => {
    const { type } = await converse();
    const told = await type(`/appliance ${line}`);
    expect(told).toContain('⚠ resolv.conf differs from the configuration in 2 settings');
    expect(told).toMatch(
      /DNS servers +10\.20\.4\.11, 10\.20\.4\.12, 10\.20\.4\.13 +10\.20\.4\.11, 10\.20\.4\.12 +⚠ yes/,
    );
    expect(told).toMatch(/Search domains +corp\.example, factory\.example +corp\.example +⚠ yes/);
    expect(told).toMatch(/Timeout +3 seconds +3 seconds +no/);
    expect(told).toMatch(/nameserver 127\.0\.0\.1\n.*nameserver 10\.20\.4\.11\n/);
  },
);

test('applying shows the difference first, and reads resolv.conf back', async () => {
  const { type, press, appliance } = await converse();
  const asked = await type('/appliance resolver apply', 'bob');
  expect(asked).toContain('Write the configured resolver to resolv.conf of hq? It changes 2 settings.');
  expect(asked).toContain('DNS servers  10.20.4.11, 10.20.4.12 → 10.20.4.11, 10.20.4.12, 10.20.4.13');
  expect(asked).toContain('Search domains  corp.example → corp.example, factory.example');
  expect(asked).not.toContain('Timeout');
  expect(appliance.requests.some((request) => request.path === path)).toBe(false);
  const told = await press('Apply', 'bob');
  expect(told).toContain('✅ resolv.conf written');
  expect(told).toContain(
    'it matches the configuration, DNS servers: 127.0.0.1, 10.20.4.11, 10.20.4.12 and 10.20.4.13.',
  );
  expect(await type('/appliance resolver')).toContain('resolv.conf matches the configuration');
  expect(await type('/appliance resolver apply', 'bob')).toContain(
    'resolv.conf of hq already matches the configuration. No changes were made.',
  );
});

test('a click on an outdated difference applies nothing', async () => {
  const { type, press, appliance } = await converse();
  await type('/appliance resolver apply', 'bob');
  appliance.state.resolver.configured.dns_1 = '203.0.113.66';
  const told = await press('Apply', 'bob');
  expect(told).toContain('203.0.113.66');
  expect(told).toContain('[Apply] [Cancel]');
  expect(appliance.requests.some((request) => request.path === path)).toBe(false);
});

test('an unchanged resolv.conf is not called written', async () => {
  const { type, press, appliance } = await converse();
  await type('/appliance resolver apply', 'bob');
  appliance.faults.set('GET /system/network/resolvapply', { kind: 'forget' });
  expect(await press('Apply', 'bob')).toContain(
    'resolv.conf read back: unchanged, still different in DNS servers and Search domains.',
  );
});

test('an unexpectedly worded resolv.conf is called neither right nor wrong', async () => {
  const { type, press, appliance } = await converse();
  const { resolver } = appliance.state;
  resolver.configured.dont_use_local_dns = 1;
  await type('/appliance resolver apply', 'bob');
  appliance.faults.set('GET /system/network/resolvapply', { kind: 'forget' });
  // Another hand has written it meanwhile, as it were: all but the own DNS.
  appliance.onChange(() => {
    if (appliance.requests.at(-1)?.path !== path) return;
    resolver.applied = { ...resolver.configured, dont_use_local_dns: 0 };
  });
  expect(await press('Apply', 'bob')).toMatch(
    /Accepted, not verified: resolv\.conf was rewritten but does not match the configuration in Own DNS/,
  );
});

test('a dry run shows the one request and sends none', async () => {
  const { type, appliance } = await converse();
  const told = await type('/appliance resolver apply --dry-run', 'bob');
  expect(told).toMatch(/GET http:\S+\/system\/network\/resolvapply/);
  expect(appliance.requests.some((request) => request.path === path)).toBe(false);
});
