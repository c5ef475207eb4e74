import { expect, test } from 'vitest';
import { type Conversation, converse } from './conversation.ts';
import { idOf, page, wordsIn } from './home-page.ts';
import { replicas } from './replicas.ts';

const published = ({ workspace }: Pick<Conversation, 'workspace'>) =>
  workspace.log.calls('views.publish').length;

const emergency = '/appliance emergency enable --for 30m --reason "directory down"';

test('Home shows a person’s commands as buttons, the appliances with their health, and no alphabetic list', async () => {
  const house = await converse();
  await house.person('vic').openHome();
  const seen = page(house, 'vic');
  expect(seen).toContain('[Run a command]');
  expect(seen).toMatch(/Appliances\nhq: .*no problems found/);
  expect(seen).toMatch(/Your commands\n(\[[a-z ]+\]){3,10}$/);
  expect(seen).not.toContain('[rdp disconnect]');
});

test('Home shows the commands that somebody runs most first, and each opens its form', async () => {
  const house = await converse();
  for (const line of ['acl objects', 'acl objects', 'categorize example.com'])
    await house.type(`/appliance ${line}`);
  const alice = house.person('alice');
  await alice.openHome();
  expect(page(house, 'alice')).toContain('Your commands\n[acl objects][categorize]');
  await alice.press('home', 'categorize');
  await alice.fill({ Domain: 'example.org' });
  await alice.submit();
  expect(house.read()).toContain('example.org');
});

test('Home shows a lookup as it was asked, without an old answer, and nobody as an ID', async () => {
  const house = await converse();
  await house.type(emergency, 'bob');
  await house.press('Approve', 'carol');
  await house.type('/appliance watch status', 'bob');
  await house.person('bob').openHome();
  const lately = page(house, 'bob').split('What you did lately\n')[1] ?? '';
  expect(lately).toMatch(/^:white_check_mark: watch status, /);
  expect(lately).not.toContain('requested by');
});

test('Home has sections with titles and space above them, and one primary button', async () => {
  const house = await converse();
  const primary = (name: string) =>
    JSON.stringify(house.workspace.snapshot(idOf(house, name)).home).split('"style":"primary"').length - 1;
  await house.person('carol').openHome();
  const { blocks = [] } = house.workspace.snapshot(idOf(house, 'carol')).home ?? {};
  const at = blocks.findIndex((block) => wordsIn(block) === 'Appliances');
  expect(blocks.slice(at - 1, at + 1).map(({ type }) => type)).toEqual(['divider', 'header']);
  expect(primary('carol')).toBe(1);
  await house.type(emergency, 'bob');
  await house.person('carol').openHome();
  expect(page(house, 'carol')).toContain('[Approve]');
  expect(primary('carol')).toBe(1);
});

test('a request for approval is decided on the approver’s page, and nobody else has it there', async () => {
  const house = await converse();
  await house.type(emergency, 'bob');
  const carol = house.person('carol');
  await carol.openHome();
  expect(page(house, 'carol')).toMatch(
    /Waiting for your approval\nEnable emergency mode on hq for 30 min\?.*\n.*@U0BOB00001 in #C0HELPDESK/,
  );
  await house.person('alice').openHome();
  expect(page(house, 'alice')).not.toContain('Approve');
  await carol.press('home', 'Approve');
  expect(house.read('bob')).toContain('Emergency mode on hq is on');
  expect(house.read('bob')).toContain('Approved by  @carol');
});

test('a request is denied on Home with a reason, and withdrawn on its requester’s page', async () => {
  const house = await converse();
  await house.type(emergency, 'bob');
  await house.person('carol').openHome();
  await house.person('carol').press('home', 'Deny…');
  await house.person('carol').fill({ Reason: 'not today' });
  await house.person('carol').submit();
  expect(house.read('bob')).toContain('Denied by @carol: not today.');
  await house.type(emergency, 'bob');
  await house.person('bob').openHome();
  expect(page(house, 'bob')).toContain('Your open requests\n');
  await house.person('bob').press('home', 'Withdraw');
  expect(house.read('bob')).toContain('Withdrawn by @bob');
});

test('a temporary change stands on top of every page of its channel, with its end, and is ended there', async () => {
  const house = await converse();
  await house.type(emergency, 'bob');
  await house.press('Approve', 'carol');
  await house.person('bob').openHome();
  expect(page(house, 'bob')).toMatch(
    /:rotating_light: Emergency mode on hq is on until .*\n.*directory down\n\[End now\]\[Extend\]/,
  );
  await house.person('vic').openHome();
  expect(page(house, 'vic')).toContain('Emergency mode on hq is on');
  expect(page(house, 'vic')).not.toContain('[End now]');
  // Once, and what else there is to know of that appliance.
  expect(page(house, 'vic').split('Emergency mode').length - 1).toBe(1);
  expect(page(house, 'bob').split('Emergency mode').length - 1).toBe(1);
  expect(page(house, 'vic')).toMatch(/hq: :white_check_mark: no other problems found/);
  expect(page(house, 'vic')).not.toContain('emergency.');
  await house.person('bob').press('home', 'End now');
  await expect.poll(() => page(house, 'bob')).not.toContain('Emergency mode on hq is on');
});

test('a change is undone on the page of the person who made it', async () => {
  const house = await converse();
  await house.type('/appliance acl object disable google_sni', 'bob');
  await house.person('bob').openHome();
  expect(page(house, 'bob')).toMatch(/What you did lately\n✅ ACL object google_sni disabled.*\n\[Undo\]/);
  await house.person('bob').press('home', 'Undo');
  expect(house.appliance.state.acl.objects.get(3)?.enabled).toBe(true);
  await expect
    .poll(() => page(house, 'bob'))
    .toMatch(
      /✅ ACL object google_sni enabled.*\n\[Undo\]\n:white_circle: Undone: ACL object google_sni disabled.*\n\nYour commands/,
    );
});

test('a button of a change stands in its row, and a change that ended is not shown as done', async () => {
  const house = await converse();
  await house.type('/appliance acl object disable google_sni --for 1h', 'bob');
  await house.type('/appliance category add shop.example.net to 252', 'bob');
  await house.person('bob').openHome();
  // Only the top of the page shows a temporary change.
  expect(page(house, 'bob').split('google_sni').length - 1).toBe(1);
  const { blocks = [] } = house.workspace.snapshot(idOf(house, 'bob')).home ?? {};
  const row = blocks.find((block) => wordsIn(block).includes('shop.example.net added'));
  expect(row).toMatchObject({ type: 'section', accessory: { type: 'button', text: { text: 'Undo' } } });
  await house.pass(61 * 60_000);
  await house.person('bob').openHome();
  expect(page(house, 'bob')).toMatch(/:white_circle: Undone: ACL object google_sni disabled/);
});

test('an open page changes when something does, and is not sent again while it looks the same', async () => {
  const house = await converse();
  await house.person('carol').openHome();
  const before = published(house);
  await house.pass(25_000);
  await house.pass(25_000);
  expect(published(house)).toBe(before);
  await house.type(emergency, 'bob');
  await expect.poll(() => page(house, 'carol')).toContain('[Approve]');
});

test('somebody in no channel of the bot any more can press nothing on their page', async () => {
  const channels = [{ id: 'C0HELPDESK', name: 'helpdesk', members: ['U0BOB00001', 'U0CAROL001'] }];
  const house = await converse({ workspace: { channels } });
  await house.type(emergency, 'bob');
  await house.person('carol').openHome();
  await house.workspace.changeChannel('C0HELPDESK', { members: new Set(['U0BOB00001', 'U0THEAPP01']) });
  await house.pass(15_000);
  await house.person('carol').press('home', 'Approve');
  expect(house.read('carol', 'appliance-bot')).toContain(
    'You aren’t a member of this channel. No changes were made.',
  );
  expect(house.read('bob')).not.toContain('Approved by');
  await house.person('carol').openHome();
  expect(page(house, 'carol')).toContain('You have no role in any channel that you are in.');
});

test('a replica that knew less refreshes the page when two replicas show it', async () => {
  const house = await replicas(2);
  house.at(0);
  await house.person('carol').openHome();
  house.at(1);
  await house.person('carol').openHome();
  await house.type(emergency, 'bob');
  await house.pass(25_000);
  await expect.poll(() => page(house, 'carol')).toContain('[Approve]');
  expect(house.workspace.log.calls('views.publish').some(({ error }) => error === 'hash_conflict')).toBe(
    true,
  );
  await house.press('Approve', 'carol');
  await house.pass(25_000);
  await expect.poll(() => page(house, 'carol')).toContain('Emergency mode on hq is on');
});
