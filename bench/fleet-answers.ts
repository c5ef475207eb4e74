const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

/** Answers of a healthy appliance to each question of `status`, by path (appliance-api.md §2.9–§2.12, §4.12). */
export const answers: Readonly<Record<string, unknown>> = {
  '/appliance_version': { status: true, major: '4.50', version: '4.50 Service Pack 5', service_pack: '5' },
  '/system/services': {
    status: true,
    services: Object.fromEntries(
      Array.from({ length: 13 }, (_, index) => [
        `APP_${index}`,
        { name: `Service ${index}`, running: 1, pid: 1_000 + index, memory_kb: 100_000, uptime: 86_400 },
      ]),
    ),
  },
  '/status': {
    status: true,
    info: 'Connected',
    current_daemon: '24',
    max_daemons: '60',
    requests_sent: '1700',
    replies_received: '1700',
    queue_length: '0',
    avg_service_time: '12 msec',
  },
  '/proxy/auth/status': true,
  '/proxy/ports/check': {
    status: true,
    info: 'All ports are listening',
    ports: [3128, 3129, 3130].map((port) => ({ port, name: 'proxy', listening: true })),
  },
  '/dnsfw/status': { status: true, info: 'Running', running: 1, uptime: 86_400 },
  '/api/status': {
    status: 'idle',
    sync_stats: { failed_files: 0, is_running: false, last_sync_end: minutesAgo(30) },
    disk_space: { total_bytes: 1_000, used_bytes: 640, free_bytes: 360, used_percent: 64 },
  },
};
export const questions: readonly string[] = Object.keys(answers);
