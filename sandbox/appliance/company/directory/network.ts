/** A network interface of the appliance; its fields are not documented (appliance-api.md §4.12). */
export interface NetworkInterface {
  readonly name: string;
  readonly mac: string;
  readonly address: string;
  readonly netmask: string;
  readonly gateway: string;
  /** Megabits a second. */
  readonly speed: number;
  up: boolean;
  /** Its average traffic in a second. */
  readonly bytesPerSecond: { readonly received: number; readonly sent: number };
}

export function networkOfTheCompany(): NetworkInterface[] {
  return [
    {
      name: 'eth0',
      mac: '52:54:00:1a:7c:01',
      address: '192.0.2.10',
      netmask: '255.255.255.0',
      gateway: '192.0.2.1',
      speed: 10_000,
      up: true,
      bytesPerSecond: { received: 2_870_000, sent: 311_000 },
    },
    {
      name: 'eth1',
      mac: '52:54:00:1a:7c:02',
      address: '10.20.4.2',
      netmask: '255.255.255.0',
      gateway: '',
      speed: 10_000,
      up: true,
      bytesPerSecond: { received: 402_000, sent: 2_960_000 },
    },
    {
      name: 'eth2',
      mac: '52:54:00:1a:7c:03',
      address: '10.20.90.2',
      netmask: '255.255.255.0',
      gateway: '',
      speed: 1000,
      up: true,
      bytesPerSecond: { received: 12_400, sent: 8_100 },
    },
    {
      name: 'eth3',
      mac: '52:54:00:1a:7c:04',
      address: '',
      netmask: '',
      gateway: '',
      speed: 0,
      up: false,
      bytesPerSecond: { received: 0, sent: 0 },
    },
  ];
}
