/** A main domain. Only its name is documented (appliance-api.md §2.14). */
interface SimulatedDomain {
  readonly id: number;
  readonly records: number;
  /** As `YYYYMMDDnn`. */
  readonly serial: number;
}

export interface AuthdnsState {
  /** Since when the server has been running. */
  startedAt: Date;
  pid: number;
  /** Set while a restart is under way. */
  restartOrderedAt: Date | undefined;
  /** When the server and the recursor last read their configuration. */
  reloadedAt: Date;
  /** By name, in lower case without a trailing dot. */
  readonly domains: Map<string, SimulatedDomain>;
}

export function authdnsOfTheCompany(now: Date): AuthdnsState {
  const startedAt = new Date(now.getTime() - 9 * 86_400_000 - 4 * 3_600_000);
  return {
    startedAt,
    pid: 1874,
    restartOrderedAt: undefined,
    reloadedAt: startedAt,
    domains: new Map(
      managed.map(([name, records, serial], index) => [name, { id: index + 1, records, serial }]),
    ),
  };
}

const managed: readonly [name: string, records: number, serial: number][] = [
  ['corp.example', 214, 2026111803],
  ['factory.example', 87, 2026102201],
  ['guests.example', 6, 2026031501],
  ['lab.corp.example', 41, 2026111702],
  ['4.20.10.in-addr.arpa', 96, 2026111803],
  ['6.20.10.in-addr.arpa', 131, 2026111501],
  ['7.20.10.in-addr.arpa', 118, 2026110904],
];
