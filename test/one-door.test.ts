import type { App } from '@slack/bolt';
import { describe, expect, test } from 'vitest';
import { presses } from '../src/action/base/chat.ts';
import { messageShortcuts } from '../src/action/intake/shortcuts.ts';
import { type Inbox, listen } from '../src/bot/in/inbound.ts';
import { createLog } from '../src/telemetry/log.ts';
import { type Conversation, converse } from './conversation.ts';
import { hotfixFile } from './packages.ts';

/** A way in: @bob's action while he holds his role, and his attempt when it is gone. */
interface Way {
  readonly before?: (house: Conversation) => Promise<unknown>;
  readonly tries: (house: Conversation) => Promise<unknown>;
  /** The text that only he reads. */
  readonly told?: string;
}

const type = (line: string) => (house: Conversation) => house.type(`/appliance ${line}`, 'bob');
const press = (label: string) => (house: Conversation) => house.press(label, 'bob');
const needed = async ({ person }: Conversation) => {
  await person('dana').type('helpdesk', '/appliance rdp disconnect 12');
};
const notApprover = 'This requires the operator';

/** Every button, by what a click on it says. */
const buttons: Readonly<Record<(typeof presses)[number], Way>> = {
  confirm: { before: type('rdp disconnect 12'), tries: press('Disconnect') },
  // Cancel grants no rights: a person only takes back their own question.
  cancel: { before: type('rdp disconnect 12'), tries: press('Cancel'), told: '' },
  approve: { before: needed, tries: press('Approve'), told: notApprover },
  deny: { before: needed, tries: press('Deny…'), told: notApprover },
  offer: { before: type('acl object disable 3'), tries: press('Undo') },
  form: { before: type('rdp disconnect nobody'), tries: press('Choose in a form') },
  // The form opens, and nothing is to be found in it.
  build: {
    before: type('help'),
    tries: async (house) => {
      await press('Run a command')(house);
      expect(await house.person('bob').search('Command', 'rdp')).not.toContainEqual(
        expect.stringMatching(/^rdp/),
      );
    },
    told: '',
  },
  page: { before: type('acl objects'), tries: press('Next ▶') },
  filter: { before: type('acl objects'), tries: press('Filter…') },
  export: { before: type('acl objects'), tries: press('CSV') },
  reschedule: {
    before: type('acl object disable 3 --at "in 3h"'),
    tries: press('Change the time…'),
  },
};

const shortcuts: Readonly<Record<(typeof messageShortcuts)[number], Way>> = {
  look_up_links: {
    before: ({ person }) => person('bob').type('helpdesk', 'https://example.com'),
    tries: ({ person }) => person('bob').shortcut('helpdesk', 'Look up links'),
  },
  send_to_appliance: {
    before: ({ person }) => person('bob').attach('helpdesk', 'the fix', hotfixFile),
    tries: ({ person }) => person('bob').shortcut('helpdesk', 'Send to appliance'),
  },
};

/** @bob starts a workflow: a step never runs with the rights of the person who started it. */
function step(name: string, inputs: Readonly<Record<string, string>>): Way['tries'] {
  return async ({ workspace, bot }) => {
    const channel = 'C0HELPDESK';
    const given = { ...inputs, channel };
    await workspace.act({ act: 'run_step', as: 'U0BOB00001', function: name, inputs: given, channel });
    await bot.idle();
  };
}

/** Other listeners that the bot registers with Bolt, and how each is tried. */
const others: Readonly<Record<string, readonly Way[]>> = {
  'command /appliance': [
    { tries: type('rdp sessions') },
    { tries: type('audit') },
    { tries: type('can @bob help') },
  ],
  'event app_mention': [
    { tries: ({ write }) => write('@appliance-bot rdp sessions', 'bob') },
    { tries: ({ write }) => write('@appliance-bot rdp disconnect 12', 'bob') },
  ],
  'event message': [
    { tries: ({ write }) => write('rdp sessions', 'bob', 'appliance-bot') },
    { tries: ({ write }) => write('audit', 'bob', 'appliance-bot') },
  ],
  'function look_up_website': [
    { tries: step('look_up_website', { website: 'example.com' }), told: 'Only bots that the policy grants' },
  ],
  'function ask_for_change': [
    {
      tries: step('ask_for_change', { change: 'rdp disconnect 12' }),
      told: 'Only bots that the policy grants',
    },
  ],
  'view form': [
    {
      before: async (house) => {
        await type('rdp disconnect')(house);
        await house.person('bob').fill({ 'Open session': '12' });
      },
      tries: async ({ person }) => {
        await person('bob').submit();
      },
    },
    {
      before: async (house) => {
        await type('help')(house);
        await press('Run a command')(house);
        await house.person('bob').fill({ Command: 'rdp sessions' });
      },
      tries: async ({ person }) => {
        await person('bob').submit();
      },
    },
    {
      before: async (house) => {
        await type('acl objects')(house);
        await press('Filter…')(house);
      },
      tries: async ({ person }) => {
        await person('bob').fill({ Words: 'google' });
        await person('bob').submit();
      },
    },
    {
      before: async (house) => {
        await needed(house);
        await press('Deny…')(house);
      },
      tries: async ({ person }) => {
        await person('bob').fill({ Reason: 'no' });
        await person('bob').submit();
      },
      told: notApprover,
    },
  ],
  'options input': [
    {
      before: type('acl records'),
      tries: async ({ person }) => {
        expect(await person('bob').search('ACL object', 'google')).toEqual([]);
      },
      told: '',
    },
  ],
  // The form opens, and what may be run by anybody anywhere is all that is found.
  'shortcut shortcut': [
    {
      tries: async ({ person }) => {
        const bob = person('bob');
        await bob.globalShortcut('Run a command');
        await bob.fill({ Channel: '#helpdesk' });
        await bob.submit();
        expect(await bob.search('Command', 'rdp')).not.toContainEqual(expect.stringMatching(/^rdp/));
      },
      told: '',
    },
  ],
  'event app_home_opened': [
    {
      tries: async ({ workspace, bot }) => {
        await workspace.act({ act: 'open_home', as: 'U0BOB00001' });
        await bot.idle();
        expect(JSON.stringify(workspace.snapshot('U0BOB00001').home)).toContain('You have no role');
      },
      told: '',
    },
  ],
};

/** These events request nothing: the bot forgets a person's data, or introduces itself. */
const silent = [
  'user_change',
  'subteam_members_changed',
  'subteam_updated',
  'channel_shared',
  'channel_unshared',
  'member_joined_channel',
];

describe('somebody who has lost their role gets nothing more', () => {
  const rows = [
    ...Object.entries(buttons).map(([name, way]) => [`by the button ${name}`, way] as const),
    ...Object.entries(shortcuts).map(([name, way]) => [`by the shortcut ${name}`, way] as const),
    ...Object.entries(others).flatMap(([name, ways]) =>
      ways.map((way, index) => [`by ${name}, ${index + 1}`, way] as const),
    ),
  ];

  test.each(rows)('%s', async (_, { before, tries, told = 'You have no role here.' }) => {
    const approvals = [{ commands: [{ phrase: 'rdp disconnect' }], by: 'operator', requesters: ['admin'] }];
    const roles = { operator: ['S0OPERATOR'], admin: ['U0DANA0001'] };
    const self_service = { channel: 'C0HELPDESK', allow_category: 207 };
    const house = await converse({
      policy: {
        approvals,
        self_service,
        channels: { C0HELPDESK: { name: 'helpdesk', appliance: 'hq', roles } },
      },
    });
    await before?.(house);
    await house.workspace.changeUserGroup('S0OPERATOR', { users: [] });
    const asked = house.appliance.requests.length;
    const heard = house.workspace.snapshot('U0BOB00001').messages.length;
    const [seen, files] = [seenBy(house), filesOf(house)];
    await tries(house);
    await house.bot.idle();
    expect(house.appliance.requests.slice(asked)).toEqual([]);
    const alone = house.workspace.snapshot('U0BOB00001').messages.slice(heard);
    expect(alone.map(({ text }) => text).join('\n')).toContain(told);
    expect(filesOf(house)).toEqual(files);
    // The others see no more, either; a card may say that its question is taken back.
    expect(seenBy(house)).toBeLessThanOrEqual(seen);
  });

  /** The number of lines that others see, besides @bob's own messages to the bot. */
  const seenBy = ({ read }: Conversation) =>
    read('dana')
      .split('\n')
      .filter((line) => line !== '' && line !== 'bob' && !/^#|@appliance-bot/.test(line)).length;

  const filesOf = ({ workspace }: Conversation) =>
    workspace.snapshot('U0BOB00001').messages.flatMap(({ files = [] }) => files.map(({ id }) => id));
});

test('there is no way in beside those', () => {
  const heard: string[] = [];
  const hear = (kind: string) => (what: unknown) => void heard.push(`${kind} ${nameOf(what)}`);
  const kinds = [
    'command',
    'action',
    'view',
    'options',
    'event',
    'shortcut',
    'message',
    'function',
    'step',
    'use',
    'assistant',
  ];
  const app = Object.fromEntries(kinds.map((kind) => [kind, hear(kind)]));
  // Only the listeners are read from it.
  listen(app as unknown as App, {} as Inbox, createLog('silent'));
  const known = [
    ...['action button', 'shortcut message_action'],
    ...Object.keys(others),
    ...silent.map((event) => `event ${event}`),
  ];
  const advice = (list: string, rows: readonly string[], ways: readonly string[], row = '{ tries: … }') =>
    ways
      .filter((way) => !rows.includes(way))
      .map((way) => `Add to ${list} what @bob tries by it: '${way}': ${row},`);
  expect([
    ...advice('`others`, or to `silent` where nobody asks for anything,', known, heard, '[{ tries: … }]'),
    ...advice('`buttons`', Object.keys(buttons), presses),
    ...advice('`shortcuts`', Object.keys(shortcuts), messageShortcuts),
  ]).toEqual([]);
  expect(heard.toSorted()).toEqual(known.toSorted());
});

/** The name of something that Bolt listens to. */
function nameOf(what: unknown): string {
  if (typeof what === 'string') return what;
  const { type: kind = '' } = Object(what);
  return kind === 'block_actions'
    ? 'button'
    : kind === 'message_action' || kind === 'shortcut'
      ? kind
      : kind === 'view_submission'
        ? 'form'
        : 'input';
}
