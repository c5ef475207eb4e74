import { describe, expect, test } from 'vitest';
import { converse } from './conversation.ts';

describe('a person without the role', () => {
  test('is told privately which role the command requires, which they have, and who has it', async () => {
    const { type, read, appliance, bot } = await converse();
    const said = await type('/appliance rdp disconnect 12', 'vic');
    expect(said).toBe(`#helpdesk

appliance-bot · (only visible to vic)
  rdp disconnect requires the helpdesk, operator or admin role in #helpdesk. Your role here is viewer. No changes were made. Ask @alice, @bob or @dana to run it.
  [Ask for approval]`);
    expect(read('alice')).toBe('');
    expect(appliance.requests).toEqual([]);
    expect((await bot.journal.recent(1))[0]).toMatchObject({
      state: 'refused',
      outcome: { code: 'role_missing' },
    });
  });

  test('is refused as a guest even where everyone may', async () => {
    const { type, appliance } = await converse();
    expect(await type('/appliance categorize example.com', 'gus')).toContain(
      'You are a guest in this workspace',
    );
    expect(appliance.requests).toEqual([]);
  });

  test('is refused when Slack cannot identify them, with the failed lookup as the reason', async () => {
    const { type, workspace, appliance } = await converse();
    workspace.faults.next('users.info', { kind: 'error', error: 'internal_error' });
    expect(await type('/appliance categorize example.com')).toContain(
      'Couldn’t find out from Slack who you are',
    );
    expect(appliance.requests).toEqual([]);
    expect(await type('/appliance categorize example.com')).toContain('is in 1 category');
  });
});

describe('a channel that is not in the policy', () => {
  test.each(['categorize example.com', 'rdp sessions', 'version', 'frobnicate'])(
    'refuses "%s"',
    async (line) => {
      const { type, appliance } = await converse();
      const said = await type(`/appliance ${line}`, 'dana', 'random');
      expect(said).toContain('Appliance Bot isn’t enabled in #random. No changes were made.');
      expect(appliance.requests).toEqual([]);
    },
  );

  test('differs from a direct message of a person in an enabled channel, and is named by its kind', async () => {
    const channels = [{ id: 'C0HELPDESK', name: 'helpdesk', members: ['U0ALICE001'] }];
    const { type } = await converse({ workspace: { channels } });
    expect(await type('/appliance rdp sessions', 'alice', 'appliance-bot')).toContain(
      '15 remote-desktop sessions open',
    );
    const said = await type('/appliance rdp sessions', 'bob', 'appliance-bot');
    expect(said).toContain('You aren’t in any channel where Appliance Bot is enabled. No changes were made.');
    expect(await type('/appliance help', 'bob', 'appliance-bot')).toContain(
      'Appliance Bot isn’t enabled in this direct message, but blocked websites can be requested here.',
    );
  });

  test('still answers help and whoami', async () => {
    const { type } = await converse();
    expect(await type('/appliance help', 'dana', 'random')).toContain(
      'whoami – Show your roles in this channel',
    );
    expect(await type('/appliance whoami', 'dana', 'random')).toContain('@dana has no role in this channel');
  });
});

describe('an unknown line', () => {
  test('gets the nearest commands', async () => {
    const { type } = await converse();
    const said = await type('/appliance rdp disconect 12');
    expect(said).toContain('Unknown command rdp disconect 12. No changes were made.');
    expect(said).toContain('/appliance rdp disconnect 12');
  });

  test.each(['rdp disconect 12', 'rdp', 'frobnicate the flux'])(
    'as "%s" lists suggestions in the notification, too, where buttons are not read',
    async (line) => {
      const { type, workspace } = await converse();
      await type(`/appliance ${line}`, 'bob');
      expect(workspace.snapshot('U0BOB00001').messages.at(-1)?.text).toMatch(
        /\/appliance (?:rdp disconnect 12|help)/,
      );
    },
  );

  test('gets its possible continuations', async () => {
    const { type } = await converse();
    const said = await type('/appliance rdp');
    expect(said).toContain('/appliance rdp sessions');
    expect(said).toContain('/appliance rdp disconnect 12');
  });

  test('gets the likely command with the typed values, ready to send', async () => {
    const { type, appliance } = await converse();
    const said = await type('/appliance move foo.org away');
    expect(said).toContain('Unknown command move foo.org away. No changes were made.');
    expect(said).toContain('/appliance category move foo.org');
    expect(await type('/appliance foo.org')).toContain('Did you mean:');
    // Names are looked up for suggestions, and nothing is changed.
    expect(appliance.requests.filter(({ operation }) => operation?.startsWith('categor'))).toSatisfy(
      (asked: readonly unknown[]) => asked.length <= 1,
    );
  });

  test('gets commands for the known part', async () => {
    const { type } = await converse();
    const said = await type('/appliance rdp frobnicate 12');
    expect(said).toContain('Unknown command rdp frobnicate 12. No changes were made.');
    expect(said).toMatch(/\/appliance rdp \w+ 12/);
  });

  test('is help when it asks for that in other words', async () => {
    const { type } = await converse();
    expect(await type('/appliance --help')).toContain('What you can run here, after /appliance:');
    expect(await type('/appliance hello')).toContain('What you can run here, after /appliance:');
  });

  test('is help when it is empty', async () => {
    const { type } = await converse();
    expect(await type('/appliance')).toContain('What you can run here, after /appliance:');
  });

  test.each([
    ['3 KB of letters', 'x'.repeat(3_000)],
    ['3 KB of words', 'lorem ipsum '.repeat(250)],
    ['3 KB of brackets and quotes', '<>"\'[]{}`*_~|&'.repeat(215)],
    ['3 KB of emoji', '🦊'.repeat(750)],
    ['mentions of everybody', '<!channel> <!here> <!everyone>'],
    ['too many arguments', 'rdp disconnect 12 13'],
  ])('gets a short answer, only to the person, when it is %s', async (_, junk) => {
    const { type, bot, workspace } = await converse();
    const said = await type(`/appliance ${junk}`);
    expect(said).toContain('(only visible to alice)');
    expect(said).toMatch(/No changes were made/);
    expect(said.length).toBeLessThan(1_200);
    expect((await bot.journal.recent(1))[0]).toMatchObject({ state: 'refused' });
    expect(workspace.log.calls().filter(({ ok }) => !ok)).toEqual([]);
  });

  test('opens a form when it lacks an argument, and gets a short answer where Slack opens none', async () => {
    const { type, person, bot, workspace, appliance } = await converse();
    expect(await type('/appliance rdp disconnect')).toBe('');
    expect(person('alice').form()).toMatchObject({
      title: 'RDP disconnect',
      fields: [{ label: 'Open session', value: '' }, { label: 'Run at' }],
    });
    await person('alice').dismiss();
    workspace.faults.next('views.open', { kind: 'error', error: 'expired_trigger_id' });
    const said = await type('/appliance rdp disconnect');
    expect(said).toContain('(only visible to alice)');
    expect(said).toMatch(/rdp disconnect (?:<session> )?needs an open session\. No changes were made\./);
    expect(said.length).toBeLessThan(1_200);
    expect((await bot.journal.recent(1))[0]).toMatchObject({ state: 'refused' });
    expect(appliance.requests.filter(({ path }) => path.includes('disconnect'))).toEqual([]);
  });
});

describe('a channel that the bot cannot write to', () => {
  test('gets the answer to the person instead, with the remedy', async () => {
    const { type, workspace } = await converse();
    workspace.faults.next('chat.postMessage', { kind: 'error', error: 'not_in_channel' });
    const said = await type('/appliance categorize example.com');
    expect(said).toContain('(only visible to alice)');
    expect(said).toContain('example.com is in 1 category: shopping');
    expect(said).toContain('/invite @appliance-bot');
  });

  test('gets no card, and no change is made', async () => {
    const { type, workspace, bot } = await converse();
    workspace.faults.next('chat.postMessage', { kind: 'error', error: 'not_in_channel' });
    expect(await type('/appliance rdp disconnect 12')).toContain(
      'No changes were made. Type /invite @appliance-bot and try again.',
    );
    expect((await bot.journal.recent(1))[0]).toMatchObject({ state: 'cancelled' });
  });
});
