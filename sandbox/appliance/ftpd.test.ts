import { expect, test } from 'vitest';
import { appliance, get, pass, withAnAppliance } from './testing.ts';

withAnAppliance();

const status = async () => (await get<{ Info: string }>('/ftpd/status')).Info;

interface Events {
  Events: { Date: string; Event: string }[];
}

test('the status is INI text in Info, and its uptime moves', async () => {
  expect(await status()).toMatch(/^\[APP_FTPD\]\n(\w+=.*\n)+$/);
  expect(await status()).toContain('\nuptime=259200\n');
  pass(30);
  expect(await status()).toContain('\nuptime=259230\n');
});

test('a restart gives it another process and is in the log', async () => {
  expect(await status()).toContain('\nmaster_pid=2841\n');
  expect(await get('/ftpd/restart')).toMatchObject({ Status: true });
  expect(await status()).toMatch(/\nmaster_pid=2898\n(.*\n)*uptime=0\n/);
  expect(await get('/ftpd/events/FTP%20server/2')).toMatchObject({
    Events: [
      { Date: '2026-11-20 12:00:00', Event: 'FTP server started, listening on port 21' },
      { Date: '2026-11-20 12:00:00', Event: 'FTP server stopped' },
    ],
  });
});

test('uninstalled it cannot be restarted; installed again it runs', async () => {
  await get('/ftpd/uninstall');
  expect(await status()).toMatch(/\ninstalled=0\nrunning=0\n/);
  expect(await get('/ftpd/restart')).toMatchObject({
    Status: false,
    Error: 'The FTP server is not installed',
  });
  expect(await get('/ftpd/install')).toMatchObject({ Status: true });
  expect(await status()).toMatch(/\ninstalled=1\nrunning=1\n/);
});

test('an installation without its binaries is refused', async () => {
  await get('/ftpd/uninstall');
  appliance.state.software.installed.delete('APP_FTPD');
  expect(await get('/ftpd/install')).toMatchObject({ Status: false });
  await get('/system/softwares/install/APP_FTPD/10308');
  expect(await get('/ftpd/install')).toMatchObject({ Status: true });
  expect(await status()).toContain('\nmaster_version=1.3.8\n');
});

test('events are found by all words, newest first, no more than asked for', async () => {
  const { Events } = await get<Events>('/ftpd/events/LOGIN%20failed/3');
  expect(Events).toHaveLength(3);
  expect(Events.every(({ Event }) => Event.includes('login failed'))).toBe(true);
  expect(Events.map(({ Date: at }) => at)).toEqual(
    Events.map(({ Date: at }) => at)
      .toSorted()
      .toReversed(),
  );
  expect((await get<Events>('/ftpd/events/*/1000')).Events).toHaveLength(appliance.state.ftpd.events.length);
  expect(await get('/ftpd/events/nobody/5')).toMatchObject({ Status: true, Events: [] });
});

test.each(['0', '-1', 'all', '1.5'])('%s is no number of rows', async (max) => {
  expect(await get(`/ftpd/events/login/${max}`)).toMatchObject({ Status: false });
});
