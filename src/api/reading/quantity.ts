/** What an amount is counted in. */
export type AmountUnit = 'things' | 'bytes' | 'percent' | 'milliseconds' | 'seconds' | 'port';

const sizes: Readonly<Record<string, number>> = {
  ...{ b: 1, byte: 1, bytes: 1 },
  ...{ k: 1e3, kb: 1e3, m: 1e6, mb: 1e6, g: 1e9, gb: 1e9, t: 1e12, tb: 1e12, p: 1e15, pb: 1e15 },
  ...{ kib: 2 ** 10, mib: 2 ** 20, gib: 2 ** 30, tib: 2 ** 40, pib: 2 ** 50 },
};
const lengths: Readonly<Record<string, number>> = {
  ...{ ms: 1, msec: 1, msecs: 1, millisecond: 1, milliseconds: 1 },
  ...{ s: 1_000, sec: 1_000, secs: 1_000, second: 1_000, seconds: 1_000 },
};
/** In characters: longer is no amount. */
const longest = 60;
/** What makes another number of the one before it. */
const scale = /^(?:[kmgtp](?:i?b)?|bytes?|hundreds?|thousands?|mio|millions?|billions?|dozens?|percent|pct)$/;

/**
 * An amount that an appliance wrote with its unit: `94.9%`, `527 GB`, `12 sites`, `1,234 files`, `350 ms`, `443/tcp` (field notes).
 * Undefined where there is no number, or where its unit is not one of what is counted: a number alone would then be
 * another amount.
 */
export function amountIn(written: string, counted: AmountUnit): number | undefined {
  const parts = /^(\d{1,3}(?:,\d{3})+|\d{1,15})(\.\d{1,10})? ?([%a-z/()]{0,20})$/i.exec(
    written.length > longest ? '' : written.trim(),
  );
  if (parts === null) return undefined;
  const [, whole = '', fraction = '', suffix = ''] = parts;
  const number = Number(whole.replaceAll(',', '') + fraction);
  const unit = suffix.toLowerCase();
  if (unit === '') return number;
  switch (counted) {
    case 'percent':
      return /^(?:%|percent|pct)$/.test(unit) ? number : undefined;
    case 'bytes':
      return Object.hasOwn(sizes, unit) ? Math.round(number * (sizes[unit] ?? 1)) : undefined;
    case 'milliseconds':
      return Object.hasOwn(lengths, unit) ? number * (lengths[unit] ?? 1) : undefined;
    case 'seconds':
      return Object.hasOwn(lengths, unit) ? (number * (lengths[unit] ?? 1)) / 1_000 : undefined;
    case 'port':
      return /^\/(?:tcp|udp)$/.test(unit) ? number : undefined;
    case 'things':
      return fraction === '' &&
        /^[a-z]{3,}(?:\(s\))?$/.test(unit) &&
        !scale.test(unit) &&
        !Object.hasOwn(lengths, unit)
        ? number
        : undefined;
  }
}
