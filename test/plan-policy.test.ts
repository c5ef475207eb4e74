import { describe, expect, test } from 'vitest';
import { sandboxRoles } from '../sandbox/sandbox.ts';
import { under } from './approving.ts';
import { withBob } from './planning-lines.ts';

const sites = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `s${from + index}.example.net`);
const adding = (from: number, to: number) => `category add 252 ${sites(from, to).join(' ')}`;

describe('a limit on how much is changed', () => {
  const many = { approvals: [{ commands: [{ phrase: 'category add', above: 10 }], by: 'approver' }] };

  test('counts all lines of a plan, so that many lines need what one long line needs', async () => {
    const { plan, ask, attachPlan, click, press, read, isIn, person, bot } = await withBob(under(many));
    expect(await plan(adding(1, 5), adding(6, 10))).not.toContain('1 approval by approver');
    await click('Cancel');
    expect(await plan(adding(1, 5), adding(6, 11))).toContain('1 approval by approver');
    await press('Approve', 'carol');
    expect(isIn('s11.example.net')).toBe(true);
    await attachPlan(
      '@appliance-bot plan',
      'sites.csv',
      ...sites(20, 30).map((one) => `category add ${one} to 252`),
    );
    expect(read('bob')).toMatch(/Run this plan of 11 lines[\s\S]*1 approval by approver/);
    await ask('plan');
    await person('bob').fill({ 'Lines to run': `${adding(40, 45)}\n${adding(46, 51)}` });
    await person('bob').submit();
    await bot.idle();
    const asked = read('bob');
    expect(asked.slice(asked.lastIndexOf('Run this plan of 2 lines'))).toContain('1 approval by approver');
  });

  test('counts for each rule only the lines that it covers', async () => {
    const commands = [{ phrase: 'category add', where: { category: [252] }, above: 2 }];
    const { plan, click } = await withBob(under({ approvals: [{ commands, by: 'approver' }] }));
    const [a = '', b = '', c = ''] = sites(1, 3);
    expect(
      await plan(`category add ${a} to 252`, `category add ${b} to 252`, `category add ${c} to 257`),
    ).not.toContain('approval by');
    await click('Cancel');
    expect(
      await plan(`category add ${a} to 252`, `category add ${b} to 252`, `category add ${c} to 252`),
    ).toContain('1 approval by approver');
  });

  test('lets a role run no more in a plan than at once', async () => {
    const desk = {
      summary: 'a few sites',
      commands: [{ phrase: 'plan' }, { phrase: 'category add', most: 3 }],
    };
    const { type } = await under(
      { roles: { desk } },
      { roles: { ...sandboxRoles, helpdesk: [], desk: ['U0ALICE001'] } },
    );
    const plan = (...lines: readonly string[]) => type(`/appliance plan\n${lines.join('\n')}`, 'alice');
    expect(await plan(adding(1, 2), adding(3, 4))).toMatch(
      /You can’t run 2 lines of 2[\s\S]*only with at most 3 at once\. Anything else requires the [^.]* role\. The lines of a plan count together\./,
    );
    expect(await plan(adding(1, 2), adding(3, 3))).toContain('Run this plan of 2 lines');
  });
});

test('a role for temporary changes runs plans whose lines end in its time, and no others', async () => {
  const { type, press, appliance } = await under(
    {
      roles: {
        'on-call': {
          summary: 'allows sites for a shift',
          temporary: { longest: '4h' },
          commands: [{ effect: 'read' }, { phrase: 'plan' }, { phrase: 'category add' }],
        },
      },
    },
    { roles: { ...sandboxRoles, helpdesk: [], 'on-call': ['U0ALICE001'] } },
  );
  const line = 'category add one.example.net to 252';
  const isIn = () => appliance.state.categories.all.get(252)?.live.has('one.example.net');
  for (const options of ['', ' --for 5h'])
    expect(await type(`/appliance plan${options}\n${line}`, 'alice')).toMatch(
      /You can’t run 1 line of 1[\s\S]*You may run category add only temporarily, for at most 4 h/,
    );
  expect(
    await type(`/appliance plan --for 1h\n${line}\ncategory add two.example.net to 252`, 'alice'),
  ).toContain('Run this plan of 2 lines on hq?');
  expect(await press('Run plan', 'alice')).toContain('Plan done: 2 lines');
  expect(isIn()).toBe(true);
});

describe('a role that only makes temporary changes', () => {
  const site = (name: string) => `category add ${name}.example.net to 252`;
  async function alice() {
    const onCall = {
      summary: 'allows sites for a shift',
      temporary: { longest: '4h' },
      commands: [{ effect: 'read' }, { phrase: 'plan' }, { area: 'category' }, { area: 'rdp' }],
    };
    const made = await under(
      { roles: { 'on-call': onCall } },
      { roles: { ...sandboxRoles, helpdesk: [], 'on-call': ['U0ALICE001'] } },
      // Thursday, 5 March 2026, in UTC, which is the policy's time zone here.
      Date.UTC(2026, 2, 5, 13, 30),
    );
    return { ...made, ask: (line: string) => made.type(`/appliance ${line}`, 'alice') };
  }

  test.each(['', ' --for 5h', ' --until 23:00'])(
    'is offered its longest term for a plan, as for a line alone: plan%s',
    async (options) => {
      const { ask, press } = await alice();
      expect(await ask(`plan${options}\n${site('one')}\n${site('two')}`)).toContain(
        '[Run for 4 h] [Ask for approval]',
      );
      const said = await press('Run for 4 h', 'alice');
      expect(said).toContain('Run this plan of 2 lines on hq?');
      expect(await press('Run plan', 'alice')).toContain('Plan done: 2 lines, until 17:30');
    },
  );

  test('is offered none where a line has its own end, or can’t be undone', async () => {
    const { ask } = await alice();
    expect(await ask(`plan\n${site('one')} --for 5h\n${site('two')}`)).not.toContain('[Run for');
    expect(await ask(`plan\n${site('one')}\nrdp disconnect 12`)).not.toContain('[Run for');
  });

  test('has its term counted from the plan’s own time', async () => {
    const { ask, press } = await alice();
    const lines = `${site('one')}\n${site('two')}`;
    expect(await ask(`plan --at 15:00 --until 18:30\n${lines}`)).toContain('Run this plan of 2 lines');
    expect(await press('Plan', 'alice')).toContain('Planned for today 15:00');
    await ask('reschedule plan to 14:00');
    expect(await press('Move to 14:00', 'alice')).toContain('It stays planned for today 15:00.');
    await ask('reschedule plan to 14:30');
    expect(await press('Move to 14:30', 'alice')).toContain('Planned for today 14:30 now');
    expect(await ask(`plan --at 15:00 --until 19:30\n${lines}`)).toContain(
      'only temporarily, for at most 4 h',
    );
  });
});

describe('a rule about plans, or about all changes', () => {
  test.each([
    ['plan', { phrase: 'plan' }],
    ['effect: write', { effect: 'write' }],
  ])('asks on the card, by the longest term of a line: %s', async (_, command) => {
    const approvals = [{ commands: [command], by: 'approver', temporary: { longest: '2h' } }];
    const { plan, click, press, isIn } = await withBob(under({ approvals }));
    const lines = ['category add one.example.net to 252', 'category add two.example.net to 252'];
    expect(await plan('--for 1h', ...lines)).not.toContain('1 approval by approver');
    expect(await click('Run plan')).toContain('✅ Plan done: 2 lines');
    const longer = [
      'category add three.example.net to 252 --for 4h',
      'acl object disable google_sni --for 1h',
    ];
    expect(await plan('', ...longer)).toContain('1 approval by approver');
    await press('Approve', 'carol');
    expect(isIn('three.example.net')).toBe(true);
  });
});
