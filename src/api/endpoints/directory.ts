import { z } from 'zod';
import { area } from '../endpoint.ts';
import { Misfit } from '../reading/bounds.ts';
import { field } from '../reading/envelope.ts';
import {
  type Accepted,
  accepted,
  doneOrNot,
  type ReplyReader,
  tellingReport,
  under,
} from '../reading/reply-reader.ts';
import {
  component,
  integer,
  keyed,
  meaning,
  optional,
  record,
  required,
  text,
  type Unread,
} from '../reading/shape.ts';
import { engineKey, keepsUpdater } from '../release.ts';
import { multipart } from '../wire/body.ts';
import { applianceVersion, authenticationLink, directoryModes, directoryStatus } from './directory-status.ts';
import { host, port } from './host.ts';
import { serviceList, serviceStatus } from './ini.ts';

/** An available version of the REST engine (appliance-api.md §2.11). */
export interface EngineVersion extends Unread {
  /** The version without its dot, which identifies it in an update order. */
  readonly key: number;
  /** Such as "1.190". */
  readonly version: string;
  /** The appliance's download address. */
  readonly uri?: string;
  readonly md5?: string;
}

export interface EngineIndex {
  /** Such as "1.190"; absent if not reported (field notes). It may be higher than any in the index. */
  readonly running?: string;
  readonly versions: readonly EngineVersion[];
}

const described = component(
  'EngineVersion',
  'An available version of the REST engine (§2.11).',
  record({
    version: required('VERSION', text, 'The version, such as "1.190".'),
    uri: optional('URI', text, 'Where the appliance downloads it.'),
    md5: optional('MD5', text, 'Its MD5 digest, hexadecimal.'),
  }),
);

/** A wrong key would order another version than the displayed one, so such an index is unreadable. */
const engineVersions = under(
  'index',
  keyed(integer, described, (key, entry): EngineVersion => {
    if (engineKey(entry.version) !== key) throw new Misfit('VERSION', 'does not match its key');
    return { key, ...entry };
  }),
  'The versions by their keys; a key is the version without its dot.',
);

const running = optional(
  'current_version',
  text,
  'The running version, such as "1.190"; not always reported.',
);

const engineIndex: ReplyReader<EngineIndex> = component(
  'EngineIndex',
  'The versions found by the last refresh, and the running engine (§2.11).',
  {
    read(answer) {
      const told = field(answer.body, running.key);
      // An odd value there must not lose the index.
      const name = typeof told === 'string' || typeof told === 'number' ? String(told).trim() : '';
      return { versions: engineVersions.read(answer), ...(name === '' ? {} : { running: name }) };
    },
    wire: {
      allOf: [
        engineVersions.wire,
        { type: 'object', properties: { [running.key]: meaning(running.description, running.shape.wire) } },
      ],
    },
  },
);

interface EngineUpdate extends Accepted {
  /** The version that the engine was updated to; absent if its words name none. */
  readonly version?: string;
}

/** "Success updated new version 1.190" (field notes). */
const engineUpdate: ReplyReader<EngineUpdate> = {
  ...accepted,
  read(answer) {
    const order = accepted.read(answer);
    const version = /\bversion\s+v?(\d+\.\d+)\b/i.exec(order.info)?.[1];
    return { ...order, ...(version === undefined ? {} : { version }) };
  },
};

/**
 * A key of the index. Below 1.189 the engine has no updates (§9 rule 3), so the API cannot return from there.
 * The key does not show its dot; every known engine is a 1.x, so the first digit is the major version.
 */
const engineUpdateKey = z
  .int()
  .positive()
  .refine(
    (key) => keepsUpdater(versionOf(key)),
    'is a version below 1.189, which would remove the update feature',
  )
  .describe('The key of the version in the index, which is the version without its dot: 1190 for 1.190.');

function versionOf(key: number): string {
  const digits = String(key);
  return `${digits.slice(0, 1)}.${digits.slice(1)}`;
}

interface PackUploaded extends Accepted {
  /** The bytes of a zip that the appliance installed at once as a personal patch (field notes). */
  readonly patchBytes?: number;
}

/**
 * "patch.zip [application/zip] installed personal patch with 2048 bytes". Names of sent files contain no
 * brackets.
 */
const packUploaded: ReplyReader<PackUploaded> = {
  ...accepted,
  read(answer) {
    const bytes = /\] installed personal patch with (\d+) bytes\b/i.exec(answer.info)?.[1];
    return { ...accepted.read(answer), ...(bytes === undefined ? {} : { patchBytes: Number(bytes) }) };
  },
};

const endpoint = area({
  section: '§4.12',
  service: 'directory',
  availableFrom: '4.30 service pack 141 or later, or as a patch for 4.30',
});

const pack = multipart(
  'servicepack',
  'The archive of a service pack (.tgz), or a zip with the structure of the installation folder of the appliance.',
);

/**
 * Directory authentication and proxy maintenance. The API has two generations (§9 rule 2): operations with V2
 * in their name have the second generation's path; the others exist in both.
 */
export const directory = {
  status: endpoint('- /status', {
    summary: 'The connection to the directory. That it is broken is an answer, not an error.',
    effect: 'read',
    section: '§2.9',
    falseIsAnswer: true,
    tellsOf: directoryModes,
    reply: directoryStatus,
  }),

  /** A write: from any state it makes a new connection, which can be disconnected again (§3). */
  connectNtlm: endpoint('- /ntlm_connect', {
    summary: 'Connects to the directory with a new NTLM connection.',
    effect: 'write',
  }),

  connectNtlmV2: endpoint('- /proxy/ntlm/connect', {
    summary: 'Connects to the directory with a new NTLM connection (second generation).',
    effect: 'write',
  }),

  /** Like its opposite, it answers status false even on success (field notes); `status` shows the result. */
  connectKerberos: endpoint('- /kerberos_connect', {
    summary: 'Connects to the directory with a new Kerberos connection.',
    effect: 'write',
    falseIsAnswer: true,
    reply: doneOrNot,
  }),

  connectKerberosV2: endpoint('- /proxy/kerberos/connect', {
    summary: 'Connects to the directory with a new Kerberos connection (second generation).',
    effect: 'write',
    falseIsAnswer: true,
    reply: doneOrNot,
  }),

  disconnectNtlm: endpoint('- /ntlm_disconnect', {
    summary: 'Disconnects from the directory (NTLM).',
    effect: 'destructive',
  }),

  disconnectNtlmV2: endpoint('- /proxy/ntlm/disconnect', {
    summary: 'Disconnects from the directory (NTLM, second generation).',
    effect: 'destructive',
  }),

  disconnectKerberos: endpoint('- /kerberos_disconnect', {
    summary: 'Disconnects from the directory (Kerberos).',
    effect: 'destructive',
    falseIsAnswer: true,
    reply: doneOrNot,
  }),

  disconnectKerberosV2: endpoint('- /proxy/kerberos/disconnect', {
    summary: 'Disconnects from the directory (Kerberos, second generation).',
    effect: 'destructive',
    falseIsAnswer: true,
    reply: doneOrNot,
  }),

  /** Destructive, because users then pass without login. */
  enableEmergency: endpoint('- /emergency_enable', {
    summary: 'Enables the emergency: the proxy lets all users pass without authentication.',
    effect: 'destructive',
  }),

  enableEmergencyV2: endpoint('- /proxy/auth/emergency/enable', {
    summary:
      'Enables the emergency: the proxy lets all users pass without authentication (second generation).',
    effect: 'destructive',
  }),

  /**
   * There is no V2 of this. The path that the document prints for it in the second generation *enables* the
   * emergency (§4.12); this one exists in both generations. A write, unlike enabling: it requires logins again,
   * and enabling can restore the emergency.
   */
  disableEmergency: endpoint('- /emergency_disable', {
    summary: 'Disables the emergency: the proxy is reconfigured to authenticate users.',
    effect: 'write',
  }),

  /**
   * Destructive, unlike `disableEmergency`: the appliance enters the Global Emergency by itself for a reason,
   * and no operation restores it. Filters and authentication stop people again (§3).
   */
  removeGlobalEmergency: endpoint('- /emergency_remove', {
    summary: 'Leaves the Global Emergency: the proxy filters and authenticates again.',
    effect: 'destructive',
  }),

  removeGlobalEmergencyV2: endpoint('- /proxy/general/emergency/remove', {
    summary: 'Leaves the Global Emergency: the proxy filters and authenticates again (second generation).',
    effect: 'destructive',
  }),

  authenticationStatus: endpoint('- /proxy/auth/status', {
    summary: 'Whether the proxy is correctly linked to an authentication method.',
    effect: 'read',
    falseIsAnswer: true,
    reply: authenticationLink,
  }),

  /** Destructive, like the next two: they rebuild the proxy in production. */
  reconfigureAuthentication: endpoint('- /proxy/auth/reconfigure', {
    summary: 'Rebuilds the proxy settings to use the defined authentication method.',
    effect: 'destructive',
    slow: true,
  }),

  reconfigureProxy: endpoint('- /proxy/general/reconfigure', {
    summary: 'Reconfigures all proxy settings.',
    effect: 'destructive',
    slow: true,
  }),

  resetProxy: endpoint('- /proxy/general/reset', {
    summary: 'Drops the applied configuration and rebuilds the proxy from that of the web console.',
    effect: 'destructive',
    slow: true,
  }),

  proxyMetrics: endpoint('- /proxy/metrics/info', {
    summary: 'The metrics of the proxy.',
    effect: 'read',
    reply: tellingReport,
  }),

  checkProxyPorts: endpoint('- /proxy/ports/check', {
    summary: 'Connects to the proxy’s ports in production and checks that they listen.',
    effect: 'read',
    slow: true,
    reply: tellingReport,
  }),

  services: endpoint('- /system/services', {
    summary: 'The status and metrics of all monitored services.',
    effect: 'read',
    reply: serviceList,
  }),

  dnsFirewallStatus: endpoint('- /dnsfw/status', {
    summary: 'The status of the DNS firewall.',
    effect: 'read',
    reply: serviceStatus,
  }),

  /** Second generation only. */
  networkInterfaces: endpoint('- /system/network/interfaces', {
    summary: 'The network interfaces.',
    effect: 'read',
    reply: tellingReport,
  }),

  applianceVersion: endpoint('- /appliance_version', {
    summary: 'The release of the appliance.',
    effect: 'read',
    section: '§2.10',
    reply: applianceVersion,
  }),

  downloadProxy: endpoint('- /configuration/proxy', {
    summary: 'The proxy through which the appliance itself downloads.',
    effect: 'read',
    reply: tellingReport,
  }),

  enableDownloadProxy: endpoint('- /configuration/proxy/enable/{host}:{port}', {
    summary: 'Makes the appliance download through a proxy.',
    effect: 'write',
    slots: {
      host: host.describe('The proxy: a host name, an IPv4 address, or an IPv6 address in brackets.'),
      port: port.describe('Its TCP port, from 1 to 65535.'),
    },
  }),

  disableDownloadProxy: endpoint('- /configuration/proxy/disable', {
    summary: 'Makes the appliance download without a proxy.',
    effect: 'write',
  }),

  /** A write, because it downloads; the running engine does not change. */
  refreshEngineVersions: endpoint('- /autoupdate/refresh', {
    summary: 'Downloads the list of available versions of the REST engine.',
    effect: 'write',
    section: '§2.11',
    reply: engineIndex,
  }),

  listEngineVersions: endpoint('- /autoupdate/index', {
    summary: 'The versions of the REST engine found by the last refresh, and the running version.',
    effect: 'read',
    section: '§2.11',
    reply: engineIndex,
  }),

  updateEngine: endpoint('- /autoupdate/update/{key}', {
    summary: 'Switches the REST engine to the version with this key; never to one below 1.189.',
    effect: 'destructive',
    slots: { key: engineUpdateKey },
    slow: true,
    reply: engineUpdate,
  }),

  /**
   * Runs foreign code. The appliance requires a password in the package (§5.4), which comes from the
   * configuration.
   */
  uploadShellPackage: endpoint('POST /shell_upload', {
    summary: 'Uploads a shell package, whose script the appliance then runs.',
    effect: 'destructive',
    body: multipart('zipcontainer', 'A zip file with `shell.sh` and what belongs to it.', 'shell package'),
    slow: true,
  }),

  /**
   * The answer to this and the next two confirms that the file arrived; the upgrade continues in the background
   * (§4.12).
   */
  uploadHotfix: endpoint('POST /system/appliance/hotfix', {
    summary: 'Uploads a hotfix (.tgz), which the appliance then installs.',
    effect: 'destructive',
    body: multipart('hotfix', 'The archive of a hotfix (.tgz).'),
    slow: true,
  }),

  uploadServicePack: endpoint('POST /service_pack', {
    summary: 'Uploads a service pack (.tgz or .zip), which the appliance then installs.',
    effect: 'destructive',
    body: pack,
    slow: true,
    reply: packUploaded,
  }),

  /** §4.12 lists this path as an alternative for the same order. */
  uploadServicePackAlternate: endpoint('POST /softwares/service_pack', {
    summary:
      'The same as uploadServicePack, at the alternate path: uploads a service pack, which the appliance then installs.',
    effect: 'destructive',
    body: pack,
    slow: true,
    reply: packUploaded,
  }),
};
