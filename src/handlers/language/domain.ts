import { isIP } from 'node:net';
import { domainToASCII, domainToUnicode } from 'node:url';
import { parse } from 'tldts';
import {
  edgeChild,
  edgeLength,
  edgeStart,
  labelText,
  nodeFlags,
  rulesRoot,
} from 'tldts/dist/cjs/src/data/trie.js';
import { entryIn } from '../lists/formats.ts';
import { type Wrapping, wrappingOf } from './wrapped.ts';

/** The reading of a typed word: a site, or an address that contains another one. */
export type SiteReading =
  | {
      readonly kind: 'site';
      readonly site: string;
      /** The kind of address it was read from: "a Safe Links address". */
      readonly from?: string;
    }
  /** An address whose target cannot be read from it. */
  | { readonly kind: 'sealed'; readonly outer: string; readonly by: string }
  /** An address that contains others: any of these may be meant. */
  | { readonly kind: 'either'; readonly outer: string; readonly inner: readonly string[] };

/** Each gateway that a mail passes wraps the address once more. */
const mostWrappings = 5;

/**
 * Reads a typed site. Also accepts blocking rules of lists for other programs, and the addresses that mail
 * gateways, search engines and chats put in place of the original.
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
 * Reads a domain or an IP address out of pasted text: a whole URL, `hxxps://`, `example[.]com`, upper case, a
 * port, a path, a trailing dot, an internationalised name, a mail address (its domain), `*.example.com` and
 * `.example.com` (the domain above), brackets, quotes and marks around it.
 *
 * Returns the name in lower-case ASCII (punycode), as the appliance keeps it (appliance-api.md §2.5: "a site
 * entry is a domain name or an IP address"). Undefined if the text has no domain, or if several could be meant.
 */
export function readDomain(typed: string): string | undefined {
  const read = readSite(typed);
  return read?.kind === 'site' ? read.site : undefined;
}

/** Removes marks around the text, and undoes defanging such as `hxxps://`. */
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
  // A zone index (fe80::1%eth0) is valid on one machine only.
  if (isIP(address) !== 0) return address.includes('%') ? undefined : address.toLowerCase();
  // A range covers more than the address in it.
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

/**
 * The target of a link as Slack (`<https://…|label>`) and Markdown (`[label](https://…)`) write it. A label
 * that names another site counts as text.
 */
function addressIn(typed: string): string {
  const [, slack, slackLabel, label = slackLabel, address = slack] =
    /^<([^<>|\s]+)(?:\|([^<>]*))?>[,;.]?$|^\[([^[\]]*)\]\(<?([^()<>\s]+)>?\)[,;.]?$/.exec(typed) ?? [];
  if (address === undefined) return typed;
  const named = label === undefined ? undefined : readDomain(label);
  return named === undefined || named === readDomain(address) ? address : typed;
}

/**
 * Marks that people put around names, such as bullets and quotes. RFC 5892, appendix A, allows similar ones
 * within names.
 */
const hasForeignMarks = /(?![-._\u00b7\u05f3\u05f4\u30fb])[\p{P}\p{Sm}\p{Sc}\p{Sk}■□▪▫●○◦☐☑☒]/u;

/** The Unicode form of an internationalised name, followed by its ASCII form. */
export function showDomain(ascii: string): string {
  const unicode = domainToUnicode(ascii);
  return unicode === ascii || unicode === '' ? ascii : `${unicode} (${ascii})`;
}

/**
 * RFC 1035 lengths; underscores occur in real names. A domain has at least two labels, and its last label is
 * not a number.
 */
function isDomain(ascii: string): boolean {
  const labels = ascii.split('.');
  return (
    ascii.length <= 253 &&
    labels.length >= 2 &&
    labels.every((label) => /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label)) &&
    !/^\d+$/.test(labels.at(-1) ?? '')
  );
}

/**
 * Whether many owners have sites below it: `com`, `co.uk` and `github.io` (the Public Suffix List, with its
 * private part), `amazonaws.com` (above `s3.amazonaws.com` of that list), `wordpress.com`.
 */
export const hasManyOwners = (domain: string): boolean =>
  parse(domain, { allowPrivateDomains: true, validateHostname: false }).publicSuffix === domain ||
  aboveSuffixes().has(domain) ||
  unlisted.has(domain);

/** Services whose customers each have a name below, and which have not asked to be on the list. */
const unlisted: ReadonlySet<string> = new Set(
  `wordpress.com tumblr.com substack.com weebly.com livejournal.com sharepoint.com atlassian.net zendesk.com
  squarespace.com fandom.com bandcamp.com googleusercontent.com`.split(/\s+/),
);

let above: ReadonlySet<string> | undefined;

/** The domains above a suffix that are none themselves. Built on first use, because the list is long. */
function aboveSuffixes(): ReadonlySet<string> {
  if (above !== undefined) return above;
  const found = new Set<string>();
  const begins: number[] = [0];
  for (const length of edgeLength) begins.push((begins.at(-1) ?? 0) + length);
  const collect = (node: number, name: string) => {
    for (let edge = edgeStart[node] ?? 0; edge < (edgeStart[node + 1] ?? 0); edge += 1) {
      const label = labelText.slice(begins[edge], begins[edge + 1]);
      const child = edgeChild[edge] ?? 0;
      const domain = name === '' ? label : `${label}.${name}`;
      // Every name in the list that is no suffix has suffixes below it.
      if (nodeFlags[child] === 0) found.add(domain);
      collect(child, domain);
    }
  };
  collect(rulesRoot, '');
  above = found;
  return found;
}

export const endingIn = (suffix: string): string => `every site that ends in .${suffix}`;
