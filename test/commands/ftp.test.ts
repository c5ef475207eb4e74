import { expect, test } from 'vitest';
import { converse } from '../conversation.ts';

test('the INI content of the status becomes a sentence and readable fields', async () => {
  const { type } = await converse();
  const told = await type('/appliance ftp status');
  expect(told).toContain('The FTP server is running for 3 days');
  expect(told).toMatch(/Installed {2}yes\n.*Running {2}yes\n.*Master PID {2}2841\n/);
  expect(told).toMatch(/Uptime {2}3 days/);
  expect(told).not.toContain('[APP_FTPD]');
});

test('events are searched by all words of a quotation, as many as wanted, and stay plain text', async () => {
  const { type, appliance, workspace } = await converse();
  const told = await type('/appliance ftp events "login failed" 50');
  expect(told).toMatch(/\d+ events of the FTP server with login failed\n/);
  expect(told).toMatch(/\d{4} +<!channel> \*admin\*@203\.0\.113\.77 login failed: no such user/);
  expect(appliance.requests.at(-1)?.path).toBe('/ftpd/events/login%20failed/50');
  const sent = workspace.log.calls().filter(({ method }) => method === 'chat.postMessage');
  expect(JSON.stringify(sent.map(({ args }) => args.blocks))).not.toContain('broadcast');
  expect(await type('/appliance ftp events admin 2')).toContain(
    '2 events of the FTP server with admin. Limit reached: there may be more',
  );
  expect(await type('/appliance ftp events nobody')).toContain('contains nobody');
  expect(appliance.requests.at(-1)?.path).toBe('/ftpd/events/nobody/50');
});

test('an invalid number of events is refused before anything is sent', async () => {
  const { type, appliance } = await converse();
  for (const rows of ['0', '-5', '2.5', '99999999']) {
    expect(await type(`/appliance ftp events admin ${rows}`)).toContain('No changes were made.');
  }
  expect(appliance.requests).toEqual([]);
});

test('a restart asks first, and is proven by another process', async () => {
  const { type, press } = await converse();
  expect(await type('/appliance ftp restart', 'bob')).toMatch(
    /Restart the FTP server of hq\?\n +State {2}running for 3 days\n +Impact {2}running transfers are aborted/,
  );
  expect(await press('Restart', 'bob')).toMatch(
    /✅ FTP server restarted(?:.*\n)+.*has started again, process 2898 instead of 2841/,
  );
});

test('a restart without effect has failed', async () => {
  const { type, press, appliance } = await converse();
  await type('/appliance ftp restart', 'bob');
  appliance.faults.set('GET /ftpd/restart', { kind: 'forget' });
  expect(await press('Restart', 'bob')).toContain('the FTP server is still the same run as before');
});

test('uninstalling shows what stops, is read back, and leaves nothing to restart', async () => {
  const { type, press, appliance } = await converse();
  expect(await type('/appliance ftp uninstall', 'bob')).toMatch(
    /Impact {2}all FTP uploads and downloads stop\n +To restore {2}\/appliance ftp install/,
  );
  expect(await press('Uninstall', 'bob')).toContain('Status read back: the FTP server is not installed.');
  expect(appliance.state.ftpd.process).toBeUndefined();
  expect(await type('/appliance ftp restart', 'bob')).toContain('The FTP server is not installed on hq.');
  expect(await type('/appliance ftp uninstall', 'bob')).toContain('The FTP server is not installed on hq.');
});

test('installing runs at once, is read back, and can be undone', async () => {
  const { type, press, appliance } = await converse();
  appliance.state.ftpd.process = undefined;
  const told = await type('/appliance ftp install', 'bob');
  expect(told).toContain('Status read back: the FTP server is installed and running');
  expect(told).toContain('[Undo]');
  await press('Undo', 'bob');
  expect(appliance.state.ftpd.process).toBeUndefined();
});

test('an installed FTP server is not installed again, and missing binaries are named as the reason', async () => {
  const { type, appliance } = await converse();
  expect(await type('/appliance ftp install', 'bob')).toContain('The FTP server of hq is already installed');
  appliance.state.ftpd.process = undefined;
  appliance.state.software.installed.delete('APP_FTPD');
  expect(await type('/appliance ftp install', 'bob')).toContain(
    'hq refused: The binaries of the FTP server are not stored on this appliance. No changes were made: Status read back: the FTP server is not installed.',
  );
});

test('a temporary installation is uninstalled at its end, also where the server was restarted meanwhile', async () => {
  const { type, press, pass, read, appliance } = await converse();
  appliance.state.ftpd.process = undefined;
  await type('/appliance ftp install --for 30m', 'bob');
  await pass(10 * 60_000);
  await type('/appliance ftp restart', 'bob');
  await press('Restart', 'bob');
  await pass(25 * 60_000);
  expect(appliance.state.ftpd.process, read('bob')).toBeUndefined();
});
