/** Minutes of a day; as a time of day, its end. */
export const wholeDay = 24 * 60;

/**
 * Reads `18:00`, `22.30`, `2230`, `18h`, `6pm`, `6:30 pm`, `6 in the morning`, `noon`, `24:00` as minutes after
 * midnight. Undefined for other text; a bare number is ambiguous.
 */
export function readClock(text: string): number | undefined {
  const said = text
    .replace(/^([0-9:. ]+?) in the morning$/, '$1am')
    .replace(/^([0-9:. ]+?) (?:in the (?:afternoon|evening)|at night)$/, '$1pm');
  if (said === 'noon' || said === 'midday') return wholeDay / 2;
  if (said === 'midnight' || /^24(?:[:.]?00|h)$/.test(said)) return wholeDay;
  // The usual start and end of work; other hours must be given.
  if (said === 'morning') return 8 * 60;
  if (said === 'evening') return 18 * 60;
  const [, hours = '', minutes = '0', half] =
    /^([0-9]{1,2})(?:[:.h]([0-9]{2}))?(?::[0-9]{2})? ?(am|pm|h|uhr)?$/.exec(said) ??
    /^([0-9]{2})([0-9]{2})()$/.exec(said) ??
    [];
  if (hours === '' || (half === undefined && !/[:.h]/.test(said))) return undefined;
  const isHalf = half === 'am' || half === 'pm';
  const hour = isHalf ? (Number(hours) % 12) + (half === 'pm' ? 12 : 0) : Number(hours);
  if (hour > 23 || Number(minutes) > 59 || (isHalf && Number(hours) > 12)) return undefined;
  return hour * 60 + Number(minutes);
}

export const clockSaid = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
