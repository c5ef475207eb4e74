import { expect, onTestFinished, test } from 'vitest';
import { converseOnPostgres, isBack, timed, unavailable } from '../on-postgres.ts';
import { lineTo } from '../postgres.ts';

test('a database that has fallen silent keeps nobody waiting for longer than six seconds', {
  timeout: 60_000,
}, async () => {
  let line: Awaited<ReturnType<typeof lineTo>> | undefined;
  const conversation = await converseOnPostgres(async (url) => {
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
  expect(await conversation.press('Disconnect')).toContain('✅ Session 12 is disconnected');
});
