import { expect, test } from 'vitest';
import { converse } from './conversation.ts';
import { withBob } from './planning-lines.ts';

const hour = 60 * 60_000;
const afternoon = Date.parse('2026-11-25T13:30:00Z');

test('what somebody did in a time is undone as one plan, the newest first, and by no button a second time', async () => {
  const { ask, click, type, pass, read, isIn, isEnabled, isUp, plan, person } = await withBob(
    converse({ from: afternoon }),
  );
  const done = 'plan from history @bob last hour --undo';
  await ask('category add old.example.net to 252');
  await pass(2 * hour);
  expect(await ask(done)).toMatch(
    /Nothing was changed in this channel by @bob between .* No changes were made\.$/m,
  );
  expect(await ask('plan from history @bob 25:00')).toMatch(
    /25:00 is no time that has been\. Type it as 14:00-15:00/,
  );
  expect(await ask('plan from history @bob')).toContain('Say when it was done');
  expect(await ask('plan from history 60d --undo')).toContain('at most 31 d');
  await ask('category add one.example.net to 252');
  await ask('acl object disable google_sni');
  await type('/appliance category add danas.example.net to 252', 'dana');
  await plan('category add two.example.net to 252', 'vlan stop 3');
  await click('Run plan');
  await ask('rdp disconnect 12');
  await click('Disconnect');
  await ask('category add twice.example.net to 252');
  await click('Undo');
  await ask('category add gone.example.net to 252 --for 5m');
  await pass(6 * 60_000);
  const shown = await ask(done);
  expect(shown.slice(shown.indexOf('Undo 4 changes on hq?'))).toMatch(
    new RegExp(
      [
        'Undo 4 changes on hq\\?',
        'On hq  2 changed, 2 removed',
        'Skipped  lines 1, 2 and 3',
        'Line 1 .*gone.example.net.*: skipped\\. It was temporary, and ended today',
        'Line 2 .*twice.example.net.*: skipped\\. It was undone already, with A-',
        'Line 3  rdp disconnect 12: skipped\\. It can’t be undone\\. \\(A-\\w{8} by @bob',
        'Line 4  Start VLAN interface.*\\(undoes vlan stop 3 by @bob',
        'Line 5  Remove two.example.net',
        'Line 6  Enable ACL object google_sni',
        'Line 7  Remove one.example.net',
        'Done  by @bob, from today',
      ].join('[^\\n]*\\n  '),
    ),
  );
  const over = await click('Undo all');
  expect(['old', 'one', 'two', 'danas'].map((site) => isIn(`${site}.example.net`))).toEqual([
    true,
    false,
    false,
    true,
  ]);
  expect([isEnabled(), isUp()]).toEqual([true, true]);
  expect(over).toContain('✅ Undone: 4 changes, 3 skipped');
  expect(over).toContain('⚪ Undone: one.example.net added to category shopping\n  Undone by @bob.');
  expect(await ask(done)).toMatch(
    /Nothing that was done then can be undone\.[\s\S]*vlan stop 3 +It was undone already, with A-/,
  );
  expect(await click('Undo')).toContain('✅ Rolled back: 4 lines undone');
  expect([isIn('one.example.net'), isEnabled(), isUp()]).toEqual([true, false, false]);
  expect(await ask(done)).toContain('Undo 4 changes on hq?');
  expect(person('bob').form()).toBeUndefined();
  expect(read('bob')).not.toContain('went wrong');
});

test('nobody’s later edit is undone with it, and nothing that one may not change', async () => {
  const { ask, click, type, press, isIn } = await withBob();
  const change = 'rdp target change srv-legacy-01 --set';
  await type(`/appliance ${change} description=one`, 'dana');
  await press('Change', 'dana');
  await type('/appliance category add one.example.net to 252', 'dana');
  await ask(`${change} description=two`);
  await click('Change');
  const shown = await ask('undo everything @dana did in the last 2 hours');
  expect(shown).toMatch(
    /Undo 1 change on hq\?\n {2}Line 1 {2}Remove one[\s\S]*Line 2 .*: skipped\. Somebody has changed it since, and that is not overwritten\./,
  );
  await click('Undo all');
  expect(isIn('one.example.net')).toBe(false);
  expect(await type('/appliance plan from history @dana 2h --undo', 'alice')).toMatch(
    /requires the operator/,
  );
});

test('a time that ends before it begins is asked about; dates and parts of a day are read, and of two people none is guessed', async () => {
  const { ask, click, read } = await withBob(converse({ from: afternoon }));
  await ask('category add one.example.net to 252');
  const asked = await ask('plan from history @bob 14:00-13:00 --undo');
  expect(asked).toContain('14:00-13:00 ends before it begins. Which one do you mean: 13:00-14:00 or');
  expect(asked).toContain('[13:00-14:00] [yesterday 14:00 - today 13:00]');
  expect(await click('13:00-14:00')).toMatch(/Undo 1 change on hq\?[\s\S]*by @bob, from today 13:00/);
  await click('Cancel');
  for (const time of ['25.11.', '25 nov', 'today', 'this afternoon', '25.11. 13:00-14:00']) {
    const shown = await ask(`plan from history ${time} --undo`);
    expect(shown.slice(shown.lastIndexOf('appliance-bot')), time).toContain('Undo 1 change on hq?');
    await click('Cancel');
  }
  for (const time of ['24.11.', 'yesterday', 'this morning'])
    expect(await ask(`plan from history ${time} --undo`)).toMatch(
      /Nothing was changed in this channel between/,
    );
  expect(await ask('plan from history @bob @dana today --undo')).toContain(
    'This names @bob and @dana. Name one, or nobody, which means everybody.',
  );
  expect(read('bob')).not.toContain('went wrong');
});

test('the same question twice at the same moment is one plan, and the other one is told where it stands', async () => {
  const { ask, person, bot, read } = await withBob();
  await ask('category add one.example.net to 252');
  const line = '/appliance plan from history 1h --undo';
  await Promise.all([person('bob').type('helpdesk', line), person('bob').type('helpdesk', line)]);
  await bot.idle();
  expect(read('bob').match(/Undo 1 change on hq\?/g)).toHaveLength(1);
  expect(read('bob')).toMatch(/is (?:already|being)/);
});
