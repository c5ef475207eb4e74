import { isIP } from 'node:net';
import type { Ending } from './connections.ts';

/** The answer of each resolver; `proxy_dns` of appliance-api.md §2.6. */
export function answersOf(domain: string, ending: Ending, resolvers: readonly string[]) {
  return resolvers.map((dnsname, index) => {
    if (ending === 'unknown_name') return unknown(dnsname);
    const disagrees = ending === 'resolvers_disagree' && index > 0;
    // The second still has the address from before, and every further one does not know the name yet.
    if (disagrees && index > 1) return unknown(dnsname);
    const addresses = addressesOf(disagrees ? `before.${domain}` : domain);
    return { dnsname, dns_success: true, dns_error: '', dns_result: addresses.join(', ') };
  });
}

function unknown(dnsname: string) {
  return { dnsname, dns_success: false, dns_error: 'NXDOMAIN', dns_result: '' };
}

/** An IPv4 and an IPv6 address out of those that are set aside for documents; always the same ones for a name. */
export function addressesOf(domain: string): string[] {
  if (isIP(domain) !== 0) return [domain];
  // A company's own name, which its resolvers alone know.
  if (domain.endsWith('.intranet.example')) return ['10.20.0.7'];
  const number = hashOf(domain);
  const network = ['192.0.2', '198.51.100', '203.0.113'][number % 3] ?? '';
  return [
    `${network}.${1 + ((number >>> 8) % 254)}`,
    `2001:db8:${((number >>> 16) + 1).toString(16)}::${(1 + (number & 0xfff)).toString(16)}`,
  ];
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}
