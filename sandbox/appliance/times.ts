/** Whole seconds; never negative, so that a clock that was set back does no harm. */
export function secondsBetween(from: Date, to: Date): number {
  return Math.max(0, Math.floor((to.getTime() - from.getTime()) / 1000));
}

/** As most of the appliance writes a time, in UTC: `2026-11-20 12:00:00`. */
export function dateText(date: Date): string {
  return date.toISOString().slice(0, 19).replace('T', ' ');
}

/** ISO 8601 in UTC without fractions, as the gateway and the mirror write a time: `2026-11-20T12:00:00Z`. */
export function timestamp(date: Date): string {
  return `${date.toISOString().slice(0, -5)}Z`;
}
