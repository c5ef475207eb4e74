import { describe, expect, test } from 'vitest';
import { five, withBob } from './planning-lines.ts';

describe('a plan that has stopped', () => {
  const stopped = async () => {
    const house = await withBob();
    house.breakVlan();
    await house.plan(...five);
    await house.click('Run plan');
    return {
      ...house,
      first: () =>
        house
          .read('bob')
          .split('\n\n')
          .find((one) => one.includes('/appliance plan category')) ?? '',
    };
  };

  test.each([
    ['Go on', /Go on: pressed by @bob/],
    ['Roll back', /Undone: Plan stopped at line 3/],
    ['Leave it so', /Leave it so: pressed by @bob/],
  ])('loses its buttons after %s, and names the decider', async (how, said) => {
    const { click, first } = await stopped();
    expect(first()).toContain('[Roll back] [Go on] [Leave it so]');
    await click(how);
    expect(first()).toMatch(said);
    expect(first()).not.toMatch(/\[(?:Roll back|Go on|Leave it so)\]/);
  });

  test.each(['continue', 'rollback'])(
    'loses them also after `plan %s`, and each card shows the same',
    async (verb) => {
      const { ask, click, first, planned, read } = await stopped();
      await ask(`plan ${verb} ${await planned()}`);
      await click(verb === 'continue' ? 'Go on' : 'Roll back').catch(() => undefined);
      expect(first()).not.toMatch(/\[(?:Roll back|Go on|Leave it so)\]/);
      expect(read('bob')).toMatch(
        verb === 'continue' ? /Plan done: lines 4 and 5/ : /Rolled back: 2 lines undone/,
      );
    },
  );

  test('says on both cards when it was continued first and rolled back then', async () => {
    const { click, first, read } = await stopped();
    await click('Go on');
    await click('Undo');
    expect(first()).toMatch(/Undone: Plan stopped at line 3/);
    expect(read('bob')).toMatch(/Undone: Plan done: lines 4 and 5/);
  });

  test('is decided by one of two who press Roll back and Leave it so at once, and the other is told who was first', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { person, bot, isIn, read, first } = await stopped();
      const presses = [
        () => person('bob').press('helpdesk', 'Roll back'),
        () => person('dana').press('helpdesk', 'Leave it so'),
      ];
      await Promise.all((round % 2 === 0 ? presses : presses.toReversed()).map((press) => press()));
      await bot.idle();
      const isLeft = read('bob').includes('leaves the plan as it is');
      expect(isIn('one.example.net')).toBe(isLeft);
      expect(`${read('bob')}${read('dana')}`).toMatch(
        isLeft ? /@dana has left the plan as it is before/ : /@bob (?:was first|has pressed Roll back)/,
      );
      expect(first()).not.toMatch(/\[(?:Roll back|Go on|Leave it so)\]/);
    }
  }, 40_000);

  test('and was left so can be continued by nobody, typed lines included', async () => {
    const { click, ask, planned, isIn } = await stopped();
    const name = await planned();
    await click('Leave it so');
    expect(await ask(`plan continue ${name}`)).toContain('@bob has left the plan as it is before.');
    expect(isIn('three.example.net', 257)).toBe(false);
  });

  test('and was left so can be rolled back later all the same', async () => {
    const { click, ask, planned, isIn } = await stopped();
    await click('Leave it so');
    await ask(`plan rollback ${await planned()}`);
    await click('Roll back');
    expect(isIn('one.example.net')).toBe(false);
  });
});

test('the card of a finished plan has up to ten lines with their outcomes, and says where the others are', async () => {
  const { plan, click, planned, breakVlan } = await withBob();
  const many = Array.from({ length: 12 }, (_, index) => `category add s${index + 1}.example.net to 252`);
  await plan(...many);
  const done = await click('Run plan');
  expect(done).toMatch(/✅ Line 1: s1\.example\.net added to category shopping\. Verified\./);
  expect(done).toMatch(/✅ Line 10: s10/);
  expect(done).not.toMatch(/Line 11:/);
  expect(done).toContain(`and 2 more lines: in the thread, and with show ${await planned()}`);
  breakVlan();
  await plan(...five);
  const stopped = await click('Run plan');
  expect(stopped).toMatch(/❌ Line 3: Stopping VLAN[^\n]*\n.*⏸ Line 4: not run: `?category add two/);
});
