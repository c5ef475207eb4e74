/** As `295h12m4s`, or `41.25s` below a minute. */
export function durationText(milliseconds: number): string {
  if (milliseconds < 60_000) return `${milliseconds / 1000}s`;
  const seconds = Math.floor(milliseconds / 1000);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  return `${hours > 0 ? `${hours}h` : ''}${minutes % 60}m${seconds % 60}s`;
}
