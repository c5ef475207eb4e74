import { buffer } from 'node:stream/consumers';
import { expect } from 'vitest';
import { ZipFile } from 'yazl';
import { csvOf } from '../../src/action/showing/plain-files.ts';
import { under } from '../approving.ts';
import { converse } from '../conversation.ts';
import { converseInTime, hotfixFile, send, upgradeStandsStill, zipFile } from '../packages.ts';
import { attacks } from './rows.ts';

const script = 'SCRIPT_ID="check1"\nSHELL_PASS=""\nexit 0\n';
const elsewhere = 'SCRIPT_ID="evil1"\nrm -rf /\n';

/** The object of the example commands, which a test may change under the bot. */
function googleIn({ appliance }: Awaited<ReturnType<typeof converse>>) {
  const object = appliance.state.acl.objects.get(3);
  if (object === undefined) throw new Error('There is no ACL object 3');
  return object;
}

const patternsOf = (house: Awaited<ReturnType<typeof converse>>) =>
  [...googleIn(house).records.values()].map(({ pattern }) => pattern);

/** A zip with these entries, each with a mode of its own. */
async function zipOf(...entries: readonly (readonly [string, string, number?])[]): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content, mode = 0o100644] of entries) zip.addBuffer(Buffer.from(content), name, { mode });
  zip.end();
  return buffer(zip.outputStream);
}

/** yazl writes no such names: another one of the same length is put in their place. */
const renamed = (zip: Buffer, from: string, to: string): Buffer =>
  Buffer.from(zip.toString('latin1').replaceAll(from, to), 'latin1');

/** An authorized person sends a shell package; returns the channel's text. */
async function sendPackage(content: Buffer): Promise<string> {
  const house = await converse();
  await send(house, { name: 'check.zip', content });
  const said = await house.press('Shell package', 'dana');
  expect(house.appliance.requests.filter(({ path }) => path.includes('shell'))).toEqual([]);
  return said;
}

attacks('what is typed', [
  {
    attack: 'a flag with the value false, so that it reads like its opposite',
    must: 'nothing is enabled, and the answer says how the flag is written',
    tryIt: async () => {
      const house = await converse({ policy: { emergency: { break_glass: 'operator' } } });
      for (const flag of ['--break-glass=false', '--break-glass=', '--BREAK-GLASS=0']) {
        const said = await house.type(`/appliance emergency enable --for 10m --reason down ${flag}`, 'bob');
        expect(said).toContain('--break-glass takes no value');
      }
      expect(house.appliance.state.directory.emergency).toBe(false);
    },
  },
  {
    attack: 'a dry run with a value: --dry-run=no, --dry-run=true',
    must: 'nothing is sent, and the answer says how the flag is written',
    tryIt: async () => {
      const house = await converse();
      for (const value of ['no', 'true', '0', '']) {
        const said = await house.type(`/appliance acl object disable 3 --dry-run=${value}`, 'dana');
        expect(said).toContain('--dry-run takes no value');
      }
      expect(googleIn(house).enabled).toBe(true);
    },
  },
  {
    attack: 'a value in quotes that says --dry-run, before the real option',
    must: 'it stays a dry run, with that text as the value',
    tryIt: async () => {
      const house = await converse();
      const before = patternsOf(house);
      const said = await house.type('/appliance acl record add 3 "--dry-run" --dry-run', 'dana');
      expect(said).toContain('Dry run:');
      expect(said).toContain('--dry-run');
      expect(patternsOf(house)).toEqual(before);
    },
  },
  {
    attack: 'a value in quotes that says --on, before the real option',
    must: 'the order goes where the real option says',
    tryIt: async () => {
      const house = await converse({ branches: 1 });
      const said = await house.type('/appliance acl record add 3 "--on" --on branch-2 --dry-run', 'dana');
      expect(said).toContain('·  on branch-2');
      expect(said).not.toContain('hq');
    },
  },
  {
    attack: 'an option with one dash, with three, with full-width dashes, or glued to a list',
    must: 'it is no value: the order is not sent',
    tryIt: async () => {
      const house = await converse();
      const before = patternsOf(house);
      for (const end of ['-dry-run', '---dry-run', '－－dry-run', 'a.com,--dry-run', '--\u0501ry-run']) {
        await house.type(`/appliance acl record add 3 example.org ${end}`, 'dana');
        expect([end, patternsOf(house)]).toEqual([end, before]);
      }
    },
  },
  {
    attack: 'a list of appliances that ends in a comma, so that it swallows --dry-run',
    must: 'it stays a dry run',
    tryIt: async () => {
      const house = await converse();
      const said = await house.type('/appliance acl object disable 3 --on hq, --dry-run', 'dana');
      expect(said).toContain('Dry run:');
      expect(googleIn(house).enabled).toBe(true);
    },
  },
]);

attacks('what is handed over', [
  {
    attack: 'a file name with folders, an order of letters turned round, quotes, line ends and NUL',
    must: 'the appliance gets a safe name, and whoever agrees sees what is strange and what is sent',
    tryIt: async () => {
      const house = await converseInTime(upgradeStandsStill);
      await send(house, { ...hotfixFile, name: '../../etc/\u202ecod"\r\nx: y\u0000\u3164.tgz' });
      const card = await house.press('Hotfix', 'dana');
      expect(card).toContain('\ufffd');
      expect(card).toContain('Sent as  _cod___x_ y__.tgz');
      expect(card).toContain('Invisible');
      await house.press('Upload', 'dana');
      expect(house.appliance.state.directory.upgrade?.file.filename).toBe('_cod___x_ y__.tgz');
    },
  },
  {
    attack: 'a file name of 5,000 letters',
    must: 'what is sent is short, and has its ending',
    tryIt: async () => {
      const { sentName } = await import('../../src/api/index.ts');
      const sent = sentName(`${'я'.repeat(5_000)}.tgz`);
      expect(Buffer.byteLength(sent)).toBeLessThanOrEqual(150);
      expect(sent).toMatch(/^я+\.tgz$/);
    },
  },
  {
    attack: 'a second shell.sh in a package, called ./shell.sh',
    must: 'nothing is sent, and both are named',
    tryIt: async () => {
      const zip = await zipOf(['shell.sh', script], ['X/shell.sh', elsewhere]);
      expect(await sendPackage(renamed(zip, 'X/shell.sh', './shell.sh'))).toContain(
        'the package contains shell.sh twice (shell.sh and ./shell.sh)',
      );
    },
  },
  {
    attack: 'a symbolic link in a package, through which a second shell.sh lands on the first',
    must: 'nothing is sent',
    tryIt: async () => {
      const zip = await zipOf(['shell.sh', script], ['a', '.', 0o120777], ['a/shell.sh', elsewhere]);
      expect(await sendPackage(zip)).toContain('a/shell.sh in the package is inside something');
      const linked = await zipOf(['shell.sh', 'other.sh', 0o120777], ['other.sh', elsewhere]);
      expect(await sendPackage(linked)).toContain('shell.sh is a symbolic link');
    },
  },
  {
    attack: 'a package whose shell.sh is a file and a folder',
    must: 'nothing is sent',
    tryIt: async () => {
      const zip = await zipOf(['shell.sh', script], ['shell.sh/x', elsewhere]);
      expect(await sendPackage(zip)).toContain('is inside something that is not a folder');
    },
  },
  {
    attack: 'a package whose entries lead out of it: absolute, with .. or with back-slashes',
    must: 'nothing is sent',
    tryIt: async () => {
      const zip = await zipOf(['shell.sh', script], ['XX/shell.sh', elsewhere]);
      for (const name of ['../shell.sh', '/X/shell.sh'.slice(0, 11), '..\\shell.sh']) {
        expect(await sendPackage(renamed(zip, 'XX/shell.sh', name))).toContain('couldn’t read the package');
      }
    },
  },
  {
    attack: 'a package whose script unpacks to more than it says',
    must: 'nothing is sent, and no more of it is unpacked than it says',
    tryIt: async () => {
      const { content } = await zipFile('check.zip', { 'shell.sh': script + '#'.repeat(2_000_000) });
      const zip = Buffer.from(content);
      const central = zip.lastIndexOf('PK\x01\x02', undefined, 'latin1');
      zip.writeUInt32LE(200, central + 24);
      expect(await sendPackage(zip)).toContain('couldn’t unpack shell.sh from the package');
    },
  },
]);

attacks('what is shown', [
  {
    attack: 'letters that nobody sees in the name of what is to be deleted',
    must: 'the card shows where they are, and says so',
    tryIt: async () => {
      const house = await converse();
      for (const letter of [
        '\u3164',
        '\u115f',
        '\u1160',
        '\uffa0',
        '\u034f',
        '\u2800',
        '\u180e',
        '\u{e0041}',
        '\ufe0f',
        '\u202e',
        '\u200b',
      ]) {
        house.appliance.state.acl.objects.set(3, { ...googleIn(house), name: `google${letter}` });
        const before = house.read('dana').length;
        const card = (await house.type('/appliance acl object delete 3', 'dana')).slice(before);
        expect([letter, card.includes('google\ufffd'), card.includes('Invisible')]).toEqual([
          letter,
          true,
          true,
        ]);
        await house.press('Cancel', 'dana');
      }
    },
  },
  {
    attack: 'a Cyrillic letter in a Latin name of what is to be deleted',
    must: 'the card marks the word, and says so',
    tryIt: async () => {
      const house = await converse();
      house.appliance.state.acl.objects.set(3, { ...googleIn(house), name: 'g\u043e\u043egle' });
      const card = await house.type('/appliance acl object delete 3', 'dana');
      expect(card).toContain('g\u043e\u043egle⚠');
      expect(card).toContain('Look-alikes');
    },
  },
  {
    attack: 'records that are exchanged for others while their number stays the same',
    must: 'the click deletes nothing, and asks again',
    tryIt: async () => {
      const house = await converse();
      await house.type('/appliance acl object delete 3', 'dana');
      const { records } = googleIn(house);
      const [first] = records.values();
      if (first === undefined) throw new Error('The object has no records');
      records.set(first.id, { ...first, pattern: '.bank.example' });
      await house.press('Delete', 'dana');
      expect(house.appliance.state.acl.objects.has(3)).toBe(true);
      await house.press('Delete', 'dana');
      expect(house.appliance.state.acl.objects.has(3)).toBe(false);
    },
  },
  {
    attack: 'mentions, links, entities and unclosed formatting in every name and text of the ACLs',
    must: 'none of it is obeyed, in the card, the table and the summary',
    tryIt: async () => {
      const house = await converse();
      const hostile =
        '<!channel> <@U0ALICE001> &lt;!here&gt; *b `c ```d <https://evil.example|ok> <!subteam^S1>';
      const { records } = googleIn(house);
      house.appliance.state.acl.objects.set(3, {
        ...googleIn(house),
        name: hostile,
        records: new Map([...records].map(([id, one]) => [id, { ...one, pattern: hostile }])),
      });
      for (const line of ['acl objects', 'acl object 3', 'acl records 3', 'acl object delete 3']) {
        await house.type(`/appliance ${line}`, 'dana');
      }
      const { messages } = house.workspace.snapshot('U0DANA0001');
      const texts = messages.map(({ text }) => text).join('\n');
      expect(texts).not.toMatch(/<!(?!date)|<@U0ALICE001>|<https:\/\/evil|```/);
      const kinds = JSON.stringify(messages.map(({ blocks }) => blocks));
      expect(kinds).not.toMatch(/"type":"(?:broadcast|link)"|"usergroup_id":"S1"/);
      // All mrkdwn is escaped.
      for (const [, mrkdwn = ''] of kinds.matchAll(/"type":"mrkdwn","text":"((?:[^"\\]|\\.)*)"/g)) {
        expect(mrkdwn).not.toMatch(/<!(?!date)|<https:\/\/evil|&lt;!here&gt;/);
      }
    },
  },
  {
    attack: 'formulas in cells, behind spaces, letters that nobody sees, line ends and semicolons',
    must: 'a spreadsheet takes none of them for one',
    tryIt: async () => {
      const cells = [
        '=1',
        '+1',
        '-1',
        '@A1',
        '\t=1',
        ' =1',
        '\u200b=1',
        '\u3164=1',
        '\ufeff=1',
        'a;=1',
        '\r=1',
        '＝1',
      ];
      const csv = await csvOf({ kind: 'table', columns: ['A'], rows: cells.map((cell) => [[cell]]) });
      for (const row of csv
        .replace(/^\ufeff/, '')
        .split('\r\n')
        .slice(1, -1)) {
        // In quotes, after an apostrophe, or both.
        expect(row).toMatch(/^"?'|^"a;=1"$|^␍/);
      }
    },
  },
  {
    attack:
      'a reason with lines that look like a card: who approved it, how many are needed, and mentions of everybody',
    must: 'it stays one line of words, in which nobody is called',
    tryIt: async () => {
      const house = await under({
        approvals: [{ commands: [{ phrase: 'rdp disconnect' }], by: 'approver', reason: true }],
      });
      const reason = 'x\nNeeds 0 approvals\r\n*Approved by* <@U0CAROL001> at 9:00 <!channel> `a` \u202e';
      await house.type(`/appliance rdp disconnect 12 --reason "${reason}"`, 'bob');
      const card = house.read('bob');
      expect(card).toContain('[Approve]');
      expect(card.match(/^ {2}Needs /gm)).toHaveLength(1);
      expect(card).not.toMatch(/^ *\*?Approved by/m);
      const message = house.workspace.snapshot('U0BOB00001').messages.at(-1);
      expect(message?.text).not.toMatch(/<!(?!date|subteam\^S0APPROVER>)|<@U0CAROL001/);
      const sent = JSON.stringify(message);
      expect(sent).not.toMatch(/"type":"(?:broadcast|link)"|"user_id":"U0CAROL001"|\u202e/);
    },
  },
  {
    attack: 'a denial in whose reason everybody is called, and a line is broken into a sentence of the bot',
    must: 'it is one line of words',
    tryIt: async () => {
      const house = await under({
        approvals: [{ commands: [{ phrase: 'rdp disconnect' }], by: 'approver' }],
      });
      await house.type('/appliance rdp disconnect 12', 'bob');
      await house.press('Deny…', 'carol');
      const carol = house.person('carol');
      await carol.fill({
        Reason: 'no <!here> <@U0ALICE001>\nDisconnected session 12. Verified. <https://evil.example|ok>',
      });
      await carol.submit();
      const { messages } = house.workspace.snapshot('U0BOB00001');
      expect(house.read('bob')).toContain('Denied by @carol: no <!here>');
      expect(house.read('bob')).not.toMatch(/^ *Disconnected session/m);
      expect(messages.map(({ text }) => text).join('\n')).not.toMatch(/<!here|<https:\/\/evil|<@U0ALICE001>/);
      expect(JSON.stringify(messages)).not.toMatch(/"type":"(?:broadcast|link)"|"user_id":"U0ALICE001"/);
    },
  },
  {
    attack:
      'words of a filter that call everybody, break out of their quotes, or look like a regular expression',
    must: 'they are words, in the message, in the name of the file and in what is said of it',
    tryIt: async () => {
      const house = await converse();
      await house.type('/appliance acl records 3', 'bob');
      for (const words of ['<!channel>', '`*a*`', '(.*)+$', '../../x\u202egpj.exe', '=1+1']) {
        await house.press('Filter…', 'bob');
        await house.person('bob').fill({ Words: words });
        await house.person('bob').submit();
        expect([words, house.read('bob').includes('None of the 25 rows matches')]).toEqual([words, true]);
      }
      await house.press('Filter…', 'bob');
      await house.person('bob').fill({ Words: '.' });
      await house.person('bob').submit();
      await house.press('CSV', 'bob');
      const { messages } = house.workspace.snapshot('U0BOB00001');
      for (const { name } of messages.flatMap(({ files = [] }) => files))
        expect(name).toMatch(/^[a-z0-9.-]+\.csv$/);
      expect(messages.map(({ text }) => text).join('\n')).not.toMatch(/<!channel|\u202e/);
      expect(JSON.stringify(messages)).not.toContain('"type":"broadcast"');
    },
  },
  {
    attack:
      'lines that are formulas, typed so that they stand in the audit that somebody else opens in a spreadsheet',
    must: 'no cell of the file begins one',
    tryIt: async () => {
      const house = await converse();
      for (const line of [
        '=HYPERLINK("http://evil.example","x")',
        '@SUM(1)',
        '+cmd|x',
        '-2+3',
        '\u200b=1',
        '\t=1',
        '"=1,=2"',
      ]) {
        await house.type(`/appliance ${line}`, 'vic');
      }
      await house.type('/appliance audit', 'dana');
      await house.press('CSV', 'dana');
      const file = house.person('dana').file('helpdesk', 'audit.csv').toString();
      expect(file).toContain('evil.example');
      const cells = file.matchAll(/(?<=^|,|\n)(?:"((?:[^"]|"")*)"|[^",\r\n]*)(?=,|\r|$)/g);
      for (const [whole, quoted = whole] of cells) expect(quoted).not.toMatch(/^[\s\ufffd]*[=+@＝-]/);
    },
  },
  {
    attack: 'a display name, a title and a channel name that are mentions, orders and control letters',
    must: 'people and channels are told by their IDs, and none of it is repeated',
    tryIt: async () => {
      const house = await converse();
      await house.workspace.changePerson('U0VIC00001', { realName: '<!channel>\u202e*x*', title: '=1' });
      await house.workspace.changeChannel('C0HELPDESK', { topic: '<!everyone>' });
      await house.type('/appliance rdp disconnect 12', 'vic');
      await house.type('/appliance whoami', 'vic');
      const { messages } = house.workspace.snapshot('U0VIC00001');
      expect(JSON.stringify(messages)).not.toMatch(/"type":"broadcast"|<!channel|<!everyone|\u202e/);
    },
  },
  {
    attack: 'a mention of the bot in the middle of a sentence, in a quotation, edited in, or by another bot',
    must: 'it is no way in: only what is typed as a command is one',
    tryIt: async () => {
      const house = await under({}, { roles: { operator: 'everyone' } });
      const me = `<@${house.workspace.botUserId}>`;
      const say = (text: string, more: object = {}) =>
        house.workspace.emit({
          type: 'app_mention',
          user: 'U0BOB00001',
          channel: 'C0HELPDESK',
          ts: `${Math.random()}`,
          text,
          ...more,
        });
      await say(`as I said, ${me} acl object disable 3 is a bad idea`);
      await say(`> ${me} acl object disable 3`);
      await say(`${me} acl object disable 3`, { edited: { user: 'U0BOB00001', ts: '1.2' } });
      await say(`${me} acl object disable 3`, { bot_id: 'B0OTHER001' });
      await say(`${me} acl object disable 3`, { subtype: 'bot_message' });
      await say(`${me} acl object disable 3`, { user: undefined });
      await say(`${me} acl object disable 3`, { user: 'USLACKBOT' });
      await house.bot.idle();
      expect(googleIn(house).enabled).toBe(true);
    },
  },
]);
