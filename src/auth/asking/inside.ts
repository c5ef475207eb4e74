import { BlockList, isIP } from 'node:net';

/**
 * Whether the name alone shows that a host is internal: an address that is not routed on the Internet, or a
 * name that only a private network can resolve. Resolves nothing. `host` as `readDomain` reads it.
 */
export function isInsideName(host: string): boolean {
  if (isIP(host) !== 0) return isInsideAddress(host);
  const labels = host.split('.');
  if (labels.length < 2 || ownEndings.some((ending) => `.${host}`.endsWith(ending))) return true;
  // Public resolvers answer 10.0.0.5.nip.io and wiki-10-0-0-5.example.com with the address in the name.
  const spelled = [...host.matchAll(spelledAddress)].map(([, ...bytes]) => bytes.join('.'));
  return spelled.some((address) => isIP(address) === 4 && isInsideAddress(address));
}

/** Whether an address cannot be on the Internet. An unreadable address counts as internal. */
export function isInsideAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return ownV4.check(address);
    case 6: {
      const [plain = ''] = address.split('%', 1);
      if (nat64.check(plain, 'ipv6')) return ownV4.check(lastV4(plain));
      return ownV6.check(plain, 'ipv6') || !publicV6.check(plain, 'ipv6');
    }
    default:
      return true;
  }
}

/** Each with a leading dot, so that it matches a whole label. */
const ownEndings = [
  ...['.local', '.internal', '.localhost', '.localdomain', '.intranet', '.intra', '.lan', '.home', '.corp'],
  ...['.private', '.mail', '.domain', '.workgroup', '.arpa', '.onion'],
  // Public names that always resolve to the local machine.
  ...['.localtest.me', '.lvh.me', '.lacolhost.com', '.vcap.me'],
];

const spelledAddress = /(?<!\d)(\d{1,3})[.-](\d{1,3})[.-](\d{1,3})[.-](\d{1,3})(?!\d)/g;

/** Ranges that IANA reserves and the Internet does not route. */
const ownV4 = new BlockList();
for (const [network, bits] of [
  ...([['0.0.0.0', 8] as const, ['10.0.0.0', 8], ['100.64.0.0', 10], ['127.0.0.0', 8]] as const),
  ...([['169.254.0.0', 16] as const, ['172.16.0.0', 12], ['192.0.0.0', 24], ['192.168.0.0', 16]] as const),
  ...([['198.18.0.0', 15] as const, ['224.0.0.0', 3]] as const),
] as const)
  ownV4.addSubnet(network, bits);

/** The prefix by which a network without IPv4 reaches IPv4 addresses (NAT64). */
const nat64 = new BlockList();
nat64.addSubnet('64:ff9b::', 96, 'ipv6');

function lastV4(address: string): string {
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split(':').slice(-2);
  const bytes = groups.map((group) => Number.parseInt(group || '0', 16));
  return bytes.flatMap((group) => [group >> 8, group & 0xff]).join('.');
}

const publicV6 = new BlockList();
publicV6.addSubnet('2000::', 3, 'ipv6');
/** Tunnel addresses contain an IPv4 address. */
const ownV6 = new BlockList();
ownV6.addSubnet('2002::', 16, 'ipv6');
ownV6.addSubnet('2001::', 32, 'ipv6');
