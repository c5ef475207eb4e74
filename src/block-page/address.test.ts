import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { addressOf, keyOf, readProxies } from './address.ts';

const from = (remoteAddress: string, forwarded?: string) =>
  // The only parts that are read.
  ({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } }) as unknown as IncomingMessage;

function trusted(list: string) {
  const read = readProxies(list);
  if (read === undefined) throw new Error(`Not read: ${list}`);
  return read;
}

test('X-Forwarded-For is ignored from an untrusted sender', () => {
  expect(addressOf(from('10.1.1.1', '10.9.9.9'), trusted(''))).toBe('10.1.1.1');
  expect(addressOf(from('10.1.1.1', '10.9.9.9'), trusted('10.1.1.2'))).toBe('10.1.1.1');
});

test('a trusted proxy is believed, but not the header that it received', () => {
  const proxies = trusted('10.1.1.1, 10.2.0.0/16 fd00::/8');
  expect(addressOf(from('10.1.1.1', '10.9.9.9'), proxies)).toBe('10.9.9.9');
  expect(addressOf(from('::ffff:10.1.1.1', '10.9.9.9'), proxies)).toBe('10.9.9.9');
  expect(addressOf(from('10.1.1.1', '1.2.3.4, 10.9.9.9'), proxies)).toBe('10.9.9.9');
  expect(addressOf(from('10.1.1.1', '1.2.3.4, 10.9.9.9, 10.2.7.7'), proxies)).toBe('10.9.9.9');
  expect(addressOf(from('fd00::5', '2001:db8::7'), proxies)).toBe('2001:db8::7');
  for (const hostile of ['unknown', '', '<script>', '10.9.9.9:80', ',,,']) {
    expect(addressOf(from('10.1.1.1', hostile), proxies)).toBe('10.1.1.1');
  }
});

test('an invalid list is refused', () => {
  for (const wrong of [
    'proxy.example.com',
    '10.0.0.0/33',
    '10.0.0.0/8/8',
    '10.0.0',
    'fd00::/129',
    '10.0.0.0/x',
  ]) {
    expect(readProxies(wrong), wrong).toBeUndefined();
  }
});

test('the addresses of one IPv6 network count as one', () => {
  expect(keyOf('2001:db8:0:1::5')).toBe(keyOf('2001:db8:0:1:ffff:1:2:3'));
  expect(keyOf('2001:db8:0:1::5')).not.toBe(keyOf('2001:db8:0:2::5'));
  expect(keyOf('::1')).toBe('0:0:0:0::/64');
  expect(keyOf('10.0.0.1')).toBe('10.0.0.1');
});
