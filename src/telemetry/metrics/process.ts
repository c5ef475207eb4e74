import { readdirSync } from 'node:fs';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import type { Metrics } from './registry.ts';

/** What every program tells of its process, under the names that others use for it. */
export function declareProcess({ gauge, total }: Metrics): void {
  /** It wakes the process fifty times a second: begun with the first who asks. */
  let delay: ReturnType<typeof monitorEventLoopDelay> | undefined;
  const one = (name: string, help: string, read: () => number) =>
    gauge({ name, help }, () => [{ value: read() }]);
  one('process_start_time_seconds', 'When the process was started', () => performance.timeOrigin / 1_000);
  total({ name: 'process_cpu_seconds_total', help: 'Processor time that was used' }, () => {
    const { user, system } = process.cpuUsage();
    return [{ value: (user + system) / 1e6 }];
  });
  one('process_resident_memory_bytes', 'Resident memory', () => process.memoryUsage.rss());
  one('nodejs_heap_size_used_bytes', 'Memory of the heap that is used', () => process.memoryUsage().heapUsed);
  gauge({ name: 'process_open_fds', help: 'Open file descriptors, where the system tells' }, () => [
    { value: readdirSync('/proc/self/fd').length },
  ]);
  gauge(
    {
      name: 'nodejs_eventloop_lag_p99_seconds',
      help: 'How late timers fired since the last look, 99 of 100',
    },
    () => {
      if (delay === undefined) {
        delay = monitorEventLoopDelay({ resolution: 20 });
        delay.enable();
        return [{ value: 0 }];
      }
      const value = Math.max(0, delay.percentile(99) / 1e9 - 0.02);
      delay.reset();
      return [{ value }];
    },
  );
}
