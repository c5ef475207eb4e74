import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { converseOnPostgres, isBack, timed, unavailable } from '../on-postgres.ts';
import { lineTo, startPostgres } from '../postgres.ts';

test('a database that has fallen silent keeps nobody waiting for longer than six seconds', {
  timeout: 60_000,
}, async () => {
  let line: Awaited<ReturnType<typeof lineTo>> | undefined;
  const server = await startPostgres();
  onTestFinished(() => server.remove());
  const conversation = await converseOnPostgres(server, async (url) => {
    line = await lineTo(url);
    return line.url;
  });
  onTestFinished(() => line?.close());
  await conversation.type('/appliance rdp disconnect 12');
  line?.hush();
  const pressing = conversation.press('Disconnect');
  await expect.poll(() => conversation.read(), { timeout: 6_000 }).toContain(unavailable);
  await pressing;
  const looked = await timed(() => conversation.type('/appliance rdp sessions'));
  expect(looked.value).toContain('bob.miller');
  expect(looked.took).toBeLessThan(1_000);
  line?.speak();
  await isBack(conversation);
  expect(await conversation.press('Disconnect')).toContain(
    '✅ Session 12 of bob.miller on srv-files-01 disconnected',
  );
});

test('a line that a database was asked to write down right before it froze gets one word, also when it wakes', {
  timeout: 60_000,
}, async () => {
  const own = await startPostgres();
  onTestFinished(() => own.remove());
  const conversation = await converseOnPostgres(own);
  const { person, type, read, pass, bot, server, workspace } = conversation;
  await type('/appliance rdp disconnect 12');
  // Who she is takes a while, and meanwhile it freezes.
  workspace.faults.next('users.info', { kind: 'delay', ms: 1_000 });
  const typing = person('dana').type('helpdesk', '/appliance rdp disconnect 14');
  await expect.poll(() => workspace.log.envelopes().at(-1)?.ackedAt).toBeDefined();
  server.freeze();
  await typing;
  expect(read('dana')).toContain(unavailable);
  server.wake();
  await isBack(conversation);
  for (let tick = 0; tick < 5; tick += 1) {
    await pass(2_000);
    await sleep(200);
  }
  expect(read('dana')).not.toContain('The bot was stopped');
  expect(read('dana').split(unavailable)).toHaveLength(2);
  const rows = await bot.journal.recent();
  expect(rows.map((row) => `${row.line}: ${row.state}`).toSorted()).toEqual([
    'rdp disconnect 12: waiting',
    'rdp disconnect 14: refused',
  ]);
  // She does as she was told, and tries again.
  expect(await type('/appliance rdp disconnect 14', 'dana')).toContain('Disconnect session 14');
});
