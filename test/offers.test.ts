import { expect, test } from 'vitest';
import { type Conversation, converse } from './conversation.ts';

test('a suggestion is a line and no confirmation: a dangerous one still shows its preview and asks', async () => {
  const { type, press, appliance } = await converse();
  expect(await type('/appliance rdp disconect 12', 'bob')).toContain('[rdp disconnect 12]');
  const card = await press('rdp disconnect 12', 'bob');
  expect(card).toContain('[Disconnect] [Cancel]');
  expect(appliance.state.rdp.sessions.has(12)).toBe(true);
  await press('Disconnect', 'bob');
  expect(appliance.state.rdp.sessions.has(12)).toBe(false);
});

test('a choice among several names is no confirmation, either', async () => {
  const { type, press, appliance } = await converse();
  const said = await type('/appliance acl object delete google_snl', 'bob');
  const [, label = ''] = /\[([^\]]*google_sni[^\]]*)\]/.exec(said) ?? [];
  expect(await press(label, 'bob')).toContain('[Delete] [Cancel]');
  expect(appliance.state.acl.objects.has(3)).toBe(true);
});

test('a click on Undo confirms the undo', async () => {
  const { type, press, appliance } = await converse();
  expect(await type('/appliance acl object disable google_sni', 'bob')).toContain('[Undo]');
  expect(appliance.state.acl.objects.get(3)?.enabled).toBe(false);
  await press('Undo', 'bob');
  expect(appliance.state.acl.objects.get(3)?.enabled).toBe(true);
});

test('an undo that could not begin can be pressed again', async () => {
  const { type, press, read, appliance } = await converse();
  await type('/appliance acl object disable google_sni', 'bob');
  appliance.faults.set('GET /proxy/acls/objects', { kind: 'status', status: 500 });
  expect(await press('Undo', 'bob')).toContain('because the current state couldn’t be read');
  expect(read('bob')).not.toContain('Undo was pressed by');
  appliance.faults.clear();
  const undone = await press('Undo', 'bob');
  expect(undone).toContain('Undone: ');
  expect(undone).toContain('Undone by @bob.');
  expect(appliance.state.acl.objects.get(3)?.enabled).toBe(true);
});

/** The headline of the first card in a transcript, and its line about the undo. */
const undoneIn = (transcript: string) =>
  /\n {2}(⚪ Undone: .*)\n {2}(Undone by @bob\. See the change\.) \(.*\/archives\/C0HELPDESK\/p\d+\)\n/
    .exec(transcript)
    ?.slice(1);

test.each([
  ['a click on Undo', async ({ press }: Conversation) => press('Undo', 'bob')],
  ['a typed undo', async ({ type }: Conversation) => type('/appliance undo', 'bob')],
])('after %s the card says so in its headline, and links the card that did it', async (_, undo) => {
  const conversation = await converse();
  await conversation.type('/appliance acl object disable 3', 'bob');
  await undo(conversation);
  expect(undoneIn(conversation.read('bob'))).toEqual([
    '⚪ Undone: ACL object google_sni disabled',
    'Undone by @bob. See the change.',
  ]);
});

test('a card whose undo asks first is undone after the confirmation, and not before', async () => {
  const { type, press, read } = await converse();
  await type('/appliance rdp policy create Auditors', 'bob');
  expect(await press('Undo', 'bob')).toContain('[Delete] [Cancel]');
  expect(read('bob')).toContain('Undo was pressed by @bob.');
  expect(read('bob')).not.toContain('Undone');
  await press('Delete', 'bob');
  expect(undoneIn(read('bob'))).toEqual([
    '⚪ Undone: Policy Auditors created',
    'Undone by @bob. See the change.',
  ]);
});

test('Undo pressed by two people at once runs once, and the other is told who was first', async () => {
  const { type, press, read, appliance } = await converse();
  await type('/appliance acl object disable google_sni', 'bob');
  await Promise.all([press('Undo', 'bob'), press('Undo', 'dana')]);
  expect(appliance.requests.filter(({ path }) => path.includes('/enable'))).toHaveLength(1);
  expect([read('bob'), read('dana')].join()).toContain(
    'already pressed that button. Your click did nothing.',
  );
});

test('the answer above a pressed button stays as it was', async () => {
  const { type, press, read, appliance } = await converse();
  appliance.turn({ proxyMode: 'emergency' });
  const answer = /🚨 Emergency mode is on: everybody passes without authentication/;
  expect(await type('/appliance emergency status', 'dana')).toMatch(answer);
  await press('End emergency mode on hq', 'dana');
  expect(read('dana')).toContain('Emergency mode is over');
  expect(read('dana')).toMatch(answer);
});

test('a refused Undo is explained beside the card, not in the thread below it', async () => {
  const { type, press } = await converse();
  await type('/appliance acl object disable google_sni', 'bob');
  const said = await press('Undo', 'vic');
  expect(said).not.toContain('│ appliance-bot');
  expect(said).toMatch(/^appliance-bot · \(only visible to vic\)/m);
});

test('a name on a slow appliance is answered with a note that it is looked up', async () => {
  const { type, appliance } = await converse();
  appliance.faults.set('GET /proxy/acls/objects', { kind: 'slow', ms: 2_700, times: 1 });
  const said = await type('/appliance acl object disable google_sni', 'bob');
  expect(said).toContain('Still looking up what you named. No changes were made so far.');
  expect(said).toContain('ACL object google_sni disabled');
});

test('a line that leaves out the area gets a button with what was typed', async () => {
  const { type, press } = await converse();
  expect(await type('/appliance disconnect bob.miller', 'bob')).toContain('[rdp disconnect bob.miller]');
  expect(await press('rdp disconnect bob.miller', 'bob')).toContain('[Disconnect] [Cancel]');
});

test('the next commands are a handful of buttons, and none runs an example that nobody asked for', async () => {
  const { type, press, person, appliance } = await converse();
  const said = await type('/appliance engine', 'bob');
  for (const label of ['engine refresh', 'engine update…', 'engine versions'])
    expect(said).toContain(`[${label}]`);
  await press('engine update…', 'bob');
  expect(person('bob').form()?.title).toBe('Engine update');
  expect(await type('/appliance rdp', 'bob')).not.toMatch(/\[rdp /);
  expect(appliance.requests.filter(({ path }) => path.includes('/update/'))).toHaveLength(0);
});

test('an unknown name without a near one is followed by a form that searches', async () => {
  const { type, press, person } = await converse();
  expect(await type('/appliance rdp policy link 77 member alice.carter', 'bob')).toContain(
    '[Choose in a form]',
  );
  await press('Choose in a form', 'bob');
  expect(person('bob').form()?.title).toContain('RDP policy link');
});

test('a finished card does not show the earlier state as the present one', async () => {
  const { type, press } = await converse();
  expect(await type('/appliance vlan stop 3', 'bob')).toMatch(/State +up\n(?:.*\n)+ *Impact +this network/);
  const done = await press('Stop', 'bob');
  expect(done).toMatch(/State before +up/);
  expect(done).not.toContain('Mind');
});

test('an undo whose object is gone says so, and offers nothing else to press', async () => {
  const { type, press, appliance } = await converse();
  await type('/appliance acl object disable google_sni', 'bob');
  const { objects } = appliance.state.acl;
  const [one] = objects.values();
  objects.delete(3);
  // Its name is the number of the deleted object.
  if (one !== undefined) objects.set(30, { ...one, id: 30, name: '3', enabled: false });
  const said = await press('Undo', 'bob');
  expect(said).toContain('hq lists no ACL object 3. No changes were made.');
  expect(said).not.toMatch(/Did you mean|\[Choose in a form\]|\(30\)/);
  expect(objects.get(30)?.enabled).toBe(false);
});
