import { describe, expect, test } from 'vitest';
import { answers } from '../after-order.ts';
import { converse } from '../conversation.ts';

/** Shapes of answers in the field, and the bot's words for them. */

const field = () => converse({ generation: 'field-v1' });

describe('VLAN interfaces in the vendor’s console', () => {
  const console = (more: object) => ({
    ...{ ID: 3, isUp: true, isError: false, error: '', macAddress: '00:16:3e:00:00:03' },
    ...{ currentIPs: ['10.31.0.1/24', 'fe80::1/64'], stats: { RxBytes: 1_500_000, TxBytes: '20 kB' } },
    ...more,
  });

  test('are shown with their states, addresses and traffic', async () => {
    const { type, appliance } = await field();
    answers(appliance, 'GET /system/network/vlan/list', {
      Status: true,
      Interfaces: [
        console({}),
        console({ ID: 5, isUp: false, isError: true, error: 'Link not found', currentIPs: null }),
      ],
    });
    const told = await type('/appliance vlan list');
    expect(told).toContain('2 VLAN interfaces, 1 of them down: number 5');
    expect(told).toMatch(/3 +up +10\.31\.0\.1\/24, fe80::1\/64 +1\.5 MB +20 kB/);
    expect(told).toMatch(/5 +down \(Link not found\) +not reported/);
  });

  test('are shown with their faults also where they are up', async () => {
    const { type, appliance } = await field();
    answers(appliance, 'GET /system/network/vlan/list', {
      Status: true,
      Interfaces: [console({ isError: true, error: 'Duplicate address' })],
    });
    expect(await type('/appliance vlan list')).toContain('; 1 of them with an error: number 3');
    expect(await type('/appliance vlan interface 3')).toContain('is up (Duplicate address)');
  });
});

describe('the setting service_disabled, of which 1 means enabled', () => {
  const dns = (first: string, second: string) => ({
    Status: true,
    Info: `[APP_PDNS]\n${first}\n[APP_PDNS_RECURSOR]\n${second}\n`,
  });

  test('is read the right way round', async () => {
    const { type, appliance } = await field();
    answers(appliance, 'GET /rdpproxy/status', {
      Status: true,
      Info: '[APP_RDPPROXY]\nservice_disabled=1\nrunning=1\nmaster_pid=7',
    });
    const told = await type('/appliance rdp status');
    expect(told).toContain('Remote-desktop gateway: running');
    expect(told).toMatch(/Enabled +yes/);
    expect(told).not.toMatch(/disabled/i);
  });

  test('distinguishes a disabled service from a stopped one', async () => {
    const { type, appliance } = await field();
    answers(appliance, 'GET /ftpd/status', {
      Status: true,
      Info: '[APP_FTPD]\nservice_disabled=0\nrunning=0',
    });
    expect(await type('/appliance ftp status')).toContain('The FTP server is switched off by its setting');
    answers(appliance, 'GET /ftpd/status', {
      Status: true,
      Info: '[APP_FTPD]\nservice_disabled=1\nrunning=0',
    });
    expect(await type('/appliance ftp status')).toContain('⚠ The FTP server is not running');
  });

  test('belongs to one service, where several stand in one answer', async () => {
    const { type, appliance } = await field();
    const on = 'service_disabled=1\nrunning=1\nmaster_pid=7';
    answers(appliance, 'GET /authdns/status', dns(on, 'service_disabled=0\nrunning=0'));
    expect(await type('/appliance dns status')).toContain('The DNS server is running');
    answers(appliance, 'GET /authdns/status', dns(on, 'service_disabled=1\nrunning=0'));
    expect(await type('/appliance dns status')).toContain(
      '⚠ The DNS server is running in part: PDNS recursor is stopped',
    );
    answers(
      appliance,
      'GET /authdns/status',
      dns('service_disabled=0\nrunning=0', 'service_disabled=0\nrunning=0'),
    );
    expect(await type('/appliance dns status')).toContain('The DNS server is switched off by its setting');
  });

  test('keeps disabled services out of the stopped ones, in the list of services and in the status', async () => {
    const { type, appliance } = await field();
    const all =
      '[APP_SQUID]\nrunning=1\n[APP_FTPD]\nservice_disabled=0\nrunning=0\n[APP_PDNS]\nservice_disabled=1\nrunning=0';
    answers(appliance, '- /system/services', { Status: true, Info: all });
    const told = await type('/appliance services');
    expect(told).toContain('1 service stopped: APP_PDNS. 1 running, 1 switched off');
    expect(told).toMatch(/APP_FTPD +switched off/);
    expect(await type('/appliance status')).toContain('1 service stopped: APP_PDNS');
    answers(appliance, '- /system/services', { Status: true, squid: 'running', ftp: 'disabled' });
    expect(await type('/appliance services')).toContain('1 service running, none stopped, 1 switched off');
  });

  test('reports a disabled DNS firewall, which is no fault', async () => {
    const { type, appliance } = await field();
    answers(appliance, '- /dnsfw/status', {
      Status: true,
      Info: '[APP_DNSFW]\nservice_disabled=0\nrunning=0',
    });
    expect(await type('/appliance dns firewall status')).toContain(
      'ℹ️ The DNS firewall is switched off by its setting',
    );
  });
});

test('a category that is listed twice counts once, in the list and among the named ones', async () => {
  const { type, appliance } = await field();
  const category = { category_id: 252, category_name: 'github', table_name: 'category_github1' };
  answers(appliance, 'GET /categories/list', { Status: true, Categories: [category, category] });
  expect(await type('/appliance category list')).toContain('1 category');
  answers(appliance, 'GET /categories/query/{domain}', { Status: true, Categories: [category, category] });
  expect(await type('/appliance categorize example.com')).not.toMatch(/github and github/);
});

test('a refusal that comes twice in one answer is shown once', async () => {
  const { type, appliance } = await field();
  const refusal = JSON.stringify({ status: false, info: 'database is locked' });
  appliance.faults.set('GET /rdpproxy/sessions', { kind: 'text', text: `${refusal}${refusal}` });
  const told = await type('/appliance rdp sessions');
  expect(told).toContain('hq refused: database is locked.');
  expect(told.split('database is locked')).toHaveLength(2);
});

test('a sync by a clock that is ahead is reported with the clock’s owner', async () => {
  const { type, appliance } = await converse();
  const end = new Date(Date.now() + 5 * 3_600_000).toISOString();
  answers(appliance, 'GET /api/status', {
    status: 'healthy',
    sync_stats: { last_sync_end: end, is_running: false },
    disk_space: { used_percent: '94.9%', free_bytes: '527 GB' },
  });
  const told = await type('/appliance mirror status');
  expect(told).toMatch(/last synced .+ by its own clock, which is at least [45] h.* ahead of the bot’s/);
  expect(told).toContain('94.9% full, 527 GB free');
  expect(told).not.toContain('not recognized');
});
