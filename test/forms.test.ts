import { describe, expect, test } from 'vitest';
import { converse } from './conversation.ts';

const listing = '/proxy/acls/objects';

describe('a missing argument', () => {
  test('opens a form that explains the command and the place, and sending it does what the typed line does', async () => {
    const { type, person, appliance, read, bot } = await converse();
    const dana = person('dana');
    await type('/appliance acl object disable', 'dana');
    expect(dana.form()).toMatchObject({
      title: 'ACL object disable',
      text: expect.stringMatching(
        /^Disable an ACL object.* It runs on hq as soon as you press Disable, or at the time that you write below\.$/,
      ),
      fields: [
        { label: 'ACL object', kind: 'external_select', value: '', isOptional: false },
        { label: 'Run at' },
        { label: 'Undo after' },
      ],
      submit: 'Disable',
    });
    await dana.fill({ 'ACL object': 'google_sni' });
    expect(await dana.submit()).toEqual({ ok: true });
    expect(dana.form()).toBeUndefined();
    expect(read('dana')).toContain('ACL object google_sni disabled');
    expect(read('dana')).toContain('/appliance acl object disable 3');
    expect(appliance.state.acl.objects.get(3)?.enabled).toBe(false);
    expect((await bot.journal.recent(1))[0]).toMatchObject({ state: 'done', line: 'acl object disable 3' });
  });

  test('with a second one of its kind shows below each the example that its command has for it', async () => {
    const { type, person } = await converse();
    await type('/appliance category move', 'bob');
    const hints = person('bob')
      .form()
      ?.fields.map(({ label, hint }) => [label, hint]);
    expect(hints).toContainEqual(['From category', 'For example: 252']);
    expect(hints).toContainEqual(['To category', 'For example: 257']);
  });

  test('to something dangerous opens the form, and then the change is still previewed and confirmed', async () => {
    const { type, person, appliance, press, read } = await converse();
    const dana = person('dana');
    await type('/appliance acl object delete', 'dana');
    expect(dana.form()).toMatchObject({
      text: expect.stringContaining('Before anything is done on hq, you see a preview'),
      submit: 'Continue',
    });
    await dana.fill({ 'ACL object': 'google_sni' });
    await dana.submit();
    expect(read('dana')).toContain('Delete ACL object google_sni');
    expect(appliance.state.acl.objects.has(3)).toBe(true);
    await press('Delete', 'dana');
    expect(appliance.state.acl.objects.has(3)).toBe(false);
  });

  test('keeps the appliances and the dry run that were typed', async () => {
    const { type, person, branches, read } = await converse({ branches: 1 });
    const dana = person('dana');
    await type('/appliance acl object disable --on branch-2 --dry-run', 'dana');
    expect(dana.form()).toMatchObject({
      text: expect.stringContaining('Shows what would be sent to branch-2. Nothing is sent.'),
      submit: 'Show',
    });
    await dana.fill({ 'ACL object': 'google_sni' });
    await dana.submit();
    expect(read('dana')).toContain('acl object disable 3 --on branch-2 --dry-run');
    expect(branches.get('branch-2')?.state.acl.objects.get(3)?.enabled).toBe(true);
  });

  test('on an unknown appliance opens no useless form', async () => {
    const { type, person, bot } = await converse();
    expect(await type('/appliance acl object disable --on hw', 'dana')).toContain(
      'Unknown appliance hw. No changes were made. Did you mean hq?',
    );
    expect(person('dana').form()).toBeUndefined();
    expect((await bot.journal.recent(1))[0]).toMatchObject({
      state: 'refused',
      outcome: { code: 'no_such_target' },
    });
  });

  test('is no form for somebody without the right', async () => {
    const { type, person } = await converse();
    expect(await type('/appliance acl object disable', 'vic')).toContain('No changes were made.');
    expect(person('vic').form()).toBeUndefined();
  });

  test.each([
    ['its moment is over', 'expired_trigger_id'],
    ['Slack does not take the form', 'invalid_arguments'],
  ])('is the usage line with a button that opens the form, where %s', async (_, error) => {
    const { type, press, person, workspace, read } = await converse();
    workspace.faults.next('views.open', { kind: 'error', error });
    const said = await type('/appliance acl object disable', 'dana');
    expect(said).toContain('acl object disable needs an ACL object. No changes were made.');
    expect(person('dana').form()).toBeUndefined();
    await press('Fill in a form', 'dana');
    expect(person('dana').form()).toMatchObject({ title: 'ACL object disable' });
    await person('dana').fill({ 'ACL object': 'google_sni' });
    await person('dana').submit();
    expect(read('dana')).toContain('ACL object google_sni disabled');
  });
});

describe('a form of a change', () => {
  test('takes a start and a term, in the words of a line, with the typed values', async () => {
    const { type, person, read } = await converse({ policy: { windows: { night: ['22:00-05:00'] } } });
    const dana = person('dana');
    await type('/appliance acl object disable --at 23:00 --until friday', 'dana');
    expect(dana.form()?.fields).toMatchObject([
      { label: 'ACL object' },
      { label: 'Run at', value: '23:00', hint: expect.stringContaining('a window (night)') },
      { label: 'Undo after', value: 'until friday' },
    ]);
    await dana.fill({ 'ACL object': 'google_sni', 'Run at': '25:00', 'Undo after': '2 months' });
    await dana.submit();
    expect(dana.form()?.errors).toEqual({
      'Run at': expect.stringContaining('Write a time such as 22:00'),
      'Undo after': expect.stringContaining('a duration such as 30m'),
    });
    await dana.fill({ 'Run at': 'in 3h', 'Undo after': '2h' });
    await dana.submit();
    expect(read('dana')).toMatch(/Planned for [\s\S]*acl object disable 3 --for 2h --at "in 3h"/);
    // An emptied field clears what was typed.
    await type('/appliance acl object disable --at 23:00', 'dana');
    await dana.fill({ 'ACL object': 'apple_sni', 'Run at': '' });
    await dana.submit();
    expect(read('dana')).toContain('✅ ACL object apple_sni disabled');
  });

  test('says at the field that the end comes before the beginning, or too late', async () => {
    // Thursday, 13:30.
    const { type, person } = await converse({ from: Date.UTC(2026, 2, 5, 13, 30) });
    const dana = person('dana');
    await type('/appliance acl object disable', 'dana');
    const problem = async (at: string, until: string) => {
      await dana.fill({ 'ACL object': 'google_sni', 'Run at': at, 'Undo after': until });
      await dana.submit();
      return dana.form()?.errors;
    };
    expect(await problem('tomorrow 10:00', 'until today 18:00')).toEqual({
      'Undo after': expect.stringMatching(
        /^This would end at .*18:00.*, and it may begin as late as .*10:10/,
      ),
    });
    expect(await problem('', 'until 1 sep')).toEqual({
      'Undo after': expect.stringContaining(
        'is too far ahead: a change can be temporary for 90 days at most',
      ),
    });
    expect(await problem('tomorrow 10:00', 'until tomorrow 18:00')).toBeUndefined();
  });
});

describe('a wrong line', () => {
  test('can be filled in instead, on the same appliances', async () => {
    const { type, press, person } = await converse({ branches: 1 });
    const said = await type('/appliance acl object disable -1 --on branch-2', 'dana');
    expect(said).toContain('-1 is not an ACL object. No changes were made.');
    await press('Fill in a form', 'dana');
    expect(person('dana').form()).toMatchObject({
      title: 'ACL object disable',
      text: expect.stringContaining('branch-2'),
    });
    await type('/appliance acl object delete 3 4', 'dana');
    await person('dana').dismiss();
    await press('Fill in a form', 'dana');
    expect(person('dana').form()).toMatchObject({
      title: 'ACL object delete',
      fields: [{ value: '3' }, { label: 'Run at' }],
    });
  });
});

describe('a form', () => {
  test('explains a mistake under its input, in the words of a typed line, and stays', async () => {
    const { type, person, read } = await converse();
    const alice = person('alice');
    await type('/appliance why');
    expect(alice.form()?.fields).toMatchObject([
      { label: 'Domain', kind: 'plain_text_input', hint: 'For example: example.com' },
    ]);
    await alice.fill({ Domain: 'not!a!domain' });
    await alice.submit();
    expect(alice.form()?.errors).toEqual({ Domain: 'not!a!domain is not a domain.' });
    await alice.fill({ Domain: ' ' });
    await alice.submit();
    expect(alice.form()?.errors).toEqual({ Domain: 'This is required.' });
    await alice.fill({ Domain: 'https://example.com/path' });
    await alice.submit();
    expect(alice.form()).toBeUndefined();
    expect(read()).toContain('/appliance why https://example.com/path');
  });

  test('takes several of a kind, one per line, beside the typed ones', async () => {
    const { type, person, appliance } = await converse();
    const dana = person('dana');
    await type('/appliance acl record add google_sni --note "ticket 4711"', 'dana');
    expect(dana.form()?.fields).toMatchObject([
      { label: 'ACL object', value: 'google_sni' },
      { label: 'Pattern', value: '', hint: expect.stringContaining('One per line') },
      { label: 'Or a file with patterns', kind: 'file_input', isOptional: true },
      { label: 'Note', value: 'ticket 4711', isOptional: true },
      { label: 'Run at', value: '', isOptional: true },
      { label: 'Undo after', value: '', isOptional: true },
    ]);
    await dana.fill({ Pattern: 'first.example.com\nsecond.example.com, third.example.com' });
    await dana.submit();
    const added = [...(appliance.state.acl.objects.get(3)?.records.values() ?? [])]
      .map(({ pattern }) => pattern)
      .filter((pattern) => pattern.includes('example.com'));
    expect(added).toEqual(['first.example.com', 'second.example.com', 'third.example.com']);
  });

  test('outlives a restart of the bot', async () => {
    const { type, person, restart, read } = await converse();
    await type('/appliance acl object disable', 'dana');
    await restart();
    await person('dana').fill({ 'ACL object': 'google_sni' });
    await person('dana').submit();
    expect(read('dana')).toContain('ACL object google_sni disabled');
  });

  test('says when it lay open too long, and does nothing', async () => {
    const { type, person, wait, appliance } = await converse();
    const dana = person('dana');
    await type('/appliance acl object disable', 'dana');
    await dana.fill({ 'ACL object': 'google_sni' });
    wait(61 * 60_000);
    await dana.submit();
    expect(dana.form()).toMatchObject({
      title: 'Not sent',
      text: 'This form has expired. No changes were made. Type the command again.',
      fields: [],
      submit: undefined,
    });
    expect(appliance.state.acl.objects.get(3)?.enabled).toBe(true);
  });
});

describe('a password', () => {
  test('is asked for by a form, reaches the appliance, and is stored nowhere', async () => {
    const { type, person, read, appliance, bot } = await converse();
    const dana = person('dana');
    await type('/appliance rdp target create srv-new-01 --set address=10.20.1.44', 'dana');
    expect(dana.form()?.fields.slice(0, 2)).toMatchObject([
      { value: 'srv-new-01' },
      { label: expect.stringContaining('Password'), value: '', hint: expect.stringContaining('not stored') },
    ]);
    const label = dana.form()?.fields[1]?.label ?? '';
    await dana.fill({ [label]: 'hunter2, the Third' });
    await dana.submit();
    expect(dana.form()).toBeUndefined();
    expect(read('dana')).toContain('rdp target create srv-new-01 --password •••');
    expect([...appliance.state.rdp.targets.values()].map(({ name }) => name)).toContain('srv-new-01');
    expect(read('dana')).not.toContain('hunter2');
    expect(JSON.stringify(await bot.journal.recent(10))).not.toContain('hunter2');
  });

  test('is asked for with what the form has no place for', async () => {
    const { type, person } = await converse();
    await type('/appliance create sql user grafana on database shop', 'dana');
    expect(person('dana').form()).toMatchObject({
      title: 'SQL user create',
      text: expect.stringContaining('`sql user create` doesn’t take `on database shop`.'),
    });
  });

  test('in a line is refused, with a button for the form that takes it', async () => {
    const { type, press, person, bot } = await converse();
    const said = await type('/appliance rdp target create srv-new-01 --password hunter2', 'dana');
    expect(said).toContain('That line contains a password');
    await press('Fill in a form', 'dana');
    expect(person('dana').form()).toMatchObject({ title: 'RDP target create' });
    expect(JSON.stringify(await bot.journal.recent(10))).not.toContain('hunter2');
  });
});

describe('a picker', () => {
  test('offers names where the form is for several appliances, because a number is valid on one of them only', async () => {
    const { type, person } = await converse({ branches: 1 });
    await type('/appliance acl object disable --on all', 'dana');
    expect(await person('dana').search('ACL object', 'goog')).toEqual(['google_sni']);
  });

  test('searches names, IDs and kinds on the appliance, without asking it at every key', async () => {
    const { type, person, appliance } = await converse();
    const dana = person('dana');
    await type('/appliance acl object disable', 'dana');
    const before = appliance.requests.length;
    expect((await dana.search('ACL object', '')).length).toBe(appliance.state.acl.objects.size);
    expect(await dana.search('ACL object', 'GOOG')).toEqual(['google_sni (3), ssl_sni']);
    expect(await dana.search('ACL object', '43')).toEqual(['social_media_pilot (43), dstdomain']);
    expect((await dana.search('ACL object', 'gogle_sni'))[0]).toBe('google_sni (3), ssl_sni');
    expect(appliance.requests.slice(before).filter(({ path }) => path === listing)).toHaveLength(1);
  });

  test('sees changes after a while', async () => {
    const { type, person, appliance, wait } = await converse();
    const dana = person('dana');
    await type('/appliance acl object disable', 'dana');
    await dana.search('ACL object', '');
    appliance.state.acl.objects.delete(3);
    expect(await dana.search('ACL object', 'google')).toHaveLength(1);
    wait(21_000);
    expect(await dana.search('ACL object', 'google')).toEqual([]);
  });

  test('stays empty while the appliance does not list, and asks again', async () => {
    const { type, person, appliance } = await converse();
    const dana = person('dana');
    await type('/appliance acl object disable', 'dana');
    appliance.faults.set(`GET ${listing}`, { kind: 'html' });
    expect(await dana.search('ACL object', 'google')).toEqual([]);
    appliance.faults.clear();
    expect(await dana.search('ACL object', 'google')).toHaveLength(1);
  });

  test('shows a hostile name as plain text, cut to what fits', async () => {
    const { type, person, appliance, workspace } = await converse();
    const { objects } = appliance.state.acl;
    const object = objects.get(3);
    if (object === undefined) throw new Error('There is no ACL object 3');
    objects.set(3, { ...object, name: `<!channel> *x*\u202e\u0007${'long '.repeat(30)}` });
    const dana = person('dana');
    await type('/appliance acl object disable', 'dana');
    const [label = ''] = await dana.search('ACL object', 'channel');
    expect(label).toMatch(/^<!channel> \*x\*\ufffd\ufffdlong long .*…$/);
    expect(label.length).toBe(75);
    expect(workspace.log.calls().filter(({ ok }) => !ok)).toEqual([]);
  });
});

test('an example that needs quotes in a line is shown without them', async () => {
  const { type, person } = await converse();
  await type('/appliance emergency enable', 'bob');
  const reason = person('bob')
    .form()
    ?.fields.find(({ label }) => label === 'Reason');
  expect(reason?.hint).toBe('For example: directory down');
});
