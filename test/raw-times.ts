/** Time formats that no person reads as a time. */
const raw = /\d{4}-\d\d-\d\dT\d\d/;

/** The texts in it, however deep, in which a moment stands as machines write it. */
export function rawTimesIn(shown: unknown): readonly string[] {
  if (typeof shown === 'string') return raw.test(shown) ? [shown.slice(0, 300)] : [];
  if (typeof shown !== 'object' || shown === null) return [];
  return Object.values(shown).flatMap(rawTimesIn);
}
