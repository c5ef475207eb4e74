import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** Trusted senders of X-Forwarded-For: reverse proxies, and the appliance if browsers come through it. */
export type TrustedProxies = BlockList;

/** Addresses and networks (10.0.0.0/8). Undefined if one is invalid. */
export function readProxies(given: string): TrustedProxies | undefined {
  const list = new BlockList();
  for (const one of given.split(/[\s,]+/).filter((word) => word !== '')) {
    const [address = '', bits, ...more] = one.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (isIP(address) === 0 || more.length > 0) return undefined;
    if (bits === undefined) list.addAddress(address, family);
    else if (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 'ipv4' ? 32 : 128)) {
      list.addSubnet(address, Number(bits), family);
    } else return undefined;
  }
  return list;
}

/**
 * The client's address. X-Forwarded-For is read from the right up to the first untrusted address; the client
 * may have written everything further left.
 */
export function addressOf({ socket, headers }: IncomingMessage, trusted: TrustedProxies): string {
  let address = plain(socket.remoteAddress ?? '');
  const told = String(headers['x-forwarded-for'] ?? '').split(',');
  while (isTrusted(address, trusted)) {
    const before = plain((told.pop() ?? '').trim());
    if (isIP(before) === 0) break;
    address = before;
  }
  return address;
}

/** An IPv6 host can use a whole network, so limits count that. */
export function keyOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.split('::');
  const before = head.split(':').filter((one) => one !== '');
  const after = (tail ?? '').split(':').filter((one) => one !== '');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  const groups = [...before, ...Array<string>(zeros).fill('0'), ...after].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}

/** A dual-stack socket shows an IPv4 address as `::ffff:10.0.0.1`. */
const plain = (address: string): string => {
  const [withoutZone = ''] = address.split('%', 1);
  return /^::ffff:\d+\.\d+\.\d+\.\d+$/i.test(withoutZone) ? withoutZone.slice(7) : withoutZone;
};

const isTrusted = (address: string, trusted: TrustedProxies): boolean =>
  isIP(address) !== 0 && trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
