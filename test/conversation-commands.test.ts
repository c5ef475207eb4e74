import { expect, test } from 'vitest';
import { personIn } from '../sandbox/person.ts';
import { converse } from './conversation.ts';

const disabled = async () => {
  const conversation = await converse();
  await conversation.type('/appliance acl object disable google_sni', 'bob');
  const { objects } = conversation.appliance.state.acl;
  expect(objects.get(3)?.enabled).toBe(false);
  const enabling = () =>
    conversation.appliance.requests.filter(({ path }) => path.startsWith('/proxy/acls/object/enable/'));
  return { ...conversation, isEnabled: () => objects.get(3)?.enabled, enabling };
};

test('undo takes back one’s own newest change at once, as a click on its Undo does', async () => {
  const { type, read, isEnabled, enabling } = await disabled();
  await type('/appliance undo that', 'bob');
  expect(isEnabled()).toBe(true);
  expect(enabling()).toHaveLength(1);
  expect(read('bob')).toContain('Undone by @bob.');
  expect(await type('/appliance undo', 'bob')).toContain('Your last change here was already undone by @bob');
  expect(isEnabled()).toBe(true);
});

test('undo leaves others’ changes and other channels alone, and is refused without the role', async () => {
  const { type, isEnabled, enabling, workspace } = await disabled();
  expect(await type('/appliance undo', 'carol')).toContain('You made no change in this channel lately');
  expect(await type('/appliance undo', 'bob', 'incident')).toContain(
    'You made no change in this channel lately',
  );
  await workspace.changeChannel('C0HELPDESK', { isExtShared: true });
  await type('/appliance undo', 'bob');
  expect(isEnabled()).toBe(false);
  expect(enabling()).toEqual([]);
});

test('a guessed undo shows its button and does nothing', async () => {
  const { type, press, isEnabled, enabling } = await disabled();
  expect(await type('/appliance oh i made a mistake', 'bob')).toContain('[undo]');
  expect(await press('undo', 'bob')).toContain(
    'This would undo your last change here: acl object disable google_sni',
  );
  expect(enabling()).toEqual([]);
  await press('Undo', 'bob');
  expect(isEnabled()).toBe(true);
});

test('undo typed while its button is clicked takes the change back once', async () => {
  const { workspace, bot, isEnabled, enabling } = await disabled();
  const hastily = personIn(workspace, { idle: async () => undefined }, 'bob');
  await Promise.all([
    hastily.press('helpdesk', 'Undo'),
    hastily.type('helpdesk', '/appliance undo'),
    hastily.type('helpdesk', '/appliance revert'),
  ]);
  await bot.idle();
  expect(isEnabled()).toBe(true);
  expect(enabling()).toHaveLength(1);
});

test('undo means the last change that can be undone, and names what came after it', async () => {
  const { type } = await converse();
  await type('/appliance acl object disable google_sni', 'dana');
  await type('/appliance acl compile', 'dana');
  const said = await type('/appliance undo', 'dana');
  expect(said).toContain('This would undo your last change here: acl object disable google_sni');
  expect(said).toContain('A later change in this channel stays as it is: @dana ran acl compile.');
});

test('undo says of no change that it stays, when it was undone since', async () => {
  const { type, press } = await converse();
  await type('/appliance acl object disable google_sni', 'bob');
  await type('/appliance acl object disable 12', 'dana');
  await press('Undo', 'dana');
  const said = await type('/appliance undo', 'bob');
  expect(said).toContain('acl object disable google_sni');
  expect(said).not.toContain('stays');
});

test('undo says which change of somebody else stays, and that there is nothing to undo', async () => {
  const { type } = await converse();
  expect(await type('/appliance rollback', 'bob')).toContain('there is nothing to undo');
  await type('/appliance acl object disable google_sni', 'bob');
  await type('/appliance acl object disable 12', 'dana');
  const said = await type('/appliance rollback', 'bob');
  expect(said).toContain('A later change in this channel stays as it is: @dana ran acl object disable 12.');
});

test('cancel cancels one’s own card, and nobody else’s', async () => {
  const { type, press, read, appliance } = await converse();
  await type('/appliance rdp disconnect 12', 'bob');
  expect(await type('/appliance cancel', 'dana')).toContain(
    'None of your requests is planned or waiting for confirmation or approval',
  );
  for (const words of ['never mind', 'cancel my request', 'withdraw my request', 'withdraw my requests'])
    expect(await type(`/appliance ${words}`, 'bob')).toContain('Waiting for confirmation or approval:');
  await press('Cancel', 'bob');
  expect(read('bob')).toContain('Canceled by @bob');
  expect(appliance.state.rdp.sessions.has(12)).toBe(true);
});

test('a typed yes confirms nothing, and shows the card with its buttons', async () => {
  const { type, press, appliance } = await converse();
  await type('/appliance rdp disconnect 12', 'bob');
  const said = await type('/appliance yes', 'bob');
  expect(said).toContain('1 request waits for you. Words approve and deny nothing: press a button.');
  expect(said.split('Your open requests')[1]).toMatch(
    /Disconnect session 12 of bob\.miller on srv-files-01\?\n.*rdp disconnect 12 waits for your click[\s\S]*\[Disconnect\] \[Cancel\]/,
  );
  expect(appliance.state.rdp.sessions.has(12)).toBe(true);
  await press('Disconnect', 'bob');
  expect(appliance.state.rdp.sessions.has(12)).toBe(false);
});

test('again runs a lookup at once', async () => {
  const { type } = await converse();
  await type('/appliance rdp sessions', 'bob');
  expect((await type('/appliance again', 'bob')).match(/remote-desktop sessions/g)?.length).toBeGreaterThan(
    1,
  );
});

test('again offers a change once more, and asks first even when it ran at once before', async () => {
  const { type, press, appliance } = await converse();
  await type('/appliance acl object disable google_sni', 'bob');
  const object = appliance.state.acl.objects.get(3);
  if (object !== undefined) object.enabled = true;
  expect(await type('/appliance again', 'bob')).toContain(
    'Your last command here: /appliance acl object disable google_sni',
  );
  const card = await press('acl object disable google_sni', 'bob');
  expect(card).toContain('[Cancel]');
  expect(appliance.state.acl.objects.get(3)?.enabled).toBe(true);
});

test('more shows page after page of one’s last answer, asks the appliance nothing, and says when it was the last', async () => {
  const { type, appliance } = await converse();
  const first = await type('/appliance acl objects', 'vic');
  expect(first).toContain('Rows 1–15 of 26');
  const before = appliance.requests.length;
  expect(await type('/appliance more', 'vic')).toContain('Rows 16–26 of 26');
  expect(await type('/appliance next page', 'vic')).toContain(
    'Your last answer here (/appliance acl objects) has no further page.',
  );
  expect(appliance.requests).toHaveLength(before);
  expect(await type('/appliance more', 'bob')).toContain('You have no recent answer in this channel.');
});
