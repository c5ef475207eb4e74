import { expect, test } from 'vitest';
import { converse } from '../conversation.ts';

const wanted = 'hq wants a login, and the bot has none for it';
const cure = (setting: string) =>
  `Let the bot’s address through without a login, or set ${setting} in the bot’s configuration to the address of the API itself.`;

test.each([
  ['rdp sessions', 'GET /rdpproxy/sessions', 'url'],
  ['appliance version', '- /appliance_version', 'directory_url'],
  ['mirror status', 'GET /api/status', 'mirror_url'],
])('%s: what leads to a login page is told as that, with what to set', async (line, operation, setting) => {
  const { type, appliance } = await converse();
  appliance.faults.set(operation, { kind: 'redirect', to: '/console/login?next=/' });
  const said = await type(`/appliance ${line}`);
  expect(said).toContain(`${wanted} (HTTP 302). ${cure(setting)} It leads to /console/login.`);
  expect(said).not.toMatch(/is the configured address|mirror console/);
  const text = '{"status":false,"info":"Session expired. Please login again."}';
  appliance.faults.set(operation, { kind: 'text', text });
  const other = (await type(`/appliance ${line}`)).slice(said.length);
  expect(other).toContain(`${wanted}. ${cure(setting)}`);
  expect(other).not.toContain('mirror console');
});

test('the console of the mirror has a login for the bot, and is told from that', async () => {
  const { type, appliance } = await converse();
  appliance.faults.set('GET /api/console/events', { kind: 'redirect', to: '/login' });
  expect(await type('/appliance mirror events')).toContain(
    'hq wants a login at its mirror console (HTTP 302). Set mirror_console_user and mirror_console_password in the bot’s configuration. It leads to /login.',
  );
});

test('what leads elsewhere is told with where it leads', async () => {
  const { type, appliance } = await converse();
  appliance.faults.set('GET /rdpproxy/sessions', { kind: 'redirect', to: 'https://other.example/start' });
  expect(await type('/appliance rdp sessions')).toContain(
    'hq sent the bot to another address (https://other.example/start), which it does not follow: is the configured address the Web API’s?',
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
