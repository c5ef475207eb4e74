import { expect, test } from 'vitest';
import type { Message } from '../sandbox/workspace/protocol.ts';
import { type Conversation, converse } from './conversation.ts';

const bot = '@appliance-bot';

const idOf = ({ workspace }: Conversation, name: string): string =>
  workspace.people.find((one) => one.name === name)?.id ?? name;

/** The messages of the app in a channel or with somebody, replies too. */
function said(house: Conversation, by: string, channel: string): readonly Message[] {
  const { messages } = house.workspace.snapshot(idOf(house, by));
  return messages.filter((one) => one.user === 'U0THEAPP01' && one.channel === channel);
}

const helpdesk = 'C0HELPDESK';

test('a mention in a channel is answered like the slash command, in the channel', async () => {
  const house = await converse();
  await house.write(`${bot} categorize example.com`);
  const [card] = said(house, 'alice', helpdesk);
  expect(card?.thread_ts).toBeUndefined();
  expect(house.read()).toContain('example.com is in 1 category: shopping');
  expect(house.appliance.requests.filter(({ path }) => path.includes('/categories/query'))).toHaveLength(1);
});

test('a mention in the middle of a message, with a colon, and with Slack’s form of an address means the same', async () => {
  const house = await converse();
  for (const line of [
    `hey ${bot}: is example.com blocked?`,
    `could you categorize <http://example.com|example.com> ${bot}`,
  ]) {
    expect(await house.write(line)).toMatch(/^ {2}\S*.*example\.com (is in|isn’t|is not|is)/m);
  }
});

test('a mention with marks, a dash or other people before it means the same, and “can you” is no person', async () => {
  const house = await converse();
  for (const line of [
    `*${bot} categorize example.com*`,
    `${bot} *categorize* example.com`,
    `${bot} - categorize example.com`,
    `@alice ${bot} categorize example.com`,
    `@here ${bot}, can you categorize example.com`,
  ]) {
    const before = house.appliance.requests.length;
    await house.write(line);
    expect(house.appliance.requests.length, line).toBeGreaterThan(before);
  }
  expect(await house.write(`${bot} can you undo`)).toContain('You made no change in this channel lately');
});

test('a mention in a thread is answered in that thread, with everything that follows', async () => {
  const house = await converse();
  const root = house.workspace.snapshot('U0ALICE001').messages.length;
  await house.workspace.act({
    act: 'type',
    as: 'U0ALICE001',
    channel: helpdesk,
    text: 'example.com is slow',
  });
  const [first] = house.workspace.snapshot('U0ALICE001').messages.slice(root);
  const thread_ts = first?.ts;
  await house.write(`${bot} rdp disconnect 12`, 'alice', 'helpdesk', thread_ts);
  expect(said(house, 'alice', helpdesk).map((one) => one.thread_ts)).toEqual([thread_ts]);
  await house.press('Disconnect');
  const all = said(house, 'alice', helpdesk);
  expect(all.every((one) => one.thread_ts === thread_ts)).toBe(true);
  expect(house.read()).toContain('✅ Session 12 of bob.miller on srv-files-01 disconnected');
});

test('undo, again and why in the thread of a card are about that card', async () => {
  const house = await converse();
  await house.type('/appliance acl object disable google_sni', 'bob');
  const thread_ts = said(house, 'bob', helpdesk)[0]?.ts;
  await house.type('/appliance acl object disable apple_sni', 'bob');
  await house.write(`${bot} undo`, 'bob', 'helpdesk', thread_ts);
  expect(house.appliance.state.acl.objects.get(3)?.enabled).toBe(true);
  expect(
    [...house.appliance.state.acl.objects.values()].find(({ name }) => name === 'apple_sni')?.enabled,
  ).toBe(false);

  await house.type('/appliance categorize example.com', 'alice');
  const lookup = said(house, 'alice', helpdesk)
    .filter(({ thread_ts: below }) => below === undefined)
    .at(-1)?.ts;
  await house.type('/appliance status', 'alice');
  await house.write(`${bot} again`, 'alice', 'helpdesk', lookup);
  await house.write(`${bot} why?`, 'alice', 'helpdesk', lookup);
  const lines = (await house.bot.journal.recent(20)).map(({ line }) => line);
  expect(lines.filter((line) => line === 'categorize example.com')).toHaveLength(2);
  expect(lines).toContain('why example.com');
});

test('why in a thread without a website explains the thread’s action', async () => {
  const house = await converse();
  await house.type('/appliance acl object disable google_sni', 'bob');
  const thread_ts = said(house, 'bob', helpdesk)[0]?.ts;
  expect(await house.write(`${bot} why`, 'bob', 'helpdesk', thread_ts)).toMatch(
    /A-[0-9A-Z]{8}: ✅ ACL object google_sni disabled/,
  );
});

test('a direct message needs no name and no /appliance, has the roles of a channel, and is answered there', async () => {
  const house = await converse();
  expect(await house.write('rdp disconnect 12', 'alice', 'appliance-bot')).toContain('as in #helpdesk');
  await house.press('Disconnect', 'alice', 'appliance-bot');
  expect(house.read('alice', 'appliance-bot')).toContain(
    '✅ Session 12 of bob.miller on srv-files-01 disconnected',
  );
  expect(said(house, 'alice', helpdesk)).toEqual([]);
  const [{ channel, state } = {}] = await house.bot.journal.recent(1);
  expect({ channel, state }).toEqual({ channel: helpdesk, state: 'done' });
});

test('a request for approval from a direct message goes to the channel, and the direct message says so', async () => {
  const house = await converse();
  const line = 'emergency enable --for 30m --reason "directory down"';
  expect(await house.write(line, 'bob', 'appliance-bot')).toContain('where others see it');
  expect(house.read('carol')).toContain('[Approve]');
});

test('somebody in no channel of the bot is told so in a direct message, and no appliance is asked', async () => {
  const house = await converse({
    workspace: { channels: [{ id: helpdesk, name: 'helpdesk', members: ['U0ALICE001'] }] },
  });
  expect(await house.write('status', 'bob', 'appliance-bot')).toContain(
    'You aren’t in any channel where Appliance Bot is enabled',
  );
  expect(house.appliance.requests).toEqual([]);
});

test('a mention in a disabled channel is told so, and asks no appliance', async () => {
  const house = await converse({
    workspace: {
      channels: [
        { id: helpdesk, name: 'helpdesk' },
        { id: 'C0LOUNGE01', name: 'lounge' },
      ],
    },
  });
  expect(await house.write(`${bot} status`, 'alice', 'lounge')).toContain('isn’t enabled in #lounge');
  expect(house.appliance.requests).toEqual([]);
});

test('a message that names the bot only after an edit is not run, and its author is told; the same in a direct message', async () => {
  const house = await converse();
  const { workspace, bot: running } = house;
  const as = idOf(house, 'bob');
  const edited = async (place: string, channel: string, first: string, second: string) => {
    // Slack sends no event for a message that does not name the bot.
    if (place === 'helpdesk') await workspace.act({ act: 'type', as, channel, text: first });
    else await house.write(first, 'bob', place);
    const ts = workspace.snapshot(as).messages.findLast(({ user }) => user === as)?.ts ?? '';
    await workspace.act({ act: 'edit', as, channel, ts, text: second });
    await expect.poll(() => house.read('bob', place)).toContain('Edited messages aren’t run.');
    await running.idle();
  };
  const lines = async () => (await running.journal.recent(20)).map(({ line }) => line);

  await edited('helpdesk', helpdesk, 'google_sni is slow', `${bot} acl object disable google_sni`);
  expect(await lines()).toEqual([]);
  await edited(
    'appliance-bot',
    workspace.direct(as).id,
    'categorize example.com',
    'acl object disable google_sni',
  );
  expect(await lines()).toEqual(['categorize example.com']);
  expect(house.appliance.state.acl.objects.get(3)?.enabled).toBe(true);
});

/** Somebody who operates two appliances, each in a channel of its own. */
const twoChannels = {
  branches: 1,
  policy: {
    channels: {
      C0HELPDESK: { name: 'helpdesk', appliance: 'hq', roles: { operator: ['S0OPERATOR'] } },
      C0INCIDENT: { name: 'incident', appliance: 'branch-2', roles: { operator: ['S0OPERATOR'] } },
    },
  },
};

test('a change from a direct message asks first where several appliances are possible, and --on searches all channels', async () => {
  const house = await converse(twoChannels);
  const google = () => house.appliance.state.acl.objects.get(3)?.enabled;
  expect(await house.write('acl object disable google_sni', 'bob', 'appliance-bot')).toContain('[Disable]');
  expect(google()).toBe(true);
  await house.press('Disable', 'bob', 'appliance-bot');
  expect(google()).toBe(false);
  const there = await house.write('status --on branch-2', 'bob', 'appliance-bot');
  expect(there).toMatch(/status --on branch-2`.*as in #incident/);
});

test('undo is answered where it was typed, in a direct message or in a thread', async () => {
  const house = await converse();
  await house.type('/appliance acl object disable google_sni', 'bob');
  expect(await house.write('undo', 'bob', 'appliance-bot')).toContain('ACL object google_sni enabled');
  await house.type('/appliance acl object disable google_sni', 'bob');
  const thread_ts = said(house, 'bob', helpdesk).findLast(({ thread_ts: below }) => below === undefined)?.ts;
  const before = said(house, 'bob', helpdesk).length;
  await house.write(`${bot} undo`, 'bob', 'helpdesk', thread_ts);
  const after = said(house, 'bob', helpdesk).slice(before);
  expect(after.length).toBeGreaterThan(0);
  expect(after.every((one) => one.thread_ts === thread_ts)).toBe(true);
  expect(house.appliance.state.acl.objects.get(3)?.enabled).toBe(true);
});

test('undo in the thread of a card means that card, also after later changes below it, and again repeats it', async () => {
  const house = await converse();
  const objects = () => [...house.appliance.state.acl.objects.values()];
  const isOn = (name: string) => objects().find((one) => one.name === name)?.enabled;
  await house.type('/appliance acl object disable google_sni', 'bob');
  const thread_ts = said(house, 'bob', helpdesk)[0]?.ts;
  await house.write(`${bot} acl object disable apple_sni`, 'dana', 'helpdesk', thread_ts);
  expect(await house.write(`${bot} undo`, 'bob', 'helpdesk', thread_ts)).toMatch(
    /This would undo your last change here: acl object disable google_sni.*A later change in this channel stays as it is: @dana ran acl object disable apple_sni\./s,
  );
  expect([isOn('google_sni'), isOn('apple_sni')]).toEqual([false, false]);
  await house.write(`${bot} why`, 'bob', 'helpdesk', thread_ts);
  expect(await house.write(`${bot} again`, 'bob', 'helpdesk', thread_ts)).toContain(
    'Your last command here: /appliance acl object disable google_sni',
  );
});

test('undo in a thread without a change only offers to undo the last one of the channel', async () => {
  const house = await converse();
  const { workspace } = house;
  await house.type('/appliance acl object disable google_sni', 'bob');
  await workspace.act({
    act: 'type',
    as: idOf(house, 'vic'),
    channel: helpdesk,
    text: 'my internet is slow',
  });
  const thread_ts = workspace.snapshot(idOf(house, 'bob')).messages.at(-1)?.ts;
  expect(await house.write(`${bot} undo`, 'bob', 'helpdesk', thread_ts)).toContain('This would undo');
  expect(house.appliance.state.acl.objects.get(3)?.enabled).toBe(false);
});

const newest = (transcript: string): string => transcript.split('\n\n').at(-1) ?? '';

test('small talk gets a short answer in any language, and a typed OK still finds the waiting card', async () => {
  const house = await converse();
  expect(await house.write(`${bot} vielen dank!`)).toContain('You’re welcome.');
  expect(await house.write(`${bot} lol`)).toContain('OK. Nothing was run.');
  expect(newest(await house.write(`${bot} 👍`))).toMatch(
    /^.*\n {2}Nothing waits for your approval or confirmation\.$/,
  );
  const hello = await house.write(`${bot} bonjour`);
  expect(hello).toContain('Hello, Appliance Bot is here.');
  expect(hello).not.toContain('What you can run here');
  await house.type('/appliance rdp disconnect 12');
  expect(newest(await house.write(`${bot} ok`))).toMatch(
    /1 request waits for you\. Words approve and deny nothing: press a button\.[\s\S]*\[Disconnect\] \[Cancel\]/,
  );
});
