import { describe, expect, test } from 'vitest';
import { converse } from './conversation.ts';
import { five, withBob } from './planning-lines.ts';

const minute = 60_000;
const noon = Date.UTC(2026, 2, 3, 12, 0);
const house = () => withBob(converse({ from: noon }));
const [one = '', two = ''] = [five[0], five[3]];
const briefly = (line: string) => `/appliance ${line} --for 30m`;

describe('a line of a plan that somebody has on for a shorter time', () => {
  test.each([
    ['for good', '', true],
    ['for longer', '--for 4h', false],
  ])('keeps it on %s, and ends it with the plan', async (_, term, isIn) => {
    const here = await house();
    await here.type(briefly(one), 'dana');
    const preview = await here.plan(term, one, two);
    expect(preview).toMatch(/Line 1 .*Undo leaves that so\./);
    expect(preview).not.toMatch(/skipped|No way back/);
    const done = await here.click('Run plan');
    expect(done).toContain('✅ Plan done: all 2 lines');
    expect(done).not.toMatch(/skipped|\d{4}-\d{2}-\d{2}T/);
    await here.pass(60 * minute);
    expect(here.isIn('one.example.net')).toBe(true);
    await here.pass(240 * minute);
    expect([here.isIn('one.example.net'), here.isIn('two.example.net')]).toEqual([isIn, isIn]);
  });

  test.each(['', '--for 4h'])(
    'that was made between the card and the click keeps it on: plan %s',
    async (term) => {
      const here = await house();
      await here.plan(term, one, two);
      await here.type(briefly(one), 'dana');
      expect(await here.click('Run plan')).toContain('✅ Plan done: all 2 lines');
      await here.pass(60 * minute);
      expect([here.isIn('one.example.net'), here.isIn('two.example.net')]).toEqual([true, true]);
    },
  );

  test.each(['', '--for 4h'])(
    'that is on at the time of the plan keeps it on: plan --at 14:00 %s',
    async (term) => {
      const here = await house();
      await here.plan(`--at 14:00 ${term}`, one, two);
      await here.click('Plan');
      await here.pass(105 * minute);
      await here.type(briefly(one), 'dana');
      await here.pass(16 * minute);
      expect(here.read('bob')).toContain('✅ Plan done: all 2 lines');
      await here.pass(60 * minute);
      expect([here.isIn('one.example.net'), here.isIn('two.example.net')]).toEqual([true, true]);
    },
  );

  test('is no nothing where it is the only one, and what is switched counts as what is listed', async () => {
    const here = await house();
    await here.type(briefly(five[1] ?? ''), 'dana');
    await here.plan('', five[1] ?? '');
    expect(await here.click('Run plan')).toContain('✅ Plan done: all 1 line');
    await here.pass(60 * minute);
    expect(here.isEnabled()).toBe(false);
  });

  test('is kept on by what goes on with a plan that has stopped', async () => {
    const here = await house();
    here.breakVlan();
    await here.plan('--for 4h', five[2] ?? '', one);
    expect(await here.click('Run plan')).toContain('Plan stopped at line 1');
    await here.type(briefly(one), 'dana');
    expect(await here.click('Go on')).toMatch(/Line 2 .*until/);
    expect(await here.click('Go on')).toContain('Plan done');
    await here.pass(60 * minute);
    expect(here.isIn('one.example.net')).toBe(true);
  });

  test('that ends before the plan runs is made then, and at once is refused as one that cannot be shown', async () => {
    const here = await house();
    await here.plan('--at 14:00', one, two);
    await here.type(briefly(one), 'dana');
    await here.click('Plan');
    await here.pass(121 * minute);
    expect(here.read('bob')).toContain('✅ Plan done: all 2 lines');
    expect(here.isIn('one.example.net')).toBe(true);
    const again = await house();
    await again.type(briefly(one), 'dana');
    expect(await again.plan('--at 14:00', one, two)).toMatch(/it is undone at 12:30, before today 14:00/);
  });

  test('for a time that is over sooner is skipped, and that is told', async () => {
    const here = await house();
    await here.type(`/appliance ${one} --for 5h`, 'dana');
    expect(await here.plan('--for 1h', one, two)).toMatch(/Line 1 .*: skipped\. .*until 17:00/);
  });

  test('as a part of a list keeps all of it on', async () => {
    const here = await house();
    await here.type(briefly('category add one.example.net two.example.net to 252'), 'dana');
    await here.plan('--for 2h', one, five[4] ?? '');
    expect(await here.click('Run plan')).toContain('✅ Plan done: all 2 lines');
    await here.pass(60 * minute);
    expect([here.isIn('one.example.net'), here.isIn('two.example.net')]).toEqual([true, false]);
    await here.pass(120 * minute);
    expect(here.isIn('one.example.net')).toBe(false);
  });
});
