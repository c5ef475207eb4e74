import { describe, expect, test } from 'vitest';
import { nameOf } from '../src/handlers/command-name.ts';
import { topics } from '../src/handlers/help/topics.ts';
import { lineOf } from '../src/handlers/language/asked.ts';
import { commands } from '../src/handlers/registry.ts';
import { type Conversation, converse } from './conversation.ts';

const label = 'Run a command';

async function opened(by: string, policy: Record<string, unknown> = {}) {
  const conversation = await converse({ policy });
  await conversation.type('/appliance help', by);
  await conversation.press(label, by);
  return conversation;
}

describe('the button "Run a command" of help', () => {
  test('finds a command by what people call it, and opens its form', async () => {
    const { person, read } = await opened('dana');
    const dana = person('dana');
    expect(dana.form()).toMatchObject({ title: label, submit: 'Continue' });
    expect((await dana.search('Command', 'kick'))[0]).toMatch(/^rdp disconnect – Disconnect/);
    await dana.fill({ Command: 'rdp disconnect' });
    expect(await dana.submit()).toEqual({ ok: true });
    expect(dana.form()).toMatchObject({ title: 'RDP disconnect' });
    await dana.fill({ 'Open session': '12' });
    await dana.submit();
    expect(read('dana')).toContain('[Disconnect]');
  });

  test.each([
    ['block', 'why'],
    ['sperren', 'category add'],
    ['disconnect', 'rdp disconnect'],
    ['kick', 'rdp disconnect'],
    ['trennen', 'rdp disconnect'],
    ['unblock', 'acl record add'],
    ['categorize', 'categorize'],
    ['restart', 'rdp restart'],
    ['dns', 'dns statistics'],
    ['mfa', 'mfa users'],
  ])('offers for the verb "%s" first the command that people come for with it: %s', async (verb, first) => {
    const { person } = await opened('dana');
    const [offered] = await person('dana').search('Command', verb);
    expect(offered?.split(' – ')[0]).toBe(first);
  });

  test.each([
    ['block', 'category add'],
    ['freigeben', 'category add'],
    ['unblock', 'ask'],
    ['open', 'why'],
    ['dns', 'dns status'],
  ])('offers for the verb "%s" among the first: %s', async (verb, wanted) => {
    const { person } = await opened('dana');
    const offered = await person('dana').search('Command', verb);
    expect(offered.slice(0, 4).map((one) => one.split(' – ')[0])).toContain(wanted);
  });

  test('finds it by a word of the team’s own, too, and asks the appliance for its names once, not at each key', async () => {
    const { person, appliance } = await opened('dana', { words: { freischalten: 'categorize' } });
    const dana = person('dana');
    expect((await dana.search('Command', 'freischalten example.com'))[0]).toMatch(
      /^categorize example\.com – /,
    );
    await dana.search('Command', 'frobnicate');
    const asked = appliance.requests.length;
    expect(asked).toBeGreaterThan(0);
    await dana.search('Command', 'frobnicate the flux');
    expect(appliance.requests.length).toBe(asked);
  });

  test('shows common commands, by area, without any typing', async () => {
    const conversation = await house();
    const offered = await (await searching(conversation, 'dana')).search('Command', '');
    expect(offered.length).toBe(100);
    const names = offered.map((one) => one.split(' – ')[0]);
    expect(names.slice(0, 3)).toEqual(['why', 'categorize', 'analyze']);
    for (const { first } of topics) expect(names).toEqual(expect.arrayContaining([...first]));
    expect(await headings(conversation, 'dana', '')).toEqual(topics.map(({ title }) => title));
  });

  test('puts the person’s own most frequent commands first, and ignores others’ habits', async () => {
    const conversation = await house();
    for (const line of ['rdp sessions', 'services', 'services', 'status'])
      await conversation.type(`/appliance ${line}`, 'dana');
    await conversation.type('/appliance acl objects', 'alice');
    const offered = await (await searching(conversation, 'dana')).search('Command', '');
    expect(offered.slice(0, 3).map((one) => one.split(' – ')[0])).toEqual([
      'services',
      'rdp sessions',
      'status',
    ]);
    expect((await headings(conversation, 'dana', ''))[0]).toBe('You use often');
    expect(new Set(offered).size).toBe(offered.length);
  });

  test('ranks a line as where it is typed, and puts commands with these words after that', async () => {
    const conversation = await opened('dana');
    const { bot, person } = conversation;
    for (const line of [
      'kick bob',
      'block evil.example',
      'who is logged in',
      'Sitzung beenden',
      'reboot the gateway',
    ]) {
      const found = await bot.read(line, { person: 'U0DANA0001', channel: 'C0HELPDESK' });
      const meant =
        'nearest' in found ? found.nearest.map((one) => one.asked) : 'typed' in found ? [found] : [];
      expect(meant.length).toBeGreaterThan(0);
      const offered = await person('dana').search('Command', line);
      const lines = meant.map((one) =>
        Object.values(one.typed).flat().length > 0 ? lineOf(one) : nameOf(one.command),
      );
      expect(offered.map((one) => one.split(' – ')[0]).slice(0, meant.length)).toEqual(lines);
      expect((await headings(conversation, 'dana', line))[0]).toBe('Best matches');
    }
  });

  test.each([
    ['disconn', ['rdp disconnect']],
    ['rdp disco', ['rdp disconnect']],
    ['emerg', ['emergency status', 'emergency enable', 'emergency disable']],
    ['unblock', ['category delete', 'acl record delete', 'mfa unlock']],
  ])('finds %j while it is being typed', async (typed, names) => {
    const { person } = await opened('dana');
    const offered = (await person('dana').search('Command', typed)).map((one) => one.split(' – ')[0]);
    expect(offered).toEqual(expect.arrayContaining(names));
    if (typed === 'unblock') expect(offered).not.toContain('emergency status');
  });

  test('carries the typed values into the form of the command, and asks before a change', async () => {
    const { person, read, appliance } = await opened('dana');
    const dana = person('dana');
    await dana.fill({ Command: 'rdp disconnect 12' });
    await dana.submit();
    expect(read('dana')).toContain('[Disconnect]');
    expect(appliance.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  test('offers something to begin with where nothing matches, and only commands that the person may run', async () => {
    const conversation = await opened('vic');
    const offered = await conversation.person('vic').search('Command', 'frobnicate the flux');
    expect(offered).toContainEqual(expect.stringMatching(/^why – /));
    expect(await headings(conversation, 'vic', 'frobnicate the flux')).toEqual([
      'Nothing that you can run here matches. Try',
    ]);
    const changes = commands.filter(({ effect }) => effect !== 'read').map(nameOf);
    for (const one of offered) expect(changes).not.toContain(one.split(' – ')[0]);
  });

  test('says in both fields what to type', async () => {
    const conversation = await house();
    const placeholders = () =>
      JSON.stringify(conversation.workspace.snapshot('U0DANA0001').views.at(-1)?.view.blocks);
    await conversation.person('dana').globalShortcut(label);
    expect(placeholders()).toContain('Type the name of a channel');
    const dana = conversation.person('dana');
    expect(await headings(conversation, 'dana', 'nowhere at all')).toEqual([
      'No channel of yours has this name. Yours are',
    ]);
    await dana.fill({ Channel: '#helpdesk' });
    await dana.submit();
    expect(placeholders()).toContain('Type what you want to do');
    expect(placeholders()).toContain('such as “kick bob”');
  });

  test('answers in time where Slack is too slow to tell who somebody is', async () => {
    const conversation = await opened('dana');
    conversation.wait(10 * 60_000);
    for (const method of ['users.info', 'usergroups.users.list'])
      conversation.workspace.faults.next(method, { kind: 'delay', ms: 4_000 });
    expect(await conversation.person('dana').search('Command', 'kick')).toEqual([
      'Slack or the appliance is slow to answer. Type again in a moment.',
    ]);
  });

  test('answers a command without arguments at once', async () => {
    const { person, read, bot } = await opened('vic');
    await person('vic').fill({ Command: 'rdp sessions' });
    await person('vic').submit();
    expect(person('vic').form()).toBeUndefined();
    expect(read('vic')).toContain('/appliance rdp sessions');
    expect((await bot.journal.recent(1))[0]).toMatchObject({ state: 'done', phrase: 'rdp sessions' });
  });

  test('offers only what this person may run there', async () => {
    const { person } = await opened('vic');
    expect(await person('vic').search('Command', 'rdp disconnect')).not.toContainEqual(
      expect.stringContaining('rdp disconnect'),
    );
    const { person: other } = await opened('dana');
    expect(await other('dana').search('Command', 'rdp disconnect')).toContainEqual(
      expect.stringContaining('rdp disconnect –'),
    );
  });

  test('asks before a change, even where the typed line would run at once', async () => {
    const { person, read, appliance } = await opened('dana');
    const before = appliance.requests.length;
    await person('dana').fill({ Command: 'acl compile' });
    await person('dana').submit();
    expect(read('dana')).toContain('[Cancel]');
    expect(appliance.requests.slice(before).filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  test('opens its form as often as it is pressed', async () => {
    const { person, press } = await opened('vic');
    await person('vic').fill({ Command: 'rdp sessions' });
    await person('vic').submit();
    await press(label, 'vic');
    expect(person('vic').form()).toMatchObject({ title: label });
  });
});

/** The headings of the choices for a word, as Slack gets them. */
async function headings({ workspace }: Conversation, by: string, query: string): Promise<readonly string[]> {
  const as = workspace.people.find((one) => one.name === by)?.id ?? by;
  const open = workspace.snapshot(as).views.at(-1);
  const name = JSON.stringify(open?.view.blocks).includes('input:channel')
    ? 'input:channel'
    : 'input:command';
  const container = { kind: 'view', id: open?.id ?? '' } as const;
  const answer = await workspace.act({
    act: 'suggest',
    as,
    container,
    block_id: name,
    action_id: name,
    query,
  });
  const offered = answer.ok ? (answer.options ?? []) : [];
  return offered.flatMap((one) => {
    const { label: heading } = one as { readonly label?: { readonly text: string } };
    return heading === undefined ? [] : [heading.text];
  });
}

/** #vault is a private channel of dana's, and enabled like #helpdesk, where vic may look things up and dana runs everything. */
async function house(options: Parameters<typeof converse>[0] = {}) {
  const roles = { viewer: 'everyone', admin: ['S0ADMINS01'] };
  const served = { appliance: 'hq', roles };
  return converse({
    workspace: {
      channels: [
        { id: 'C0HELPDESK', name: 'helpdesk' },
        { id: 'C0RANDOM01', name: 'random' },
        { id: 'C0VAULT001', name: 'vault', isPrivate: true, members: ['U0DANA0001'] },
        { id: 'C0QUIET001', name: 'quiet', botIsMember: false },
      ],
    },
    policy: {
      channels: {
        C0HELPDESK: { ...served, roles: { viewer: 'everyone', admin: ['U0DANA0001'] } },
        C0VAULT001: served,
        C0QUIET001: { ...served, roles: { viewer: 'everyone' } },
      },
    },
    ...options,
  });
}

const ways = {
  'the shortcut': ({ person }: Conversation, by: string) => person(by).globalShortcut(label),
  'App Home': async ({ person }: Conversation, by: string) => {
    await person(by).openHome();
    await person(by).press('home', label);
  },
};

/** Opens it and chooses the channel. */
async function searching(conversation: Conversation, by: string, channel = '#helpdesk') {
  await ways['the shortcut'](conversation, by);
  const person = conversation.person(by);
  await person.fill({ Channel: channel });
  await person.submit();
  return person;
}

/** A tampered click: it names a channel that was not offered. */
async function name(conversation: Conversation, by: string, channel: string) {
  const { workspace, bot } = conversation;
  const as = workspace.people.find((one) => one.name === by)?.id ?? by;
  await ways['the shortcut'](conversation, by);
  const { id = '' } = workspace.snapshot(as).views.at(-1) ?? {};
  const option = { text: { type: 'plain_text', text: 'here' }, value: channel };
  const state = {
    'input:channel': { 'input:channel': { type: 'external_select', selected_option: option } },
  };
  await workspace.act({ act: 'submit', as, view: id, state });
  await bot.idle();
  return conversation.person(by).form();
}

async function ran({ bot }: Conversation) {
  const [action] = await bot.journal.recent(1);
  if (action === undefined) throw new Error('Nothing ran');
  const { line, phrase, team, channel, person, effect, appliance, state, outcome } = action;
  return { line, phrase, team, channel, person, effect, appliance, state, outcome };
}

const notMember = {
  Channel:
    'You aren’t a member of this channel. No changes were made. Join the channel, or choose another one.',
};

describe('"Run a command" outside of a channel', () => {
  test.each(Object.entries(ways))(
    'opens by %s, asks for the channel, and continues in it',
    async (_, open) => {
      const conversation = await house();
      const dana = conversation.person('dana');
      await open(conversation, 'dana');
      expect(dana.form()).toMatchObject({ title: label, submit: 'Continue' });
      expect(dana.form()?.fields.map((field) => field.label)).toEqual(['Channel']);
      await dana.fill({ Channel: '#vault' });
      await dana.submit();
      expect(dana.form()?.text).toContain('Runs in #vault.');
      await dana.fill({ Command: 'rdp disconnect' });
      await dana.submit();
      expect(dana.form()).toMatchObject({ title: 'RDP disconnect' });
      await dana.fill({ 'Open session': '12' });
      await dana.submit();
      expect(conversation.read('dana', 'vault')).toContain('[Disconnect]');
      expect(conversation.read('dana', 'helpdesk')).toBe('');
    },
  );

  test('offers the channels that are enabled and that the person is in, and no other', async () => {
    const conversation = await house();
    await ways['the shortcut'](conversation, 'dana');
    const dana = conversation.person('dana');
    expect(await dana.search('Channel', '')).toEqual(['#helpdesk – hq', '#quiet – hq', '#vault – hq']);
    expect(await dana.search('Channel', 'VAU')).toEqual(['#vault – hq']);
    await ways['the shortcut'](conversation, 'vic');
    expect(await conversation.person('vic').search('Channel', '')).toEqual(['#helpdesk – hq', '#quiet – hq']);
  });

  test('offers the commands that the person may run in that channel, and no other', async () => {
    const conversation = await house();
    const offered = async (by: string, channel: string) =>
      (await searching(conversation, by, channel)).search('Command', 'rdp disconnect');
    const disconnect = expect.stringContaining('rdp disconnect –');
    expect(await offered('dana', '#helpdesk')).toContainEqual(disconnect);
    expect(await offered('dana', '#quiet')).not.toContainEqual(disconnect);
    expect(await offered('vic', '#helpdesk')).not.toContainEqual(disconnect);
    // A guest holds no role that is everyone's.
    const gus = await searching(conversation, 'gus');
    const all = await gus.search('Command', '');
    expect(all.map((one) => one.split(' – ')[0]).toSorted()).toEqual(['approvals', 'help', 'whoami']);
  });

  test.each([
    ['a lookup', 'vic', 'rdp sessions', {}, 'rdp sessions'],
    ['a change', 'dana', 'rdp disconnect', { 'Open session': '12' }, 'rdp disconnect 12'],
  ])('ends %s as the typed line does', async (_, by, command, fields, line) => {
    const [typing, building] = [await house(), await house()];
    await typing.type(`/appliance ${line}`, by);
    const person = await searching(building, by);
    await person.fill({ Command: command });
    await person.submit();
    if (Object.keys(fields).length > 0) {
      await person.fill(fields);
      await person.submit();
    }
    expect(building.read(by)).toContain(command);
    expect(building.read(by)).toBe(typing.read(by));
    const [typed, built] = await Promise.all([typing, building].map(ran));
    expect(typed).toMatchObject({ channel: 'C0HELPDESK', appliance: 'hq' });
    expect(built).toEqual(typed);
  });

  test('tells a person outside the channel that they are not in it, whether it is enabled or not', async () => {
    const conversation = await house();
    const { bot, appliance } = conversation;
    const asked = appliance.requests.length;
    for (const channel of ['C0VAULT001', 'C0NOSUCH01', 'D0DANA0001', 'everyone', '__proto__']) {
      expect(await name(conversation, 'vic', channel)).toMatchObject({ title: label, errors: notMember });
    }
    expect(await bot.journal.recent(1)).toMatchObject([
      { person: 'U0VIC00001', channel: 'U0VIC00001', state: 'refused', outcome: { code: 'not_member' } },
    ]);
    expect(
      conversation
        .person('vic')
        .form()
        ?.fields.map((field) => field.label),
    ).toEqual(['Channel']);
    expect(appliance.requests.length).toBe(asked);
  });

  test('tells a member that the bot is not enabled there', async () => {
    const form = await name(await house(), 'vic', 'C0RANDOM01');
    expect(form?.errors).toEqual({
      Channel: 'Appliance Bot isn’t enabled in this channel. No changes were made. Choose another channel.',
    });
  });

  test('shows nothing more to a person who has left the channel meanwhile', async () => {
    const conversation = await house();
    const { workspace, wait, appliance, read } = conversation;
    const dana = await searching(conversation, 'dana', '#vault');
    await dana.fill({ Command: 'rdp sessions' });
    await workspace.changeChannel('C0VAULT001', { members: new Set([workspace.botUserId, 'U0VIC00001']) });
    wait(10_000);
    const asked = appliance.requests.length;
    expect(await dana.search('Command', 'rdp')).toEqual([]);
    await dana.submit();
    expect(dana.form()?.errors).toEqual({ Command: notMember.Channel });
    expect(appliance.requests.length).toBe(asked);
    expect(read('vic', 'vault')).toBe('');
  });

  test('says so, and shows nothing, where Slack does not list the members', async () => {
    const conversation = await house();
    const { workspace } = conversation;
    const fails = () =>
      workspace.faults.next('users.conversations', { kind: 'error', error: 'missing_scope' });
    await ways['the shortcut'](conversation, 'vic');
    fails();
    const [unread = '', ...others] = await conversation.person('vic').search('Channel', '');
    expect(unread).toBe('Slack doesn’t tell which channels you are in. Open this again in a minute.');
    expect(others).toEqual([]);
    fails();
    expect((await name(conversation, 'vic', 'C0HELPDESK'))?.errors).toEqual({
      Channel:
        'Couldn’t find out from Slack which channels you are in, so this was refused. No changes were made. Try again in a minute.',
    });
    expect((await name(conversation, 'vic', 'lookup_failed'))?.errors.Channel).toMatch(/^Couldn’t find out/);
  });

  test('shows nothing where Slack takes too long, and says so before the form times out', async () => {
    const conversation = await house();
    conversation.workspace.faults.next('users.conversations', { kind: 'delay', ms: 2_500 });
    expect((await name(conversation, 'vic', 'C0HELPDESK'))?.errors.Channel).toMatch(
      /^Couldn’t find out from Slack/,
    );
  });

  test('opens no more often than a person needs, and says so', async () => {
    const conversation = await house();
    for (let count = 0; count < 31; count += 1) await ways['the shortcut'](conversation, 'vic');
    expect(conversation.workspace.log.calls('views.open')).toHaveLength(30);
    expect(conversation.read('vic', 'appliance-bot')).toContain('Your click did nothing.');
  });

  test('opens once where Slack delivers the shortcut twice', async () => {
    const conversation = await house();
    conversation.workspace.faults.next('delivery', { kind: 'twice' });
    await ways['the shortcut'](conversation, 'vic');
    expect(conversation.workspace.log.calls('views.open')).toHaveLength(1);
  });

  test('works in a direct message with the bot where that is enabled', async () => {
    const served = { appliance: 'hq', roles: { viewer: 'everyone' } };
    const conversation = await house({ policy: { channels: { D0VIC00001: served } } });
    conversation.workspace.direct('U0VIC00001');
    await ways['the shortcut'](conversation, 'vic');
    const vic = conversation.person('vic');
    expect(await vic.search('Channel', '')).toEqual(['Direct message – hq']);
    await vic.fill({ Channel: 'Direct message' });
    await vic.submit();
    expect(vic.form()?.text).toContain('Runs in your direct message with Appliance Bot.');
    await vic.fill({ Command: 'rdp sessions' });
    await vic.submit();
    expect(conversation.read('vic', 'appliance-bot')).toContain('/appliance rdp sessions');
  });

  test('answers in a direct message where the bot is not in the channel', async () => {
    const conversation = await house();
    for (const [command, answer] of [
      ['whoami', 'viewer'],
      ['rdp sessions', '15 remote-desktop sessions open'],
    ] as const) {
      const vic = await searching(conversation, 'vic', '#quiet');
      await vic.fill({ Command: command });
      await vic.submit();
      expect(conversation.read('vic', 'appliance-bot')).toContain(answer);
    }
    expect(conversation.read('dana', 'quiet')).toBe('');
  });

  test('says in a direct message that Slack did not open it', async () => {
    const conversation = await house();
    conversation.workspace.faults.next('views.open', { kind: 'error', error: 'expired_trigger_id' });
    await ways['the shortcut'](conversation, 'vic');
    expect(conversation.person('vic').form()).toBeUndefined();
    expect(conversation.read('vic', 'appliance-bot')).toContain(
      'Slack did not open the form. No changes were made.',
    );
  });
});
