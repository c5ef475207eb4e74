const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/** Excludes other words with the same beginning: a month is no minute. */
const part =
  /\s*([0-9]+)\s*(?:(s)(?:ec(?:ond)?s?)?|(m)(?:in(?:ute)?s?)?|(h)(?:(?:ou)?rs?)?|(d)(?:ays?)?)(?![a-z])\s*/gy;

/**
 * Milliseconds of `30m`, `2h`, `90s`, `1h30m`, `1h30`, `1 d`, `2 hours`. A bare number is minutes. Undefined
 * for other text.
 */
export function readDuration(typed: string): number | undefined {
  const text = typed.trim().toLowerCase();
  if (/^[0-9]+$/.test(text)) return Number(text) * 60_000;
  // "2h30" leaves out the minutes' unit.
  const whole = text.replace(/^([0-9]+\s*h(?:(?:ou)?rs?)?\s*)([0-5]?[0-9])$/, '$1$2m');
  const parts = [...whole.matchAll(part)];
  const length = parts.reduce((sum, [one]) => sum + one.length, 0);
  if (parts.length === 0 || length !== whole.length) return undefined;
  return parts.reduce((sum, [, number = '', ...named]) => sum + Number(number) * unitOf(named), 0);
}

const unitOf = (named: readonly (string | undefined)[]): number =>
  units[named.find((one) => one !== undefined) ?? ''] ?? 0;
