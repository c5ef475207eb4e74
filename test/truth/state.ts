/** What has changed in a simulated appliance, by the places in its state where that is. */

/** Moves by itself, whatever anybody orders. */
const restless =
  /(?:^|[._])(?:at|ago|since|until|uptime|started|expires|seen|last|next|date|time|clock|requests|bytes|hits|cpu|memory|pid|log|traces?|events?|visits|counters?|ways|audit|when)(?:$|[._])/i;

/** A copy that stays as it is. */
export const snapshot = (state: object): unknown => structuredClone(plainOf(state, 0));

/** The places whose value is another one, was not there, or is there no more. */
export function changedPlaces(before: unknown, after: unknown): ReadonlySet<string> {
  const [one, other] = [leavesOf(before), leavesOf(after)];
  const places = new Set<string>();
  for (const place of new Set([...one.keys(), ...other.keys()]))
    if (one.get(place) !== other.get(place) && !restless.test(place)) places.add(place);
  return places;
}

const deepest = 8;

/** Maps become objects by their keys; functions and getters of the simulator are no state. */
function plainOf(value: unknown, depth: number): unknown {
  if (depth > deepest || typeof value === 'function') return undefined;
  if (value instanceof Map)
    return Object.fromEntries([...value].map(([key, inner]) => [String(key), plainOf(inner, depth + 1)]));
  if (value instanceof Set) return [...value].map((inner) => plainOf(inner, depth + 1));
  if (value instanceof Date || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((inner) => plainOf(inner, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plainOf(inner, depth + 1)]));
}

function leavesOf(value: unknown, place = '', leaves = new Map<string, string>()): Map<string, string> {
  if (typeof value !== 'object' || value === null || value instanceof Date) {
    leaves.set(place, value instanceof Date ? value.toISOString() : (JSON.stringify(value) ?? ''));
    return leaves;
  }
  for (const [key, inner] of Object.entries(value))
    leavesOf(inner, place === '' ? key : `${place}.${key}`, leaves);
  return leaves;
}
