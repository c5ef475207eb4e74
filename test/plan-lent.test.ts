import { describe, expect, test } from 'vitest';
import { under } from './approving.ts';
import { five, withBob } from './planning-lines.ts';

const plan = (lines: readonly string[], options = '') => `/appliance plan${options}\n${lines.join('\n')}`;

/** Alice may add sites as a plan; the objects of these lines take carol or bob, and the interfaces dana or bob. */
const withDesks = () => {
  const may = (...phrases: readonly string[]) => ({
    summary: 'a part of it',
    commands: phrases.map((phrase) => ({ phrase })),
  });
  return withBob(
    under(
      {
        roles: {
          'site-desk': may('plan', 'category add'),
          'object-desk': may('acl object disable'),
          'vlan-desk': may('vlan stop'),
        },
      },
      {
        roles: {
          ...{ viewer: 'everyone', operator: ['U0BOB00001'] },
          ...{ 'site-desk': ['U0ALICE001'], 'object-desk': ['U0CAROL001'], 'vlan-desk': ['U0DANA0001'] },
        },
      },
    ),
  );
};

describe('a plan with lines that somebody may not run', () => {
  test('goes to the people who may run all of it by one button, and needs one approval of them', async () => {
    const { type, press, isIn, isUp, orders } = await withDesks();
    const said = await type(plan(['# the shop', ...five]), 'alice');
    expect(said).toContain('You can’t run 2 lines of 5. Nothing is asked for, and no changes were made.');
    const card = await press('Ask for approval', 'alice');
    expect(card).toMatch(/Let @alice run “plan category add one\.example\.net to 252 \(\+4 more\)”\?/);
    // The numbers are those of the typed lines.
    expect(card).toMatch(/Line 2 {2}`category add one[\s\S]*Line 6 {2}`category add three/);
    expect(card).toContain('Lacks a role for  lines 3 and 4');
    expect(card).not.toContain('Finance and personnel');
    expect(await press('Approve', 'bob')).toMatch(/Only you see this preview[\s\S]*Finance and personnel/);
    expect(orders()).toEqual([]);
    expect(await press('Yes, approve', 'bob')).toContain('✅ Plan done: 5 lines');
    expect([isIn('one.example.net'), isUp()]).toEqual([true, false]);
  });

  test('is approved by several, each for the lines that they may run, and by nobody for others', async () => {
    const { type, press, isUp, orders, read, click } = await withDesks();
    await type(plan(five), 'alice');
    expect(await press('Ask for approval', 'alice')).toMatch(
      /Needs {2}1 approval by operator or object-desk .* and 1 approval by operator or vlan-desk/,
    );
    await press('Approve', 'carol');
    await press('Yes, approve', 'carol');
    await press('Approve', 'carol').catch(() => undefined);
    expect(orders()).toEqual([]);
    expect(read('bob')).toContain('Approved by  @carol');
    await press('Approve', 'dana');
    expect(await press('Yes, approve', 'dana')).toContain('✅ Plan done: 5 lines');
    expect(isUp()).toBe(false);
    expect(await click('Undo')).toContain('Rolled back: 5 lines undone');
  });

  test('can be asked for by somebody who may make no plan at all, with its options, and shows them nothing of the appliance', async () => {
    const { type, press, read, isIn } = await withDesks();
    const lines = [
      ...five,
      'rdp disconnect 99',
      ...Array.from({ length: 6 }, (_, at) => `category add s${at}.example.net to 252`),
    ];
    await type(plan(lines, ' --for 2h'), 'vic');
    const card = await press('Ask for approval', 'vic');
    expect(card).toContain('Line 6  `rdp disconnect 99`');
    expect(card).toContain('More  2 more lines: Approve shows all');
    expect(card).not.toMatch(/Lacks a role for|no open session|shopping/);
    expect(await press('Approve', 'bob')).toMatch(/6 .*skipped\. hq lists no open session 99/);
    const done = await press('Yes, approve', 'bob');
    expect(done).toContain('Plan done: 11 of 12 lines, 1 skipped, until');
    expect(isIn('s5.example.net')).toBe(true);
    expect(read('vic')).not.toContain('went wrong');
  });

  test('with a mistake in another line is corrected first', async () => {
    const { type } = await withDesks();
    const said = await type(plan([...five, 'foo bar']), 'alice');
    expect(said).toContain('3 lines of 6 can’t be run');
    expect(said).not.toContain('[Ask for approval]');
  });

  test('is kept nowhere when it carries a password, also for somebody who may make no plan', async () => {
    const { type, bot } = await withDesks();
    await type(plan(['sql user create crm password correct-horse']), 'vic');
    expect(JSON.stringify(await bot.journal.recent(5))).not.toContain('correct-horse');
  });

  test('is rolled back and continued by somebody without the right, when others have approved', async () => {
    const { plan: byBob, click, type, press, planned, isEnabled, breakVlan } = await withDesks();
    breakVlan();
    await byBob(...five);
    await click('Run plan');
    expect(await type(`/appliance plan rollback ${await planned()}`, 'vic')).toContain('[Ask for approval]');
    await press('Ask for approval', 'vic');
    await press('Approve', 'bob');
    expect(await press('Yes, approve', 'bob')).toContain('Rolled back: 2 lines undone');
    expect(isEnabled()).toBe(true);
  });
});
