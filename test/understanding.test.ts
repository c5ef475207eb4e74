import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { converse } from './conversation.ts';
import { steadyNow } from './steady-clock.ts';

describe('a guess', () => {
  test('at a change asks first when its button is pressed, though the typed line would run at once', async () => {
    const { type, press, appliance } = await converse();
    const isSent = () => appliance.requests.some(({ path }) => path.includes('/acls/object/disable/'));
    await type('/appliance turn off google_sni', 'bob');
    expect(isSent()).toBe(false);
    const asked = await press('acl object disable google_sni', 'bob');
    expect(asked).toContain('google_sni');
    expect(isSent()).toBe(false);
    await press('Disable', 'bob');
    expect(isSent()).toBe(true);
  });

  test('at a change that the person may not run goes to the approvers, and runs when one of them agrees', async () => {
    const { type, press, read, appliance } = await converse();
    const isSent = () => appliance.requests.some(({ path }) => path.includes('/acls/object/disable/'));
    await type('/appliance turn off google_sni', 'alice');
    await press('Ask for approval: acl object disable google_sni', 'alice');
    expect(read('bob')).toContain('@alice');
    expect(isSent()).toBe(false);
    await press('Approve', 'bob');
    await press('Yes, approve', 'bob');
    expect(isSent()).toBe(true);
  });

  test('never allows the site that somebody wants blocked', async () => {
    const { type } = await converse();
    for (const line of ['put pornhub.com on the blacklist', 'sperr mal bitte temu.com', 'ban temu.com'])
      for (const person of ['alice', 'bob'])
        expect(await type(`/appliance ${line}`, person), line).not.toMatch(/\[(?:Allow|Ask for the site)/);
    expect(await type('/appliance unblock temu.com', 'bob')).toMatch(/\[Allow for 4 h\]/);
  });

  test('is not made for the command itself, which runs at once', async () => {
    const { type, appliance } = await converse();
    await type('/appliance acl object disable google_sni', 'bob');
    expect(appliance.requests.some(({ path }) => path.includes('/acls/object/disable/'))).toBe(true);
  });

  test('at a lookup runs and says how it was understood', async () => {
    const { type } = await converse();
    expect(await type('/appliance list all rdp sessions')).toContain(
      'Understood as /appliance rdp sessions.',
    );
    expect(await type('/appliance rdp sessions')).not.toMatch(/Understood as[\s\S]*Understood as/);
  });
});

describe('the names that an appliance lists', () => {
  test('are asked for once in five minutes, and not for a line that is a command', async () => {
    const { type, wait, appliance } = await converse();
    const lists = () => appliance.requests.filter(({ path }) => path.startsWith('/proxy/acls/object')).length;
    await type('/appliance rdp sessions');
    expect(lists()).toBe(0);
    await type('/appliance zxcv qwer', 'bob');
    const once = lists();
    expect(once).toBeGreaterThan(0);
    await type('/appliance zxcv qwertz', 'bob');
    await type('/appliance turn off google_sni');
    expect(lists()).toBe(once);
    wait(5 * 60_000 + 1_000);
    await type('/appliance zxcv uiop', 'bob');
    expect(lists()).toBe(2 * once);
  });

  test('delay no line where the appliance does not answer', async () => {
    const { bot, workspace, appliance } = await converse();
    for (const operation of ['GET /proxy/acls/objects', 'GET /rdpproxy/sessions', 'GET /categories/list']) {
      appliance.faults.set(operation, { kind: 'slow', ms: 60_000 });
    }
    const channel = workspace.channels.find(({ name }) => name === 'helpdesk');
    const began = steadyNow();
    const found = await bot.read('zxcv qwer', { person: 'U0BOB00001', channel: channel?.id ?? '' });
    expect(found.kind).toBe('unknown');
    expect(steadyNow() - began).toBeLessThan(10_000);
  });
});

describe('a team’s own words', () => {
  const words = {
    kick: 'rdp disconnect',
    'throw <session> out': 'rdp disconnect <session>',
    freischalten: 'why',
  };

  test('run their commands, with the same questions', async () => {
    const { type, press } = await converse({ policy: { words } });
    expect(await type('/appliance kick 12')).toContain(
      'Disconnect session 12 of bob.miller on srv-files-01?',
    );
    await press('Cancel');
    expect(await type('/appliance throw 12 out')).toContain(
      'Disconnect session 12 of bob.miller on srv-files-01?',
    );
    expect(await type('/appliance freischalten example.com')).toContain(
      'Understood as /appliance why example.com',
    );
  });

  test('give nobody more rights', async () => {
    const { type } = await converse({ policy: { words } });
    expect(await type('/appliance kick 12', 'vic')).toContain('rdp disconnect requires');
  });

  test('are listed by help', async () => {
    const { type } = await converse({ policy: { words } });
    expect(await type('/appliance help')).toContain('kick');
    expect(await type('/appliance help rdp disconnect')).toContain('kick');
  });

  test('count after the file is read again', async () => {
    const { type, data, bot } = await converse({ policy: { words } });
    const file = join(dirname(data), 'appliance-bot.yml');
    expect(await type('/appliance rauswerfen 12')).not.toContain('Disconnect session 12');
    writeFileSync(`${file}.new`, readFileSync(file, 'utf8').replace('kick:', 'rauswerfen:'));
    renameSync(`${file}.new`, file);
    bot.reload();
    await bot.idle();
    expect(await bot.journal.reloads()).toMatchObject([{ outcome: 'taken' }]);
    expect(await type('/appliance rauswerfen 12')).toContain(
      'Disconnect session 12 of bob.miller on srv-files-01?',
    );
  });

  test.each([
    [{ kick: 'rdp disconect' }, 'which is not a command'],
    [{ 'rdp disconnect': 'rdp sessions' }, 'conflicts with the command rdp disconnect'],
    [{ kick: 'rdp disconnect', Kick: 'rdp sessions' }, 'is the same as kick'],
    [{ 'throw <session> out': 'rdp disconnect' }, 'has <session>, but its command does not'],
    [{ throw: 'rdp disconnect <session>' }, 'does not have <session>, but its command does'],
    [{ '<session> out': 'rdp disconnect <session>' }, 'must start with a word, not with a <slot>'],
  ])('%j ends the start', async (wrong, complaint) => {
    await expect(converse({ policy: { words: wrong } })).rejects.toThrow(complaint);
  });
});
