import { expect, test } from 'vitest';
import { withBob } from './with-bob.ts';

/** Thursday, 5 March 2026, 13:30 in UTC, which is the policy's time zone here. */
const from = Date.UTC(2026, 2, 5, 13, 30);

test('a button for several changes is refused once, with all of them and a way out for each', async () => {
  const { ask, type, press } = await withBob({ from });
  for (const site of ['one', 'two', 'three']) await ask(`category add ${site}.example.net to 252 --for 2h`);
  await type('/appliance end all', 'vic');
  const said = await press('End all 3', 'vic');
  expect(said.split('category add requires the operator or admin role')).toHaveLength(2);
  expect(said).toMatch(/• 1: end one\.example.*\n.*• 2: end two\.example.*\n.*• 3: end three\.example/);
  expect(said).toContain('[1: Ask for approval] [2: Ask for approval] [3: Ask for approval]');
  expect(await press('2: Ask for approval', 'vic')).toContain('Let @vic run “end two.example.net added');
});

test('the reason of a typed end is in its report', async () => {
  const { ask, click, read } = await withBob({ from });
  await ask('category add one.example.net to 252 --for 2h');
  await ask('extend one.example.net by 1h --reason customer is late');
  await click('Extend');
  await ask('end one.example.net --reason "customer has left"');
  await click('End now');
  const told = read('bob', 'helpdesk');
  expect(told).toContain('Ended  by @bob at 13:30: customer has left');
  expect(told).toMatch(/Extended {2}at 13:30 until 16:30, requested by @bob: customer is late/);
});

test('a refused extension says that the time before counts, too', async () => {
  const oncall = {
    summary: 'changes at night',
    temporary: { longest: '2h' },
    commands: [{ effect: 'read' as const }, { phrase: 'category add' }],
  };
  const roles = { viewer: 'everyone' as const, 'on-call': ['U0ALICE001'] };
  const { type, pass } = await withBob({
    from,
    policy: {
      roles: { 'on-call': oncall },
      channels: { C0HELPDESK: { name: 'helpdesk', appliance: 'hq', roles } },
    },
  });
  const asks = async (line: string) => {
    const said = await type(`/appliance ${line}`, 'alice');
    return said.slice(said.lastIndexOf('appliance-bot'));
  };
  const counts = 'It is on already: the limit counts from when it began.';
  expect(await asks('category add one.example.net to 252 --for 3h')).not.toContain(counts);
  await asks('category add one.example.net to 252 --for 2h');
  await pass(30 * 60_000);
  expect(await asks('category add one.example.net to 252 --for 2h')).toContain(counts);
  expect(await asks('extend one.example.net by 1h')).toContain(counts);
});
