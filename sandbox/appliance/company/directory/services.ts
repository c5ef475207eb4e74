/** A service that the appliance monitors; its fields are not documented (appliance-api.md §4.12). */
export interface MonitoredService {
  readonly name: string;
  readonly pid: number;
  readonly memoryKilobytes: number;
  /** undefined: it is stopped. */
  startedAt: Date | undefined;
}

export function servicesOfTheCompany(now: Date): Map<string, MonitoredService> {
  return new Map(
    running.map(([key, name, pid, memoryKilobytes, hours]) => {
      const startedAt = hours === 0 ? undefined : new Date(now.getTime() - hours * 3_600_000);
      return [key, { name, pid, memoryKilobytes, startedAt }];
    }),
  );
}

type Running = [
  key: string,
  name: string,
  pid: number,
  memoryKilobytes: number,
  /** 0: stopped. */
  hours: number,
];

const running: readonly Running[] = [
  ['APP_CONSOLE', 'Web console', 1102, 214_016, 611],
  ['APP_DNSFW', 'DNS firewall', 1904, 96_256, 220],
  ['APP_RECURSOR', 'DNS recursor', 1881, 131_072, 220],
  ['APP_REVERSE_PROXY', 'Reverse proxy', 1433, 41_984, 611],
  ['APP_CATEGORIES', 'Category server', 1520, 388_096, 130],
  ['APP_SYSLOG', 'Event log', 611, 17_408, 611],
  ['APP_TIME', 'Time synchronisation', 640, 3_584, 611],
  ['APP_SNMP', 'SNMP agent', 0, 0, 0],
];
