import { expect, test } from 'vitest';
import { converse } from './conversation.ts';

const minute = 60_000;
const enable = '/appliance emergency enable --for 30m --reason "directory down"';

test('try', async () => {
  const c = await converse();
  console.log(await c.type(enable, 'bob'));
  console.log(await c.press('Approve', 'carol'));
  await c.pass(25 * minute);
  console.log(c.read('bob'));
  await c.pass(5 * minute);
  console.log(c.read('bob'));
  expect(c.appliance.state.directory.emergency).toBe(false);
});
