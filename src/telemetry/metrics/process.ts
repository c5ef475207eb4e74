import { readdirSync } from 'node:fs';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import type { Metrics } from './registry.ts';

/** What every program tells of its process, under the names that others use for it. */
export function declareProcess({ gauge, text: _ }: Metrics): void {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  const one = (name: string, help: string, read: () => number) =>
    gauge({ name, help }, () => [{ value: read() }]);
  one('process_start_time_seconds', 'When the process was started', () => performance.timeOrigin / 1_000);
  one('process_cpu_seconds_total', 'Processor time that was used', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
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
      const value = Math.max(0, delay.percentile(99) / 1e9 - 0.02);
      delay.reset();
      return [{ value }];
    },
  );
}
