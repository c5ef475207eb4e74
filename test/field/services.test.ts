import { describe, expect, test } from 'vitest';
import { answers, answersAfter } from '../after-order.ts';
import { converse } from '../conversation.ts';

const field = () => converse({ generation: 'field-v1' });

describe('the status of a service, which is INI text', () => {
  test('is read and worded for the remote-desktop gateway', async () => {
    const { type, appliance } = await field();
    const told = await type('/appliance rdp status');
    expect(told).toContain('Remote-desktop gateway: running');
    expect(told).toContain(`Master PID  ${appliance.state.rdp.gateway.pid}`);
    expect(told).not.toContain('[APP_RDPPROXY]');
  });

  test('has the questions to its recursor for the DNS server', async () => {
    const { type } = await field();
    const told = await type('/appliance dns status');
    expect(told).toMatch(
      /The DNS server is running; its recursor received [\d,]+ queries, 83\.9% of them answered from its cache/,
    );
    expect(told).not.toContain('master_pid=');
  });

  test('says whether the FTP server runs', async () => {
    const { type, appliance } = await field();
    expect(await type('/appliance ftp status')).toContain('The FTP server is running');
    answers(appliance, 'GET /ftpd/status', { Status: true, Info: '[APP_FTPD]\nrunning=0\nmaster_pid=0' });
    expect(await type('/appliance ftp status')).toContain('The FTP server is not running');
  });

  test.each([
    ['GET /rdpproxy/status', '/appliance rdp status'],
    ['GET /authdns/status', '/appliance dns status'],
    ['GET /ftpd/status', '/appliance ftp status'],
  ])('says that a service does not run: %s', async (operation, line) => {
    const { type, appliance } = await field();
    answers(appliance, operation, { Status: true, Info: '[APP]\nrunning=0\nmaster_pid=0' });
    expect(await type(line)).toContain('not running');
  });

  test('shows by another process that the service was restarted', async () => {
    const { type, press } = await field();
    await type('/appliance dns restart', 'bob');
    expect(await press('Restart', 'bob')).toMatch(
      /the DNS server has started again, process \d+ instead of \d+/,
    );
  });
});

describe('an answer with nothing in it', () => {
  test.each([
    ['GET /rdpproxy/status', '/appliance rdp status'],
    ['GET /rdpproxy/state', '/appliance rdp state'],
    ['GET /rdpproxy/sessions', '/appliance rdp sessions'],
    ['GET /rdpproxy/siem/status', '/appliance rdp siem status'],
    ['GET /authdns/status', '/appliance dns status'],
    ['GET /authdns/statistics', '/appliance dns statistics'],
    ['GET /authdns/domains', '/appliance dns domains'],
    ['GET /ftpd/status', '/appliance ftp status'],
    ['GET /ftpd/events/{search}/{max}', '/appliance ftp events login'],
    ['GET /system/network/vlan/list', '/appliance vlan list'],
    ['- /sqldb/databases', '/appliance sql databases'],
    ['- /sqldb/service/processes', '/appliance sql processes'],
    ['GET /api/health', '/appliance mirror health'],
    ['GET /api/clients', '/appliance mirror clients'],
    ['GET /api/disk', '/appliance mirror disk'],
    ['GET /api/console/events', '/appliance mirror events'],
  ])('is no answer, and the sentence says what to do: %s', async (operation, line) => {
    const { type, appliance } = await field();
    for (const body of ['{}', '']) {
      appliance.faults.set(operation, { kind: 'empty', body });
      const told = await type(line);
      expect(told).toContain(
        'hq answered with nothing at all. The service behind this call is most likely stopped or starting: see services.',
      );
    }
  });

  test.each([
    ['GET /rdpproxy/sessions', { Sessions: null }, '/appliance rdp sessions'],
    ['GET /authdns/domains', { domains: null }, '/appliance dns domains'],
    ['GET /ftpd/events/{search}/{max}', { Results: null }, '/appliance ftp events login'],
    ['GET /system/network/vlan/list', { interfaces: null }, '/appliance vlan list'],
  ])(
    'proves nothing by null where no status says that the list was read: %s',
    async (operation, body, line) => {
      const { type, appliance } = await field();
      answers(appliance, operation, body);
      const unread = await type(line);
      expect(unread).toContain('answered with something unexpected');
      answers(appliance, operation, { Status: true, ...body });
      expect((await type(line)).slice(unread.length)).not.toContain('do not understand');
    },
  );
});

describe('a text from a print function', () => {
  test('reads as it was meant', async () => {
    const { type, appliance } = await field();
    answers(appliance, 'GET /ftpd/events/{search}/{max}', {
      Status: true,
      Results: ['upload 100%!d(MISSING)one', 'disk at 97%!(NOVERB)'],
    });
    const told = await type('/appliance ftp events upload');
    expect(told).toContain('upload 100%done');
    expect(told).toContain('disk at 97%');
    expect(told).not.toMatch(/MISSING|NOVERB/);
  });

  test('is also read where it breaks the data around it', async () => {
    const { type, appliance } = await field();
    const [client] = appliance.state.sqldb.clients;
    Object.assign(client ?? {}, { statement: 'SELECT "a%" LIKE "b%"', every: 10, takes: 10 });
    expect(await type('/appliance sql processes')).toContain('SELECT "a%" LIKE "b%"');
  });
});

describe('a refusal in info', () => {
  const refusal = { status: false, info: 'Process crashed! size:0 bytes' };

  test.each([
    ['rdp disconnect 12', 'Disconnect', 'POST /rdpproxy/sessions/{id}/disconnect', 'GET /rdpproxy/sessions'],
    ['vlan unlink 8', 'Remove', 'GET /system/network/vlan/unlink/{id}', 'GET /system/network/vlan/list'],
    ['vlan uninstall', 'Uninstall', 'GET /system/network/vlan/uninstall', 'GET /system/network/vlan/list'],
    ['ftp uninstall', 'Uninstall', 'GET /ftpd/uninstall', 'GET /ftpd/status'],
  ])('never makes "%s" checked', async (line, button, order, operation) => {
    const { type, press, appliance } = await field();
    for (const answer of [
      refusal,
      { status: false, info: 'database is locked' },
      {},
      null,
      { Status: true },
    ]) {
      appliance.reset();
      await type(`/appliance ${line}`, 'bob');
      answersAfter(appliance, order, operation, answer);
      expect(await press(button, 'bob')).not.toContain('Verified.');
    }
  });
});

describe('VLAN interfaces', () => {
  test('are proven unlinked by staying in the list, disabled', async () => {
    const { type, press, appliance } = await field();
    await type('/appliance vlan unlink 3', 'bob');
    expect(await press('Remove', 'bob')).toContain(
      'Verified. Interfaces read back: eth1.31 is disabled. Its definition stays in the list.',
    );
    expect(appliance.state.vlan.interfaces.get(3)?.enabled).toBe(false);
    expect(await type('/appliance vlan list', 'bob')).toMatch(/eth1\.31 +disabled/);
    expect(await type('/appliance vlan unlink 3', 'bob')).toContain('is already disabled');
    // A disabled interface is not built with the others, which is no failure.
    await type('/appliance vlan build', 'bob');
    expect(await press('Build', 'bob')).toContain('came up, and none is down');
  });

  test('are called unavailable only by the appliance’s own words', async () => {
    const { type, press } = await field();
    await type('/appliance vlan uninstall', 'bob');
    expect(await press('Uninstall', 'bob')).toContain(
      'the appliance replied: Feature not enabled, Aborting.',
    );
    expect(await type('/appliance vlan list', 'bob')).toContain('The VLAN feature is not installed on hq');
    expect(await type('/appliance vlan install', 'bob')).toContain('VLAN feature installed');
  });
});

test('network interfaces are shown with their states, their speeds and their traffic', async () => {
  const { type } = await field();
  const told = await type('/appliance network interfaces');
  expect(told).toContain('4 network interfaces: 3 up, 1 down');
  expect(told).toMatch(/Interface +State +Received +Sent +Drop +Speed/);
  expect(told).toMatch(/eth0 +up +[\d.]+ [GT]B +[\d.]+ [GT]B +0 +10 Gbit\/s/);
  expect(told).toMatch(/eth3 +down +0 bytes +0 bytes +0 +–/);
});

describe('a list of current users is not called empty when the appliance does not report it:', () => {
  test.each([
    [
      '- /sqldb/service/processes',
      { Processes: [{ Id: 4 }] },
      'sql database delete statistics',
      'Connected now',
    ],
    ['- /sqldb/service/processes', { Processes: [{ Id: 4 }] }, 'sql user revoke reports', 'Connected now'],
    ['GET /rdpproxy/sessions', { Sessions: [{ ID: 4 }] }, 'rdp target delete srv-legacy-01', 'Open sessions'],
    ['GET /rdpproxy/policies', { Policies: [{ ID: 4 }] }, 'rdp target delete srv-legacy-01', 'In policies'],
  ])('%s', async (operation, body, line, told) => {
    const { type, appliance } = await field();
    answers(appliance, operation, { Status: true, ...body });
    expect(await type(`/appliance ${line}`, 'bob')).toContain(`${told}  not reported`);
  });
});
