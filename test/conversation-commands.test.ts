import { expect, test } from 'vitest';
import { converse } from './conversation.ts';

test('undo offers to take back one’s own last change here, by its own button and once', async () => {
  const { type, press, appliance } = await converse();
  await type('/appliance acl object disable google_sni', 'bob');
  const said = await type('/appliance undo that', 'bob');
  expect(said).toContain('This would undo your last change here: acl object disable google_sni');
  await press('Undo', 'bob');
  expect(appliance.state.acl.objects.get(3)?.enabled).toBe(true);
  expect(await type('/appliance undo that', 'carol')).toContain('You changed nothing in this channel lately');
});

test('undo after an undo says so, and does not put the change back', async () => {
  const { type, press, appliance } = await converse();
  await type('/appliance acl object disable google_sni', 'bob');
  await type('/appliance undo', 'bob');
  await press('Undo', 'bob');
  expect(await type('/appliance undo', 'bob')).toContain('was undone already by @bob');
  expect(appliance.state.acl.objects.get(3)?.enabled).toBe(true);
});

test('undo means the last change that can be undone, and names what came after it', async () => {
  const { type } = await converse();
  await type('/appliance acl object disable google_sni', 'dana');
  await type('/appliance acl compile', 'dana');
  const said = await type('/appliance undo', 'dana');
  expect(said).toContain('This would undo your last change here: acl object disable google_sni');
  expect(said).toContain('after it @dana ran acl compile');
});

test('undo says which change of somebody else stays, and that there is nothing to undo', async () => {
  const { type } = await converse();
  expect(await type('/appliance rollback', 'bob')).toContain('there is nothing to undo');
  await type('/appliance acl object disable google_sni', 'bob');
  await type('/appliance acl object disable 12', 'dana');
  const said = await type('/appliance rollback', 'bob');
  expect(said).toContain(
    'It is not the newest change in this channel: after it @dana ran acl object disable 12',
  );
});

test('cancel cancels one’s own card, and nobody else’s', async () => {
  const { type, press, read, appliance } = await converse();
  await type('/appliance rdp disconnect 12', 'bob');
  expect(await type('/appliance cancel', 'dana')).toContain('Nothing of yours waits for a click');
  expect(await type('/appliance never mind', 'bob')).toContain('This waits for a click:');
  await press('Cancel', 'bob');
  expect(read('bob')).toContain('Cancelled by @bob');
  expect(appliance.state.rdp.sessions.has(12)).toBe(true);
});

test('a typed yes confirms nothing and shows the card', async () => {
  const { type, appliance } = await converse();
  await type('/appliance rdp disconnect 12', 'bob');
  const said = await type('/appliance yes', 'bob');
  expect(said).toContain('A typed answer confirms nothing. Press the button on the card:');
  expect(said).toContain('rdp disconnect 12');
  expect(appliance.state.rdp.sessions.has(12)).toBe(true);
});

test('again offers the last line once more, and a change that runs at once asks first then', async () => {
  const { type, press, appliance } = await converse();
  await type('/appliance acl object disable google_sni', 'bob');
  const object = appliance.state.acl.objects.get(3);
  if (object !== undefined) object.enabled = true;
  expect(await type('/appliance again', 'bob')).toContain(
    'Your last line here was /appliance acl object disable google_sni',
  );
  const card = await press('acl object disable google_sni', 'bob');
  expect(card).toContain('[Cancel]');
  expect(appliance.state.acl.objects.get(3)?.enabled).toBe(true);
});
