import { isIPv4, isIPv6 } from 'node:net';
import { z } from 'zod';

/** Accepted hosts, domains and ports, checked before they become part of a path. */

const label = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?';
const names = new RegExp(`^${label}(?:\\.${label})*$`, 'i');

/**
 * Without a trailing dot, which a path does not carry safely. A name that ends in a number is an IPv4 address
 * or invalid.
 */
function isName(text: string): boolean {
  return text.length <= 253 && names.test(text) && (!/(?:^|\.)\d+$/.test(text) || isIPv4(text));
}

function isBracketedIPv6(text: string): boolean {
  // A zone (`%eth0`) is valid on one machine only.
  return /^\[[^[\]%]+\]$/.test(text) && isIPv6(text.slice(1, -1));
}

function isPort(number: number): boolean {
  return Number.isInteger(number) && number >= 1 && number <= 65_535;
}

/** The name of a DNS domain. Other scripts are written in their ASCII form, such as `xn--bcher-kva.example`. */
export const domainName = z
  .string()
  .refine((text) => isName(text) && !isIPv4(text), 'is not a domain name such as example.com');

/** A host name, an IPv4 address, or an IPv6 address in brackets, as allowed before `:port`. */
export const host = z
  .string()
  .refine(
    (text) => isName(text) || isBracketedIPv6(text),
    'is not a host name, an IPv4 address, or an IPv6 address in brackets',
  );

export const port = z.number().refine(isPort, 'is not a port from 1 to 65535');

/** A full host name, or a full host name and a port with a colon between (appliance-api.md §4.4). */
export const website = z.string().refine((text) => {
  const [name = '', given, ...more] = text.split(':');
  const portFits = given === undefined || (/^[1-9]\d*$/.test(given) && isPort(Number(given)));
  return more.length === 0 && portFits && isName(name) && name.includes('.');
}, 'is not a full host name such as www.example.com or www.example.com:8443');
