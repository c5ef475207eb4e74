import { expect, test } from 'vitest';
import { under } from './approving.ts';
import { five, withBob } from './planning-lines.ts';

test('a stopped plan is listed with its buttons, and ends as it is when somebody wants that', async () => {
  const { plan, ask, click, read, planned, breakVlan, orders, type, isIn } = await withBob();
  expect(await ask('plans')).toContain('No plan waits, runs or has stopped in this channel.');
  breakVlan();
  await plan(...five);
  expect(await ask('plans')).toMatch(/1 plan in this channel[\s\S]*waits for confirmation[\s\S]*\[Cancel\]/);
  const stopped = await click('Run plan');
  expect(stopped).toContain('[Roll back] [Go on] [Leave it so]');
  const listed = await ask('plans');
  expect(listed.slice(listed.lastIndexOf('1 plan in'))).toMatch(
    /Plan stopped at line 3: it failed[\s\S]*\[Roll back\] \[Go on\] \[Leave it so\]/,
  );
  const reference = await planned();
  expect(await type(`/appliance plan leave ${reference}`, 'alice')).toContain('Only @bob, who asked for it');
  const before = orders().length;
  const left = await click('Leave it so');
  expect(left).toMatch(
    /leaves the plan as it is\. Failed: line 3 \(vlan stop 3\)\. Not run: line 4 \(category add two[^)]*\) and line 5 \(/,
  );
  expect(left).toContain('Leave it so: pressed by @bob.');
  expect(left.match(/\[Go on\]/g)).toHaveLength(1);
  expect(await ask(`plan leave ${reference}`)).toContain('@bob has pressed Leave it so');
  expect(await ask('plans')).toContain('No plan waits, runs or has stopped in this channel.');
  expect(orders()).toHaveLength(before);
  const audited = await ask(`audit plan ${reference}`);
  const rows = audited.slice(audited.lastIndexOf('3 actions of the plan'));
  expect(rows).toContain(`vlan stop 3 on hq (step 3 of the plan ${reference})`);
  expect(rows).toContain(`category add one.example.net to 252 on hq (step 1 of the plan ${reference})`);
  expect(await ask('timeline --since 1h')).toContain(`(step 2 of the plan ${reference})`);
  expect(await ask(`plan rollback ${reference}`)).toContain('Roll back 2 lines on hq?');
  expect(read('bob')).not.toContain('went wrong');
  expect(isIn('one.example.net')).toBe(true);
});

test('a plan compiles once for all of its lines, and says so once', async () => {
  const { plan, click, appliance } = await withBob();
  await plan(five[0] ?? '', five[1] ?? '', five[3] ?? '', 'acl object disable 4');
  const done = await click('Run plan');
  expect(done.match(/Compiled/g)).toHaveLength(1);
  expect(done).toMatch(
    /4 lines\n {2}Compiled [^\n]* compiled category shopping, the ACLs and the filtering rules/,
  );
  const compiles = appliance.requests.filter(({ path }) => /compile/.test(path));
  expect(new Set(compiles.map(({ path }) => path)).size).toBe(compiles.length);
});

test('a freeze lets a plan from before it be undone, and refuses new ones', async () => {
  const closing = { from: '2026-03-05T12:00', to: '2026-03-06T08:00', reason: 'quarter end' };
  const { plan, click, pass, isIn, isUp } = await withBob(
    under({ freezes: { closing } }, {}, Date.parse('2026-03-05T11:30:00Z')),
  );
  await plan(five[0] ?? '', five[2] ?? '');
  await click('Run plan');
  await pass(31 * 60_000);
  expect(await plan(five[1] ?? '', five[4] ?? '')).toMatch(
    /2 lines of 2 can’t be run[\s\S]*Changes are frozen/,
  );
  expect(await click('Undo')).toContain('Rolled back: 2 lines undone');
  expect([isIn('one.example.net'), isUp()]).toEqual([false, true]);
});
