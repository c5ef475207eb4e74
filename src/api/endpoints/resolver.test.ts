import type nock from 'nock';
import { expect, test } from 'vitest';
import { onlyNockAnswers } from '../../../test/nock.ts';
import { answers, appliance } from './testing.ts';

onlyNockAnswers();

const base64 = (content: string | Uint8Array) => Buffer.from(content).toString('base64');

test('resolv.conf is decoded, in UTF-8', async () => {
  const content = '# Büro\nnameserver 10.20.0.53\n';
  answers('/system/network/resolvconf', { Status: true, Error: '', Data: base64(content) });
  expect(await appliance.resolver.resolvConf()).toBe(content);
});

test('base64 may have line breaks, and may be empty', async () => {
  answers('/system/network/resolvconf', { data: 'bmFtZXNl\r\ncnZlciA6OjE=\r\n' });
  expect(await appliance.resolver.resolvConf()).toBe('nameserver ::1');
  answers('/system/network/resolvconf', { Data: '' });
  expect(await appliance.resolver.resolvConf()).toBe('');
});

test.each<[string, nock.Body]>([
  ['text that is not base64', { Data: 'nameserver 10.20.0.53' }],
  ['base64 that is cut off', { Data: 'bmFtZXNlcnZlciA6OjE' }],
  ['bytes that are not UTF-8', { Data: base64(Uint8Array.of(0x6e, 0xff)) }],
  ['null', { Data: null }],
  ['nothing', { Status: true }],
])('%s is not passed on as resolv.conf', async (_, body) => {
  answers('/system/network/resolvconf', body);
  await expect(appliance.resolver.resolvConf()).rejects.toMatchObject({
    code: 'unexpected_reply',
    at: 'Data',
  });
});

test('the configuration lists servers and domains in order, without empty ones', async () => {
  answers('/system/network/resolvconfig', {
    use_tcp: 0,
    timeout: '5',
    attempts: 2,
    user_rotation: 1,
    dont_use_local_dns: 0,
    domains_1: 'corp.example',
    domains_2: '',
    domains_3: ' lab.example ',
    dns_1: '10.20.0.53',
    dns_2: null,
    dns_4: '2001:db8::53',
    do_not_use_local_dns_cache: 'True',
  });
  expect(await appliance.resolver.configuration()).toEqual({
    servers: ['10.20.0.53', '2001:db8::53'],
    domains: ['corp.example', 'lab.example'],
    useTcp: false,
    timeout: 5,
    attempts: 2,
    userRotation: true,
    dontUseLocalDns: false,
    doNotUseLocalDnsCache: true,
  });
});

test('an answer about something else is not an empty configuration', async () => {
  answers('/system/network/resolvconfig', { Status: true, Info: 'ok' });
  await expect(appliance.resolver.configuration()).rejects.toMatchObject({ code: 'unexpected_reply' });
});

test('applying is an order of its own', async () => {
  answers('/system/network/resolvapply', { Status: true, Info: 'saved' });
  expect(await appliance.resolver.apply()).toEqual({ confirmed: true, info: 'saved' });
});
