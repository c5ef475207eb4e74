/** The processor time of a task, in milliseconds: other work on a busy machine does not count. */
export function processorTime(does: () => void): number {
  const before = process.cpuUsage();
  does();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** The processor time that this thread spends on something, in milliseconds. */
export async function timeOf(does: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await does();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

let text: string | undefined;

/** How many times slower this machine is now than one that parses this text in 20 ms; 1 where it is faster. */
export async function slowness(): Promise<number> {
  text ??= JSON.stringify(
    Array.from({ length: 50_000 }, (_, id) => ({ id, name: `name ${id}`, enabled: true })),
  );
  const parsed = text;
  return Math.max(1, (await timeOf(() => JSON.parse(parsed))) / 20);
}
