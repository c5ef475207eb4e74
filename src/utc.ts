/** A moment for whoever reads it where nothing knows their zone: `2026-11-25 18:00 UTC`. Milliseconds since the epoch. */
export const inUtc = (at: number): string =>
  `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
