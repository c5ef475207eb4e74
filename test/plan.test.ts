import { describe, expect, test } from 'vitest';
import { sandboxRoles } from '../sandbox/sandbox.ts';
import { under } from './approving.ts';
import { five, withBob } from './planning-lines.ts';

describe('a plan', () => {
  test('is shown line by line, confirmed once, run in order with one card, and undone from the end', async () => {
    const { plan, click, orders, isIn, isUp, isEnabled, bot } = await withBob();
    const shown = await plan(...five);
    expect(shown).toMatch(
      /Run this plan of 5 lines on hq\?\n {2}Line 1 {2}Add one\.example\.net to category shopping[\s\S]*Line 3 {2}Stop VLAN/,
    );
    expect(orders()).toEqual([]);
    const done = await click('Run plan');
    expect(done).toContain('✅ Plan done: 5 lines');
    expect(done.match(/^appliance-bot/gm)).toHaveLength(1);
    expect(done).toMatch(/✅ Line 1: one\.example\.net added to category shopping\./);
    // The card tells of each line, so no reply repeats it.
    expect(done).not.toContain('│');
    expect([isIn('one.example.net'), isIn('three.example.net', 257), isUp(), isEnabled()]).toEqual([
      true,
      true,
      false,
      false,
    ]);
    const [plainly] = (await bot.journal.recent(10)).filter(({ phrase }) => phrase === 'plan <lines>…');
    const steps = await bot.journal.stepsOf(plainly?.id ?? '');
    expect(steps.map(({ step, line, state }) => [step, line, state])).toEqual(
      five.map((line, index) => [index + 1, line, 'done']),
    );
    const back = await click('Undo');
    expect(back).toContain('✅ Rolled back: 5 lines undone');
    expect(back).toMatch(/Line 5: [\s\S]*Line 4: [\s\S]*Line 3: [\s\S]*Line 2: [\s\S]*Line 1: /);
    expect([isIn('one.example.net'), isIn('three.example.net', 257), isUp(), isEnabled()]).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });

  test('with a line that cannot run asks nothing, and names every such line with its reason', async () => {
    const { plan, orders, bot } = await withBob();
    const said = await plan(
      '# new shop',
      five[0] ?? '',
      '',
      'foo bar',
      'rdp sessions',
      'vlan stop nothing-like-it',
      'emergency disable',
      'sql user password scott',
      'plan vlan stop 3',
    );
    expect(said).toContain('6 lines of 7 can’t be run. Nothing is asked for, and no changes were made.');
    for (const [line, why] of [
      [4, 'Unknown command'],
      [5, 'a plan takes only changes'],
      [6, 'nothing-like-it'],
      [7, 'Run it by itself'],
      [8, 'password'],
      [9, 'A plan can’t be a line of a plan'],
    ] as const)
      expect(said).toMatch(new RegExp(`\\n {2}${line} {5}[^\\n]*${why}`));
    expect(said).not.toMatch(/\n {2}2 {5}/);
    expect(orders()).toEqual([]);
    expect((await bot.journal.recent(1))[0]?.state).toBe('refused');
  });

  test('needs for every line the approval of the line alone', async () => {
    const { type, read } = await under(
      {
        roles: {
          'site-desk': { summary: 'sites', commands: [{ phrase: 'plan' }, { phrase: 'category add' }] },
        },
      },
      { roles: { ...sandboxRoles, helpdesk: [], 'site-desk': ['U0ALICE001'] } },
    );
    const said = await type(`/appliance plan\n${five.join('\n')}`, 'alice');
    expect(said).toContain('You can’t run 2 lines of 5');
    expect(said).toMatch(/2 {5}acl object disable google_sni {2,}.*requires the operator/);
    await type(`/appliance plan\n${five[0]}\n${five[4]}`, 'alice');
    expect(read('alice')).toContain('Run this plan of 2 lines on hq?');
  });

  test('waits for the approval of its strictest line, and its steps run by that', async () => {
    const approvals = [
      { commands: [{ phrase: 'vlan stop' }], by: 'approver' },
      { commands: [{ phrase: 'acl object disable' }], by: 'admin' },
    ];
    const { plan, press, isUp, isIn } = await withBob(under({ approvals }));
    expect(await plan(...five)).toMatch(/1 approval by admin \(.*\) and 1 approval by approver/);
    await press('Approve', 'carol');
    expect(isIn('one.example.net')).toBe(false);
    expect(await press('Approve', 'dana')).toContain('✅ Plan done: 5 lines');
    expect(isUp()).toBe(false);
  });

  test('stops at the first line that fails; Roll back undoes the finished lines, from the end', async () => {
    const { plan, click, isIn, isUp, isEnabled, breakVlan } = await withBob();
    breakVlan();
    await plan(...five);
    const stopped = await click('Run plan');
    expect(stopped).toContain('Plan stopped at line 3: it failed. 2 lines done, lines 4 and 5 not run.');
    expect(stopped).toContain('[Roll back] [Go on]');
    expect([isIn('one.example.net'), isEnabled(), isUp(), isIn('two.example.net')]).toEqual([
      true,
      false,
      true,
      false,
    ]);
    const back = await click('Roll back');
    expect(back).toMatch(/Rolled back: 2 lines undone[\s\S]*Line 2: [^\n]*enabled[\s\S]*Line 1: /);
    expect(back).not.toContain('[Go on]');
    expect([isIn('one.example.net'), isEnabled()]).toEqual([false, true]);
  });

  test('is continued or rolled back by the first of two who press at the same moment', async () => {
    const { plan, click, person, isIn, read, bot, breakVlan } = await withBob();
    breakVlan();
    await plan(...five);
    await click('Run plan');
    await Promise.all([
      person('bob').press('helpdesk', 'Go on'),
      person('dana').press('helpdesk', 'Roll back'),
    ]);
    await bot.idle();
    // Either all that could be done is, or nothing.
    expect(isIn('one.example.net')).toBe(isIn('three.example.net', 257));
    expect(read('dana')).toContain('continued or rolled back since');
  });

  test('continues with the lines after the failed one, and can be rolled back as a whole then', async () => {
    const { plan, click, ask, isIn, isEnabled, breakVlan, planned } = await withBob();
    breakVlan();
    await plan(...five);
    await click('Run plan');
    const done = await click('Go on');
    expect(done).toContain('✅ Plan done: lines 4 and 5');
    expect([isIn('two.example.net'), isIn('three.example.net', 257)]).toEqual([true, true]);
    expect(await ask(`plan continue ${await planned()}`)).toContain(
      'has been continued or rolled back since',
    );
    expect(await click('Undo')).toMatch(/Rolled back: 4 lines undone/);
    expect([isIn('one.example.net'), isIn('two.example.net'), isEnabled()]).toEqual([false, false, true]);
  });

  test('overwrites nobody’s later edit when it is rolled back, and says which line stays', async () => {
    const { plan, click, ask, isIn, isEnabled, type, planned } = await withBob();
    await plan(five[0] ?? '', five[1] ?? '');
    await click('Run plan');
    await type('/appliance acl record add 3 other.example.net', 'dana');
    const asked = await ask(`plan rollback ${await planned()}`);
    expect(asked).toMatch(/Roll back 1 line on hq\?[\s\S]*Skipped {2}line 2/);
    expect(asked).toContain('Somebody has changed it since, so it is left as it is.');
    expect(isIn('one.example.net')).toBe(true);
    await click('Roll back');
    expect([isIn('one.example.net'), isEnabled()]).toEqual([false, false]);
  });

  test('does not run a line that differs from its preview', async () => {
    const { plan, click, orders, describeInterface } = await withBob();
    await plan('vlan stop 3', 'rdp disconnect 12');
    describeInterface(3, 'Another network');
    const before = orders().length;
    const said = await click('Run plan');
    expect(said).toContain('This is not what you were shown a moment ago');
    expect(orders()).toHaveLength(before);
  });

  test('continues with a line without a preview, which it shows then, and with nothing after its last line', async () => {
    const { plan, click, isIn, breakVlan } = await withBob();
    await plan(five[0] ?? '', 'category delete one.example.net from 252');
    const stopped = await click('Run plan');
    expect(stopped).toMatch(
      /Plan stopped at line 2: it was not run\. 1 line done\. Its effect could not be shown[\s\S]*\[Go on\]|\[Go on\][\s\S]*1 line done\. Its effect could not be shown/,
    );
    expect(await click('Go on')).toMatch(
      /Go on with the plan[^?]*\?\n {2}Line 2 {2}Remove one\.example\.net/,
    );
    await click('Go on');
    expect(isIn('one.example.net')).toBe(false);
    breakVlan();
    await plan(five[3] ?? '', five[2] ?? '');
    const failed = await click('Run plan');
    expect(failed).toContain('Plan stopped at line 2: it failed. 1 line done.');
    expect(failed.slice(failed.lastIndexOf('Plan stopped at line 2: it failed'))).not.toContain('[Go on]');
  });

  test('is asked again as a whole, and shown with the outcome of each line', async () => {
    const { plan, click, ask, read, planned, breakVlan } = await withBob();
    breakVlan();
    await plan(...five.slice(0, 4));
    await click('Run plan');
    const reference = await planned();
    await ask('again');
    await click(`plan ${five[0]} (+3 more)`);
    expect(read('bob')).toMatch(/Run this plan of 2 lines on hq\?[\s\S]*Skipped {2}lines 1 and 2/);
    expect(await ask(`show ${reference}`)).toMatch(
      /\n {2}1 {5}category add one[^\n]*✅[^\n]*A-[A-Z0-9]{8}\n[\s\S]*\n {2}3 {5}vlan stop 3[^\n]*❌[^\n]*A-[\s\S]*\n {2}4 {5}[^\n]*⏸ not run/,
    );
  });

  test('may name the result of an earlier line, which is looked at in its turn', async () => {
    const { type, press } = await withBob();
    const lines = ['rdp policy create Auditors --allow clipboard', 'rdp policy disable Auditors'];
    const shown = await type(`/appliance plan\n${lines.join('\n')}`, 'dana');
    expect(shown).toMatch(/Checked in turn {2}line 2, because of what lines before it change/);
    expect(await press('Run plan', 'dana')).toContain('✅ Plan done: 2 lines');
  });
});

describe('a plan can come', () => {
  test('in a mention, in a direct message, in a form, and in one line', async () => {
    const { write, read, ask, person } = await withBob();
    await write(`@appliance-bot plan\n${five[0]}\n${five[1]}`, 'bob');
    expect(read('bob')).toContain('Run this plan of 2 lines on hq?');
    await write(`plan\n\`\`\`${five[0]}\n${five[3]}\`\`\``, 'bob', 'appliance-bot');
    expect(read('bob', 'appliance-bot')).toContain('Run this plan of 2 lines on hq?');
    await ask('plan');
    await person('bob').fill({ 'Lines to run': `${five[0]}\n${five[4]}` });
    await person('bob').submit();
    expect(read('bob').match(/Run this plan of 2 lines on hq\?/g)).toHaveLength(2);
    expect(await ask(`plan ${five[2]}`)).toContain('Run this plan of 1 line on hq?');
  });

  test('with options for all of its lines, of which each takes the possible ones', async () => {
    const { ask, click, bot } = await withBob();
    await ask(`plan --for 2h --reason "new shop"\n${five[0]}\n${five[2]}\n${five[3]} --for 1h`);
    await click('Run plan');
    const live = await bot.journal.timedChanges();
    const [first, second, third] = live.map(({ endsAt, startedAt }) =>
      Math.round((endsAt - startedAt) / 3_600_000),
    );
    expect([first, second, third]).toEqual([2, 2, 1]);
  });

  test('for later, and runs at its time as confirmed; or not at all, when it has changed by then', async () => {
    const { ask, click, pass, read, isIn, isUp, isEnabled, describeInterface } = await withBob();
    await ask(`plan --at "in 2h"\n${five[0]}\n${five[2]}`);
    await click('Plan');
    await ask(`plan --at "in 3h"\n${five[1]}\n${five[3]}\nvlan stop 2`);
    await click('Plan');
    expect([isIn('one.example.net'), isUp()]).toEqual([false, true]);
    await pass(121 * 60_000);
    expect([isIn('one.example.net'), isUp()], read('bob')).toEqual([true, false]);
    describeInterface(2, 'Another network');
    await pass(60 * 60_000);
    expect([isIn('two.example.net'), isEnabled()], read('bob')).toEqual([false, true]);
    expect(await click('Ask again now')).toMatch(
      /Run this plan of 3 lines on hq\?\n {2}(?:[^\n]*\n {2}){0,2}Line 1 {2}Disable/,
    );
  });

  test('from a file, whose numbers its lines keep, with the options beside it and in it', async () => {
    const { attachPlan, click, press, person, read, ask, bot } = await withBob();
    const list = ['# new shop', '', five[0] ?? '', five[2] ?? ''];
    expect(await attachPlan('@appliance-bot plan --for 2h --on hq', 'shop.txt', ...list)).toMatch(
      /Run this plan of 2 lines on hq\?\n {2}Line 3 [^\n]*For: 2 h[^\n]*\n {2}Line 4 [\s\S]*From {2}shop\.txt[\s\S]*plan --for 2h --on hq category/,
    );
    await click('Run plan');
    expect(await bot.journal.timedChanges()).toHaveLength(2);
    expect(
      await attachPlan(
        '@appliance-bot plan',
        'p.csv',
        'plan --for 2h',
        '"category add a.example,b.example to 252"',
        '',
        'foo',
      ),
    ).toMatch(/1 line of 2 can’t be run[\s\S]*\n {2}4 {5}foo/);
    const bob = person('bob');
    await bob.attach('helpdesk', 'for tonight', {
      name: 'night.csv',
      content: Buffer.from(`${five[3]}\n${five[4]}`),
    });
    await bob.shortcut('helpdesk', 'Send to appliance');
    await press('Plan…', 'bob');
    expect(read('bob')).toMatch(/Run this plan of 2 lines on hq\?\n {2}Line 1 {2}Add two[\s\S]*night\.csv/);
    await ask('plan --for 1h');
    const file = { name: 'form.txt', content: Buffer.from(`\n${five[1]}`) };
    await bob.fill({ 'Or a file with lines to run': file });
    await bob.submit();
    expect(read('bob')).toMatch(/Run this plan of 1 line on hq\?\n {2}Line 2 [^\n]*For: 1 h/);
    await ask('plan');
    await bob.fill({ 'Lines to run': five[3] ?? '', 'Or a file with lines to run': file });
    await bob.submit();
    expect(read('bob')).toContain(
      'A plan takes its lines from one file, or as they are typed, and not from both.',
    );
  });

  test('with its options alone, which its form keeps; and needs no dry run', async () => {
    const { ask, person, read } = await withBob();
    for (const line of ['plan --dry-run', `plan ${five[2]} --dry-run`, `plan --dry-run\n${five[2]}`])
      expect(await ask(line)).toMatch(/--dry-run is not needed for a plan[^\n]*No changes were made\.\s*$/);
    await ask(`plan --for 2h ${five[2]}`);
    expect(read('bob')).toMatch(/Run this plan of 1 line on hq\?\n[^\n]*For: 2 h/);
    await ask('plan --at "in 2h"');
    const bob = person('bob');
    expect(bob.form()?.fields[0]).toMatchObject({ label: 'Lines to run', value: '--at "in 2h"\n' });
    await bob.fill({ 'Lines to run': `--at "in 2h"\n${five[2]}` });
    await bob.submit();
    expect(read('bob')).toMatch(/Run this plan of 1 line on hq\?[\s\S]*\[Plan\]/);
  });
});
