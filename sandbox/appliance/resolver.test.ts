import { expect, test } from 'vitest';
import { appliance, get, withAnAppliance } from './testing.ts';

withAnAppliance();

async function resolvConf(): Promise<string> {
  const { Data } = await get<{ Data: string }>('/system/network/resolvconf');
  return Buffer.from(Data, 'base64').toString();
}

test('the configuration has exactly the documented fields', async () => {
  expect(await get('/system/network/resolvconfig')).toEqual({
    use_tcp: 0,
    timeout: 3,
    attempts: 2,
    user_rotation: 1,
    dont_use_local_dns: 0,
    domains_1: 'corp.example',
    domains_2: 'factory.example',
    domains_3: '',
    dns_1: '10.20.4.11',
    dns_2: '10.20.4.12',
    dns_3: '10.20.4.13',
    dns_4: '',
    do_not_use_local_dns_cache: 0,
  });
});

test('a configured setting is in resolv.conf only after it was applied', async () => {
  expect(await resolvConf()).toBe(
    [
      '# Written by the appliance; changes made here are lost',
      'search corp.example',
      'options timeout:3 attempts:2 rotate',
      'nameserver 127.0.0.1',
      'nameserver 10.20.4.11',
      'nameserver 10.20.4.12',
      '',
    ].join('\n'),
  );
  appliance.state.resolver.configured.dont_use_local_dns = 1;
  appliance.state.resolver.configured.use_tcp = 1;
  expect(await resolvConf()).toContain('127.0.0.1');
  expect(await get('/system/network/resolvapply')).toMatchObject({ Status: true });
  expect(await resolvConf()).toContain('search corp.example factory.example\n');
  expect(await resolvConf()).toContain(' use-vc\nnameserver 10.20.4.11\n');
  expect(await resolvConf()).toContain('nameserver 10.20.4.13\n');
});

test('a setting changed after it was applied waits for the next time', async () => {
  await get('/system/network/resolvapply');
  appliance.state.resolver.configured.timeout = 9;
  expect(await resolvConf()).toContain('timeout:3');
});
