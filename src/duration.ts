const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of `30m`, `2h`, `90s`, `1h30m`, `1 d`. A bare number is minutes. Undefined when it is none of these. */
export function readDuration(typed: string): number | undefined {
  const text = typed.trim().toLowerCase();
  if (/^[0-9]+$/.test(text)) return Number(text) * 60_000;
  const parts = [...text.matchAll(/\s*([0-9]+)\s*(s|m|h|d)[a-z]*\s*/gy)];
  const length = parts.reduce((sum, [part]) => sum + part.length, 0);
  if (parts.length === 0 || length !== text.length) return undefined;
  return parts.reduce((sum, [, number = '', unit = '']) => sum + Number(number) * (units[unit] ?? 0), 0);
}
