import { describe, expect, test } from 'vitest';
import { plainText } from '../reply.ts';
import { byGravity, type Gravity, isWell, summary } from './finding.ts';
import { findingsIn, type Readings } from './status.ts';
import { answered, notConfigured, now, refused, report, unreachable, well } from './testing.ts';

const found = (changed: Partial<Readings>) => findingsIn({ ...well, ...changed }, now);
const lineOf = (changed: Partial<Readings>) => plainText(summary(found(changed)));
const inArea = (area: string, changed: Partial<Readings>) => {
  const one = found(changed).find((finding) => finding.area === area);
  return one === undefined ? undefined : [one.gravity, plainText(one.says)];
};

describe('an appliance that is well', () => {
  test('is one line that covers every check', () => {
    expect(lineOf({})).toBe(
      '✅ No problems found: 4.50 Service Pack 5, no emergency, 1 service running, directory connected, authentication linked, 1 port listening, DNS firewall running, mirror synced recently and disk 64% full',
    );
    expect(isWell(found({}))).toBe(true);
  });

  test('needs no mirror', () => {
    const line = lineOf({ mirror: notConfigured });
    expect(line).toContain('✅ No problems found');
    expect(line).not.toMatch(/mirror|disk/i);
    expect(inArea('Mirror', { mirror: notConfigured })).toEqual(['fine', 'Not configured']);
  });

  test('may have a stopped service, which the line names', () => {
    const services = report({
      's.A.name': 'Proxy',
      's.A.running': '1',
      's.B.name': 'SNMP',
      's.B.running': '0',
    });
    expect(lineOf({ services })).toMatch(/^✅ No problems found: .*\. 1 service stopped: SNMP$/);
  });
});

describe('problems', () => {
  test('come first, gravest before all others, and hide nothing', () => {
    const findings = found({
      directory: answered({ connected: false, info: 'No domain controller answers' }),
      link: answered({ linked: false, info: 'No domain controller answers' }),
      firewall: unreachable,
    });
    expect(plainText(summary(findings))).toBe(
      '❌ The directory connection is broken: No domain controller answers. The proxy is not linked to an authentication method. Could not be asked: DNS firewall – no connection (ECONNREFUSED)',
    );
    const areas = byGravity(findings).map(({ area }) => area);
    expect(areas.slice(0, 3)).toEqual(['Directory', 'Authentication', 'DNS firewall']);
    expect(areas).toHaveLength(9);
  });

  test('are named up to three, with the number of further ones', () => {
    const line = lineOf({
      directory: answered({ connected: false, info: '' }),
      link: answered({ linked: false, info: '' }),
      ports: report({ 'p.0.port': '3128', 'p.0.listening': 'false' }),
      firewall: report({ running: '0' }),
    });
    expect(line).toMatch(/^❌ The directory .* Port 3128 of the proxy does not listen\. 1 more problem$/);
  });

  test('come below an emergency, which is seen first and explains the directory', () => {
    const info = 'Emergency: the proxy is disconnected from the directory';
    const emergency = {
      directory: answered({ connected: false, info }),
      link: answered({ linked: false, info }),
      ports: report({ 'p.0.port': '3128', 'p.0.listening': '0' }),
    };
    expect(lineOf(emergency)).toBe(
      '🚨 Emergency mode is on: everybody passes without authentication, not enabled by Appliance Bot. Port 3128 of the proxy does not listen',
    );
    expect(inArea('Directory', emergency)?.[0]).toBe('notice');
  });

  test.each<[string, Partial<Readings>, Gravity, RegExp]>([
    [
      'Directory',
      { directory: answered({ connected: true, info: '', queueLength: 140 }) },
      'fault',
      /slow: 140 requests waiting/,
    ],
    [
      'Directory',
      { directory: answered({ connected: true, info: '', activeDaemons: 60, maxDaemons: 60 }) },
      'notice',
      /All 60/,
    ],
    [
      'Services',
      {
        services: report({
          's.A.name': 'Proxy',
          's.A.running': '0',
          's.B.name': 'SNMP',
          's.B.state': 'stopped',
        }),
      },
      'fault',
      /Proxy is stopped, and so are SNMP/,
    ],
    ['Services', { services: report({ squid: 'stopped', ftpd: 'running' }) }, 'fault', /squid is stopped/],
    [
      'Services',
      { services: report({ 's.A.name': 'Reverse proxy', 's.A.running': '0' }) },
      'notice',
      /1 service stopped: Reverse proxy/,
    ],
    [
      'Services',
      { services: report({ 's.A.running': '0', 's.A.enabled': '0', 's.B.running': '1' }) },
      'fine',
      /1 service running/,
    ],
    ['Services', { services: report({ 's.A.load': '3' }) }, 'notice', /No service reports/],
    [
      'Ports',
      { ports: refused('Not listening: 3129') },
      'fault',
      /port check of the proxy failed: Not listening: 3129/,
    ],
    ['Ports', { ports: refused('enterprise licence has expired') }, 'unasked', /refused/],
    ['Ports', { ports: refused('locked'), services: refused('locked') }, 'unasked', /refused/],
    ['Ports', { ports: report({}) }, 'fine', /no problems/],
    ['DNS firewall', { firewall: report({}, 'Stopped') }, 'fault', /stopped/],
    [
      'DNS firewall',
      { firewall: report({}, 'Who knows') },
      'notice',
      /does not report whether it is running: Who knows/,
    ],
    ['Mirror', { mirror: answered({ status: 'degraded' }) }, 'fault', /degraded/],
    [
      'Mirror',
      { mirror: answered({ syncStats: { lastError: 'disk full' } }) },
      'fault',
      /sync failed: disk full/,
    ],
    [
      'Mirror',
      { mirror: answered({ syncStats: { failedFiles: 3, lastSyncEnd: new Date(now) } }) },
      'fine',
      /Last sync ended/,
    ],
    ['Mirror', { mirror: answered({ syncStats: { hasNeverSynced: true } }) }, 'notice', /has never synced/],
    [
      'Mirror',
      { mirror: answered({ syncStats: { lastSyncEnd: new Date(now - 5 * 86_400_000) } }) },
      'notice',
      /5 days ago/,
    ],
    [
      'Mirror',
      { mirror: answered({ syncStats: { isRunning: true, failedFiles: 3 } }) },
      'fine',
      /A sync is running/,
    ],
    ['Mirror', { mirror: answered({}) }, 'notice', /does not report when it last synced/],
    ['Disk', { mirror: answered({ diskSpace: { usedPercent: 96 } }) }, 'fault', /96% full/],
    [
      'Disk',
      { mirror: answered({ diskSpace: { usedBytes: 90, totalBytes: 100, freeBytes: 10 } }) },
      'notice',
      /90% full, 10 bytes free/,
    ],
    ['Disk', { mirror: answered({}) }, 'fine', /Not reported/],
    [
      'Version',
      { version: answered({ major: '', version: '', servicePack: '' }) },
      'notice',
      /does not report/,
    ],
    [
      'Version',
      { version: answered({ major: '4.50', version: '', servicePack: '5' }) },
      'fine',
      /^4\.50 Service Pack 5$/,
    ],
    [
      'Emergency',
      { directory: unreachable, link: answered({ linked: false, info: '' }) },
      'unasked',
      /no connection/,
    ],
  ])('%s is judged by what is known of it (%#)', (area, changed, gravity, says) => {
    expect(inArea(area, changed)).toEqual([gravity, expect.stringMatching(says)]);
  });
});

test('problems with one common cause are reported together', () => {
  const mirror = refused('busy');
  expect(lineOf({ services: unreachable, firewall: unreachable, mirror })).toBe(
    '⚠️ Could not be asked: Services and DNS firewall – no connection (ECONNREFUSED); Mirror and Disk – refused, busy',
  );
});
