/** The processor time of something, in milliseconds: what else is done on a busy machine does not count. */
export function processorTime(does: () => void): number {
  const before = process.cpuUsage();
  does();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
