import { Misfit } from './misfit.ts';

/**
 * How much an answer may hold. The limit on its bytes is not enough: four megabytes of nothing but field names take
 * longer to look through than to parse, and no appliance has so many different ones.
 *
 * Refused with a `Misfit`, before anything else looks through it:
 * - an object with more than 100,000 fields, such as a map by ID;
 * - where the document names no fields, so that they are searched: more than 50,000 things in a list, or keys in maps
 *   together (the usual four megabytes hold no more things that have a name), or more than 10,000 different field names.
 *
 * A list whose records are documented may have any length.
 */

export const mostInOne = 100_000;
export const mostThings = 50_000;
const mostNames = 10_000;
/** What has more fields is a map, and its keys are no field names. */
const ofOneThing = 1_000;

/** @throws Misfit */
export function keysOf(value: object): string[] {
  const keys = Object.keys(value);
  expectAtMost(mostInOne, keys.length, 'fields');
  return keys;
}

/** @throws Misfit */
export function expectAtMost(most: number, count: number, what: string): void {
  if (count > most) throw new Misfit('', `has more than ${most} ${what}`, true);
}

/**
 * Goes once through an answer whose names will be searched.
 * @throws Misfit
 */
export function expectSearchable(body: unknown): void {
  const names = new Set<string>();
  let inMaps = 0;
  const visit = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) {
      value.forEach(visit);
      return;
    }
    let count = 0;
    for (const name in value) {
      count += 1;
      if (count > ofOneThing) inMaps += 1;
      else if (!names.has(name) && !/^\d+$/.test(name)) names.add(name);
      expectAtMost(mostThings, inMaps, 'keys in maps');
      expectAtMost(mostNames, names.size, 'different fields');
      visit((value as Record<string, unknown>)[name]);
    }
  };
  visit(body);
}
