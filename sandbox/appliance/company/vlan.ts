/** A VLAN interface. Only its ID is documented (appliance-api.md §2.14). */
export interface SimulatedVlan {
  readonly id: number;
  readonly physical: string;
  readonly tag: number;
  readonly address: string;
  readonly netmask: string;
  readonly description: string;
  /** A build leaves out disabled interfaces. The document knows none: removing an interface removes its definition. */
  enabled: boolean;
  /** Since when it has been up; undefined: it is down. */
  upSince: Date | undefined;
  /** Its traffic before `upSince`, or in all when it is down. */
  carried: Traffic;
  /** Its traffic in a second when it is up. */
  readonly perSecond: Traffic;
}

/** Bytes and packets, received and sent. */
export interface Traffic {
  readonly rx_bytes: number;
  readonly tx_bytes: number;
  readonly rx_packets: number;
  readonly tx_packets: number;
}

export interface VlanState {
  /** Whether the VLAN management feature is installed. */
  installed: boolean;
  /** By ID. Uninstalling the feature keeps them, down. */
  readonly interfaces: Map<number, SimulatedVlan>;
}

export function vlanOfTheCompany(now: Date): VlanState {
  return {
    installed: true,
    interfaces: new Map(
      cabled.map(([id, physical, tag, address, description, hoursUp, kilobytes]) => [
        id,
        {
          id,
          physical,
          tag,
          address,
          netmask: '255.255.255.0',
          description,
          enabled: true,
          upSince: hoursUp === 0 ? undefined : new Date(now.getTime() - hoursUp * 3_600_000),
          carried: hoursUp === 0 ? traffic(kilobytes * 40_000) : traffic(0),
          perSecond: traffic(kilobytes),
        },
      ]),
    ),
  };
}

/** A thousand bytes a packet received and a bit over 400 a packet sent. */
function traffic(kilobytes: number): Traffic {
  return {
    rx_bytes: kilobytes * 1000,
    tx_bytes: kilobytes * 180,
    rx_packets: kilobytes,
    tx_packets: Math.round(kilobytes * 0.42),
  };
}

type Cabled = [
  id: number,
  physical: string,
  tag: number,
  address: string,
  description: string,
  /** 0: down. */
  hoursUp: number,
  kilobytesPerSecond: number,
];

const cabled: readonly Cabled[] = [
  [1, 'eth1', 20, '10.20.4.1', 'Servers', 611, 740],
  [2, 'eth1', 30, '10.20.6.1', 'Offices', 611, 1310],
  [3, 'eth1', 31, '10.20.7.1', 'Finance and personnel', 203, 265],
  [5, 'eth1', 40, '10.20.8.1', 'Design workstations', 0, 480],
  [6, 'eth2', 90, '10.20.90.1', 'Building control, contractors', 611, 12],
  [8, 'eth2', 99, '10.20.99.1', 'Guests', 0, 95],
];
