import { BlockList, isIP, isIPv4 } from 'node:net';
import type { AclObject, AclRecord, AclRule, SslRule } from '../../api/index.ts';
import { type ComparedKind, kindOf } from './kinds.ts';
import { type RegexTrial, tryRegular } from './regular.ts';

export interface RecordMatch {
  readonly object: AclObject;
  readonly record: AclRecord;
  readonly how:
    | 'exact'
    /** The domain is below the record's, which starts with a dot. */
    | 'below'
    | 'regular'
    /** It contains one of the domain's addresses. */
    | 'address'
    /** A regular expression that seems to match some pages of the domain. */
    | 'some_pages';
  /** Record and object are enabled, or not known to be disabled. */
  readonly isOn: boolean;
  /** Enabled rules that use the object. */
  readonly rules: readonly AclRule[];
}

export interface Matching {
  readonly matches: readonly RecordMatch[];
  /** Regular expressions that were not tried, because they are unreadable or too slow. */
  readonly untried: readonly { readonly object: AclObject; readonly record: AclRecord }[];
}

/**
 * The records that match a domain.
 * @param domain in lower-case ASCII
 * @param addresses the known addresses of the domain
 */
export async function matchesOf(
  objects: readonly AclObject[],
  domain: string,
  addresses: readonly string[],
): Promise<Matching> {
  const candidates = objects.flatMap((object) => {
    const kind = kindOf(object.type);
    return kind === 'other' ? [] : (object.items ?? []).map((record) => ({ object, record, kind }));
  });
  const regular = candidates.filter(({ kind }) => isRegular(kind));
  const tried = await tryRegular(
    regular.map(({ record, kind }) => ({ pattern: record.pattern, texts: textsFor(kind, domain) })),
  );
  const outcome = new Map(regular.map(({ record }, index) => [record, tried[index]]));
  // It may match a page below, or could not be tried.
  const isAbout = new RegExp(`(?<![a-z0-9-])${domain.replaceAll('.', '\\.')}(?![a-z0-9.-])`);
  const matches = candidates.flatMap(({ object, record, kind }): RecordMatch[] => {
    const how = isRegular(kind)
      ? howRegular(outcome.get(record), kind, record.pattern, isAbout)
      : howPlain(kind, record.pattern, domain, addresses);
    return how === undefined ? [] : [matchOf(object, record, how)];
  });
  const untried = regular.filter(({ record }) => /unreadable|too_slow/.test(outcome.get(record) ?? ''));
  return { matches, untried: untried.map(({ object, record }) => ({ object, record })) };
}

const isRegular = (kind: ComparedKind): boolean => kind === 'domain_regex' || kind === 'url_regex';

function matchOf(object: AclObject, record: AclRecord, how: RecordMatch['how']): RecordMatch {
  return {
    object,
    record,
    how,
    isOn: record.enabled !== false && object.enabled !== false,
    rules: (object.rules ?? []).filter(({ enabled }) => enabled !== false),
  };
}

function howPlain(
  kind: ComparedKind,
  written: string,
  domain: string,
  addresses: readonly string[],
): RecordMatch['how'] | undefined {
  const pattern = written.trim().toLowerCase();
  if (kind === 'network')
    return addresses.some((address) => isWithin(pattern, address)) ? 'address' : undefined;
  if (pattern === domain) return 'exact';
  const parent = /^\*?\.(.+)$/.exec(pattern)?.[1];
  if (parent === undefined) return undefined;
  if (domain === parent) return 'exact';
  return domain.endsWith(`.${parent}`) ? 'below' : undefined;
}

function howRegular(
  tried: RegexTrial | undefined,
  kind: ComparedKind,
  pattern: string,
  isAbout: RegExp,
): RecordMatch['how'] | undefined {
  if (tried === 'matches') return 'regular';
  return (kind === 'url_regex' || tried !== 'does_not') &&
    isAbout.test(pattern.toLowerCase().replaceAll('\\', ''))
    ? 'some_pages'
    : undefined;
}

/** A browser's first request, and the part of an encrypted one that the proxy sees. */
const textsFor = (kind: ComparedKind, domain: string): readonly string[] =>
  kind === 'url_regex' ? [`https://${domain}/`, `http://${domain}/`, `${domain}:443`] : [domain];

function isWithin(pattern: string, address: string): boolean {
  const family = isIPv4(address) ? 'ipv4' : 'ipv6';
  const list = new BlockList();
  try {
    const [first = '', length] = pattern.split('/');
    const [from = '', to] = first.split('-');
    if (isIP(from) === 0 || isIP(from) !== isIP(address)) return false;
    if (to !== undefined) list.addRange(from, to, family);
    else if (length === undefined) list.addAddress(from, family);
    else list.addSubnet(from, Number(length), family);
  } catch {
    // An unreadable network.
    return false;
  }
  return list.check(address, family);
}

export interface SslMatch {
  readonly rule: SslRule;
  readonly objects: readonly { readonly name: string; readonly negated: boolean }[];
  readonly isOn: boolean;
}

/** In the order of the rules. */
export function sslMatchesOf(
  rules: readonly SslRule[],
  matches: readonly RecordMatch[],
): readonly SslMatch[] {
  const matching = new Map(
    matches.filter(({ isOn, how }) => isOn && how !== 'some_pages').map(({ object }) => [object.id, object]),
  );
  return rules
    .flatMap((rule): SslMatch[] => {
      const objects = (rule.objects ?? [])
        .filter(({ id }) => matching.has(id))
        .map(({ id, name, negated }) => ({
          name: name ?? matching.get(id)?.name ?? `object ${id}`,
          negated: negated === true,
        }));
      return objects.length === 0 ? [] : [{ rule, objects, isOn: rule.enabled !== false }];
    })
    .toSorted((one, other) => (one.rule.order ?? 0) - (other.rule.order ?? 0));
}
