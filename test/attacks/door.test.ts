import { readdirSync, readFileSync } from 'node:fs';
import type { App } from '@slack/bolt';
import { expect } from 'vitest';
import { sandboxRoles } from '../../sandbox/sandbox.ts';
import { presses } from '../../src/action/base/chat.ts';
import { messageShortcuts } from '../../src/action/intake/shortcuts.ts';
import { type Inbox, listen } from '../../src/bot/in/inbound.ts';
import { commands } from '../../src/handlers/registry.ts';
import { referenceOf } from '../../src/journal/actions/reference.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { under } from '../approving.ts';
import { newest } from '../asking.ts';
import { type Conversation, converse } from '../conversation.ts';
import { page } from '../home-page.ts';
import { attacks } from './rows.ts';

const vault = { id: 'C0VAULT001', name: 'vault', isPrivate: true, members: ['U0DANA0001'] };
const channels = [{ id: 'C0HELPDESK', name: 'helpdesk' }, { id: 'C0INCIDENT', name: 'incident' }, vault];
const secret = 'plans-of-dana.example';

/** @dana has posted a list in a private channel, in which the bot is and @bob is not. */
async function withVault(options: object = {}): Promise<Conversation & { readonly id: string }> {
  const house = await converse({ ...options, workspace: { channels } });
  const uploaded = house.workspace.upload('U0DANA0001', 'sites.csv', Buffer.from(secret));
  if (!uploaded.ok) throw new Error(uploaded.error);
  const { id } = uploaded.file;
  const posted = { as: 'U0DANA0001', channel: vault.id, text: 'for us', files: [id] };
  await house.workspace.act({ act: 'type', ...posted });
  await house.bot.idle();
  return { ...house, id };
}

const asWord = (id: string): string => JSON.stringify({ id, name: 'sites.csv', size: 0 });

const read = ({ workspace }: Conversation): number => workspace.log.calls('files.info').length;

/** All that reaches anybody’s computer. */
const everythingSaid = ({ workspace }: Conversation): string =>
  JSON.stringify(['U0ALICE001', 'U0BOB00001', 'U0CAROL001'].map((id) => workspace.snapshot(id)));

attacks('files of channels that somebody is not in', [
  {
    attack: 'the mark of a file is typed into a line, between quotes, into a plan, and repeated',
    must: 'it is a word, and no file is read',
    tryIt: async () => {
      const house = await withVault();
      const word = asWord(house.id);
      for (const line of [
        `category add '${word}' to 252`,
        `plan ${word}`,
        `plan\n${word}`,
        `plan\ncategory add '${word}' to 252`,
        `acl record add 3 '${word}'`,
        `categorize '${word}'`,
        `upgrade hotfix --file '${word}'`,
      ]) {
        await house.type(`/appliance ${line}`, 'bob');
        await house.write('again', 'bob', 'appliance-bot');
      }
      expect(read(house)).toBe(0);
      expect(everythingSaid(house)).not.toContain(secret);
    },
  },
  {
    attack: 'the mark of a file is typed into the inputs of forms',
    must: 'it is none of what is wanted, and no file is read',
    tryIt: async () => {
      const house = await withVault();
      const bob = house.person('bob');
      await house.type('/appliance category add', 'bob');
      await bob.fill({ Site: asWord(house.id), Category: 'shopping' });
      await bob.submit();
      expect(bob.form()?.errors).toMatchObject({ Site: expect.any(String) });
      await bob.dismiss();
      await house.type('/appliance plan', 'bob');
      await bob.fill({ 'Lines to run': `category add '${asWord(house.id)}' to 252\n${asWord(house.id)}` });
      await bob.submit();
      expect(newest(house.read('bob'))).toContain('2 lines of 2 can’t be run');
      expect(read(house)).toBe(0);
      expect(everythingSaid(house)).not.toContain(secret);
    },
  },
  {
    attack: 'the mark of a file stands in the line of a workflow’s step',
    must: 'it is a word, and no file is read',
    tryIt: async () => {
      const roles = { ...sandboxRoles, operator: ['U0BOB00001', 'U0THEAPP01'] };
      const house = await withVault({
        policy: { channels: { C0HELPDESK: { name: 'helpdesk', appliance: 'hq', roles } } },
      });
      const channel = 'C0HELPDESK';
      const word = asWord(house.id);
      const steps = [
        ...[`category add '${word}' to 252`, `plan ${word}`, word].map(
          (change) => ['ask_for_change', { change, reason: word }] as const,
        ),
        ['look_up_website', { website: word }] as const,
      ];
      for (const [name, given] of steps) {
        const inputs = { ...given, channel };
        const started = await house.workspace.act({
          act: 'run_step',
          as: 'U0BOB00001',
          function: name,
          inputs,
        });
        await house.bot.idle();
        const [done] = await house.bot.journal.recent(1);
        expect([given, started.ok, done?.person, done?.state]).toEqual([
          given,
          true,
          'U0THEAPP01',
          'refused',
        ]);
      }
      expect(read(house)).toBe(0);
      expect(everythingSaid(house)).not.toContain(secret);
    },
  },
]);

/** What stands in all that others do here, wherever it is shown. */
const hidden = /hidden|for everybody here/;

/** @vic may only look up what a site is, and others have done, planned, asked for, watched and shared something. */
async function withLists(): Promise<Conversation & { readonly shared: string }> {
  const house = await under(
    {
      roles: { asks: { summary: 'asks for categories', commands: [{ phrase: 'categorize' }] } },
      approvals: [{ commands: [{ phrase: 'rdp disconnect' }], by: 'operator', requesters: ['admin'] }],
      self_service: { channel: 'C0HELPDESK', allow_category: 207 },
    },
    {
      roles: {
        asks: ['U0VIC00001'],
        operator: ['U0BOB00001'],
        approver: ['U0CAROL001'],
        admin: ['U0DANA0001'],
      },
    },
  );
  const { type, write } = house;
  const adding = (site: string, when: string) =>
    `category add ${site} to 252 ${when} --reason "hidden reason"`;
  await type(`/appliance ${adding('hidden-a.example', '--for 2h')}`, 'bob');
  await write(adding('hidden-b.example', '--for 2h'), 'bob', 'appliance-bot');
  await type('/appliance emergency enable --for 30m --reason "for everybody here"', 'bob');
  await house.press('Approve', 'carol');
  await type('/appliance watch status', 'bob');
  // Everybody in the channel reads the card of an action that waits there.
  await type('/appliance rdp disconnect 12 --reason "customer call"', 'dana');
  // Its card stands in #helpdesk, for everybody who reads that.
  await type('/appliance ask live-betting.example --reason "for a booking"', 'alice', 'random');
  await type(`/appliance ${adding('hidden-c.example', '--at "in 3h"')}`, 'bob');
  // Its rows have pages, filters and files.
  await type('/appliance audit', 'bob');
  const first = (await house.bot.journal.recent(50)).find(({ line }) => line.includes('hidden-a'));
  const shared = referenceOf(first?.id ?? '');
  await type(`/appliance share ${shared}`, 'bob');
  return { ...house, shared };
}

/** What somebody is shown and nobody else: alone in a channel, in person, in forms, on their page, and below what is shared. */
function alone({ workspace }: Conversation, name: 'vic' | 'bob'): string {
  const id = name === 'vic' ? 'U0VIC00001' : 'U0BOB00001';
  const { messages, home, views, details } = workspace.snapshot(id);
  const others = new Set(workspace.snapshot('U0ALICE001').messages.map(({ ts }) => ts));
  return JSON.stringify([messages.filter(({ ts }) => !others.has(ts)), home, views, details]);
}

/** Commands that list what others did, requested, planned or watch. Each checks its own permission. */
const lists = [
  ...['temporary', 'planned', 'plans', 'plan show', 'watches', 'schedules', 'audit', 'timeline', 'requests'],
  ...['approvals', 'waiting', 'changes', 'show', 'emergency status', 'status', 'overview', 'pending'],
];

/** Every command that changes nothing, and every list by its words. */
const asked = [
  ...lists.filter((one) => commands.some(({ phrase }) => `${phrase} `.startsWith(`${one} `))),
  ...commands.flatMap(({ kind, phrase, example }) => (kind === 'change' ? [] : [example ?? phrase])),
];

/** What bob sees by each section of his own page. */
const sections: Readonly<Record<string, RegExp>> = {
  timedSections: /hidden-a\.example/,
  requestSections: /Disconnect session 12/,
  siteSections: /live-betting\.example/,
  plannedSections: /hidden-c\.example/,
  applianceSections: /Appliances/,
  latelySections: /What you did lately/,
  commandSections: /Your commands/,
};

/** What the page is made of. */
async function sectionsThatThereAre(): Promise<readonly string[]> {
  const folder = new URL('../../src/action/home/', import.meta.url);
  const files = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  const texts = files.map((name) => readFileSync(new URL(name, folder), 'utf8'));
  return texts
    .flatMap((text) => Array.from(text.matchAll(/function (\w+Sections)\b/g), ([, name = '']) => name))
    .toSorted();
}

/** They show nothing: the bot forgets what it knew of somebody, or says what it can do. */
const silent = new Set(
  [
    ...['user_change', 'subteam_members_changed', 'subteam_updated', 'channel_shared'],
    ...['channel_unshared', 'member_joined_channel'],
  ].map((event) => `event ${event}`),
);

/** What Bolt is told to listen to, in a word. */
function calledBy(what: unknown): string {
  if (typeof what === 'string') return what;
  const { type: kind = '' } = Object(what);
  return kind === 'view_submission'
    ? 'form'
    : kind === 'message_action' || kind === 'shortcut'
      ? kind
      : 'input';
}

type Look = (house: Conversation & { readonly shared: string }) => Promise<unknown>;
const pressing =
  (label: string): Look =>
  ({ person }) =>
    person('vic').press('helpdesk', label);
const typing =
  (line: string): Look =>
  ({ person }) =>
    person('vic').type('helpdesk', `/appliance ${line}`);
const stepping =
  (name: string, inputs: object): Look =>
  async ({ workspace, bot }) => {
    const given = { ...inputs, channel: 'C0HELPDESK' };
    const act = {
      act: 'run_step',
      as: 'U0VIC00001',
      function: name,
      inputs: given,
      channel: given.channel,
    } as const;
    expect(await workspace.act(act)).toMatchObject({ ok: true });
    await bot.idle();
    return workspace.snapshot('U0VIC00001').runs;
  };

/** Where @vic may be shown something, by what Slack hands over; what these resolve to is shown to him, too. */
const places: Readonly<Record<string, Look>> = {
  'command /appliance': async (house) => {
    for (const line of new Set(asked)) await house.type(`/appliance ${line}`, 'vic');
  },
  'event app_mention': async ({ write }) => {
    await write('@appliance-bot temporary', 'vic');
  },
  'event message': async (house) => {
    for (const line of [
      'audit',
      'temporary',
      'planned',
      'show',
      `show ${house.shared}`,
      'watches',
      'timeline',
    ])
      await house.write(line, 'vic', 'appliance-bot');
  },
  'event app_home_opened': ({ person }) => person('vic').openHome(),
  'function look_up_website': stepping('look_up_website', { website: 'example.com' }),
  'function ask_for_change': stepping('ask_for_change', { change: 'undo' }),
  'view form': async (house) => {
    await house.person('vic').globalShortcut('Run a command');
    await house.person('vic').fill({ Channel: '#helpdesk' });
    return house.person('vic').submit();
  },
  'options input': async (house) => {
    await house.type('/appliance help', 'vic');
    await house.press('Run a command', 'vic');
    return house.person('vic').search('Command', '');
  },
  'shortcut shortcut': ({ person }) => person('vic').globalShortcut('Run a command'),
  'shortcut look_up_links': ({ person }) => person('vic').shortcut('helpdesk', 'Look up links'),
  'shortcut send_to_appliance': ({ person }) => person('vic').shortcut('helpdesk', 'Send to appliance'),
  'button confirm': typing('apply'),
  'button cancel': pressing('Cancel'),
  'button approve': pressing('Approve'),
  'button deny': pressing('Deny…'),
  'button offer': pressing('End now'),
  'button form': typing('category add'),
  'button build': typing('help category add'),
  'button page': pressing('Filter…'),
  'button filter': pressing('Filter…'),
  'button export': pressing('CSV'),
  'button reschedule': pressing('Change the time…'),
};

attacks('lists that show what others do', [
  ...Object.entries(places).map(([place, look]) => ({
    attack: `somebody whose only right is \`categorize\` looks by ${place}`,
    must: 'nothing is shown to them of what others did, planned, asked for or share',
    tryIt: async () => {
      const house = await withLists();
      const shown = await look(house);
      const seen = [JSON.stringify(shown ?? ''), alone(house, 'vic')].join('\n');
      const at = seen.search(hidden);
      expect(at === -1 ? undefined : seen.slice(Math.max(0, at - 300), at + 100)).toBeUndefined();
    },
  })),
  {
    attack: 'somebody who may have all of it opens their own page',
    must: 'each of its sections has something for them, so that the same page of others shows that it asks',
    tryIt: async () => {
      const house = await withLists();
      await house.person('bob').openHome();
      const seen = page(house, 'bob');
      const missing = Object.entries(sections).filter(([, shows]) => !shows.test(seen));
      expect(missing).toEqual([]);
      expect(Object.keys(sections).toSorted()).toEqual(await sectionsThatThereAre());
    },
  },
  {
    attack: 'something is listened to, drawn as a button or offered for a message that no row looks by',
    must: 'it is named here',
    tryIt: () => {
      const heard: string[] = [];
      const hear = (kind: string) => (what: unknown) => void heard.push(`${kind} ${calledBy(what)}`);
      const kinds = ['command', 'action', 'view', 'options', 'event', 'shortcut', 'message', 'function'];
      const others = ['step', 'use', 'assistant'];
      const app = Object.fromEntries([...kinds, ...others].map((kind) => [kind, hear(kind)]));
      listen(app as unknown as App, {} as Inbox, createLog('silent'));
      const all = [
        ...heard.filter((one) => !silent.has(one) && !/^(?:action|shortcut message)/.test(one)),
        ...presses.map((one) => `button ${one}`),
        ...messageShortcuts.map((one) => `shortcut ${one}`),
      ];
      expect(Object.keys(places).toSorted()).toEqual([...new Set(all)].toSorted());
    },
  },
]);

const switchedOff = ({ appliance }: Conversation): readonly string[] =>
  appliance.requests
    .filter(({ method, path }) => method !== 'GET' && /polic|target/.test(path))
    .map(({ path }) => path);

/** A command that needs an approval, under its usual name. */
const guarded = (rule: object, settings: object = {}) =>
  under({ approvals: [{ commands: [rule], by: 'approver' }], ...settings });

attacks('rules that name one of two commands that do the same', [
  ...(
    [
      [
        'rdp policy disable',
        'rdp policy change 5 --set enabled=0',
        'rdp policy change 5 --set description=x',
      ],
      [
        'rdp policy enable',
        'rdp policy change 5 --set Enabled=yes description=x',
        'rdp policy change 5 --set enabled=0',
      ],
      [
        'rdp policy disable',
        'rdp policy change 5 --set disabled=1',
        'rdp policy change 5 --set description=x',
      ],
      [
        'rdp target disable',
        'rdp target change 2 --set enabled=0',
        'rdp target change 2 --set description=x',
      ],
      ['category delete', 'category move example.com from 252 to 257', 'category add a.example to 252'],
      ['category add', 'category move example.com from 252 to 257', 'category delete a.example from 252'],
      ['vlan stop', 'vlan unlink 8', 'vlan start 8'],
      ['vlan stop', 'vlan reconfigure 3', 'vlan start 3'],
    ] as const
  ).map(([phrase, line, other]) => ({
    attack: `\`${line}\` where \`${phrase}\` needs an approval`,
    must: 'it waits for the same approval; what does not do that waits for none',
    tryIt: async () => {
      const house = await guarded({ phrase });
      await house.type(`/appliance ${line}`, 'dana');
      const [waiting] = await house.bot.journal.recent(1);
      expect([waiting?.state, waiting?.consent]).toEqual(['waiting', expect.anything()]);
      expect(switchedOff(house)).toEqual([]);
      await house.type(`/appliance ${other}`, 'dana');
      const [free] = await house.bot.journal.recent(1);
      expect(free?.consent).toBeUndefined();
    },
  })),
  {
    attack: 'the same inside a plan, planned for later, and for a time',
    must: 'each waits for the approval',
    tryIt: async () => {
      for (const line of [
        'plan rdp policy change 5 --set enabled=0; acl object disable 3',
        'rdp policy change 5 --set enabled=0 --at "in 3h"',
        'rdp policy change 5 --set enabled=0 --for 1h',
      ]) {
        const house = await guarded({ phrase: 'rdp policy disable' });
        await house.type(`/appliance ${line}`, 'bob');
        const [waiting] = await house.bot.journal.recent(1);
        expect([line, waiting?.state, waiting?.consent]).toEqual([line, 'waiting', expect.anything()]);
      }
    },
  },
  {
    attack: 'a role that gives a move and not a deletion',
    must: 'it is refused, and `policy explain` says the same',
    tryIt: async () => {
      const house = await under(
        {
          roles: {
            mover: { summary: 'moves', commands: [{ phrase: 'category move' }, { phrase: 'category add' }] },
          },
        },
        { roles: { mover: ['U0VIC00001'], operator: ['U0BOB00001'] } },
      );
      expect(await house.type('/appliance category move example.com from 252 to 257', 'vic')).toContain(
        'category delete requires',
      );
    },
  },
  {
    attack: 'sites are moved in the lines of a plan where many may only be added with an approval',
    must: 'they count together with those that are added',
    tryIt: async () => {
      const house = await guarded({ phrase: 'category add', above: 2 });
      const lines = 'category add a.example b.example to 252; category move example.com from 252 to 257';
      await house.type(`/appliance plan ${lines}`, 'bob');
      expect((await house.bot.journal.recent(1))[0]?.consent).toBeDefined();
    },
  },
]);

attacks('names that look like somebody', [
  {
    attack: 'an ACL object is called like a user group, like a person and like a channel, and is disabled',
    must: 'neither the audit nor its channel mentions anybody by it',
    tryIt: async () => {
      const house = await under({ audit: { channel: 'C0INCIDENT' } });
      for (const name of ['S0ADMINS01', 'U0DANA0001', 'C0HELPDESK', 'U0ALICE001']) {
        const object = house.appliance.state.acl.objects.get(3);
        if (object === undefined) throw new Error('There is no ACL object 3');
        house.appliance.state.acl.objects.set(3, { ...object, name, enabled: true });
        await house.type('/appliance acl object disable 3', 'bob');
        await house.type('/appliance audit', 'dana');
        await house.type('/appliance show', 'dana');
        await house.pass(2_000);
        await house.pass(2_000);
      }
      expect(house.read('alice', 'incident')).toContain('S0ADMINS01');
      const said = JSON.stringify(house.workspace.log.calls());
      expect(said).not.toMatch(/subteam\^S0ADMINS01|"usergroup_id":"S0ADMINS01"|<@U0DANA0001>: /);
      const posted = JSON.stringify(house.workspace.snapshot('U0ALICE001').messages);
      expect(posted).not.toContain('S0ADMINS01>');
    },
  },
  {
    attack: 'somebody else’s change is repeated in its thread',
    must: 'it says whose it was',
    tryIt: async () => {
      const house = await converse();
      await house.type('/appliance acl object disable 3', 'bob');
      const card = (await house.bot.journal.recent(1))[0]?.card;
      const said = await house.write('@appliance-bot again', 'dana', 'helpdesk', card);
      expect(said).toContain('This thread is about a command of @bob: /appliance acl object disable 3.');
    },
  },
  {
    attack: 'somebody of another organization reads the help of a shared channel',
    must: 'it does not tell what a team calls its things',
    tryIt: async () => {
      const house = await converse({
        policy: {
          words: { 'kill switch': 'emergency enable' },
          channels: {
            C0PARTNERS: {
              name: 'partners',
              appliance: 'hq',
              roles: { viewer: ['U0EVE00001', 'U0BOB00001'] },
            },
          },
        },
      });
      const helpFor = async (name: string) => {
        await house.write('@appliance-bot help', name, 'partners');
        await house.write('@appliance-bot help emergency enable', name, 'partners');
        await house.write('@appliance-bot kill switch', name, 'partners');
        return house.read(name, 'partners').replaceAll('@appliance-bot kill switch', '');
      };
      expect(await helpFor('bob')).toContain('own words: kill switch');
      expect(await helpFor('eve')).not.toMatch(/own words|emergency enable requires|Understood as/);
    },
  },
]);
