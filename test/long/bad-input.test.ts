import { describe, expect, test } from 'vitest';
import { lineOf } from '../../src/handlers/language/asked.ts';
import { commands } from '../../src/handlers/registry.ts';
import { converse } from '../conversation.ts';
import { hostile, messagesSent, poison, wrongIn } from '../hostile.ts';
import { expectObeyedByNobody, hostileNames, lines, tooLong } from '../hostile-names.ts';
import { changes, expectPlainSentences, identified, words } from '../wrong-ids.ts';

// Every word for every one of them: `test/long/wrong-ids.test.ts`.
describe('an ID that does not exist', () => {
  test('is tried in more than fifty arguments', () => {
    expect(identified.length).toBeGreaterThan(50);
  });

  test('gets a plain sentence from every command that takes one, and changes nothing', () =>
    expectPlainSentences(identified.map((one, index) => [one, words[index % words.length] ?? ''])));
});

describe('a line with too much in it, or the wrong thing,', () => {
  test('gets the nearest names as buttons, and a click runs the meant command', async () => {
    const conversation = await converse();
    const { type, press, appliance } = conversation;
    const said = await type('/appliance acl object disable google_snii', 'dana');
    expect(said).toContain('hq lists no ACL object google_snii. No changes were made.');
    expect(said).toContain('[google_sni (3)');
    expect(changes(conversation)).toEqual([]);
    await press(labelIn(said, 'google_sni (3)'), 'dana');
    expect(appliance.state.acl.objects.get(3)?.enabled).toBe(false);
    // So a change would have been noticed.
    expect(changes(conversation)).not.toEqual([]);
  });

  test.each([
    ['categorize -', '-'],
    ['why not_a/domain!', 'not_a/domain!'],
    ['category add exa$mple to 252', 'exa$mple'],
    ['category delete a..b from 252', 'a..b'],
    ['category move example.com, 12 from 252 to 260', '12'],
    ['dns domain add -x-', '-x-'],
  ])('is refused for %s: the invalid domain is named, and the appliance is not asked', async (line, word) => {
    const { type, appliance } = await converse();
    const said = await type(`/appliance ${line}`, 'dana');
    expect(said).toMatch(/ is not an? \w+\. No changes were made\./);
    expect(said).toContain(word);
    expect(appliance.requests).toEqual([]);
  });

  test('with 5,000 domains asks first, and looks up no more than can be shown', async () => {
    const conversation = await converse();
    const { type, appliance } = conversation;
    const domains = Array.from({ length: 5_000 }, (_, index) => `site-${index}.example`).join(' ');
    const said = await type(`/appliance categorize ${domains}`, 'dana');
    expect(said).toMatch(/takes at most \d+ at once, and these are 5,?000\. No changes were made\./);
    expect(appliance.requests).toEqual([]);
    const before = appliance.state.categories.all.get(252)?.sites.size ?? 0;
    const added = await type(`/appliance category add ${domains} to 252`, 'dana');
    expect(added).toContain('Add 5,000 sites to category shopping?');
    expect(appliance.state.categories.all.get(252)?.sites.size).toBe(before);
    expect(conversation.workspace.log.calls().filter(({ ok }) => !ok)).toEqual([]);
    expect(wrongIn(messagesSent(conversation))).toEqual([]);
  });

  test('with a reason of 3,000 characters is refused with the limit, in a line and in a form', async () => {
    const { type, person, read, appliance } = await converse();
    const reason = 'because '.repeat(375).trim();
    const said = await type(`/appliance emergency enable --for 30m --reason "${reason}"`, 'dana');
    expect(said).toContain('it has 2999 characters, and at most 500 fit. No changes were made.');
    expect(said.length).toBeLessThan(1_200);
    const dana = person('dana');
    await type('/appliance emergency enable --for 30m', 'dana');
    await dana.fill({ Reason: reason });
    await dana.submit();
    expect(Object.values(dana.form()?.errors ?? {})).toEqual([
      expect.stringContaining('it has 2999 characters, and at most 500 fit.'),
    ]);
    expect(read('dana')).not.toContain('Enable the emergency');
    expect(appliance.requests).toEqual([]);
  });

  test('is read without control characters and right-to-left marks', async () => {
    const { type, workspace } = await converse();
    const said = await type('/appliance cate\u200bgorize \u202eexample\u0000\u202c.com\u0007', 'alice');
    // A control character separates words, whatever it was meant for.
    expect(said).toMatch(/not a domain|is in/);
    expect(await type('/appliance cate\u200bgorize \u202eexample.com\u202c\u0007', 'alice')).toContain(
      'example.com is in 1 category',
    );
    expect(workspace.log.calls().filter(({ ok }) => !ok)).toEqual([]);
  });

  test.each([
    [
      'upgrade hotfix',
      'photo.jpg',
      'not an archive',
      'photo.jpg is not a hotfix (.tgz): it must be a file that ends in .tgz',
    ],
    [
      'upgrade hotfix',
      'hotfix.tgz',
      '<html>not found</html>',
      'hotfix.tgz is not a hotfix: a hotfix is a gzip archive, and the content of this file is',
    ],
    ['upgrade service-pack', 'pack.zip', '%PDF-1.7', 'pack.zip is not a service pack'],
    ['upgrade shell', 'check.zip', '#!/bin/sh', 'check.zip is not a shell package'],
  ])('%s of the file %s that holds %j says what is wrong with it', async (line, name, content, sentence) => {
    const conversation = await converse();
    const { person, type, read } = conversation;
    const dana = person('dana');
    await type(`/appliance ${line}`, 'dana');
    const [field] = dana.form()?.fields ?? [];
    await dana.fill({ [field?.label ?? '']: { name, content } });
    await dana.submit();
    const said = `${Object.values(dana.form()?.errors ?? {}).join(' ')} ${read('dana')}`;
    expect(said).toContain(sentence);
    expect(changes(conversation)).toEqual([]);
  });
});

describe('a hostile name of a thing on the appliance', () => {
  const everyFourth = lines.filter((_, index) => index % 4 === 0);

  // With every line: `test/long/hostile-names.test.ts`.
  test('is only ever text: cards, tables, offers and errors', async () => {
    await expectObeyedByNobody(hostileNames, everyFourth);
    // Something that would be obeyed is noticed.
    expect(wrongIn([{ isMarkup: true, text: '<!channel>' }])).toHaveLength(1);
    expect(wrongIn([{ isMarkup: true, text: 'so *bold* it is' }])).toHaveLength(1);
    expect(wrongIn([{ isMarkup: false, text: '\u202e' }])).toHaveLength(1);
  });

  test('is shown as it is, for each kind', async () => {
    const { appliance, type, workspace } = await converse();
    poison(appliance.state, hostile);
    for (const line of [
      ...['acl objects', 'acl records 3', 'acl object delete 3', 'rdp sessions', 'rdp disconnect 12'],
      ...['category list', 'category add example.net to 252', 'vlan list', 'vlan stop 3', 'sql users'],
      ...[
        'ftp events "login failed" 5',
        'rdp policies',
        'rdp members',
        'rdp targets',
        'mfa users',
        'ssl rules',
      ],
    ]) {
      const before = workspace.snapshot('U0DANA0001').messages.length;
      await type(`/appliance ${line}`, 'dana');
      const news = JSON.stringify(workspace.snapshot('U0DANA0001').messages.slice(before));
      expect(news, line).toContain(
        '<!channel> <@U0ALICE001> *bold* _it_ `code` <https://evil.example|wiki> &amp; \ufffdgnp',
      );
    }
  });

  test('is cut to what fits when it has 10,000 characters', () => expectObeyedByNobody(tooLong, everyFourth));

  test('stands in the pickers of forms as plain words that fit', async () => {
    const conversation = await converse();
    const { appliance, workspace, person, type } = conversation;
    poison(appliance.state, hostile);
    const dana = person('dana');
    const labels: string[] = [];
    for (const command of commands.filter(({ args }) => Object.values(args).some(({ list }) => list))) {
      await type(`/appliance ${lineOf({ command, typed: {} })}`, 'dana');
      for (const { label, kind } of dana.form()?.fields ?? []) {
        if (kind.endsWith('external_select')) labels.push(...(await dana.search(label, '')));
      }
      if (dana.form() !== undefined) await dana.dismiss();
    }
    expect(labels.filter((label) => label.includes('<!channel>')).length).toBeGreaterThan(50);
    expect(labels.filter((label) => label.length > 75 || unseen.test(label))).toEqual([]);
    expect(workspace.log.calls().filter(({ ok }) => !ok)).toEqual([]);
  });

  test('is no formula and no control character in files', async () => {
    const { appliance, type, press, person } = await converse();
    poison(appliance.state, hostile);
    const object = appliance.state.acl.objects.get(3);
    if (object !== undefined)
      appliance.state.acl.objects.set(3, { ...object, name: '=HYPERLINK("https://evil.example")' });
    await type('/appliance acl objects', 'dana');
    await press('CSV', 'dana');
    const csv = person('dana').file('helpdesk', 'acl-objects.csv').toString();
    expect(csv).toContain('<!channel>');
    expect(csv).toContain(`"'=HYPERLINK(""https://evil.example"")"`);
    // A line end in a cell stays one, in quotes.
    expect(csv.slice(1).replaceAll(/\r?\n/g, '')).not.toMatch(unseen);
    await press('JSON', 'dana');
    expect(person('dana').file('helpdesk', 'acl-objects.json').toString().replaceAll('\n', '')).not.toMatch(
      unseen,
    );
  });

  test('appears in the reports of installations and logs without being obeyed', async () => {
    const conversation = await converse();
    const { appliance, type, press, read, person, workspace } = conversation;
    const traces = Array.from({ length: 400 }, (_, index) => `[${index}] ${hostile}`).join('\n');
    appliance.faults.set('GET /system/softwares/install/{productKey}/{keyVer}', {
      kind: 'text',
      text: JSON.stringify({ Status: true, Info: hostile, Traces: `${traces}\n${'x'.repeat(10_000)}` }),
      happens: true,
    });
    await type('/appliance software install squid 59', 'dana');
    await press('Install', 'dana');
    expect(read('dana')).toContain('squid 5.9 installed');
    expect(person('dana').file('helpdesk', 'installation.log').toString()).toContain('[399]');
    for (let index = 0; index < 200; index += 1) {
      appliance.state.ftpd.events.push({ at: new Date(), pid: index, text: `login failed ${hostile}` });
    }
    appliance.state.ftpd.events.push({ at: new Date(), pid: 1, text: `login failed ${'y'.repeat(10_000)}` });
    expect(await type('/appliance ftp events "login failed" 300', 'dana')).toContain('login failed');
    expect(workspace.log.calls().filter(({ ok }) => !ok)).toEqual([]);
    expect(wrongIn(messagesSent(conversation))).toEqual([]);
  });
});

/** Characters that a person cannot see and a program might obey. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what must not be there
const unseen = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]/;

/** The whole label of the button that begins so. */
function labelIn(said: string, beginning: string): string {
  const at = said.indexOf(`[${beginning}`);
  return said.slice(at + 1, said.indexOf(']', at));
}
