import { expect, test } from 'vitest';
import { converse } from '../conversation.ts';

const wanted = 'hq requires a login, and the bot has none for it';
const cure = (setting: string) =>
  `Let the bot’s address through without a login, or set ${setting} in the bot’s configuration to the address of the API itself.`;

test.each([
  ['rdp sessions', 'GET /rdpproxy/sessions', 'url'],
  ['appliance version', '- /appliance_version', 'directory_url'],
  ['mirror status', 'GET /api/status', 'mirror_url'],
])(
  '%s: a redirect to a login page is reported as that, with the setting',
  async (line, operation, setting) => {
    const { type, appliance } = await converse();
    appliance.faults.set(operation, { kind: 'redirect', to: '/console/login?next=/' });
    const said = await type(`/appliance ${line}`);
    expect(said).toContain(
      `${wanted} (HTTP 302). It leads to /console/login. No changes were made. ${cure(setting)}`,
    );
    expect(said).not.toMatch(/Check that the configured address|mirror console/);
    const text = '{"status":false,"info":"Session expired. Please login again."}';
    appliance.faults.set(operation, { kind: 'text', text });
    const other = (await type(`/appliance ${line}`)).slice(said.length);
    expect(other).toContain(`${wanted}. No changes were made. ${cure(setting)}`);
    expect(other).not.toContain('mirror console');
  },
);

test('the login of the mirror’s console is distinguished from that', async () => {
  const { type, appliance } = await converse();
  appliance.faults.set('GET /api/console/events', { kind: 'redirect', to: '/login' });
  expect(await type('/appliance mirror events')).toContain(
    'hq requires a login at its mirror console (HTTP 302). It leads to /login. No changes were made. Set mirror_console_user and mirror_console_password in the bot’s configuration.',
  );
});

test('a redirect elsewhere is reported with its target', async () => {
  const { type, appliance } = await converse();
  appliance.faults.set('GET /rdpproxy/sessions', { kind: 'redirect', to: 'https://other.example/start' });
  expect(await type('/appliance rdp sessions')).toContain(
    'hq redirected the bot to https://other.example/start, and the bot does not follow redirects. No changes were made. Check that the configured address is that of the Web API.',
  );
});

test('an order that is sent to a login page was not carried out', async () => {
  const { type, press, appliance } = await converse();
  await type('/appliance rdp disconnect 12');
  appliance.faults.set('POST /rdpproxy/sessions/{id}/disconnect', { kind: 'redirect', to: '/login' });
  const said = await press('Disconnect');
  expect(said).toContain('❌ Disconnecting session 12 of bob.miller on srv-files-01 failed');
  expect(said).toContain('No changes were made: Sessions read back: 12 is still open.');
  expect(said).toContain(wanted);
});
