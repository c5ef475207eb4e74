import { timestamp } from '../../times.ts';

/** The field names of a session are not documented (§2.14); these are in the manner of the documented member fields. */
export interface SimulatedSession {
  readonly id: number;
  readonly username: string;
  readonly target: string;
  readonly client_ip: string;
  readonly protocol: 'rdp' | 'ssh' | 'vnc';
  /** ISO 8601 in UTC: `2026-11-20T11:13:00Z`. */
  readonly started_at: string;
}

/** A user name that somebody chose to be read by a chat: a mention, a right-to-left override, formatting. */
export const hostileName = '<!channel> \u202Eevil\u202C *bold*';

type Opened = [
  id: number,
  username: string,
  target: string,
  clientIp: string,
  protocol: SimulatedSession['protocol'],
  minutesAgo: number,
];

const opened: readonly Opened[] = [
  [3, 'alice.carter', 'srv-db-02', '10.20.4.17', 'ssh', 412],
  [4, 'henrik.olsen', 'srv-build-01', '10.20.4.33', 'ssh', 388],
  [7, 'maria.lopez', 'srv-erp-01', '10.20.7.102', 'rdp', 241],
  [9, 'contractor.acme', 'srv-hvac-01', '10.20.90.8', 'vnc', 187],
  [11, 'claire.dubois', 'srv-files-02', '10.20.6.45', 'rdp', 154],
  [12, 'bob.miller', 'srv-files-01', '10.20.6.71', 'rdp', 47],
  [14, 'yuki.tanaka', 'srv-cad-03', '10.20.8.19', 'rdp', 133],
  [15, 'alice.carter', 'srv-db-01', '10.20.4.17', 'ssh', 96],
  [18, 'samuel.okafor', 'srv-mail-01', '10.20.5.60', 'rdp', 71],
  [19, hostileName, 'srv-files-01', '10.20.99.13', 'rdp', 66],
  [21, 'priya.nair', 'srv-erp-02', '10.20.7.88', 'rdp', 38],
  [22, 'tom.becker', 'srv-print-01', '10.20.6.12', 'rdp', 29],
  [25, 'elena.petrova', 'srv-hr-01', '10.20.7.140', 'rdp', 17],
  [26, 'backup.operator', 'srv-backup-01', '10.20.4.5', 'ssh', 9],
  [28, 'lucas.martin', 'srv-web-02', '10.20.5.91', 'ssh', 2],
];

/** The sessions that are open at this moment, by ID. */
export function openedSessions(now: Date): Map<number, SimulatedSession> {
  return new Map(
    opened.map(([id, username, target, client_ip, protocol, minutesAgo]) => {
      const started_at = timestamp(new Date(now.getTime() - minutesAgo * 60_000));
      return [id, { id, username, target, client_ip, protocol, started_at }];
    }),
  );
}
