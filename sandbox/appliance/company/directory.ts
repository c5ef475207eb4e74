import { type Engine, engineOfTheCompany } from './directory/engine.ts';
import { type NetworkInterface, networkOfTheCompany } from './directory/network.ts';
import { type MonitoredService, servicesOfTheCompany } from './directory/services.ts';

export interface DirectoryState {
  /** With an expired licence every operation of this area is refused (appliance-api.md §5.3). */
  licence: 'valid' | 'expired';
  /** One connection at a time; undefined: disconnected. An emergency leaves it as it is. */
  connection: Connection | undefined;
  /** By which method it was disconnected last, while it is. */
  disconnectedFrom: Connection['kind'] | undefined;
  /** All users pass without authentication. */
  emergency: boolean;
  /** The appliance sets it by itself: neither filtering nor authentication (§3). */
  globalEmergency: boolean;
  /** Field generations: whether the status names an emergency. A first-generation engine keeps a setting when one is ended, and names none after that. */
  namesEmergency: 'always' | 'until_ended' | 'never';
  /** The proxy starts anew whenever its settings are rebuilt. */
  readonly proxy: {
    startedAt: Date;
    /** The purpose of the last rebuild. */
    rebuiltFor: 'authentication' | 'all settings' | 'reset';
    readonly ports: { readonly port: number; readonly name: string; listening: boolean }[];
  };
  /**
   * By key. The proxy, the authoritative DNS server, the FTP server, the SQL server and the remote-desktop gateway are
   * not among them: their states are kept elsewhere.
   */
  readonly services: Map<string, MonitoredService>;
  readonly interfaces: NetworkInterface[];
  readonly bootedAt: Date;
  /** As `/appliance_version` tells it (§2.10). */
  readonly version: {
    major: string;
    /** With the service pack. */
    text: string;
    servicePack: string;
    /** As hotfixes are named, `20250605-13`; '' where none came after the service pack. */
    hotfix: string;
    latestUpgrade: string[];
  };
  /** An upgrade that runs in the background. */
  upgrade: Upgrade | undefined;
  /** Zip files that were installed at once, oldest first. As documented they are service packs like any other. */
  readonly patches: ReceivedFile[];
  /** The proxy that the appliance downloads through; undefined: none. */
  downloadProxy: { readonly host: string; readonly port: number } | undefined;
  readonly engine: Engine;
  readonly shell: {
    /** Switched by a local command on the appliance (§4.12). */
    enabled: boolean;
    /** Set locally on the appliance; '' where none is. */
    password: string;
    /** The shell packages that were accepted, oldest first. */
    readonly packages: ReceivedFile[];
  };
}

export interface Connection {
  readonly kind: 'ntlm' | 'kerberos';
  readonly since: Date;
  /** Why the directory does not answer; undefined: it does. A new connection is not broken. */
  broken: string | undefined;
  /** Requests that wait for the directory; more than 0 means that it is slow. */
  queued: number;
}

export interface Upgrade {
  readonly kind: 'service pack' | 'hotfix';
  readonly file: ReceivedFile;
  /** False: nothing can be extracted from the file, so the upgrade fails. */
  readonly isArchive: boolean;
}

export interface ReceivedFile {
  readonly filename: string;
  /** Bytes. */
  readonly size: number;
  /** Hexadecimal. */
  readonly sha256: string;
  readonly at: Date;
}

/** The password that scripts of shell packages must hold. */
export const shellPassword = 'sandbox-shell-password';

export function directoryOfTheCompany(now: Date): DirectoryState {
  const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);
  return {
    licence: 'valid',
    connection: { kind: 'kerberos', since: daysAgo(12), broken: undefined, queued: 0 },
    disconnectedFrom: undefined,
    emergency: false,
    globalEmergency: false,
    namesEmergency: 'always',
    proxy: {
      startedAt: daysAgo(5.4),
      rebuiltFor: 'all settings',
      ports: [
        { port: 3128, name: 'proxy', listening: true },
        { port: 3129, name: 'transparent', listening: true },
        { port: 3130, name: 'transparent, SSL', listening: true },
      ],
    },
    services: servicesOfTheCompany(now),
    interfaces: networkOfTheCompany(),
    bootedAt: daysAgo(25.5),
    version: {
      major: '4.50',
      text: '4.50 Service Pack 5',
      servicePack: '5',
      hotfix: '',
      latestUpgrade: [],
    },
    upgrade: undefined,
    patches: [],
    downloadProxy: undefined,
    engine: engineOfTheCompany(),
    shell: { enabled: true, password: shellPassword, packages: [] },
  };
}
