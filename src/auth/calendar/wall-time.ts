/** A moment by the clock on the wall, wherever that hangs: a day, counted from 1 January 1970, and minutes after its midnight. */
export interface WallTime {
  readonly date: number;
  readonly minute: number;
}

const dayLong = 24 * 60 * 60_000;

/** `2026-12-20`, `2026-12-20T18:00`. `atEnd`: a day without a time is meant to its end. Undefined when it is none of these. */
export function readWallTime(text: string, atEnd: boolean): WallTime | undefined {
  const [, day, hour, minute = ''] = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d):(\d\d))?$/.exec(text.trim()) ?? [];
  const at = Date.parse(`${day}T00:00:00Z`);
  // 31 February would silently be another day.
  if (day === undefined || Number.isNaN(at) || !new Date(at).toISOString().startsWith(day)) return undefined;
  if (hour === undefined) return { date: at / dayLong, minute: atEnd ? 24 * 60 : 0 };
  const minutes = Number(hour) * 60 + Number(minute);
  return Number(hour) < 24 && Number(minute) < 60 ? { date: at / dayLong, minute: minutes } : undefined;
}

/** Which of two comes first, in minutes. */
export const compareWallTimes = (one: WallTime, other: WallTime): number =>
  (one.date - other.date) * 24 * 60 + one.minute - other.minute;
