import { isIPv4 } from 'node:net';
import { type AskedAppliance, type Category, extentOf, IncompleteList } from '../../api/index.ts';
import { type Argument, domain, type Named, named } from '../argument.ts';
import { quoted } from '../language/asked.ts';
import { showDomain } from '../language/domain.ts';
import { listedIn, listing } from '../listing.ts';
import { code, enumerate, type Field, plainText, plural, say, type Text } from '../reply.ts';
import type { Verification } from '../results.ts';

/** What the commands for categories and their sites share (appliance-api.md §2.5, §4.3). */

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

/** So many sites are looked at one by one for a preview, and again when they are read back: each is a question to the appliance. */
export const few = 50;

/** What goes in at once comes out at once. More in one line is a mistake, or a job for several. */
export const sites: Argument<string> = { ...domain, what: 'a site', most: 10_000, fromFile: true };

/** What appliances are known to make of such sites, before they get them. */
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

/** Where a site is found. */
export interface SitePlace {
  readonly site: string;
  readonly categories: readonly Category[];
  /** False where none is listed, and the appliance does not say that there is none. */
  readonly isTold: boolean;
}

/** Whether an empty list of categories is said to be that of a site in no category. */
export const tellsNone = (categories: readonly Category[]): boolean => {
  const extent = extentOf(categories);
  return extent === undefined || extent.total === 0;
};

/** That a site is not in a category is said only where the appliance says where it is. @throws IncompleteList */
export function expectTold(places: readonly SitePlace[]): void {
  const untold = places.find(({ isTold }) => !isTold);
  if (untold === undefined) return;
  const lists = `lists no category of ${untold.site}, and does not say that there is none`;
  throw new IncompleteList(lists, { operation: 'categories.query', sent: 'yes' });
}

/**
 * Asks where each site is. The appliance finds a site also by a domain above it, so a place is no proof of an entry of
 * its own. Rejects with an `ApplianceFailure`.
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

/** Enough that the appliance is never idle; whatever else the same person wants of it waits for no more than these. */
const sideBySide = 16;

/** Of a site that is not found as it was typed, those of the spelling in which it may be kept. */
async function categoriesWith(appliance: AskedAppliance, site: string): Promise<readonly Category[]> {
  const found = await categoriesOf(appliance, site);
  const kept = keptAs(site);
  return found.length > 0 || kept === undefined || kept === site ? found : categoriesOf(appliance, kept);
}

/** @throws IncompleteList where there are more than came: that a site is not in one of them would be said of too few */
async function categoriesOf(appliance: AskedAppliance, site: string): Promise<readonly Category[]> {
  const { categories } = await appliance.categories.query({ domain: site });
  const { operation = '', total = 0, namesMore = false } = extentOf(categories) ?? {};
  if (!namesMore && total <= categories.length) return categories;
  const came = `listed only ${categories.length} of the categories of ${site}`;
  throw new IncompleteList(came, { operation, sent: 'yes' });
}

/**
 * As appliances were found to keep a site: without `www.`, an IPv4 address as a number. Undefined for what has no dot,
 * which they drop.
 */
function keptAs(site: string): string | undefined {
  if (!site.includes('.')) return undefined;
  if (!isIPv4(site)) return site.replace(/^www\.(?=.*\.)/, '');
  return `${site.split('.').reduce((sum, byte) => sum * 256 + Number(byte), 0)}.addr`;
}

export const isIn = ({ categories }: SitePlace, { id }: Pick<Named, 'id'>): boolean =>
  categories.some((one) => one.id === id);

/** `www.example.com` has `example.com` above it, which has none that could be a site. */
export function domainAbove(site: string): string | undefined {
  const above = site.split('.').slice(1);
  return above.length < 2 || /^[\d.]+$|:/.test(site) ? undefined : above.join('.');
}

/** Those of the sites that are found in the category also by the domain above them, so that taking them out may not show. */
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
 * Those that an order is for. `ordered`: undefined where each appliance has others to do, so that no number is true of all of them. Of many
 * that are still to be looked up, all that were named.
 */
export const sitesOrdered = (named: readonly string[], ordered: readonly string[] | undefined): string =>
  ordered === undefined && named.length !== 1 ? 'sites' : sitesText(ordered ?? named);

/**
 * The same of what was done. Without knowing what was ordered, it is only called by what was named. `isMost`: those that were there
 * were left out, and how many that were is told elsewhere.
 */
export function sitesDone(
  named: readonly string[],
  ordered: readonly string[] = named,
  isMost = false,
): string {
  if (ordered.length === 0) return 'No sites';
  return isMost ? `Up to ${counted(ordered.length)}` : sitesText(ordered);
}

/** Those that were named and not ordered, with why. */
export function notOrdered(named: readonly string[], ordered: readonly string[], why: string): Text {
  const isOrdered = new Set(ordered);
  const others = named.filter((site) => !isOrdered.has(site));
  return others.length === 0 ? [] : say`${someOf(others)}, ${why}`;
}

/** "5,000 sites" */
export const counted = (count: number): string =>
  plural(count, 'site').replace(/^\d+/, count.toLocaleString('en'));

/** Some by name, the others by number: "a.example, b.example and 12 more". */
export function someOf(sites: readonly string[], most = 5): Text {
  const named = sites.slice(0, most).map((site) => showDomain(site));
  const more = sites.length - named.length;
  return enumerate(more === 0 ? named : [...named, `${more.toLocaleString('en')} more`]);
}

export const calledCategory = ({ id, name }: Named): string => (name === '' ? `category ${id}` : name);

/** Sites travel in a fingerprint as one text. */
export const joined = (sites: readonly string[]): string => sites.join(' ');
export const split = (sites: unknown): readonly string[] =>
  typeof sites === 'string' && sites !== '' ? sites.split(' ') : [];

/** Those that are not among the words of a fingerprint; none where it does not tell. */
export function missingIn(sites: readonly string[], words: unknown): readonly string[] {
  const there = new Set(split(words));
  return words === undefined ? [] : sites.filter((site) => !there.has(site));
}

/** Whether all words of a fingerprint were in an earlier one. */
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

/** The line that does this with these sites. */
export const siteLine = (verb: string, sites: readonly string[], where: string): string =>
  `category ${verb} ${sites.map(quoted).join(' ')} ${where}`;

/** The `rpz_*` fields of appliance-api.md §2.5; the meaning of the action codes is not documented, so the code is shown. */
export function responsePolicy({ rpz }: Category): Text {
  if (rpz === undefined) return say`not reported`;
  if (!rpz.enabled) return say`off`;
  const redirect = rpz.redirect === '' ? [] : say` to ${code(rpz.redirect)}`;
  return say`on, action ${rpz.action}${redirect}`;
}

/** What reading back showed. */
export type Seen = Extract<Verification, { readonly evidence: Text }>;

/** When some sites of an order went through and others did not. */
export const inPart = (evidence: Text): Seen => ({ kind: 'in_part', evidence });

/** More are looked up by sample: each is a question to the appliance. */
export const sample = 100;

/** At most so many, from the first to the last. */
export function spread(all: readonly string[], most: number): readonly string[] {
  if (all.length <= most) return all;
  return Array.from(
    { length: most },
    (_, index) => all[Math.floor((index * (all.length - 1)) / (most - 1))] ?? '',
  );
}
