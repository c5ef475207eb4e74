import { describe, expect, test } from 'vitest';
import type { SimulatedAppliance } from '../../sandbox/appliance/index.ts';
import { converse } from '../conversation.ts';

/** As an administrator would at its web console. */
function stopDnsFirewall({ state }: SimulatedAppliance): void {
  const service = state.directory.services.get('APP_DNSFW');
  if (service !== undefined) service.startedAt = undefined;
}

const timeouts = { read: 0.6, whole: 0.9 };

describe('the status of an appliance', () => {
  test('is one line when all is well', async () => {
    const { type } = await converse();
    const said = await type('/appliance status', 'vic');
    expect(said).toContain(
      '✅ No problems found: 4.50 Service Pack 5, no emergency, 12 services running, directory connected, authentication linked, 3 ports listening, DNS firewall running, mirror synced recently and disk 64% full. 1 service stopped: SNMP agent',
    );
    expect(said).not.toContain('│');
  });

  test('begins with the faults', async () => {
    const { type, appliance } = await converse();
    appliance.turn({ directoryConnection: 'broken', proxyPorts: 'one_silent' });
    stopDnsFirewall(appliance);
    const said = await type('/appliance status', 'vic');
    expect(said).toContain(
      '❌ The directory connection is broken: No domain controller answers. The proxy is not linked to an authentication method. The port check of the proxy failed: Not listening: 3129. 1 more problem',
    );
    expect(said).toMatch(/Area +State\n[^\n]+\n[^\n]+❌ Directory/);
    expect(said).toContain('❌ DNS firewall');
    expect(said.indexOf('✅ Version')).toBeGreaterThan(said.indexOf('❌ DNS firewall'));
  });

  test('begins with an emergency, whatever else is wrong, and has the button that ends it', async () => {
    const { type, press, appliance } = await converse();
    appliance.turn({ proxyMode: 'emergency', proxyPorts: 'one_silent' });
    const said = await type('/appliance status', 'bob');
    expect(said).toContain(
      '🚨 Emergency mode is on: everybody passes without authentication, not enabled by Appliance Bot. The port check of the proxy failed',
    );
    await press('End emergency mode on hq', 'bob');
    expect(appliance.state.directory.emergency).toBe(false);
  });

  test('reports the rest where one source does not answer', async () => {
    const { type, appliance } = await converse({ timeouts });
    appliance.faults.set('- /system/services', { kind: 'hang' });
    appliance.faults.set('GET /api/status', { kind: 'status', status: 500 });
    const said = await type('/appliance status', 'vic');
    expect(said).toContain('⚠️ Could not be asked: Services – no answer in time; Mirror and Disk – HTTP 500');
    expect(said).toContain('✅ Directory');
  });

  test('gives one reason and not six faults when the licence is missing', async () => {
    const { type, appliance } = await converse();
    appliance.turn({ licence: 'expired' });
    const said = await type('/appliance status', 'vic');
    expect(said).toMatch(
      /⚠️ Could not be asked: Version, Emergency, Services, Directory, Authentication, Ports and DNS firewall – refused, .*licence/,
    );
    expect(said).not.toContain('❌');
  });

  test('says just that an appliance is down', async () => {
    const { type, appliance } = await converse({ timeouts });
    await appliance.close();
    expect(await type('/appliance status', 'vic')).toContain('hq is unreachable (ECONNREFUSED).');
  });

  test('has a row for each of several, and details only for the one in trouble', async () => {
    const { type, branches } = await converse({ branches: 2 });
    branches.get('branch-2')?.turn({ proxyMode: 'global_emergency' });
    await branches.get('branch-3')?.close();
    const said = await type('/appliance status --on all', 'vic');
    expect(said).toMatch(
      /2 of 3 appliances need attention: branch-2: 🚨 Global Emergency: the proxy neither .*; 1 did not answer\n/,
    );
    expect(said).toMatch(
      /hq +✅ no problems found, 4\.50 Service Pack 5\. 1 service stopped: SNMP agent *\n/,
    );
    expect(said).toMatch(/branch-2 +🚨 Global Emergency/);
    expect(said).toMatch(/branch-3 +⚠ branch-3 is unreachable/);
    expect(said).toContain('[Leave Global Emergency on branch-2]');
    expect(said.match(/✅ Version/g)).toHaveLength(1);
  });
});

describe('the status of several appliances', () => {
  test('is one sentence when all is well on all of them', async () => {
    const { type } = await converse({ branches: 2 });
    const said = await type('/appliance status --on all', 'vic');
    expect(said).toContain('✅ No problems found on 3 appliances');
    expect(said).not.toContain('answered');
    expect(said.match(/✅ no problems found, 4\.50 Service Pack [45]/g)).toHaveLength(3);
  });

  test('names whoever has enabled an emergency mode in the table below, too', async () => {
    const { type, press } = await converse({ branches: 1 });
    await type('/appliance emergency enable --for 30m --reason "directory down"', 'dana');
    await press('Approve', 'carol');
    const said = await type('/appliance status --on all', 'vic');
    expect(said.match(/requested by @dana: directory down/g)).toHaveLength(3);
    expect(said).toMatch(/🚨 Emergency +Emergency mode is on: .*\(requested by @dana: directory down\)/);
    expect(said).not.toContain('U0DANA0001');
  });

  test('names the one in the worst trouble first', async () => {
    const { type, appliance, branches } = await converse({ branches: 2 });
    appliance.turn({ proxyPorts: 'one_silent' });
    branches.get('branch-2')?.turn({ licence: 'expired' });
    branches.get('branch-3')?.turn({ proxyMode: 'emergency' });
    expect(await type('/appliance status --on all', 'vic')).toMatch(
      /3 of 3 appliances need attention: branch-3: 🚨 Emergency mode is on: .*; hq: ❌ The port check of the proxy failed.*; branch-2: ⚠️ Could not be asked: Version and 6 more – refused, /,
    );
  });
});

describe('the parts of an appliance', () => {
  test('have a line of their own each', async () => {
    const { type, appliance } = await converse();
    expect(await type('/appliance services')).toMatch(
      /1 service stopped: SNMP agent\. 12 running[\s\S]*SNMP agent +⏹ stopped/,
    );
    expect(await type('/appliance dns firewall status')).toContain('The DNS firewall is running');
    expect(await type('/appliance network interfaces')).toMatch(
      /4 network interfaces: 3 up, 1 down[\s\S]*eth3 +down/,
    );
    expect(await type('/appliance appliance version')).toContain('hq runs 4.50 Service Pack 5');
    appliance.state.directory.version.latestUpgrade.push('4.50-6 uploaded', '4.50-6 installed');
    expect(await type('/appliance release')).toMatch(/4\.50-6 uploaded\s+│? *4\.50-6 installed/);
    stopDnsFirewall(appliance);
    expect(await type('/appliance dnsfw')).toContain('❌ The DNS firewall is stopped');
  });
});
