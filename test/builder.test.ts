import { describe, expect, test } from 'vitest';
import { converse } from './conversation.ts';

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
    expect(dana.form()).toMatchObject({ title: 'rdp disconnect' });
    await dana.fill({ 'Open session': '12' });
    await dana.submit();
    expect(read('dana')).toContain('[Disconnect]');
  });

  test('finds it by a word of the team’s own, too, and asks no appliance at a key', async () => {
    const { person, appliance } = await opened('dana', { words: { freischalten: 'categorize' } });
    const asked = appliance.requests.length;
    expect((await person('dana').search('Command', 'freischalten example.com'))[0]).toMatch(/^categorize – /);
    expect(await person('dana').search('Command', 'frobnicate the flux')).toEqual([]);
    expect(appliance.requests.length).toBe(asked);
  });

  test('answers at once what needs nothing more', async () => {
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

  test('puts what changes something before the person, even where the typed line would run at once', async () => {
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
