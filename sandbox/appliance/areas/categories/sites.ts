import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';

const label = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?';
/** At least two labels, of which the last is not a number. */
const domainName = new RegExp(`^(?=.{1,253}$)(?:${label}\\.)+(?!\\d+$)${label}$`);

/**
 * A site as categories keep it: a domain name in lower case and ASCII, or an IP address (appliance-api.md §2.5).
 * Undefined for a text that is neither.
 */
export function asSite(text: string): string | undefined {
  const name = text.trim().toLowerCase().replace(/\.$/, '');
  const ascii = /^[\x20-\x7e]*$/.test(name) ? name : domainToASCII(name);
  return domainName.test(ascii) || isIP(ascii) !== 0 ? ascii : undefined;
}

/** A site and all that cover it: `www.example.com`, `example.com` and `com`. */
export function coverOf(site: string): string[] {
  const labels = site.split('.');
  return labels.map((_, index) => labels.slice(index).join('.'));
}
