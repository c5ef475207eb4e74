import type { AskedAppliance } from '../../api/index.ts';
import type { OnAppliance } from '../context.ts';
import { say } from '../reply.ts';
import { number } from '../wording/quantities.ts';
import { counted, few, joined, placesOf, type SitePlace, sample, spread } from './sites.ts';

/**
 * Looks up each of many sites right before the order. The appliance cannot list the sites of a category, and
 * only this shows what an undo may remove. Reports progress, because some thousands take a minute.
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

/** Sites between two progress reports. */
const atOnce = 200;

/** Whether the preview uses a sample, with the full lookup right before the order. */
export const isMany = (sites: readonly string[]): boolean => sites.length > few;

/**
 * The preview of sites that leave a category: all of a few, a sample of many, or all of many if the sample
 * finds none.
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

/** The matching sites, for the fingerprint. */
export const thoseThat = (places: readonly SitePlace[], isThere: (place: SitePlace) => boolean): string =>
  joined(places.filter(isThere).map(({ site }) => site));
