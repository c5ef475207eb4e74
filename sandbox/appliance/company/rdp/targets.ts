import type { SimulatedSession } from './sessions.ts';

/** A computer behind the gateway. The document names no field but the password, which is never answered (§2.14). */
export interface SimulatedTarget {
  readonly id: number;
  readonly name: string;
  readonly address: string;
  readonly port: string;
  readonly protocol: SimulatedSession['protocol'];
  /** The account that the gateway logs on with. */
  readonly username: string;
  /** Never answered. */
  readonly password: string;
  readonly description: string;
  /** 1 or 0 (§3). */
  readonly enabled: number;
}

/** The default port of each protocol. */
export const usualPorts = { rdp: '3389', ssh: '22', vnc: '5900' } as const;

type Known = [
  id: number,
  name: string,
  address: string,
  protocol: SimulatedSession['protocol'],
  description: string,
];

const known: readonly Known[] = [
  [1, 'srv-db-01', '10.20.1.11', 'ssh', 'Production database'],
  [2, 'srv-db-02', '10.20.1.12', 'ssh', 'Production database, replica'],
  [3, 'srv-build-01', '10.20.1.21', 'ssh', 'Builds and packages'],
  [4, 'srv-build-02', '10.20.1.22', 'ssh', 'Builds, switched on when there is much to build'],
  [5, 'srv-erp-01', '10.20.1.31', 'rdp', 'Orders and stock'],
  [6, 'srv-erp-02', '10.20.1.32', 'rdp', 'Orders and stock, accounting'],
  [7, 'srv-files-01', '10.20.1.41', 'rdp', 'Departments A to K'],
  [8, 'srv-files-02', '10.20.1.42', 'rdp', 'Departments L to Z'],
  [10, 'srv-cad-01', '10.20.2.51', 'rdp', 'Drawing'],
  [11, 'srv-cad-02', '10.20.2.52', 'rdp', 'Drawing'],
  [12, 'srv-cad-03', '10.20.2.53', 'rdp', 'Simulation'],
  [14, 'srv-mail-01', '10.20.1.61', 'rdp', 'Mail'],
  [15, 'srv-print-01', '10.20.1.62', 'rdp', 'Printers of all sites'],
  [16, 'srv-ad-01', '10.20.1.63', 'rdp', 'Directory'],
  [18, 'srv-hr-01', '10.20.1.71', 'rdp', 'Staff records'],
  [19, 'srv-backup-01', '10.20.3.81', 'ssh', 'Backups'],
  [20, 'srv-web-01', '10.20.3.91', 'ssh', 'Public web site'],
  [21, 'srv-web-02', '10.20.3.92', 'ssh', 'Public web site'],
  [23, 'srv-hvac-01', '10.20.90.101', 'vnc', 'Heating and ventilation'],
  [24, 'srv-scada-01', '10.20.90.102', 'vnc', 'Production line, being replaced'],
  [26, 'srv-legacy-01', '10.20.1.99', 'rdp', 'Old accounting, read only'],
];

const disabled = new Set(['srv-build-02', 'srv-scada-01', 'srv-legacy-01']);

/** The targets, by ID. */
export function knownTargets(): Map<number, SimulatedTarget> {
  return new Map(
    known.map(([id, name, address, protocol, description]) => {
      const login = protocol === 'ssh' ? 'gateway' : 'NORTHWIND\\gateway';
      return [
        id,
        {
          id,
          name,
          address,
          port: usualPorts[protocol],
          protocol,
          username: login,
          password: `password-of-target-${id}`,
          description,
          enabled: disabled.has(name) ? 0 : 1,
        },
      ];
    }),
  );
}
