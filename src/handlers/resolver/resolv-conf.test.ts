import { describe, expect, test } from 'vitest';
import type { ResolverConfiguration } from '../../api/index.ts';
import { compare, differing, readResolvConf } from './resolv-conf.ts';

const written = readResolvConf(
  [
    '# Written by the appliance',
    'search old.example',
    'search corp.example lab.example ; the last one counts',
    'options timeout:3 rotate',
    'nameserver 127.0.0.1',
    'nameserver 10.20.4.11',
    'nameserver 10.20.4.12 # second',
    'sortlist 10.0.0.0',
    'nameserver',
  ].join('\r\n'),
);

const configured: ResolverConfiguration = {
  servers: ['10.20.4.11', '10.20.4.12'],
  domains: ['Corp.example', 'lab.example'],
  timeout: 3,
  attempts: 2,
  useTcp: false,
  userRotation: true,
  dontUseLocalDns: false,
  doNotUseLocalDnsCache: false,
};

const differences = (change: Partial<ResolverConfiguration>) =>
  differing(compare({ ...configured, ...change }, written)).map(({ setting }) => setting);

test('a resolv.conf is read as resolvers read it', () => {
  expect(written).toEqual({
    servers: ['127.0.0.1', '10.20.4.11', '10.20.4.12'],
    domains: ['corp.example', 'lab.example'],
    options: new Map([
      ['timeout', '3'],
      ['rotate', ''],
    ]),
  });
});

describe('the configuration beside resolv.conf', () => {
  test('agrees when the whole configuration is in force', () => {
    expect(differences({})).toEqual([]);
  });

  test.each<[string, Partial<ResolverConfiguration>]>([
    ['DNS servers', { servers: ['10.20.4.12', '10.20.4.11'] }],
    ['DNS servers', { servers: ['10.20.4.11', '10.20.4.12', '10.20.4.13'] }],
    ['Search domains', { domains: [] }],
    ['Timeout', { timeout: 5 }],
    ['Attempts', { attempts: 3 }],
    ['Over TCP', { useTcp: true }],
    ['Rotation', { userRotation: false }],
    ['Own DNS', { dontUseLocalDns: true }],
  ])('differs in %s', (setting, change) => {
    expect(differences(change)).toEqual([setting]);
  });

  test('does not differ in fields that are unreported or empty', () => {
    expect(differing(compare({ servers: configured.servers, domains: configured.domains }, written))).toEqual(
      [],
    );
    expect(differences({ timeout: 0, attempts: 0 })).toEqual([]);
  });
});
