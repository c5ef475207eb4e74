import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { converseOnPostgres, isBack, timed, unavailable } from '../on-postgres.ts';
import { lineTo, startPostgres } from '../postgres.ts';

test('a silent database keeps nobody waiting for longer than six seconds', {
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
  const usual = await timed(() => conversation.type('/appliance rdp sessions'));
  line?.hush();
  const pressing = conversation.press('Disconnect');
  const told = await timed(() => expect.poll(() => conversation.read()).toContain(unavailable));
  expect(told.took).toBeLessThan(6_000 + usual.took);
  await pressing;
  const looked = await timed(() => conversation.type('/appliance rdp sessions'));
  expect(looked.value).toContain('bob.miller');
  // It is known to be silent by now: nobody waits for it again.
  expect(looked.took - usual.took).toBeLessThan(told.took / 2);
  line?.speak();
  await isBack(conversation);
  expect(await conversation.press('Disconnect')).toContain(
    '✅ Session 12 of bob.miller on srv-files-01 disconnected',
  );
});

test('a line whose record a database was writing when it froze gets one answer, also when it wakes', {
  timeout: 60_000,
}, async () => {
  const own = await startPostgres();
  onTestFinished(() => own.remove());
  const conversation = await converseOnPostgres(own);
  const { person, type, read, pass, bot, server, workspace } = conversation;
  await type('/appliance rdp disconnect 12');
  // The lookup of the person takes a while, and the database freezes meanwhile.
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
  // She follows the advice, and tries again.
  expect(await type('/appliance rdp disconnect 14', 'dana')).toContain('Disconnect session 14');
});
