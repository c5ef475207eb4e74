import { area } from '../endpoint.ts';
import { doneOrNot, tellingReport } from '../reading/reply.ts';
import { multipart } from '../wire/body.ts';
import { engineIndex, engineUpdate, engineUpdateKey } from './directory-engine.ts';
import { applianceVersion, authenticationLink, directoryModes, directoryStatus } from './directory-status.ts';
import { packUploaded } from './directory-uploads.ts';
import { host, port } from './host.ts';
import { serviceList, serviceStatus } from './ini.ts';

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
 * Directory authentication and proxy maintenance. The API has two generations (§9 rule 2): operations with V2 in
 * their name have the second generation's path, the others exist in both.
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

  /** A write: from any state a new connection comes about, and it can be disconnected again (§3). */
  connectNtlm: endpoint('- /ntlm_connect', {
    summary: 'Connects to the directory with a new NTLM connection.',
    effect: 'write',
  }),

  connectNtlmV2: endpoint('- /proxy/ntlm/connect', {
    summary: 'Connects to the directory with a new NTLM connection (second generation).',
    effect: 'write',
  }),

  /** Like its opposite it answers status false also when it worked (field notes): `status` tells. */
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

  /** Destructive: it opens the gate. */
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
   * There is no V2 of this. The path that is printed for it in the second generation is the one that *enables* the
   * emergency (§4.12); this one exists in both generations.
   * A write, though enabling is destructive: it closes the gate again, and whoever wants the emergency back enables it.
   */
  disableEmergency: endpoint('- /emergency_disable', {
    summary: 'Disables the emergency: the proxy is reconfigured to authenticate users.',
    effect: 'write',
  }),

  /**
   * Destructive, other than `disableEmergency`: the appliance enters the Global Emergency by itself, for a reason, and no
   * operation puts it back there. Filters and authentication stop people again (§3).
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

  /** Destructive, like the next two: the proxy is rebuilt while it is in production. */
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

  /** A write, because it downloads; the engine that runs stays as it is. */
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

  /** Runs foreign code. The appliance wants a password in the package (§5.4), which comes from the configuration. */
  uploadShellPackage: endpoint('POST /shell_upload', {
    summary: 'Uploads a shell package, whose script the appliance then runs.',
    effect: 'destructive',
    body: multipart('zipcontainer', 'A zip file with `shell.sh` and what belongs to it.', 'shell package'),
    slow: true,
  }),

  /** The answer to this and the next two says that the file came; the upgrade goes on in the background (§4.12). */
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

  /** §4.12 lists this path as another one for the very same order. */
  uploadServicePackAlternate: endpoint('POST /softwares/service_pack', {
    summary:
      'The same as uploadServicePack, at the alternate path: uploads a service pack, which the appliance then installs.',
    effect: 'destructive',
    body: pack,
    slow: true,
    reply: packUploaded,
  }),
};
