import {
  type BroadEntry,
  type HeldEntry,
  isBroadNetwork,
  networkHolding,
  networkIn,
  parentsOf,
} from '../broad.ts';
import { endingIn, isPublicSuffix } from '../language/domain.ts';
import { kindOf } from '../why/kinds.ts';
import { tryRegular } from '../why/regular.ts';

/** What patterns hit beyond what they name, and which are held by others, by the type of their object. */

/** Names that nobody has: an expression that matches them matches whatever stands before its end. */
const unlikely = 'zq7vkx0jw';
/** An expression that matches a name of each of these matches all sites. */
const unrelated = ['com', 'net', 'example'];

/** Those of the patterns that hit a whole top-level domain, a public suffix, a large range of addresses, or everything. */
export async function broadPatterns(
  patterns: readonly string[],
  type: string | undefined,
): Promise<readonly BroadEntry[]> {
  const kind = kindOf(type);
  const isRegular = kind === 'domain_regex' || kind === 'url_regex';
  const found = new Map<string, string>();
  for (const pattern of patterns) {
    const hits = isRegular ? undefined : plainHits(pattern);
    if (hits !== undefined) found.set(pattern, hits);
  }
  if (isRegular) {
    // A regular expression has no end of its own: it is tried on names under each end that stands in it.
    const ends = patterns.map((pattern) => [...new Set([...unrelated, ...endsIn(pattern)])]);
    const textOf = (end: string) =>
      kind === 'url_regex' ? `https://${unlikely}.${end}/` : `${unlikely}.${end}`;
    const trials = patterns.flatMap((pattern, at) =>
      (ends[at] ?? []).map((end) => ({ pattern, end, texts: [textOf(end)] })),
    );
    const outcome = await tryRegular(trials);
    const matched = Map.groupBy(
      trials.filter((_, at) => outcome[at] === 'matches'),
      ({ pattern }) => pattern,
    );
    for (const [pattern, hit] of matched) {
      const isAll = unrelated.every((end) => hit.some((one) => one.end === end));
      found.set(pattern, isAll ? 'every site' : hit.map(({ end }) => endingIn(end)).join(' and '));
    }
  }
  return [...found].map(([entry, hits]) => ({ entry, hits }));
}

function plainHits(pattern: string): string | undefined {
  if (/^(?:\.|\*|\.\*|\*\.\*|all)$/i.test(pattern)) return 'everything';
  const network = networkIn(pattern);
  if (network !== undefined) {
    if (!isBroadNetwork(network)) return undefined;
    if (network.bits === 0) return 'every address';
    const all = network.family === 'ipv4' ? (2 ** (32 - network.bits)).toLocaleString('en') : undefined;
    return all === undefined ? 'a very large part of all addresses' : `up to ${all} addresses`;
  }
  const name = /^(?:\*?\.)?([a-z0-9_-]+(?:\.[a-z0-9_-]+)*)\.?$/i.exec(pattern)?.[1]?.toLowerCase();
  // A single word is a user, a port or a program; with a dot before it, it is a top-level domain.
  const isName =
    name !== undefined && !/^[\d.]+$/.test(name) && (name.includes('.') || /^\*?\./.test(pattern));
  return isName && isPublicSuffix(name) ? endingIn(name) : undefined;
}

/** The names at the ends of an expression, such as `ru` of `\.ru$`, and each of `(ru|su)`. */
function endsIn(pattern: string): readonly string[] {
  const plain = pattern.replaceAll('\\.', '.').replace(/(?<!\$)\$+$/, '');
  const tail = /(?<![a-z0-9.|()-])[a-z0-9.|()-]*$/i.exec(plain.slice(-60))?.[0] ?? '';
  const several = /\(([a-z0-9.|-]+)\)$/i.exec(tail)?.[1]?.split('|');
  return (several ?? [tail.replace(/^.*[()|]/, '')])
    .map((end) => end.replace(/^\.+/, '').toLowerCase())
    .filter((end) => /^[a-z][a-z0-9.-]*$/.test(end) && isPublicSuffix(end));
}

/** Those of the patterns that another one holds, of those that are there or come with them; of expressions it cannot be told. */
export function heldPatterns(
  patterns: readonly string[],
  there: readonly string[],
  type: string | undefined,
): readonly HeldEntry[] {
  if (/reg/i.test(type ?? '')) return [];
  const all = [...new Set([...there, ...patterns])];
  const wide = new Map(all.flatMap((one) => (/^\*?\./.test(one) ? [[nameOf(one), one] as const] : [])));
  const networks = all.flatMap((pattern) => {
    const network = networkIn(pattern);
    return network === undefined ? [] : [{ pattern, network }];
  });
  return patterns.flatMap((entry): HeldEntry[] => {
    const name = nameOf(entry);
    // `.example.com` stands for example.com as well.
    const own = /^\*?\./.test(entry) ? [] : [name];
    const above = [...own, ...parentsOf(name)].find((one) => wide.has(one));
    const by = above === undefined ? networkHolding(entry, networks) : wide.get(above);
    return by === undefined ? [] : [{ entry, by }];
  });
}

/** Those that are there and that one of the patterns will hold. */
export const heldByNew = (
  patterns: readonly string[],
  there: readonly string[],
  type: string | undefined,
): readonly HeldEntry[] => {
  const fresh = new Set(patterns);
  return heldPatterns(there, patterns, type).filter(({ entry, by }) => !fresh.has(entry) && fresh.has(by));
};

const nameOf = (pattern: string): string =>
  pattern
    .toLowerCase()
    .replace(/^\*?\./, '')
    .replace(/\.$/, '');
