import { expect, test } from 'vitest';
import { linesIn, planFrom, readPlan } from './lines.ts';

test('the lines of a pasted plan are read without marks around them, with their numbers', () => {
  const text = [
    '--for 2h',
    '```bash',
    '- category add a.example to 252,',
    '&gt; 2. vlan stop 3;',
    '•\u00a0/appliance acl object disable google_sni',
    '```',
    '',
    '# done',
    '“category add b.example to 252”',
  ].join('\n');
  expect(linesIn(text)).toEqual({
    options: '--for 2h',
    lines: [
      { number: 2, text: 'category add a.example to 252' },
      { number: 3, text: 'vlan stop 3' },
      { number: 4, text: 'acl object disable google_sni' },
      { number: 8, text: 'category add b.example to 252' },
    ],
  });
});

test('several lines typed in one are separated by semicolons, except in quotes', () => {
  expect(readPlan('plan vlan stop 3; acl object disable google_sni;')).toBe(
    'vlan stop 3\nacl object disable google_sni',
  );
  expect(readPlan('plan --for 2h vlan stop 3 --reason "dust; noise" ; acl object disable google_sni')).toBe(
    '--for 2h\nvlan stop 3 --reason "dust; noise"\nacl object disable google_sni',
  );
  expect(readPlan('plan vlan stop 3;')).toBeUndefined();
});

const [one, other] = ['category add a.example to 252', 'vlan stop 3'];

test.each([
  ['at 15:00', '--at 15:00'],
  ['for 2h', '--for 2h'],
  ['for two hours:', '--for "two hours"'],
  ['tonight at 10', '--at "tonight at 10"'],
  ['tomorrow 8:30 for 2h', '--at "tomorrow 8:30" --for 2h'],
  ['until 18:00 on hq', '--until 18:00 --on hq'],
  ['in window night', '--window night'],
  ['--window night for 3h', '--window night --for 3h'],
  ['--at tomorrow 8:30', '--at "tomorrow 8:30"'],
  ['--at "tomorrow 8:30"', '--at "tomorrow 8:30"'],
  ['--for 2 hours --on hq, branch-2', '--for "2 hours" --on "hq, branch-2"'],
  ['--reason "customer; urgent" ticket CHG-1', '--reason "customer; urgent" --ticket CHG-1'],
  ['for ticket CHG-1, at 15:00', '--ticket CHG-1 --at 15:00'],
  ['--ticket=CHG-1 --for 2h', '--ticket=CHG-1 --for 2h'],
])('general options of a plan read as for one command: plan %s', (said, options) => {
  const read = `${options}\n${one}\n${other}`;
  expect(readPlan(`plan ${said}\n${one}\n${other}`)).toBe(read);
  expect(readPlan(`plan ${said}; ${one}; ${other}`)).toBe(read);
  expect(readPlan(`Plan: ${said}: ${one}; ${other}`.replace('::', ':'))).toBe(read);
  expect(readPlan(`plan ${said} ${one}; ${other}`)).toBe(read);
  expect(readPlan(`plan ${said}`)).toBe(options);
  const file = [`plan ${said}`, one, other].map((text, index) => ({ text, number: index + 1, cells: [] }));
  expect(linesIn(planFrom(file, ''))).toMatchObject({ options, lines: [{ number: 2 }, { number: 3 }] });
  expect(linesIn(`${said}\n${one}`)).toEqual({ options, lines: [{ number: 1, text: one }] });
});

test('a text that is no general option is a line', () => {
  expect(readPlan(`plan ${one} for 2h; ${other}`)).toBe(`${one} for 2h\n${other}`);
  expect(readPlan(`plan\n${one} for 2h\n${other}`)).toBe(`${one} for 2h\n${other}`);
  expect(readPlan(`plan --reason customer asks for it\n${one}`)).toBe(
    `--reason "customer asks for it"\n${one}`,
  );
  expect(readPlan(`plan --reason urgent ${one}; ${other}`)).toBe(`--reason urgent\n${one}\n${other}`);
  expect(readPlan(`plan for 2 months\n${one}`)).toBe(`--for "2 months"\n${one}`);
  expect(readPlan('planned; shop')).toBeUndefined();
});
