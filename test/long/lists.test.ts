import { expect, test } from 'vitest';
import { converse } from '../conversation.ts';

const sites = (count: number) => Array.from({ length: count }, (_, index) => `site-${index}.example`);
const csv = (...lines: readonly string[]) => ({
  name: 'block.csv',
  content: Buffer.from(lines.join('\r\n')),
});

/** bob is operator in helpdesk, and may change categories; vic may only look. */
async function withCategories() {
  const conversation = await converse();
  const { appliance, attach } = conversation;
  const inCategory = (id = 252) => appliance.state.categories.all.get(id)?.live ?? new Set();
  return {
    ...conversation,
    inCategory,
    say: (text: string, lines: readonly string[], by = 'bob', channel = 'helpdesk') =>
      attach(text, csv(...lines), by, channel),
    downloads: () =>
      conversation.workspace.log.calls().filter(({ method }) => method === 'files.info').length,
  };
}

test('a list with a direct message or a mention works like a typed one', async () => {
  const { say, inCategory } = await withCategories();
  const said = await say(
    'category add to 252',
    ['# ours', 'domain', ...sites(3), 'SITE-1.example'],
    'bob',
    'appliance-bot',
  );
  expect(said).toContain('✅ 3 sites added to category shopping');
  expect(said).toContain(
    'From  block.csv, 6 lines; skipped: the names of its columns, 1 comment, 1 duplicate',
  );
  expect(said).toContain('`/appliance category add "3 in block.csv" to 252`');
  expect(sites(3).every((site) => inCategory().has(site))).toBe(true);
});

test('a sentence around a list is understood, and asked about', async () => {
  const { say, press, inCategory } = await withCategories();
  const said = await say('@appliance-bot add these to shopping for 2h', sites(2));
  expect(said).toContain('Add 2 sites to category shopping?');
  expect(said).toContain('For  2 h, then it is undone automatically');
  expect(inCategory().has('site-0.example')).toBe(false);
  expect(await press('Add', 'bob')).toMatch(/2 sites added to category shopping, until/);
});

test('every line that is no site is counted and named, and the bot asks about the others', async () => {
  const { say, press, inCategory } = await withCategories();
  const said = await say('@appliance-bot category add to 252', [
    'a.example',
    'foo bar',
    '=HYPERLINK("http://x.example")',
    'b.example',
  ]);
  expect(said).toContain('Add 2 sites to category shopping?');
  expect(said).toMatch(
    /Left out {2}2 of 4 lines are no sites: line 2 `?foo bar`?, not a site; line 3 .*not a site; it may be a formula/,
  );
  expect(inCategory().has('a.example')).toBe(false);
  expect(await press('Add', 'bob')).toContain('✅ 2 sites added to category shopping');
  expect(inCategory().has('b.example')).toBe(true);
});

test('a partly skipped list keeps the name of its file, its kind, its end and its Undo', async () => {
  const { say, press, inCategory } = await withCategories();
  expect(
    await say('@appliance-bot category add to 252 for 2h', ['# ours', 'a.example', 'foo bar', 'b.example']),
  ).toMatch(
    /Add 2 sites to category shopping\?[\s\S]*From {2}`?block\.csv`?, 4 lines; skipped: 1 comment\n[\s\S]*Left out {2}1 of 4 lines is no site: line 3/,
  );
  const done = await press('Add', 'bob');
  expect(done).toMatch(/2 sites added to category shopping, until[\s\S]*Left out {2}1 of 4 lines is no site/);
  expect(done).toContain('`/appliance category add "2 in block.csv" to 252 --for 2h`');
  expect(done).not.toContain('pushed');
  await press('End now', 'bob');
  expect(inCategory().has('a.example')).toBe(false);
});

test('a picture in place of a list is called a picture', async () => {
  const { attach } = await withCategories();
  const file = { name: 'shot.png', content: Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1') };
  const picture =
    'shot.png can’t be read as text: it is a picture. Post the list as CSV or as plain text. No changes were made.';
  expect(await attach('@appliance-bot category add to 252', file, 'bob')).toContain(picture);
  expect(await attach('@appliance-bot plan --for 2h', file, 'bob')).toContain(picture);
});

test.each([
  [
    'list.xlsx',
    'PK\x03\x04',
    'list.xlsx can’t be read as a list, so nothing was sent. Save it as CSV or as plain text',
  ],
  ['shot.png', '\x89PNG', 'No appliance takes shot.png, so nothing was sent. Accepted files:'],
  [
    'list.txt',
    '\0\x01\x02\xfa',
    'list.txt can’t be read as text: it is a file of a program, not of text. Post the list',
  ],
  ['list', ' \n\n', 'There is nothing in list. Nothing was sent.'],
])(
  'Send to appliance says at once what is wrong with %s, and asks for nothing',
  async (name, bytes, says) => {
    const { person, read } = await withCategories();
    await person('bob').attach('helpdesk', 'today', { name, content: Buffer.from(bytes, 'latin1') });
    await person('bob').shortcut('helpdesk', 'Send to appliance');
    expect(read('bob')).toContain(says);
    expect(read('bob')).not.toContain('What would you like to do');
  },
);

test('a file with too long a list is refused with the advice to split it', async () => {
  const { say } = await withCategories();
  expect(await say('@appliance-bot category add to 252', sites(10_001))).toContain(
    'category add takes at most 10,000 at once, and these are 10,001. No changes were made. Split the list.',
  );
});

test('every word of a typed list that is no site is named', async () => {
  const { type } = await withCategories();
  const said = await type('/appliance category add a.example foo, b.example, bar to 252', 'bob');
  expect(said).toContain('2 of these are not a site: foo and bar. No changes were made.');
  expect(said).toContain('[Add the other 2]');
});

test.each([
  ['below the line', 'category add to 252\n- a.example\n- b.example;'],
  ['in a code block', 'category add to 252 ```\na.example\nb.example```'],
  ['in quotes of a word processor', 'category add “a.example”, ‘b.example’ to 252'],
  ['as links', 'category add [a.example](https://a.example/x) <http://b.example|b.example> to 252'],
])('a list that was pasted %s is read without the marks around it', async (_, text) => {
  const { write, inCategory } = await withCategories();
  expect(await write(`@appliance-bot ${text}`, 'bob')).toContain('✅ 2 sites added to category shopping');
  expect(['a.example', 'b.example'].every((site) => inCategory().has(site))).toBe(true);
});

test('a sentence above a typed list is understood, and asked about', async () => {
  const { write, press, inCategory } = await withCategories();
  const list = '# of today\n• a.example\n2. b.example,\n> c.example';
  const said = await write(`@appliance-bot add these to shopping for 2h:\n${list}`, 'bob');
  expect(said).toContain('Add 3 sites to category shopping?');
  expect(inCategory().has('a.example')).toBe(false);
  expect(await press('Add', 'bob')).toMatch(/3 sites added to category shopping, until/);
});

test('a form takes a list as it was pasted', async () => {
  const { type, person, read } = await withCategories();
  await type('/appliance category add', 'bob');
  const bob = person('bob');
  await bob.fill({ Site: '# ours\n- a.example\n```\n2) b.example;\n```', Category: 'shopping' });
  await bob.submit();
  expect(read('bob')).toContain('✅ 2 sites added to category shopping');
});

test('a table is read by one column, which is named; without sites in it, its columns are', async () => {
  const { say } = await withCategories();
  const table = ['Nr;Domain;Note', '1;a.example;', ';;', '2;b.example;x'];
  expect(await say('@appliance-bot category add to 252', table)).toContain(
    'From  block.csv, 4 lines; column 2 of 3, Domain; skipped: the names of its columns',
  );
  expect(
    await say('@appliance-bot category add to 252', ['when,who', 'monday,bob', 'friday,alice']),
  ).toContain(
    'None of the 2 columns of block.csv has a site in it. Its first line is: when, who. Post a file in which one of the columns does, or one with a site in each line. No changes were made.',
  );
});

test('a file is not fetched for somebody without the right to the command', async () => {
  const { say, downloads } = await withCategories();
  expect(await say('@appliance-bot category add to 252', sites(2), 'vic')).toContain('category add requires');
  expect(downloads()).toBe(0);
});

test('two files of the same name and length are two lists, and the same one is still one', async () => {
  const { say, press, read, inCategory } = await withCategories();
  const [first, second] = [sites(2), ['a.example', 'b.example']];
  const asked = '@appliance-bot add these to 252';
  for (const list of [first, second])
    expect(await say(asked, list)).toContain('Add 2 sites to category shopping?');
  expect(await say(asked, second)).toContain('is already waiting to be confirmed');
  expect(read('bob').match(/\[Add\]/g)).toHaveLength(2);
  await press('Add', 'bob');
  await press('Add', 'bob');
  expect([first, second].flat().every((site) => inCategory().has(site))).toBe(true);
});

test('a file beside a line that needs none is ignored', async () => {
  const { say, downloads } = await withCategories();
  expect(await say('@appliance-bot categorize example.com', sites(2))).toContain(
    'example.com is in 1 category',
  );
  expect(downloads()).toBe(0);
});

test('a file that is no list is named by its kind', async () => {
  const { attach } = await withCategories();
  const file = { name: 'list.txt', content: Buffer.from('PK\x03\x04\x14\0\0\0', 'latin1') };
  const said = await attach('category add to 252', file, 'bob', 'appliance-bot');
  expect(said).toContain('list.txt can’t be read as text: it is a zip archive, as Excel workbooks are.');
  expect(said).toContain('No changes were made.');
});

test('Send to appliance on a list offers what may be done with it, and the form asks for the rest', async () => {
  const { person, read, inCategory } = await withCategories();
  const bob = person('bob');
  await bob.attach('helpdesk', 'the phishing of today', csv(...sites(3)));
  await bob.shortcut('helpdesk', 'Send to appliance');
  expect(read('bob')).toContain('What would you like to do with block.csv?');
  expect(read('bob')).toContain('[Category add…]');
  await bob.press('helpdesk', 'Category add…');
  expect(bob.form()?.text).toContain('The file is `block.csv`.');
  await bob.fill({ Category: 'shopping' });
  await bob.submit();
  expect(read('bob')).toContain('✅ 3 sites added to category shopping');
  expect(inCategory().has('site-2.example')).toBe(true);
});

test('a form says how much Slack takes, and takes more as a file', async () => {
  const { type, person, read } = await withCategories();
  await type('/appliance category add', 'bob');
  const bob = person('bob');
  const hints = JSON.stringify(bob.form());
  expect(hints).toContain('Up to about 150 here; for more, upload a file.');
  expect(hints).toContain('A CSV or text file, up to 10,000 in all.');
  await bob.fill({ Category: 'shopping' });
  await bob.submit();
  expect(bob.form()?.errors).toMatchObject({ Site: expect.stringContaining('or choose a file below') });
  await bob.fill({ Site: 'typed.example', 'Or a file with sites': csv(...sites(2)) });
  await bob.submit();
  expect(read('bob')).toContain('✅ 3 sites added to category shopping');
});

test('words that look like somebody’s file are not taken for one', async () => {
  const { type, person, downloads } = await withCategories();
  await type('/appliance category add', 'bob');
  const bob = person('bob');
  await bob.fill({ Site: `'{"id":"F0SECRET01","name":"x.csv","size":0}'`, Category: 'shopping' });
  await bob.submit();
  expect(bob.form()?.errors).toMatchObject({ Site: expect.stringContaining('not a site') });
  expect(downloads()).toBe(0);
});

test('many sites ask first, are looked up before they are sent, and Undo removes all but earlier ones', async () => {
  const { say, type, press, inCategory } = await withCategories();
  const before = new Set(inCategory());
  await type('/appliance category add site-7.example site-99.example to 252', 'bob');
  const said = await say('@appliance-bot category add to 252 --for 2h', sites(120));
  expect(said).toContain('Add 120 sites to category shopping?');
  expect(said).toContain('Looked up  100 of 120 sites:');
  expect(inCategory().has('site-1.example')).toBe(false);
  const done = await press('Add', 'bob');
  expect(done).toMatch(/✅ 118 sites added to category shopping, until/);
  expect(done).toContain(
    'Looked up 100 of the 118 sites, spread over the list: all of these are in shopping. Skipped: site-7.example and site-99.example, already in shopping.',
  );
  expect(inCategory().size).toBe(before.size + 120);
  const over = await press('End now', 'bob');
  expect(over).toMatch(/Undone|Ended and undone/);
  expect(sites(120).filter((site) => inCategory().has(site))).toEqual(['site-7.example', 'site-99.example']);
});

test('many sites are removed and moved at once, and come back as they were', async () => {
  const { type, press, inCategory } = await withCategories();
  const list = sites(60).join(' ');
  await type(`/appliance category add ${list} to 252`, 'bob');
  await press('Add', 'bob');
  await type(`/appliance category add ${sites(5).join(' ')} to 257`, 'bob');
  const inBoth = () => [252, 257].map((id) => sites(60).filter((site) => inCategory(id).has(site)).length);
  expect(inBoth()).toEqual([60, 5]);
  await type(`/appliance category move ${list} from 252 to 257`, 'bob');
  await press('Move', 'bob');
  expect(inBoth()).toEqual([0, 60]);
  await press('Undo', 'bob');
  expect(inBoth()).toEqual([60, 5]);
  await type(`/appliance category delete ${list} from 252`, 'bob');
  expect(await press('Remove', 'bob')).toContain('✅ 60 sites removed from category shopping');
  expect(inBoth()).toEqual([0, 5]);
  await press('Undo', 'bob');
  expect(inBoth()).toEqual([60, 5]);
});
