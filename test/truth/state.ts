/** Changes in a simulated appliance, as paths in its state. */

/** Moves by itself, whatever anybody orders. */
const restless =
  /(?:^|[/_])(?:at|ago|since|until|uptime|started|expires|seen|last|next|date|time|clock|requests|bytes|hits|cpu|memory|pid|log|traces?|events?|visits|counters?|ways|audit|when)(?:$|[/_])/i;

/** A copy that stays as it is. */
export const snapshot = (state: object): unknown => structuredClone({ ...state });

/**
 * The places whose value has changed, appeared or gone. A subtree that came or went is one place. An entry of a set
 * stands under its value.
 */
export function changedPlaces(before: unknown, after: unknown): ReadonlySet<string> {
  const places = new Set<string>();
  compare(before, after, '', places);
  return places;
}

function compare(one: unknown, other: unknown, place: string, places: Set<string>): void {
  if (Object.is(one, other) || restless.test(place)) return;
  const [entries, others] = [entriesOf(one), entriesOf(other)];
  if (entries === undefined || others === undefined) {
    if (comparable(one) !== comparable(other)) places.add(place);
    return;
  }
  for (const [key, value] of entries)
    compare(value, others.get(key), place === '' ? key : `${place}/${key}`, places);
  for (const [key, value] of others)
    if (!entries.has(key)) compare(undefined, value, place === '' ? key : `${place}/${key}`, places);
}

/** The parts of a value; undefined for a simple value. */
function entriesOf(value: unknown): ReadonlyMap<string, unknown> | undefined {
  if (value instanceof Map) return new Map([...value].map(([key, inner]) => [String(key), inner]));
  if (value instanceof Set) return new Map([...value].map((inner) => [String(inner), true]));
  if (typeof value !== 'object' || value === null || value instanceof Date) return undefined;
  return new Map(Object.entries(value));
}

const comparable = (value: unknown): unknown =>
  value instanceof Date ? value.getTime() : typeof value === 'object' && value !== null ? 'something' : value;

/** The largest number of changed parts of one thing: three sites of a category are three. */
export function mostTogether(places: Iterable<string>): number {
  const counts = new Map<string, number>();
  for (const place of places) {
    const whole = place.slice(0, Math.max(0, place.lastIndexOf('/')));
    counts.set(whole, (counts.get(whole) ?? 0) + 1);
  }
  return Math.max(0, ...counts.values());
}
