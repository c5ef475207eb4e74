import { describe, expect, test } from 'vitest';
import { sandboxRoles } from '../sandbox/sandbox.ts';
import { under } from './approving.ts';

const minute = 60_000;
/** Thursday, 5 March 2026, 13:30 in UTC, which is the policy's time zone here. */
const from = Date.UTC(2026, 2, 5, 13, 30);

const approvals = [
  { commands: [{ phrase: 'category add' }], by: 'approver', temporary: { longest: '4h' }, open: '1d' },
];
const onCall = {
  summary: 'allows sites for a shift',
  temporary: { longest: '4h' },
  commands: [{ effect: 'read' }, { phrase: 'plan' }, { phrase: 'category add' }],
};
/** Alice changes things for 4 hours at most, which needs no approval. */
async function shift() {
  const made = await under(
    { roles: { 'on-call': onCall }, approvals },
    { roles: { ...sandboxRoles, helpdesk: [], 'on-call': ['U0ALICE001'] } },
    from,
  );
  const { type, appliance } = made;
  return {
    ...made,
    ask: (line: string, by = 'bob') => type(`/appliance ${line}`, by),
    isIn: (site: string) => appliance.state.categories.all.get(252)?.live.has(site),
  };
}
const site = 'category add one.example.net to 252 --at 15:00 --until 18:30';
const two = 'category add one.example.net to 252\ncategory add two.example.net to 252';
const plan = `plan --at 15:00 --until 18:30\n${two}`;

describe('the term of a moved change counts from its new time', () => {
  test.each(['reschedule one.example.net to 14:00', 'reschedule 1 to 14:00', 'the form'])(
    'so that a shorter approval-free term can’t become a longer one: %s',
    async (way) => {
      const { ask, press, person, pass, isIn, read } = await shift();
      expect(await ask(site)).toContain('Planned for today 15:00');
      if (way === 'the form') {
        await press('Change the time…', 'bob');
        await person('bob').fill({ 'Run at': '14:00' });
        await person('bob').submit();
      } else {
        const said = await ask(way);
        const isExact = way.includes('reschedule 1 ');
        expect(isExact ? said : await press('Move to 14:00', 'bob')).toContain(
          'The move to today 14:00 needs a new confirmation or approval, on its card',
        );
      }
      expect(read('bob')).toContain('1 approval by approver');
      await pass(31 * minute);
      expect(isIn('one.example.net')).toBe(false);
      await press('Approve', 'carol');
      expect(isIn('one.example.net')).toBe(true);
    },
  );

  test('and needs no approval where the term stays as long, or the new time is later', async () => {
    const { ask, press, pass, isIn } = await shift();
    await ask(site);
    await ask('reschedule one.example.net to 14:30');
    expect(await press('Move to 14:30', 'bob')).toContain('Planned for today 14:30 now');
    await ask('reschedule one.example.net to 16:00');
    expect(await press('Move to 16:00', 'bob')).toContain('Planned for today 16:00 now');
    await pass(151 * minute);
    expect(isIn('one.example.net')).toBe(true);
  });

  test('for a role of temporary changes, too: it stays planned as it was', async () => {
    const { ask, press, pass, isIn } = await shift();
    expect(await ask(site, 'alice')).toContain('Planned for today 15:00');
    await ask('reschedule one.example.net to 14:00', 'alice');
    const said = await press('Move to 14:00', 'alice');
    expect(said).toContain('only temporarily, for at most 4 h');
    expect(said).toContain('It stays planned for today 15:00.');
    await ask('reschedule one.example.net to 14:00', 'dana');
    expect(await press('Move to 14:00', 'dana')).toContain('It stays planned for today 15:00.');
    await pass(60 * minute);
    expect(isIn('one.example.net')).toBe(false);
    await pass(31 * minute);
    expect(isIn('one.example.net')).toBe(true);
  });

  test('for every line of a plan', async () => {
    const { ask, press, pass, isIn } = await shift();
    await ask(plan);
    expect(await press('Plan', 'bob')).toContain('Planned for today 15:00');
    await ask('reschedule plan to 13:40');
    expect(await press('Move to 13:40', 'bob')).toContain(
      'The move to today 13:40 needs a new confirmation or approval, on its card',
    );
    await pass(11 * minute);
    expect(isIn('one.example.net')).toBe(false);
    await press('Approve', 'carol');
    expect(isIn('two.example.net')).toBe(true);
  });
});

describe('a day named from today is the day of the person who types it, also behind a start:', () => {
  const at = 'category add one.example.net to 252 --at "tomorrow 15:00"';
  const rows = [
    [`${at} --until "tomorrow 18:30"`, 'tomorrow 18:30'],
    ['category add one.example.net to 252 tomorrow at 15:00 until tomorrow 18:30', 'tomorrow 18:30'],
    [`${at} --until tomorrow`, 'the end of Friday'],
    [`${at} --until "day after tomorrow 6:00"`, '7 Mar 2026 06:00'],
    // These are the next ones after it begins.
    [`${at} --until 18:30`, 'tomorrow 18:30'],
    [`${at} --until "sat 6:00"`, '7 Mar 2026 06:00'],
  ] as const;
  test.each(rows)('%s', async (line, until) => {
    const { ask } = await shift();
    const said = await ask(line, 'dana');
    expect(said).toMatch(new RegExp(`Until +${until}`));
  });

  test('so that 3.5 hours are 3.5 hours to a role and in a plan, which keeps that day until it runs', async () => {
    const { ask, press, pass, isIn } = await shift();
    expect(await ask(`${at} --until "tomorrow 18:30"`, 'alice')).toContain('Planned for tomorrow 15:00');
    await ask('plan --at "tomorrow 16:00" --until "tomorrow 18:30"\ncategory add two.example.net to 252');
    expect(await press('Plan', 'bob')).toContain('Planned for tomorrow 16:00');
    await pass((25 * 60 + 31) * minute);
    await pass(60 * minute);
    expect([isIn('one.example.net'), isIn('two.example.net')]).toEqual([true, true]);
    await pass(155 * minute);
    expect([isIn('one.example.net'), isIn('two.example.net')]).toEqual([false, false]);
  });

  test('and one that is over before it begins is refused', async () => {
    const { ask } = await shift();
    const said = await ask(`${at} --until "today 23:00"`);
    expect(said).toContain('No changes were made');
    expect(said).not.toContain('Planned for');
  });
});
