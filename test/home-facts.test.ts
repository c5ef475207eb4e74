import { expect, test } from 'vitest';
import { type Conversation, converse } from './conversation.ts';
import { page } from './home-page.ts';

const emergency = '/appliance emergency enable --for 30m --reason "directory down"';
const refused = { kind: 'error', error: 'internal_error' } as const;

/** The line of an appliance on a person's page. */
const lineOf = (house: Conversation, name: string, appliance = 'hq') =>
  page(house, name)
    .split('\n')
    .find((line) => line.startsWith(`${appliance}:`));

test('a page that cannot be made because Slack does not list somebody’s channels says so, and comes by itself later', async () => {
  const house = await converse();
  house.workspace.faults.next('users.conversations', refused, 50);
  await house.person('alice').openHome();
  expect(page(house, 'alice')).toContain('Couldn’t read from Slack which channels you are in');
  expect(page(house, 'alice')).not.toContain('You have no role');
  house.workspace.faults.clear();
  await house.pass(25_000);
  await expect.poll(() => page(house, 'alice')).toContain('Hello');
});

test('the page does not claim that somebody has no role when no group could be read', async () => {
  const served = { appliance: 'hq', roles: { operator: ['S0OPERATOR'] } };
  const house = await converse({ policy: { channels: { C0HELPDESK: { name: 'helpdesk', ...served } } } });
  house.workspace.faults.next('usergroups.users.list', refused, 50);
  house.wait(60 * 60_000);
  await house.person('bob').openHome();
  expect(page(house, 'bob')).toContain('Couldn’t read from Slack which user groups you are in');
  expect(page(house, 'bob')).not.toContain('You have no role');
});

test('the page does not claim that somebody has no role when the person could not be looked up', async () => {
  const house = await converse();
  house.workspace.faults.next('users.info', refused, 50);
  await house.person('alice').openHome();
  expect(page(house, 'alice')).toContain('Couldn’t read from Slack which user groups you are in');
  expect(page(house, 'alice')).not.toContain('You have no role');
});

test('a direct message that fits no channel because Slack does not list them says so, and asks no appliance', async () => {
  const house = await converse();
  house.workspace.faults.next('users.conversations', refused, 50);
  const said = await house.write('status', 'bob', 'appliance-bot');
  expect(said).toContain(
    'Couldn’t find out from Slack which channels you are in, so this was refused. No changes were made.',
  );
  expect(said).not.toContain('You aren’t in any channel');
  expect(house.appliance.requests).toEqual([]);
  expect((await house.bot.journal.recent(1))[0]).toMatchObject({
    state: 'refused',
    outcome: { code: 'lookup_failed' },
  });
});

test('Home shows an approver the reason and the preview that the card in the channel shows', async () => {
  const house = await converse();
  await house.type(emergency, 'bob');
  await house.person('carol').openHome();
  const asked = page(house, 'carol').split('[Approve]')[0] ?? '';
  expect(asked).toMatch(/Reason\W+directory down/);
  expect(asked).toContain('State when asked');
  expect(asked).toContain('Needs');
  expect(asked).not.toContain('Asked by\n');
});

test('Home hides from an approver what the requester may not see, until the approval', async () => {
  const house = await converse();
  await house.type('/appliance acl object disable google_sni', 'vic');
  await house.press('Ask for approval', 'vic');
  await house.person('bob').openHome();
  expect(page(house, 'bob')).toContain('[Approve]');
  expect(page(house, 'bob')).toMatch(/who can’t run it without approval/);
  expect(page(house, 'bob')).not.toContain('Rules that use it');
});

test('an old status of an appliance is marked as that, and replaced as soon as it answers', async () => {
  const house = await converse();
  await house.person('bob').openHome();
  expect(lineOf(house, 'bob')).toMatch(/^hq: .*no problems found/);
  house.wait(8 * 60 * 60_000);
  Object.assign(house.appliance.state.directory.proxy.ports[0] as object, { listening: false });
  house.appliance.faults.set('- /proxy/ports/check', { kind: 'slow', ms: 800 });
  await house.person('bob').openHome();
  expect(lineOf(house, 'bob')).toMatch(/^hq: asking again… As of \d.*no problems found/);
  await expect.poll(() => lineOf(house, 'bob')).toContain('Not listening: 3128');
  expect(lineOf(house, 'bob')).not.toContain('As of');
});

test('a temporary change stands above all buttons', async () => {
  const house = await converse();
  await house.type(emergency, 'bob');
  await house.press('Approve', 'carol');
  await house.person('vic').openHome();
  const seen = page(house, 'vic');
  expect(seen.indexOf(':rotating_light:')).toBeLessThan(seen.indexOf('[Run a command]'));
});

test('a double click on Home sends no message: the page and the card show the outcome of the first', async () => {
  const house = await converse();
  await house.type(emergency, 'bob');
  const carol = house.person('carol');
  await carol.openHome();
  await Promise.all([carol.press('home', 'Approve'), carol.press('home', 'Approve')]);
  await house.bot.idle();
  expect(house.read('bob')).toContain('Approved by  @carol');
  expect(house.read('carol', 'appliance-bot')).toBe('');
  await house.type('/appliance acl object disable google_sni', 'bob');
  const bob = house.person('bob');
  await bob.openHome();
  await Promise.all([bob.press('home', 'Undo'), bob.press('home', 'Undo')]);
  await house.bot.idle();
  expect(house.read('bob', 'appliance-bot')).toBe('');
});
