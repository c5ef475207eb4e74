import { expect, test } from 'vitest';
import { readDomain } from '../../handlers/language/domain.ts';
import { isInsideAddress, isInsideName } from './inside.ts';

const inside = [
  ...['10.0.0.1', '127.0.0.1', '172.31.255.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0'],
  ...['255.255.255.255', '224.0.0.1', 'http://10.0.0.1:8080/admin', '::1', '[::1]:80', 'fe80::1', 'fd00::5'],
  ...[
    '::ffff:10.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::10.0.0.1',
    '2002:0a00:0001::1',
    '2001:0:1::1',
    'ff02::1',
  ],
  ...['printer.local', 'PRINTER.LOCAL.', 'wiki.internal', 'x.corp', 'a.b.lan', 'router.home.arpa'],
  ...['1.0.0.10.in-addr.arpa', '10.0.0.1.nip.io', 'app.10-0-0-1.sslip.io', 'a-192-168-1-1.example.com'],
  ...['app.localhost', 'localtest.me', 'x.lvh.me'],
];
const outside = [
  ...['example.com', 'live-betting.example', '8.8.8.8', '172.32.0.1', '2606:4700::1111', 'local.example.com'],
  ...[
    'internal.com',
    'homelocal.de',
    '64:ff9b::8.8.8.8',
    '8-8-8-8.nip.io',
    'v1.2.3.4.example.com',
    'münchen.de',
    'x.lan.example',
  ],
];
/** Browsers accept these forms of addresses, but they are no names of websites here, so nobody can ask for them. */
const unreadable = [
  'localhost',
  'intranet',
  '2130706433',
  '0x7f.1',
  '0x7f000001',
  '017700000001',
  '127.1',
  '10.1',
];

test('an internal host is recognised by its address or its name, without resolving anything', () => {
  expect(inside.filter((one) => !isInsideName(readDomain(one) ?? '?'))).toEqual([]);
  expect(inside.filter((one) => readDomain(one) === undefined)).toEqual([]);
  expect(outside.filter((one) => isInsideName(readDomain(one) ?? 'unread'))).toEqual([]);
  expect(unreadable.filter((one) => readDomain(one) !== undefined)).toEqual([]);
  expect(isInsideAddress('no address')).toBe(true);
});
