import { describe, expect, test } from 'vitest';
import { converse } from './conversation.ts';
import { five, withBob } from './planning-lines.ts';

const minute = 60_000;
const noon = Date.UTC(2026, 2, 3, 12, 0);
const house = () => withBob(converse({ from: noon }));
const [one = '', two = ''] = [five[0], five[3]];
const briefly = (line: string) => `/appliance ${line} --for 30m`;

describe('a line of a plan whose change the same person has on for a shorter time', () => {
  test.each([
    ['for good', '', true],
    ['for longer', '--for 4h', false],
  ])('keeps it on %s, and ends it with the plan', async (_, term, isIn) => {
    const here = await house();
    await here.type(briefly(one), 'bob');
    const preview = await here.plan(term, one, two);
    expect(preview).toMatch(/Line 1 .*Undo leaves that so\./);
    expect(preview).not.toMatch(/skipped|No way back/);
    const done = await here.click('Run plan');
    expect(done).toContain('✅ Plan done: 2 lines');
    expect(done).not.toMatch(/skipped|\d{4}-\d{2}-\d{2}T/);
    await here.pass(60 * minute);
    expect(here.isIn('one.example.net')).toBe(true);
    await here.pass(240 * minute);
    expect([here.isIn('one.example.net'), here.isIn('two.example.net')]).toEqual([isIn, isIn]);
  });

  test.each(['', '--for 4h'])(
    'keeps a change on that was made between the card and the click: plan %s',
    async (term) => {
      const here = await house();
      await here.plan(term, one, two);
      await here.type(briefly(one), 'bob');
      expect(await here.click('Run plan')).toContain('✅ Plan done: 2 lines');
      await here.pass(60 * minute);
      expect([here.isIn('one.example.net'), here.isIn('two.example.net')]).toEqual([true, true]);
    },
  );

  test.each(['', '--for 4h'])(
    'keeps a change on that is on when the plan runs: plan --at 14:00 %s',
    async (term) => {
      const here = await house();
      await here.plan(`--at 14:00 ${term}`, one, two);
      await here.click('Plan');
      await here.pass(105 * minute);
      await here.type(briefly(one), 'bob');
      await here.pass(16 * minute);
      expect(here.read('bob')).toContain('✅ Plan done: 2 lines');
      await here.pass(60 * minute);
      expect([here.isIn('one.example.net'), here.isIn('two.example.net')]).toEqual([true, true]);
    },
  );

  test('counts when it is the only one, for switches as for lists', async () => {
    const here = await house();
    await here.type(briefly(five[1] ?? ''), 'bob');
    await here.plan('', five[1] ?? '');
    expect(await here.click('Run plan')).toContain('✅ Plan done: 1 line');
    await here.pass(60 * minute);
    expect(here.isEnabled()).toBe(false);
  });

  test('keeps it on when a stopped plan is continued', async () => {
    const here = await house();
    here.breakVlan();
    await here.plan('--for 4h', five[2] ?? '', one);
    expect(await here.click('Run plan')).toContain('Plan stopped at line 1');
    await here.type(briefly(one), 'bob');
    expect(await here.click('Go on')).toMatch(/Line 2 .*until/);
    expect(await here.click('Go on')).toContain('Plan done');
    await here.pass(60 * minute);
    expect(here.isIn('one.example.net')).toBe(true);
  });

  test('runs when the change ended before the plan, and an immediate plan of it alone is refused', async () => {
    const here = await house();
    await here.plan('--at 14:00', one, two);
    await here.type(briefly(one), 'bob');
    await here.click('Plan');
    await here.pass(121 * minute);
    expect(here.read('bob')).toContain('✅ Plan done: 2 lines');
    expect(here.isIn('one.example.net')).toBe(true);
    const again = await house();
    await again.type(briefly(one), 'bob');
    expect(await again.plan('--at 14:00', one, two)).toMatch(/it is undone at 12:30, before today 14:00/);
  });
});

describe('a line of a plan whose change somebody else has on for a time', () => {
  test.each(['', '--for 4h'])('is skipped, and says until when and by whom: plan %s', async (term) => {
    const here = await house();
    await here.type(briefly(one), 'dana');
    expect(await here.plan(term, one, two)).toMatch(
      /Line 1 .*: skipped\. one\.example\.net is on already, until .*12:30 by @dana/,
    );
    expect(await here.click('Run plan')).toContain('✅ Plan done: 1 of 2 lines, 1 skipped');
    await here.pass(60 * minute);
    expect([here.isIn('one.example.net'), here.isIn('two.example.net')]).toEqual([false, true]);
  });

  test('is not planned for a time at which that is over', async () => {
    const here = await house();
    await here.type(briefly(one), 'dana');
    expect(await here.plan('--at 14:00', one, two)).toMatch(/it is undone at 12:30, before today 14:00/);
    await here.type(`/appliance ${one} --at 18:00`, 'bob');
    expect(here.read('bob')).toMatch(/it is undone at 12:30, before today 18:00/);
  });

  test.each(['', '--at 14:00'])('is skipped where it was made before its turn: plan %s', async (term) => {
    const here = await house();
    await here.plan(term, one, two);
    if (term === '') {
      await here.type(briefly(one), 'dana');
      await here.click('Run plan');
    } else {
      await here.click('Plan');
      await here.pass(105 * minute);
      await here.type(briefly(one), 'dana');
      await here.pass(16 * minute);
    }
    expect(here.read('bob')).toMatch(/Line 1: skipped\. one\.example\.net is on already, until .* by @dana/);
  });
});
