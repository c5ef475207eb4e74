import { expect, test } from 'vitest';
import { converse } from './conversation.ts';
test('x', async () => {
  const { type, press, pass, bot } = await converse();
  await type('/appliance rdp sessions');
  await type('/appliance rdp disconnect 12');
  await press('Disconnect');
  await type('/appliance acl object disable 3', 'bob');
  await type('/appliance emergency enable --for 30m --reason test', 'bob');
  await press('Approve','carol');
  await pass(40_000); await pass(10_000);
  await pass(2000);
  const { records } = await bot.journal.findRecords({}, 10);
  for (const r of records) console.log(JSON.stringify(r, null, 1));
  expect(1).toBe(1);
});
