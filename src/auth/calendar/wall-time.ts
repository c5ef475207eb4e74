/** A time on the wall clock, in any time zone: a day, counted from 1 January 1970, and minutes after midnight. */
export interface WallTime {
  readonly date: number;
  readonly minute: number;
}

const dayLong = 24 * 60 * 60_000;

/**
 * Reads `2026-12-20` and `2026-12-20T18:00`. `atEnd`: a day without a time means its end. Undefined for other
 * texts.
 */
export function readWallTime(text: string, atEnd: boolean): WallTime | undefined {
  const [, day, hour, minute = ''] = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d):(\d\d))?$/.exec(text.trim()) ?? [];
  const at = Date.parse(`${day}T00:00:00Z`);
  // `Date` silently turns 31 February into another day.
  if (day === undefined || Number.isNaN(at) || !new Date(at).toISOString().startsWith(day)) return undefined;
  if (hour === undefined) return { date: at / dayLong, minute: atEnd ? 24 * 60 : 0 };
  const minutes = Number(hour) * 60 + Number(minute);
  return Number(hour) < 24 && Number(minute) < 60 ? { date: at / dayLong, minute: minutes } : undefined;
}

export const compareWallTimes = (one: WallTime, other: WallTime): number =>
  (one.date - other.date) * 24 * 60 + one.minute - other.minute;
