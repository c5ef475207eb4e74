import { BlockList, isIP } from 'node:net';
import { endingIn, hasManyOwners } from './language/domain.ts';
import { code, enumerate, type Field, say, type Text } from './reply.ts';
import { number } from './wording/quantities.ts';

/** Entries that match more than their author may expect, and entries that another one already covers. */

export interface BroadEntry {
  readonly entry: string;
  /** Completes a sentence: "every site that ends in .co.uk" */
  readonly hits: string;
}

export const broadSites = (sites: readonly string[]): readonly BroadEntry[] =>
  sites.filter(hasManyOwners).map((entry) => ({ entry, hits: endingIn(entry) }));

/** Named at most. */
const few = 5;

/** Warns about broad entries on a card. `of`: the number of all entries. */
export function broadFields(broad: readonly BroadEntry[], of: number): readonly Field[] {
  if (broad.length === 0) return [];
  const named = broad.slice(0, few).map(({ entry, hits }) => say`${code(entry)} hits ${hits}`);
  const more = broad.length - named.length;
  const counted = of === 1 ? [] : [say`${number(broad.length)} of ${number(of)}: `];
  return [
    {
      name: 'Broad',
      value: [...counted.flat(), ...enumerate([...named, ...(more > 0 ? [`${number(more)} more`] : [])])],
    },
  ];
}

/** An entry and the one that already covers it. */
export interface HeldEntry {
  readonly entry: string;
  readonly by: string;
}

export function heldFields(held: readonly HeldEntry[], of: number): readonly Field[] {
  if (held.length === 0) return [];
  const named = held.slice(0, few).map(({ entry, by }): Text => say`${code(by)} includes ${code(entry)}`);
  const more = held.length - named.length;
  const counted = of === 1 ? [] : [say`${number(held.length)} of ${number(of)}: `];
  return [
    {
      name: 'Already included',
      value: [...counted.flat(), ...enumerate([...named, ...(more > 0 ? [`${number(more)} more`] : [])])],
    },
  ];
}

/** The sites below another one of them. */
export function heldAmong(sites: readonly string[]): readonly HeldEntry[] {
  const all = new Set(sites);
  return sites.flatMap((entry) => {
    const by = isIP(entry) === 0 ? parentsOf(entry).find((parent) => all.has(parent)) : undefined;
    return by === undefined ? [] : [{ entry, by }];
  });
}

/** `c.example` and `example` for `b.c.example`. */
export const parentsOf = (domain: string): readonly string[] =>
  domain
    .split('.')
    .slice(1)
    .map((_, at, labels) => labels.slice(at).join('.'));

interface AddressRange {
  readonly family: 'ipv4' | 'ipv6';
  readonly first: string;
  readonly last: string | undefined;
  /** The minimum number of leading bits that all addresses share. */
  readonly bits: number;
}

/**
 * Reads `10.0.0.0/8`, `10.0.0.0/255.0.0.0`, `10.0.0.0-10.255.255.255`; undefined for a single address and other
 * text.
 */
export function networkIn(pattern: string): AddressRange | undefined {
  const [, first = '', mark, rest = ''] = /^([0-9a-f.:]+)([/-])([0-9a-f.:]+)$/i.exec(pattern) ?? [];
  const version = isIP(first);
  if (version === 0) return undefined;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  if (mark === '-') {
    if (isIP(rest) !== version) return undefined;
    return { family, first, last: rest, bits: sharedBits(first, rest) };
  }
  const mask = isIP(rest) === 4 ? bitsOf(rest).indexOf('0') : Number(rest);
  const bits = mask === -1 ? 32 : mask;
  if (!Number.isInteger(bits) || bits > (version === 4 ? 32 : 128)) return undefined;
  return { family, first, last: undefined, bits };
}

const bitsOf = (address: string): string =>
  address
    .split('.')
    .map((byte) => Number(byte).toString(2).padStart(8, '0'))
    .join('');

/** For IPv6 it compares the first group only, because a range within one group is not broad. */
function sharedBits(first: string, last: string): number {
  if (isIP(first) === 6) return first.split(':')[0] === last.split(':')[0] ? 16 : 0;
  const [one, other] = [bitsOf(first), bitsOf(last)];
  const at = [...one].findIndex((bit, index) => bit !== other[index]);
  return at === -1 ? 32 : at;
}

/** Whether a network is larger than those of most organizations. */
export const isBroadNetwork = ({ family, bits }: AddressRange): boolean =>
  bits <= (family === 'ipv4' ? 8 : 16);

export function networkHolding(
  entry: string,
  networks: readonly { readonly pattern: string; readonly network: AddressRange }[],
): string | undefined {
  const own = networkIn(entry);
  const [first, version] = [own?.first ?? entry, isIP(own?.first ?? entry)];
  if (version === 0) return undefined;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  return networks.find(
    ({ pattern, network }) =>
      pattern !== entry &&
      network.family === family &&
      network.bits < (own?.bits ?? 129) &&
      [first, own?.last ?? first].every((address) => isWithin(network, address)),
  )?.pattern;
}

function isWithin({ family, first, last, bits }: AddressRange, address: string): boolean {
  // The first byte rules out most networks cheaply.
  if (family === 'ipv4' && bits >= 8 && first.split('.', 1)[0] !== address.split('.', 1)[0]) return false;
  const list = new BlockList();
  if (last === undefined) list.addSubnet(first, bits, family);
  else list.addRange(first, last, family);
  return list.check(address, family);
}
