import { expect, test } from 'vitest';
import { operations } from '../operations.ts';

/** Written twice on purpose: a wrong effect would retry an order, or skip its confirmation. */
const changing = {
  ssl: { write: ['build'], destructive: [] },
  analysis: { write: [], destructive: [] },
  software: { write: ['refresh'], destructive: ['install'] },
  vlan: {
    write: ['install', 'start'],
    destructive: ['build', 'reconfigure', 'stop', 'uninstall', 'unlink'],
  },
  authdns: { write: ['addDomain', 'reload'], destructive: ['restart'] },
  ftpd: { write: ['install'], destructive: ['restart', 'uninstall'] },
  resolver: { write: [], destructive: ['apply'] },
  directory: {
    write: [
      ...['connectKerberos', 'connectKerberosV2', 'connectNtlm', 'connectNtlmV2', 'disableDownloadProxy'],
      ...['disableEmergency', 'enableDownloadProxy', 'refreshEngineVersions'],
    ],
    destructive: [
      ...['disconnectKerberos', 'disconnectKerberosV2', 'disconnectNtlm', 'disconnectNtlmV2'],
      ...['enableEmergency', 'enableEmergencyV2', 'reconfigureAuthentication', 'reconfigureProxy'],
      ...['removeGlobalEmergency', 'removeGlobalEmergencyV2', 'resetProxy', 'updateEngine'],
      ...['uploadHotfix', 'uploadServicePack', 'uploadServicePackAlternate', 'uploadShellPackage'],
    ],
  },
  mirror: { write: ['triggerSync'], destructive: [] },
};

test.each(Object.entries(changing))('in the area %s only these orders change something', (area, expected) => {
  const own = [...operations].filter(([name]) => name.startsWith(`${area}.`));
  const doing = (wanted: string) =>
    own.filter(([, { effect }]) => effect === wanted).map(([name]) => name.slice(area.length + 1));
  expect(doing('write').sort(), `What changes something stands in \`changing\`, too: ${area}.`).toEqual(
    expected.write,
  );
  expect(doing('destructive').sort()).toEqual(expected.destructive);
  expect(doing('unknown')).toEqual([]);
});

test.each([
  ['ssl', 'web', '4.50 SP5, or 4.50 SP4 hotfix 20250525-12'],
  ['analysis', 'web', '4.50 SP1, or 4.50 hotfix 20240914-17'],
  ['software', 'web', undefined],
  ['vlan', 'web', '4.50 SP1, or 4.50 hotfix 20240311-15'],
  ['authdns', 'web', '4.50 SP1, or 4.50 hotfix 20240220-01'],
  ['ftpd', 'web', undefined],
  ['resolver', 'web', '4.50 SP1, or 4.50 hotfix 20240112-15'],
  ['directory', 'directory', '4.30 service pack 141 or later, or as a patch for 4.30'],
  ['mirror', 'mirror', undefined],
])('the area %s is called at the %s address, from the releases that §9 names', (area, service, from) => {
  const own = [...operations].filter(([name]) => name.startsWith(`${area}.`));
  const services = new Set(own.map(([, endpoint]) => endpoint.service.replace(/Console$/, '')));
  expect([...services]).toEqual([service]);
  expect([...new Set(own.map(([, endpoint]) => endpoint.availableFrom))]).toEqual([from]);
});
