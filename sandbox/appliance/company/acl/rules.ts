/** A rule of the proxy that uses objects. The web console makes them; here they can only be seen (appliance-api.md §2.3). */
export interface SimulatedAclRule {
  readonly id: number;
  readonly name: string;
  /** Neither these numbers nor the flag are explained in the document: 0 for both directions, and all ports. */
  readonly portDirection: number;
  readonly aclPort: number;
  /** 1 for a rule that is a group of rules. */
  readonly aclGroup: number;
  /** The rule that is the group of this one; 0 for none. */
  readonly aclGpid: number;
  readonly enabled: boolean;
  /** By ID. An object that was deleted is no longer used. */
  readonly objects: readonly number[];
}

type Known = [id: number, name: string, aclGroup: number, aclGpid: number, enabled: 0 | 1, objects: number[]];

const known: readonly Known[] = [
  [1, 'Updates without authentication', 0, 0, 1, [9, 10, 19]],
  [2, 'Certificate status for everybody', 0, 0, 1, [16]],
  [4, 'Microsoft 365 without limits', 0, 0, 1, [6, 7]],
  [5, 'Google services are not cached', 0, 0, 1, [3]],
  [8, 'Apple devices', 0, 0, 1, [4]],
  [9, 'No programs from the network', 0, 0, 1, [33, 30]],
  [11, 'Workshops', 1, 0, 1, [27]],
  [12, 'Terminals see only suppliers', 0, 11, 1, [27, 39]],
  [13, 'Printers see only their maker', 0, 11, 1, [28]],
  [15, 'Guests', 1, 0, 1, [24]],
  [16, 'Guests have no tunnels', 0, 15, 1, [24, 37]],
  [18, 'Contractors during working hours', 0, 0, 1, [31]],
  [20, 'Reported addresses', 0, 0, 1, [40]],
  [21, 'Old browsers are told to update', 0, 0, 0, [36, 21]],
  [23, 'Servers see only repositories', 0, 0, 1, [22, 10, 19]],
  [26, 'Social media for the pilot', 0, 0, 0, [43, 21]],
  [28, 'No betting at work', 0, 0, 1, [44]],
];

export function rulesOfTheCompany(): SimulatedAclRule[] {
  return known.map(([id, name, aclGroup, aclGpid, enabled, objects]) => ({
    id,
    name,
    portDirection: 0,
    aclPort: 0,
    aclGroup,
    aclGpid,
    enabled: enabled === 1,
    objects,
  }));
}
