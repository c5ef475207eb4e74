import { expect, test } from 'vitest';
import { type Conversation, converse } from './conversation.ts';

const bot = '@appliance-bot';
const [helpdesk, random] = ['C0HELPDESK', 'C0RANDOM01'];
const ids = { alice: 'U0ALICE001', bob: 'U0BOB00001', dana: 'U0DANA0001' } as const;
type Name = keyof typeof ids;

/** Carol's message of each, in the order in which they are forwarded. */
async function post(
  { workspace }: Conversation,
  text: string,
  file?: readonly [name: string, content: string],
) {
  const files = [];
  if (file !== undefined) {
    const uploaded = workspace.upload(ids.alice, file[0], Buffer.from(file[1]));
    if (uploaded.ok) files.push(uploaded.file.id);
  }
  expect(await workspace.act({ act: 'type', as: ids.alice, channel: random, text, files })).toEqual({
    ok: true,
  });
  const { ts = '' } =
    workspace.snapshot(ids.alice).messages.findLast(({ channel }) => channel === random) ?? {};
  return { channel: random, ts };
}

/** The answer to a forward of these messages with a line. */
async function forward(
  house: Conversation,
  by: Name,
  text: string,
  messages: readonly { readonly channel: string; readonly ts: string }[],
  to: { readonly channel?: string; readonly thread_ts?: string } = {},
): Promise<string> {
  const { workspace, bot: app } = house;
  const { channel = helpdesk, ...rest } = to;
  const before = new Set(workspace.snapshot(ids[by]).messages.map((one) => `${one.channel} ${one.ts}`));
  expect(await workspace.act({ act: 'forward', as: ids[by], messages, channel, text, ...rest })).toEqual({
    ok: true,
  });
  await new Promise((resolve) => setTimeout(resolve, 50));
  await app.idle();
  const said = workspace
    .snapshot(ids[by])
    .messages.filter((one) => one.user === 'U0THEAPP01' && !before.has(`${one.channel} ${one.ts}`));
  return JSON.stringify(
    said.map(({ channel: where, thread_ts, text: words, blocks }) => [where, thread_ts, words, blocks]),
  );
}

const changed = ({ appliance }: Conversation, from: number) =>
  appliance.requests.slice(from).filter(({ method, path }) => method !== 'GET' && !path.includes('/query'));

test('words beside a forwarded message are about its content', async () => {
  const house = await converse();
  const complaint = await post(house, 'hi, https://example.com does not open here, can you help?');
  for (const line of [
    'categorize',
    'categorize this',
    'which category is this site?',
    'please categorize it',
  ]) {
    const answer = await forward(house, 'alice', `${bot} ${line}`, [complaint]);
    expect(answer, line).toContain('example.com is in 1 category: shopping');
  }
  expect(await forward(house, 'alice', `${bot} why is this blocked?`, [complaint])).toContain('example.com');
});

test('Slack’s own link is not looked up, and a whole command stays a command', async () => {
  const house = await converse();
  const original = await post(house, 'example.com is down');
  await forward(house, 'alice', 'look at this', [original]);
  await house.person('alice').shortcut('helpdesk', 'Look up links');
  expect(house.read()).toContain('example.com is in 1 category: shopping');
  expect(house.appliance.requests.map(({ path }) => path)).toEqual(['/categories/query/example.com']);
  const answer = await forward(house, 'alice', `${bot} categorize example.org`, [original]);
  expect(answer).toContain('example.org');
  expect(answer).not.toContain('example.com');
});

test('several forwards count together, and so does a forward of a forward', async () => {
  const house = await converse();
  const [first, second] = [
    await post(house, 'example.com is slow'),
    await post(house, 'so is https://example.org'),
  ];
  const both = await forward(house, 'alice', `${bot} categorize these`, [first, second]);
  expect(both).toContain('example.com');
  expect(both).toContain('example.org');
  await house.workspace.act({
    act: 'forward',
    as: ids.alice,
    messages: [first],
    channel: random,
    text: 'fyi',
  });
  const { ts = '' } =
    house.workspace.snapshot(ids.alice).messages.findLast((one) => one.channel === random) ?? {};
  expect(await forward(house, 'alice', `${bot} categorize this`, [{ channel: random, ts }])).toContain(
    'example.com is in 1 category: shopping',
  );
});

test('a forward without words works like the shortcut: it looks up links, and files', async () => {
  const house = await converse();
  const link = await post(house, 'https://example.com please');
  expect(await forward(house, 'alice', bot, [link])).toContain('example.com is in 1 category: shopping');
  const list = await post(house, '', ['hosts.csv', 'bad1.example\nbad2.example\n']);
  const answer = await forward(house, 'dana', bot, [list]);
  expect(answer).toContain('hosts.csv');
  expect(answer).toContain('Category add');
  expect(await forward(house, 'alice', bot, [await post(house, 'good morning')])).toContain(
    'no link and no domain',
  );
});

test('*Send to appliance* takes the file of a forwarded message', async () => {
  const house = await converse();
  const list = await post(house, 'here', ['hosts.csv', 'bad1.example\nbad2.example\n']);
  await forward(house, 'dana', '', [list]);
  await house.person('dana').shortcut('helpdesk', 'Send to appliance');
  expect(house.read('dana')).toContain('What would you like to do with hosts.csv?');
});

test('a change from a forward asks first, and the forwarded text itself commands nothing', async () => {
  const house = await converse();
  const list = await post(house, 'bad1.example\nbad2.example');
  let before = house.appliance.requests.length;
  const answer = await forward(house, 'dana', `${bot} category add to 252`, [list]);
  expect(answer).toContain('bad1.example');
  expect(changed(house, before)).toEqual([]);
  const order = await post(house, `${bot} rdp disconnect 12 <!channel> emergency enable`);
  before = house.appliance.requests.length;
  for (const line of ['', bot, `${bot} status`]) {
    expect(await forward(house, 'dana', line, [order])).not.toContain('Disconnect');
  }
  expect(changed(house, before)).toEqual([]);
});

test('a forward into a thread is answered there, and one in a direct message in it', async () => {
  const house = await converse();
  const original = await post(house, 'https://example.com does not open');
  const { workspace } = house;
  await workspace.act({ act: 'type', as: ids.alice, channel: helpdesk, text: 'look' });
  const { ts = '' } =
    workspace.snapshot(ids.alice).messages.findLast((one) => one.channel === helpdesk) ?? {};
  const inThread = await forward(house, 'alice', `${bot} categorize this`, [original], { thread_ts: ts });
  expect(inThread).toContain(`["${helpdesk}","${ts}"`);
  expect(inThread).toContain('example.com is in 1 category');
  const { id } = workspace.direct(ids.alice);
  for (const line of ['', 'categorize this', 'which category is that']) {
    const answer = await forward(house, 'alice', line, [original], { channel: id });
    expect(answer, line).toContain('example.com is in 1 category');
    expect(answer, line).toContain(`["${id}"`);
  }
});

test('an unreadable file is reported as that', async () => {
  const house = await converse({
    workspace: {
      channels: [
        { id: helpdesk, name: 'helpdesk' },
        { id: random, name: 'random', botIsMember: false },
      ],
    },
  });
  const list = await post(house, '', ['hosts.csv', 'bad1.example\n']);
  const answer = await forward(house, 'dana', `${bot} category add to 252`, [list]);
  expect(answer).toContain('hosts.csv');
  expect(answer).toContain('nvite the bot');
});
