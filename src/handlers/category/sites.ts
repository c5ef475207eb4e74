import { isIPv4 } from 'node:net';
import { type AskedAppliance, type Category, extentOf, IncompleteList } from '../../api/index.ts';
import { type Argument, domain, type Named, named } from '../argument.ts';
import { quoted } from '../language/asked.ts';
import { showDomain } from '../language/domain.ts';
import { listedIn, listing } from '../listing.ts';
import { code, enumerate, type Field, plainText, plural, say, type Text } from '../reply.ts';
import type { Verification } from '../results.ts';

/** Shared by the commands for categories and their sites (appliance-api.md §2.5, §4.3). */

export const allCategories = listing<Category>({
  things: 'categories',
  read: ({ categories }) => categories.list(),
  keyOf: ({ id }) => id,
});

export const category = named('a category', '252', (appliance) =>
  listedIn(allCategories, appliance, ({ id, name, description }) => ({
    id,
    name,
    ...(description === undefined || description === '' ? {} : { hint: description }),
  })),
);

/** Sites that a preview and a read-back look up one by one; each costs a request. */
export const few = 50;

/**
 * The same limit for adding and removing, so that every addition can be undone. More in one line is a mistake,
 * or several jobs.
 */
export const sites: Argument<string> = { ...domain, what: 'a site', most: 10_000, fromFile: true };

/** Known changes that appliances make to such sites. */
export function spellingFields(sites: readonly string[]): readonly Field[] {
  const kept = sites.map((site) => ({ site, as: keptAs(site) }));
  const other = kept.filter(({ site, as }) => as !== undefined && as !== site);
  const dropped = kept.filter(({ as }) => as === undefined).map(({ site }) => site);
  const first = other.slice(0, 3).map(({ site, as }) => `${site} may be stored as ${as}`);
  const more = other.length - first.length;
  const spelt = enumerate([...first, ...(more === 0 ? [] : [`${more.toLocaleString('en')} more`])]);
  return [
    ...fieldUnless(other.length === 0, 'Spelling', spelt),
    ...fieldUnless(dropped.length === 0, 'May be dropped', say`${someOf(dropped)}: no dot`),
  ];
}

export interface SitePlace {
  readonly site: string;
  readonly categories: readonly Category[];
  /** False if no category is listed, without a statement that there is none. */
  readonly isTold: boolean;
}

/** Whether an empty list of categories states that the site has none. */
export const tellsNone = (categories: readonly Category[]): boolean => {
  const extent = extentOf(categories);
  return extent === undefined || extent.total === 0;
};

/** Only a definite answer shows that a site is not in a category. @throws IncompleteList */
export function expectTold(places: readonly SitePlace[]): void {
  const untold = places.find(({ isTold }) => !isTold);
  if (untold === undefined) return;
  const lists = `lists no category of ${untold.site}, and does not say that there is none`;
  throw new IncompleteList(lists, { operation: 'categories.query', sent: 'yes' });
}

/**
 * Looks up the categories of each site. The appliance also finds a site by a domain above it, so a category
 * does not prove an entry. Rejects with an `ApplianceFailure`.
 */
export async function placesOf(
  appliance: AskedAppliance,
  sites: readonly string[],
): Promise<readonly SitePlace[]> {
  const places: SitePlace[] = [];
  const left = sites.entries();
  const look = async () => {
    for (const [at, site] of left) {
      const categories = await categoriesWith(appliance, site);
      places[at] = { site, categories, isTold: categories.length > 0 || tellsNone(categories) };
    }
  };
  await Promise.all(Array.from({ length: Math.min(sites.length, sideBySide) }, look));
  return places;
}

/** Enough to keep the appliance busy, and few enough that the person's next request does not wait long. */
const sideBySide = 16;

/** The categories of a site, or of the spelling in which the appliance may store it. */
async function categoriesWith(appliance: AskedAppliance, site: string): Promise<readonly Category[]> {
  const found = await categoriesOf(appliance, site);
  const kept = keptAs(site);
  return found.length > 0 || kept === undefined || kept === site ? found : categoriesOf(appliance, kept);
}

/** @throws IncompleteList if more exist than were sent, because a missing category then proves nothing */
async function categoriesOf(appliance: AskedAppliance, site: string): Promise<readonly Category[]> {
  const { categories } = await appliance.categories.query({ domain: site });
  const { operation = '', total = 0, namesMore = false } = extentOf(categories) ?? {};
  if (!namesMore && total <= categories.length) return categories;
  const came = `listed only ${categories.length} of the categories of ${site}`;
  throw new IncompleteList(came, { operation, sent: 'yes' });
}

/**
 * The spelling that appliances were found to store: without `www.`, an IPv4 address as a number. Undefined for
 * names without a dot, which they drop.
 */
function keptAs(site: string): string | undefined {
  if (!site.includes('.')) return undefined;
  if (!isIPv4(site)) return site.replace(/^www\.(?=.*\.)/, '');
  return `${site.split('.').reduce((sum, byte) => sum * 256 + Number(byte), 0)}.addr`;
}

export const isIn = ({ categories }: SitePlace, { id }: Pick<Named, 'id'>): boolean =>
  categories.some((one) => one.id === id);

/** `example.com` for `www.example.com`; undefined if nothing above can be a site. */
export function domainAbove(site: string): string | undefined {
  const above = site.split('.').slice(1);
  return above.length < 2 || /^[\d.]+$|:/.test(site) ? undefined : above.join('.');
}

/** The sites that the category also has by a domain above them. Removing these may show no effect. */
export async function heldFromAbove(
  appliance: AskedAppliance,
  sites: readonly string[],
  from: Named,
): Promise<readonly string[]> {
  const above = new Set(sites.flatMap((site) => domainAbove(site) ?? []));
  const places = await placesOf(appliance, [...above]);
  const holding = new Set(places.filter((place) => isIn(place, from)).map(({ site }) => site));
  return sites.filter((site) => holding.has(domainAbove(site) ?? ''));
}

/** "example.com", "3 sites" */
export function sitesText(sites: readonly string[]): string {
  const [only] = sites;
  return only !== undefined && sites.length === 1 ? showDomain(only) : counted(sites.length);
}

/**
 * The sites of an order in words. `ordered` is undefined if the numbers differ between appliances. Many sites
 * that are not looked up yet count as named.
 */
export const sitesOrdered = (named: readonly string[], ordered: readonly string[] | undefined): string =>
  ordered === undefined && named.length !== 1 ? 'sites' : sitesText(ordered ?? named);

/**
 * The sites of a finished order in words. Without the order they count as named. `isMost`: sites that were
 * there already were left out, and are counted elsewhere.
 */
export function sitesDone(
  named: readonly string[],
  ordered: readonly string[] = named,
  isMost = false,
): string {
  if (ordered.length === 0) return 'No sites';
  return isMost ? `Up to ${counted(ordered.length)}` : sitesText(ordered);
}

/** Named sites that were not ordered, with the reason. */
export function notOrdered(named: readonly string[], ordered: readonly string[], why: string): Text {
  const isOrdered = new Set(ordered);
  const others = named.filter((site) => !isOrdered.has(site));
  return others.length === 0 ? [] : say`${someOf(others)}, ${why}`;
}

export const counted = (count: number): string =>
  plural(count, 'site').replace(/^\d+/, count.toLocaleString('en'));

/** Some by name, the rest by number: "a.example, b.example and 12 more". */
export function someOf(sites: readonly string[], most = 5): Text {
  const named = sites.slice(0, most).map((site) => showDomain(site));
  const more = sites.length - named.length;
  return enumerate(more === 0 ? named : [...named, `${more.toLocaleString('en')} more`]);
}

export const calledCategory = ({ id, name }: Named): string => (name === '' ? `category ${id}` : name);

/** Fingerprints store sites as one text. */
export const joined = (sites: readonly string[]): string => sites.join(' ');
export const split = (sites: unknown): readonly string[] =>
  typeof sites === 'string' && sites !== '' ? sites.split(' ') : [];

/** The sites that a fingerprint lacks; none if it does not list them. */
export function missingIn(sites: readonly string[], words: unknown): readonly string[] {
  const there = new Set(split(words));
  return words === undefined ? [] : sites.filter((site) => !there.has(site));
}

/** Whether an earlier fingerprint had all words of this one. */
export const isAmong = (now: unknown, then: unknown, between = ' '): boolean => {
  const before = new Set(String(then ?? '').split(between));
  return (
    now === undefined ||
    now === '' ||
    String(now)
      .split(between)
      .every((one) => before.has(one))
  );
};

/** reddit.com is in forums and social_networks */
export const placeText = ({ site, categories }: SitePlace): string =>
  `${sitesText([site])} is in ${plainText(enumerate(categories.map((one) => calledCategory(one))))}`;

export function whereText(places: readonly SitePlace[]): Text {
  const shown = places.slice(0, 5).map(placeText);
  const more = places.length - shown.length;
  return say`${[...shown, ...(more === 0 ? [] : [`${more} more`])].join('; ')}`;
}

export const fieldUnless = (absent: boolean, name: string, value: Text): readonly Field[] =>
  absent ? [] : [{ name, value }];

export const siteLine = (verb: string, sites: readonly string[], where: string): string =>
  `category ${verb} ${sites.map(quoted).join(' ')} ${where}`;

/** The `rpz_*` fields of appliance-api.md §2.5. The action codes are not documented, so the code itself is shown. */
export function responsePolicy({ rpz }: Category): Text {
  if (rpz === undefined) return say`not reported`;
  if (!rpz.enabled) return say`off`;
  const redirect = rpz.redirect === '' ? [] : say` to ${code(rpz.redirect)}`;
  return say`on, action ${rpz.action}${redirect}`;
}

export type Seen = Extract<Verification, { readonly evidence: Text }>;

/** Some sites of an order went through and others did not. */
export const inPart = (evidence: Text): Seen => ({ kind: 'in_part', evidence });

/** The size of a sample; each site costs a request. */
export const sample = 100;

/** At most `most`, evenly from first to last. */
export function spread(all: readonly string[], most: number): readonly string[] {
  if (all.length <= most) return all;
  return Array.from(
    { length: most },
    (_, index) => all[Math.floor((index * (all.length - 1)) / (most - 1))] ?? '',
  );
}
