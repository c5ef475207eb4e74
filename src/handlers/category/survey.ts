import type { AskedAppliance } from '../../api/index.ts';
import type { OnAppliance } from '../context.ts';
import { say } from '../reply.ts';
import { number } from '../wording/quantities.ts';
import { counted, few, joined, placesOf, type SitePlace, sample, spread } from './sites.ts';

/**
 * The appliance does not list the sites of a category, so of many that change together each is asked for right before: only that
 * tells what an undo may take back. It is said how far that is, for an appliance takes a minute for some thousands.
 */
export async function survey(
  { appliance, progress }: Pick<OnAppliance<unknown>, 'appliance' | 'progress'>,
  sites: readonly string[],
): Promise<readonly SitePlace[]> {
  const places: SitePlace[] = [];
  for (let at = 0; at < sites.length; at += atOnce) {
    if (at > 0) progress(say`Looked up ${number(at)} of ${counted(sites.length)}. Nothing was sent so far.`);
    for (const place of await placesOf(appliance, sites.slice(at, at + atOnce))) places.push(place);
  }
  return places;
}

/** As many as go between two words of how far it is. */
const atOnce = 200;

/** Whether the preview looks at a sample, and all of them are looked at right before the order. */
export const isMany = (sites: readonly string[]): boolean => sites.length > few;

/**
 * What a preview shows of sites that are to leave a category: all of a few, of many a sample, or all of those as well where the
 * sample shows none.
 */
export async function preview(
  appliance: AskedAppliance,
  sites: readonly string[],
  isThere: (place: SitePlace) => boolean,
): Promise<readonly SitePlace[]> {
  if (!isMany(sites)) return placesOf(appliance, sites);
  const some = await placesOf(appliance, spread(sites, sample));
  if (some.some(isThere)) return some;
  return survey({ appliance: appliance as never, progress: () => undefined }, sites);
}

/** Which of them are there, for the fingerprint. */
export const thoseThat = (places: readonly SitePlace[], isThere: (place: SitePlace) => boolean): string =>
  joined(places.filter(isThere).map(({ site }) => site));
