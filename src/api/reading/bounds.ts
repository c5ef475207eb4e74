/** An unreadable answer in JSON; the client turns it into an `UnexpectedReply`. */
export class Misfit extends Error {
  /** The place in the answer, such as "Sessions.3.id"; '' for the whole answer. */
  readonly at: string;
  readonly problem: string;
  /** Not searched, because it exceeds the limits of `bounds.ts`. */
  readonly tooMuch: boolean;

  constructor(at: string, problem: string, tooMuch = false) {
    super(at === '' ? problem : `${at} ${problem}`);
    this.name = 'Misfit';
    this.at = at;
    this.problem = problem;
    this.tooMuch = tooMuch;
  }

  /** The misfit with its place extended by one level. */
  static under(place: string | number, error: unknown): unknown {
    if (!(error instanceof Misfit)) return error;
    return new Misfit(error.at === '' ? String(place) : `${place}.${error.at}`, error.problem, error.tooMuch);
  }
}

/**
 * Limits the size of an answer. A limit in bytes is not enough: four megabytes of field names take longer to
 * search than to parse, and no appliance has so many different ones.
 *
 * Refused with a `Misfit`, before anything else searches it: - an object with more than 100,000 fields, such as
 * a map by ID; - if the fields are undocumented and so must be searched: more than 50,000 things in a list, or
 * keys in maps together (the usual four megabytes hold no more named things), or more than 10,000 different
 * field names.
 *
 * A list with documented records may have any length.
 */

export const mostInOne = 100_000;
export const mostThings = 50_000;
const mostNames = 10_000;
/** A larger object is a map, and its keys are no field names. */
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
 * Counts once through an answer whose names will be searched.
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
