import type { MonitoredService } from '../../company/directory/services.ts';
import type { DirectoryState } from '../../company/directory.ts';
import type { Order } from '../../route.ts';
import type { State } from '../../state.ts';
import { secondsBetween } from '../../times.ts';
import { at, done, wave } from './envelope.ts';

/** The appliance itself: appliance-api.md §4.12. Only the shape of the version is documented (§2.10). */
export const system = [
  ...at('/system/services', ({ state, now }) => ({
    ...done(''),
    services: Object.fromEntries(
      [...servicesOf(state)].map(([key, one]) => [
        key,
        { version: versionOf(key, state), ...measured(one, state.directory, now) },
      ]),
    ),
  })),
  ...at('/dnsfw/status', dnsFirewall),
  ...at('/system/network/interfaces', ({ state: { directory }, now }) => {
    const seconds = secondsBetween(directory.bootedAt, now);
    return {
      ...done(''),
      interfaces: directory.interfaces.map(({ bytesPerSecond, ...one }) => ({
        ...one,
        rx_bytes: bytesPerSecond.received * seconds,
        tx_bytes: bytesPerSecond.sent * seconds,
      })),
    };
  }),
  ...at('/appliance_version', ({ state: { directory } }) => ({
    status: true,
    major: directory.version.major,
    version: directory.version.text,
    service_pack: directory.version.servicePack,
    latest_upgrade: directory.version.latestUpgrade,
  })),
];

/** All that are monitored, with those whose states are kept elsewhere. */
function servicesOf(state: State): Map<string, MonitoredService> {
  const { authdns, directory, ftpd, rdp, sqldb } = state;
  return new Map<string, MonitoredService>([
    [
      'APP_PROXY',
      {
        name: 'Proxy',
        pid: 2406,
        memoryKilobytes: 1_884_160,
        startedAt: directory.proxy.startedAt,
      },
    ],
    [
      'APP_AUTHDNS',
      {
        name: 'Authoritative DNS server',
        pid: authdns.pid,
        memoryKilobytes: 74_752,
        startedAt: authdns.restartOrderedAt === undefined ? authdns.startedAt : undefined,
      },
    ],
    [
      'APP_FTPD',
      {
        name: 'FTP server',
        pid: ftpd.process?.pid ?? 0,
        memoryKilobytes: 18_432,
        startedAt: ftpd.process?.startedAt,
      },
    ],
    [
      'APP_RDPPROXY',
      {
        name: 'Remote-desktop gateway',
        pid: rdp.gateway.pid,
        memoryKilobytes: 58_368,
        startedAt: rdp.gateway.restartingUntil === null ? rdp.gateway.startedAt : undefined,
      },
    ],
    [
      'APP_SQLDB',
      {
        name: 'SQL database server',
        pid: sqldb.server.pid,
        memoryKilobytes: 1_482_752,
        startedAt: sqldb.server.startedAt,
      },
    ],
    ...directory.services,
  ]);
}

/** The version of a program from the software collection; the others have the version of the system. */
function versionOf(key: string, { software, directory }: State): string {
  return software.installed.get(key) ?? directory.version.major;
}

function measured(
  { name, pid, memoryKilobytes, startedAt }: MonitoredService,
  directory: DirectoryState,
  now: Date,
) {
  const running = startedAt !== undefined;
  return {
    name,
    running: running ? 1 : 0,
    pid: running ? pid : 0,
    memory_kb: running ? memoryKilobytes + wave(directory, now, memoryKilobytes / 50) : 0,
    cpu_percent: running ? Math.max(0, (pid % 7) + wave(directory, now, 2)) : 0,
    uptime: running ? secondsBetween(startedAt, now) : 0,
  };
}

function dnsFirewall({ state, now }: Order) {
  const startedAt = state.directory.services.get('APP_DNSFW')?.startedAt;
  const uptime = startedAt === undefined ? 0 : secondsBetween(startedAt, now);
  const queries = uptime * 64;
  return {
    ...done(startedAt === undefined ? 'Stopped' : 'Running'),
    running: startedAt === undefined ? 0 : 1,
    version: versionOf('APP_DNSFW', state),
    uptime,
    policies: 9,
    queries,
    blocked: Math.floor(queries * 0.047),
  };
}
