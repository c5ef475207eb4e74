import { describe, expect, test } from 'vitest';
import { converse } from '../conversation.ts';

const added = /^(PUT|GET) .*\/record\/add\//;

describe('an ACL object', () => {
  test('is disabled by number or name at once, read back, made live, and enabled again by Undo', async () => {
    const { type, press, appliance } = await converse();
    const { objects, live } = appliance.state.acl;
    expect(live.get(12)?.enabled).toBe(true);
    const said = await type('/appliance acl object disable 12', 'bob');
    expect(said).toContain('ACL object banking_sni disabled');
    expect(said).toContain(
      'ACL object banking_sni (12) read back: it is disabled. Used by: SSL rule Banks stay private.',
    );
    expect(said).toContain('hq says that it has compiled the ACLs.');
    expect(appliance.state.acl.live.get(12)?.enabled).toBe(false);
    const again = await type('/appliance acl object disable google_sni', 'bob');
    expect(again).toContain(
      'Used by: rule Google services are not cached and SSL rule Google for everybody but guests.',
    );
    expect(await type('/appliance disable acl object google_sni', 'bob')).toContain(
      'google_sni is already disabled',
    );
    await press('Undo', 'bob');
    expect(objects.get(3)?.enabled).toBe(true);
    expect(objects.get(12)?.enabled).toBe(false);
  });

  test('takes hundreds of patterns from a file and gives all of them back, and refuses a workbook by name', async () => {
    const { attach, press, appliance } = await converse();
    const records = () => appliance.state.acl.objects.get(12)?.records.size ?? 0;
    const before = records();
    const patterns = Array.from({ length: 210 }, (_, at) => `p${at}.example`).join('\n');
    const file = { name: 'patterns.txt', content: Buffer.from(patterns) };
    expect(await attach('@appliance-bot acl record add to 12', file, 'bob')).toContain(
      'Add 210 records to ACL object banking_sni?',
    );
    await press('Add', 'bob');
    expect(records()).toBe(before + 210);
    expect(await press('Undo', 'bob')).toContain('all 210 are gone');
    expect(records()).toBe(before);
    const workbook = { name: 'sites.xlsx', content: Buffer.from('PK\x03\x04\0\0') };
    expect(await attach('@appliance-bot acl record add to 12', workbook, 'bob')).toContain(
      'sites.xlsx can’t be read as text: it is a zip archive, as Excel workbooks are. Post the list as CSV or as plain text',
    );
  });

  test('without a name opens a form, and is never looked for under the name of the order', async () => {
    const { type, person, appliance } = await converse();
    const before = appliance.requests.length;
    for (const line of ['acl object disable', 'disable acl object', 'acl objects disable']) {
      await type(`/appliance ${line}`, 'bob');
      expect(person('bob').form()).toMatchObject({ title: 'ACL object disable' });
      await person('bob').dismiss();
    }
    expect(appliance.requests.slice(before)).toEqual([]);
  });

  test('is deleted only after a question that shows its rules and records', async () => {
    const { type, press, appliance } = await converse();
    const card = await type('/appliance acl object delete google_sni', 'bob');
    expect(card).toContain('Delete ACL object google_sni and its 25 records?');
    expect(card).toContain(
      'Used by  rule Google services are not cached and SSL rule Google for everybody but guests',
    );
    expect(await press('Delete', 'bob')).toContain('google_sni (3) and its records are gone');
    expect(appliance.state.acl.objects.has(3)).toBe(false);
  });

  test('with a mention as its name mentions nobody', async () => {
    const { type, press, appliance, workspace } = await converse();
    const object = appliance.state.acl.objects.get(3);
    if (object !== undefined) appliance.state.acl.objects.set(3, { ...object, name: '<!channel> *x*' });
    expect(await type('/appliance acl objects', 'bob')).toContain('<!channel> *x*');
    expect(await type('/appliance acl object disable 3', 'bob')).toContain(
      'ACL object <!channel> *x* disabled',
    );
    await type('/appliance acl object delete 3', 'bob');
    await press('Delete', 'bob');
    const sent = workspace.log.calls();
    expect(sent.filter(({ ok }) => !ok)).toEqual([]);
    for (const { args } of sent) expect(String(args.text)).not.toContain('<!channel>');
    expect(sent.some(({ args }) => String(args.text).includes('&lt;!channel&gt;'))).toBe(true);
  });

  test('is listed with its state, its rules and its records, and missing facts are named', async () => {
    const { type, appliance } = await converse();
    const object = appliance.state.acl.objects.get(3);
    const [on, off] = object?.records.values() ?? [];
    if (object === undefined || on === undefined || off === undefined) throw new Error('3 has records');
    object.records.set(off.id, { ...off, enabled: false });
    const newest = async (line: string) => {
      const lines = (await type(`/appliance ${line}`, 'bob')).split('\n');
      // Its headline stands above the line that was typed.
      return lines.slice(lines.findLastIndex((one) => one.includes(`/appliance ${line}`)) - 1).join('\n');
    };
    /** The row that begins with these cells. */
    const row = (said: string, ...first: readonly (string | number)[]) => {
      const rows = said.split('\n').map((line) => line.replace(/^[│ ]+/, '').split(/ {2,}/));
      return rows.find((cells) => first.every((cell, at) => cells[at] === String(cell))) ?? [];
    };
    expect(row(await newest('acl objects'), 3)).toEqual(
      expect.arrayContaining(['google_sni', 'enabled', '25']),
    );
    const shown = await newest('acl object google_sni');
    expect(shown).toMatch(/ACL object google_sni is enabled, holds 25 records and is used by \d rules?/);
    expect(row(shown, 'Rule', 'Name')[2]).toBe('State');
    expect(shown).toMatch(/Google services are not cached {2,}(?:en|dis)abled/);
    expect(row(shown, on.id, on.pattern)[2]).toBe('enabled');
    expect(row(shown, off.id, off.pattern)[2]).toBe('disabled');
    await type('/appliance acl object disable google_sni', 'bob');
    for (const line of ['acl object google_sni', 'acl find google']) {
      const now = await newest(line);
      expect(row(now, on.id, on.pattern)).toContain('enabled, but its object is disabled');
      expect(row(now, off.id, off.pattern)).toContain('disabled');
    }
    // An unknown state is neither enabled nor disabled.
    const items = [{ id: on.id, pattern: on.pattern, gpid: 3 }];
    const text = JSON.stringify({
      Status: true,
      Objects: [{ ID: 3, GroupName: 'google_sni', Items: items }],
    });
    appliance.faults.set('GET /proxy/acls/objects', { kind: 'text', text });
    const unknown = 'not reported';
    expect(row(await newest('acl objects'), 3)).toEqual([
      ...['3', 'google_sni', unknown, unknown, '1', unknown],
    ]);
    expect(row(await newest('acl object google_sni'), on.id, on.pattern)[2]).toBe(unknown);
  });

  test('with unreadable SSL rules says so, and not that there are none', async () => {
    const { type, appliance } = await converse();
    appliance.faults.set('GET /proxy/acls/ssl/rules', { kind: 'status', status: 500 });
    expect(await type('/appliance acl object disable 12', 'bob')).toContain(
      'Used by: no rule (SSL rules could not be read).',
    );
  });

  test.each([
    ['-1', '-1 is not an ACL object'],
    ['3.5', '3.5 is not an ACL object'],
    ['99999999999999999999', 'No changes were made.'],
    ['gogle_sni', '[google_sni (3), ssl_sni]'],
  ])('that does not exist gets a plain sentence or the nearest: %s', async (word, sentence) => {
    const { type, appliance } = await converse();
    expect(await type(`/appliance acl object disable ${word}`, 'bob')).toContain(sentence);
    expect(appliance.requests.filter(({ path }) => path.includes('/disable/'))).toEqual([]);
  });
});

describe('adding records', () => {
  test('takes several with a note, reports each outcome, and takes them back by Undo', async () => {
    const { type, press, appliance } = await converse();
    const records = () => [...(appliance.state.acl.objects.get(12)?.records.values() ?? [])];
    const before = records().length;
    const said = await type(
      '/appliance acl record add 12 example.com, example.org --note "ticket 4711"',
      'bob',
    );
    expect(said).toContain('both new ones are there');
    expect(said).toMatch(/example\.com +added as record \d+/);
    expect(said).toMatch(/example\.org +added as record \d+/);
    expect(records().slice(before)).toMatchObject([
      { pattern: 'example.com', description: 'ticket 4711', uid: 'slack:U0BOB00001' },
      { pattern: 'example.org', description: 'ticket 4711' },
    ]);
    await press('Undo', 'bob');
    expect(records()).toHaveLength(before);
  });

  test('names records that exist already, and does not add them twice', async () => {
    const { type, appliance } = await converse();
    await type('/appliance acl record add 12 example.com', 'bob');
    const before = appliance.requests.length;
    const said = await type('/appliance acl record add 12 example.com; example.net', 'bob');
    expect(said).toMatch(/example\.com +was already there \(record \d+, enabled\)/);
    expect(said).toMatch(/example\.net +added as record \d+/);
    expect(said).toContain('✅ example.net added to ACL object banking_sni');
    expect(said).toContain('the new one is there. Skipped: example.com, already there.');
    const sent = appliance.requests
      .slice(before)
      .filter(({ method, path }) => added.test(`${method} ${path}`));
    expect(sent).toHaveLength(1);
    expect(await type('/appliance acl record add 12 example.net', 'bob')).toMatch(
      /banking_sni already has example\.net \(record \d+, enabled\)\. No changes were made\./,
    );
  });

  test('keeps a pattern with commas whole in quotes, and sends no half of one', async () => {
    const { type, press, appliance } = await converse();
    const patterns = () =>
      [...(appliance.state.acl.objects.get(12)?.records.values() ?? [])].map((one) => one.pattern);
    const before = patterns();
    const torn = await type('/appliance acl record add 12 ^api[0-9]{1,3}', 'bob');
    expect(torn).toContain('has an unmatched bracket');
    expect(torn.match(/No changes were/g)).toHaveLength(1);
    expect(patterns()).toEqual(before);
    expect(await type('/appliance acl record add .example.net, .example.org to google_sni', 'bob')).toContain(
      '2 records added to ACL object google_sni',
    );
    expect(
      await type('/appliance acl record add .example.info to google_sni --note "4711"', 'bob'),
    ).toContain('.example.info added to ACL object google_sni');
    await type("/appliance acl record add 12 '^api[0-9]{1,3}\\.', example.com", 'bob');
    expect(patterns().slice(before.length)).toEqual(['^api[0-9]{1,3}\\.', 'example.com']);
    // Undo of the deletion must keep it whole, too.
    await type("/appliance acl record delete '^api[0-9]{1,3}\\.'", 'bob');
    await press('Delete', 'bob');
    expect(patterns().slice(before.length)).toEqual(['example.com']);
    await press('Undo', 'bob');
    expect(patterns()).toContain('^api[0-9]{1,3}\\.');
  });

  test('reports the outcome for 5,000 at once, and refuses more', async () => {
    const { type, press, appliance } = await converse();
    const many = (count: number) =>
      Array.from({ length: count }, (_, index) => `site-${index}.example`).join(',');
    const before = appliance.state.acl.objects.get(12)?.records.size ?? 0;
    expect(await type(`/appliance acl record add 12 ${many(5_000)}`, 'bob')).toContain('[Add] [Cancel]');
    const said = await press('Add', 'bob');
    expect(said).toContain('all 5,000 new ones are there');
    expect(said).toContain('Rows 1–');
    expect(appliance.state.acl.objects.get(12)?.records.size).toBe(before + 5_000);
    expect(await type(`/appliance acl record add 12 ${many(5_001)}`, 'bob')).toContain(
      'No changes were made.',
    );
    expect(appliance.state.acl.objects.get(12)?.records.size).toBe(before + 5_000);
  });

  test('is not believed without a read-back', async () => {
    const { type, appliance } = await converse();
    appliance.faults.set('PUT /proxy/acls/record/add/{objectId}', { kind: 'forget' });
    const said = await type('/appliance acl record add 12 example.com', 'bob');
    expect(said).toContain('Adding 1 record to ACL object banking_sni: accepted, never seen');
    expect(said).toContain('it is not among them: example.com');
    expect(said).toMatch(/example\.com +accepted, but not there/);
  });

  test('names each pattern that the appliance refused', async () => {
    const { type, appliance } = await converse();
    appliance.faults.set('PUT /proxy/acls/record/add/{objectId}', {
      kind: 'refuse',
      error: 'table is locked',
      times: 1,
    });
    const said = await type('/appliance acl record add 12 example.com example.org', 'bob');
    expect(said).toMatch(/example\.com +not added: refused, table is locked/);
    expect(said).toMatch(/example\.org +added as record/);
    expect(said).toContain('only 1 of 2');
  });
});

describe('a record', () => {
  test('is switched by its pattern, and a missing one is not called switched', async () => {
    const { type, press, appliance } = await converse();
    const google = appliance.state.acl.objects.get(3);
    expect(await type('/appliance acl record disable .gstatic.com', 'bob')).toContain(
      'ACL record 103 (.gstatic.com) disabled',
    );
    expect(google?.records.get(103)?.enabled).toBe(false);
    await press('Undo', 'bob');
    expect(google?.records.get(103)?.enabled).toBe(true);
    expect(await type('/appliance acl record disable 99999', 'bob')).toContain(
      'hq lists no ACL record 99999',
    );
    appliance.faults.set('GET /proxy/acls/record/disable/{itemId}', { kind: 'forget' });
    expect(await type('/appliance acl record disable 103', 'bob')).toContain(
      'ACL record 103 (.gstatic.com) read back: it is not disabled',
    );
  });

  test('says when its build cannot switch records', async () => {
    const { type, appliance } = await converse();
    appliance.state.acl.build = 'zdate';
    expect(await type('/appliance acl record disable 103', 'bob')).toContain(
      'cannot enable or disable records',
    );
  });

  test('is deleted after a question, several at once, and put back by Undo', async () => {
    const { type, press, appliance } = await converse();
    const patterns = () =>
      [...(appliance.state.acl.objects.get(3)?.records.values() ?? [])].map((one) => one.pattern);
    const card = await type('/appliance acl record delete .gstatic.com 104', 'bob');
    expect(card).toContain('Delete 2 records of ACL object google_sni?');
    expect(card).toContain('SSL rule Google for everybody but guests');
    expect(await press('Delete', 'bob')).toContain('both are gone');
    expect(patterns()).not.toContain('.gstatic.com');
    await press('Undo', 'bob');
    expect(patterns()).toEqual(expect.arrayContaining(['.gstatic.com', '.googleusercontent.com']));
  });

  test('is neither counted nor brought back by Undo when it is gone by the click', async () => {
    const { type, press, appliance } = await converse();
    const records = () => appliance.state.acl.objects.get(12)?.records ?? new Map();
    const patterns = () => [...records().values()].map(({ pattern }) => pattern);
    await type('/appliance acl record add 12 a.example b.example c.example', 'bob');
    const [a, b, c] = [...records().keys()].slice(-3);
    await type(`/appliance acl record delete ${a} ${b} ${c} --object 12`, 'bob');
    records().delete(b);
    expect(await press('Delete', 'bob')).toContain('This is not what you were shown a moment ago');
    const said = await press('Delete', 'bob');
    expect(said).toContain('✅ 2 records of ACL object banking_sni deleted');
    expect(said).toContain(`both are gone. Skipped: ${b} (b.example), no longer there.`);
    await press('Undo', 'bob');
    expect(patterns().filter((one) => one.endsWith('.example'))).toEqual(['a.example', 'c.example']);
  });
});

describe('finding', () => {
  test('searches patterns, users and notes, and finds objects by their names', async () => {
    const { type } = await converse();
    const said = await type('/appliance acl find google', 'vic');
    expect(said).toContain('26 ACL records contain google');
    expect(said).toMatch(/3 +google_sni +ssl_sni/);
    expect(await type('/appliance acl find zzz', 'vic')).toContain('No ACL record contains zzz');
  });

  test('a text with a space finds the note that has it', async () => {
    const { type } = await converse();
    await type('/appliance acl record add 12 example.com, example.org --note "ticket 4711"', 'bob');
    for (const line of ['acl find "ticket 4711"', 'acl find ticket 4711']) {
      const said = await type(`/appliance ${line}`, 'vic');
      expect(said).toContain('2 ACL records contain ticket and 4711');
      expect(said).toContain('They match in the note, which the appliance searches but does not show.');
    }
    expect(await type('/appliance acl find ticket 4712', 'vic')).toContain(
      'No ACL record contains ticket and 4712',
    );
  });

  test('a text with a slash, which no request path can carry, still finds the pattern', async () => {
    const { type } = await converse();
    await type('/appliance acl record add 12 example.com/private', 'bob');
    expect(await type('/appliance acl find com/priv', 'vic')).toContain('1 ACL record contains com/priv');
  });
});

test.each([
  ['39 .com', /Broad {2}`?\.com`? hits every site that ends in \.com/],
  [
    '24 0.0.0.0/0',
    /Broad {2}`?0\.0\.0\.0\/0`? hits every address[\s\S]*Includes records {2}10\.20\.99\.0\/24/,
  ],
  ['18 \\.ru$', /Broad {2}`?\\\.ru\$`? hits every site that ends in \.ru/],
  ['18 .*', /Broad {2}`?\.\*`? hits every site/],
  ['3 .maps.google.com', /Already included {2}`?\.google\.com`? includes `?\.maps\.google\.com`?/],
  ['7 13.107.64.0/20', /Already included {2}`?13\.107\.64\.0\/18`? includes `?13\.107\.64\.0\/20`?/],
])('adding %s asks first', async (words, says) => {
  const { type, appliance } = await converse();
  const before = JSON.stringify([...appliance.state.acl.objects.values()]);
  expect(await type(`/appliance acl record add ${words}`, 'bob')).toMatch(says);
  expect(JSON.stringify([...appliance.state.acl.objects.values()])).toBe(before);
});

test('an address without a page is added as its host, however Slack links it', async () => {
  const { type } = await converse();
  const said = await type('/appliance acl record add 39 bad93.example/', 'bob');
  expect(said).toContain('✅ bad93.example added to ACL object suppliers');
});
