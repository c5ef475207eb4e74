import { describe, expect, test } from 'vitest';
import { converse } from '../conversation.ts';
import { hotfixFile, messageWithFile, send, zipFile } from '../packages.ts';

describe('Look up links', () => {
  test('asks about every domain of a message, as the person who chose it, and answers in the channel', async () => {
    const { person, read, bot } = await converse();
    await person('bob').type(
      'helpdesk',
      'blocked? https://example.com/shop?id=1 and example.com, hxxp://evil[.]example',
    );
    await person('alice').shortcut('helpdesk', 'Look up links');
    const said = read('vic');
    expect(said).toContain('of 2 domains categorized');
    expect(said).toMatch(/@alice {2}· {2}`\/appliance categorize example\.com evil\.example`/);
    expect(said).toMatch(/example\.com +shopping \(252\)/);
    expect((await bot.journal.recent(1))[0]).toMatchObject({ state: 'done', phrase: 'categorize <domain>…' });
  });

  test('tells only the person when there is none', async () => {
    const { person, read, appliance } = await converse();
    await person('bob').type('helpdesk', 'release 4.50 is in hotfix.tgz, e.g. at 10.30');
    await person('alice').shortcut('helpdesk', 'Look up links');
    expect(read('alice')).toContain('That message contains no link and no domain. Nothing was looked up.');
    expect(read('bob')).not.toContain('There is no link');
    expect(appliance.requests).toEqual([]);
  });

  test('takes the first links of a message with too many, and says so', async () => {
    const { person, read } = await converse();
    const domains = Array.from({ length: 60 }, (_, index) => `https://d${index}.example.com`);
    await person('bob').type('helpdesk', domains.join(' '));
    await person('alice').shortcut('helpdesk', 'Look up links');
    expect(read('alice')).toContain('That message has 60 domains; looking up the first 50.');
    expect(read('alice')).toContain('of 50 domains categorized');
  });

  test('in a channel without policy is refused like a typed line', async () => {
    const { person, read, appliance } = await converse();
    await person('alice').type('random', 'https://example.com');
    await person('alice').shortcut('random', 'Look up links');
    expect(read('alice', 'random')).toContain('Appliance Bot isn’t enabled in #random');
    expect(appliance.requests).toEqual([]);
  });
});

describe('Send to appliance', () => {
  test('says when a message has no files', async () => {
    const { person, read } = await converse();
    await person('dana').type('helpdesk', 'here it is');
    await person('dana').shortcut('helpdesk', 'Send to appliance');
    expect(read('dana')).toContain('There is no file in that message');
  });

  test('says which files an appliance takes when it takes none of these', async () => {
    const conversation = await converse();
    expect(await send(conversation, { name: 'notes.pdf', content: '%PDF' })).toContain(
      'notes.pdf can’t be read as a list, so nothing was sent. Save it as CSV or as plain text, and post that.',
    );
  });

  test('asks only the person who chose it for the kind of file, and continues as the command would', async () => {
    const conversation = await converse();
    const { read, press, person, appliance } = conversation;
    const said = await send(conversation, await zipFile('PACK.ZIP', { a: 'b' }));
    expect(said).toContain('[Service pack] [Shell package]');
    expect(read('bob')).not.toContain('What is PACK.ZIP?');
    const card = await press('Service pack', 'dana');
    expect(card).toContain('Upload service pack PACK.ZIP to hq?');
    expect(card).toContain('[Upload] [Cancel]');
    expect(appliance.state.directory.upgrade).toBeUndefined();
    // The choice is made; the same button does nothing any more.
    expect(await press('Service pack', 'dana')).toContain(
      'already pressed that button. Your click did nothing.',
    );
    await person('dana').press('helpdesk', 'Cancel');
    expect(read('dana')).toContain('Canceled');
  });

  test('names each of several files on its button', async () => {
    const conversation = await converse();
    const { workspace, person, read } = conversation;
    const dana = workspace.people.find(({ name }) => name === 'dana')?.id ?? '';
    const ids = ['one.tgz', 'two.tgz', 'notes.pdf'].map((name) => {
      const uploaded = workspace.upload(dana, name, hotfixFile.content);
      return uploaded.ok ? uploaded.file.id : '';
    });
    await workspace.act({ act: 'type', as: dana, channel: 'C0HELPDESK', text: 'both', files: ids });
    await person('dana').shortcut('helpdesk', 'Send to appliance', messageWithFile(conversation));
    expect(read('dana')).toContain('What are one.tgz and two.tgz?');
    expect(read('dana')).toContain(
      '[Hotfix: one.tgz] [Service pack: one.tgz] [Hotfix: two.tgz] [Service pack: two.tgz]',
    );
    expect(await conversation.press('Hotfix: two.tgz', 'dana')).toContain('Upload hotfix two.tgz to hq?');
  });
});
