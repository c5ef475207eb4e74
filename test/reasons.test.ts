import { expect, test } from 'vitest';
import { under } from './approving.ts';

const reason = { pattern: '^INC-[0-9]+', example: 'INC-4711' };
const wanting = () =>
  under({
    approvals: [{ commands: [{ effect: 'write' }, { effect: 'destructive' }], by: 'approver', reason }],
  });
const add = '/appliance category add a.example to 252';

test('a reversal has the reason of its change, or one that is typed with it', async () => {
  const { type, press } = await wanting();
  for (const [line, back, why] of [
    [`${add} --reason INC-1`, async () => press('Undo', 'bob'), 'INC-1'],
    [`${add} --reason INC-2`, async () => type('/appliance undo', 'bob'), 'INC-2'],
    [`${add} --reason INC-3`, async () => type('/appliance undo --reason INC-4', 'bob'), 'INC-4'],
    [`${add} --for 2h --reason INC-5`, async () => type('/appliance end a.example', 'bob'), 'INC-5'],
  ] as const) {
    await type(line, 'bob');
    await press('Approve', 'carol');
    expect(await back()).toContain(`Reason  ${why}\n  Needs  1 approval`);
    await press('Approve', 'carol');
  }
});

test('a bad reason gets the same sentence for a line, an undo, and a line of a plan', async () => {
  const { type, press } = await wanting();
  await type(`${add} --reason INC-1`, 'bob');
  await press('Approve', 'carol');
  const says = 'stuck is not a reason that looks like INC-4711.';
  for (const line of [
    'undo --reason stuck',
    'vlan stop 3 --reason stuck',
    'plan --reason stuck\nvlan stop 3',
  ])
    expect(await type(`/appliance ${line}`, 'bob')).toContain(says);
});
