import { isIP } from 'node:net';
import { domainToASCII, domainToUnicode } from 'node:url';
import { parse } from 'tldts';
import { entryIn } from '../lists/formats.ts';
import { type Wrapping, wrappingOf } from './wrapped.ts';

/** What somebody has named: a site, or an address that another one stands in. */
export type SiteReading =
  | {
      readonly kind: 'site';
      readonly site: string;
      /** What it was read out of: "a Safe Links address". */
      readonly from?: string;
    }
  /** An address whose target cannot be read from it. */
  | { readonly kind: 'sealed'; readonly outer: string; readonly by: string }
  /** An address with others in it: each of these may be meant. */
  | { readonly kind: 'either'; readonly outer: string; readonly inner: readonly string[] };

/** The same address is wrapped by each gateway that a mail passes. */
const mostWrappings = 5;

/**
 * Reads what somebody has named: also a rule that blocks it in a list for another program, and what stands in addresses that mail gateways, search engines and chats have put in its place.
 */
export function readSite(typed: string): SiteReading | undefined {
  const entry = entryIn(typed.trim());
  const site = entry && hostIn(refanged(entry.word));
  if (entry !== undefined && site !== undefined) return { kind: 'site', site, from: entry.from };
  const address = refanged(typed);
  const outer = hostIn(address);
  if (outer === undefined) return undefined;
  const found = wrappingOf(address);
  return found === undefined ? { kind: 'site', site: outer } : unwrapped(outer, found, []);
}

function unwrapped(outer: string, found: Wrapping, around: readonly string[]): SiteReading {
  if (found.kind === 'unknown') {
    const inner = [...new Set(found.inside.flatMap((one) => hostIn(refanged(one)) ?? []))].filter(
      (one) => withoutWww(one) !== withoutWww(outer),
    );
    if (inner.length > 0) return { kind: 'either', outer, inner };
    return { kind: 'site', site: outer, ...(around.length > 0 && { from: around.join(' in ') }) };
  }
  const all = [found.by, ...around];
  const target = found.kind === 'wrapped' ? refanged(found.target) : '';
  const site = hostIn(target);
  if (site === undefined || all.length > mostWrappings) return { kind: 'sealed', outer, by: found.by };
  const next = wrappingOf(target);
  return next === undefined ? { kind: 'site', site, from: all.join(' in ') } : unwrapped(site, next, all);
}

const withoutWww = (host: string): string => host.replace(/^www\./, '');

/**
 * Reads a domain or an IP address out of what people paste: a whole URL, `hxxps://`, `example[.]com`,
 * upper case, a port, a path, a trailing dot, an internationalised name, a mail address (its domain is meant),
 * `*.example.com` and `.example.com` (the domain that they stand for the hosts of), brackets, quotes and marks around it.
 *
 * Returns the name in lower-case ASCII (punycode), as the appliance keeps it (appliance-api.md §2.5: "a site entry
 * is a domain name or an IP address"), or undefined when there is no domain in it, or it cannot be said which is meant.
 */
export function readDomain(typed: string): string | undefined {
  const read = readSite(typed);
  return read?.kind === 'site' ? read.site : undefined;
}

/** Without the marks around it, and with what was made harmless as it was. */
const refanged = (typed: string): string =>
  addressIn(typed.trim())
    .replace(/[“”„‟«»‹›]/g, '"')
    .replace(/[‘’‚‛]/g, "'")
    .replace(/^["'`(<{]+/, '')
    .replace(/(?<!["'`)>},;.!])["'`)>},;.!]+$/, '')
    .replace(/^h[x*]{2}p(s?):/i, 'http$1:')
    .replace(/\[\s*(\.|dot)\s*\]|\(\s*(\.|dot)\s*\)|\{\s*(\.|dot)\s*\}/gi, '.')
    .replace(/\[:\]/g, ':')
    .replace(/。/g, '.');

function hostIn(address: string): string | undefined {
  // A zone (fe80::1%eth0) means something on one machine only.
  if (isIP(address) !== 0) return address.includes('%') ? undefined : address.toLowerCase();
  // A range is more than the address in it.
  const [start = '', length] = address.split('/', 2);
  if (length !== undefined && /^\d{1,3}$/.test(length) && isIP(start) !== 0) return undefined;
  const [beforePath = ''] = address.replace(/^(?:[a-z][a-z0-9+.-]*:)?\/\//i, '').split(/[/?#\\]/, 1);
  const host = beforePath
    .replace(/^.*@/, '') // user:password@
    .replace(/^\*?\./, '');
  const bracketed = /^\[([0-9a-f:.]+)\](:\d+)?$/i.exec(host)?.[1];
  if (bracketed !== undefined) return isIP(bracketed) === 6 ? bracketed.toLowerCase() : undefined;
  const name = host.replace(/:\d{1,5}$/, '').replace(/\.$/, '');
  if (isIP(name) === 4) return name;
  if (hasForeignMarks.test(name)) return undefined;
  const ascii = domainToASCII(name).toLowerCase();
  return isDomain(ascii) ? ascii : undefined;
}

/** What a link leads to, as Slack (`<https://…|label>`) and Markdown (`[label](https://…)`) write it. A label that names another site is no decoration. */
function addressIn(typed: string): string {
  const [, slack, slackLabel, label = slackLabel, address = slack] =
    /^<([^<>|\s]+)(?:\|([^<>]*))?>[,;.]?$|^\[([^[\]]*)\]\(<?([^()<>\s]+)>?\)[,;.]?$/.exec(typed) ?? [];
  if (address === undefined) return typed;
  const named = label === undefined ? undefined : readDomain(label);
  return named === undefined || named === readDomain(address) ? address : typed;
}

/** Marks that stand around names and in none: a bullet, a quote. Of those in names some look like them (RFC 5892, appendix A). */
const hasForeignMarks = /(?![-._\u00b7\u05f3\u05f4\u30fb])[\p{P}\p{Sm}\p{Sc}\p{Sk}■□▪▫●○◦☐☑☒]/u;

/** As people read it: the Unicode form of an internationalised name, with its ASCII form beside it. */
export function showDomain(ascii: string): string {
  const unicode = domainToUnicode(ascii);
  return unicode === ascii || unicode === '' ? ascii : `${unicode} (${ascii})`;
}

/** RFC 1035 lengths; underscores occur in real names. At least two labels, and the last one is not a number. */
function isDomain(ascii: string): boolean {
  const labels = ascii.split('.');
  return (
    ascii.length <= 253 &&
    labels.length >= 2 &&
    labels.every((label) => /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label)) &&
    !/^\d+$/.test(labels.at(-1) ?? '')
  );
}

/** Whether sites of many owners end in it: `com`, `co.uk`, `github.io` (the Public Suffix List, with its private part). */
export const isPublicSuffix = (domain: string): boolean =>
  parse(domain, { allowPrivateDomains: true, validateHostname: false }).publicSuffix === domain;

export const endingIn = (suffix: string): string => `every site that ends in .${suffix}`;
