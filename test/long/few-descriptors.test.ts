import { expect, test } from 'vitest';
import { inOwnProcess } from '../own-process.ts';

const count = 200;
const people = Array.from({ length: 40 }, (_, index) => ({ id: `U0P${index}`, name: `p${index}` }));
const channels = Array.from({ length: count }, (_, index) => ({ id: `C0P${index}`, name: `c${index}` }));

test('with 64 file descriptors, every one of 200 acknowledged lines gets its own answer', async () => {
  const { workspace, start } = await inOwnProcess({
    limit: 'ulimit -n 64',
    workspace: { people, channels },
    channels: channels.map(({ id }) => id),
  });
  const { logged } = await start();
  const answered = () => {
    const said = workspace.snapshot('U0P0').messages.filter(({ user }) => user === workspace.botUserId);
    const answers = said.filter(({ text }) => /\bsessions?\b/.test(text));
    return new Set(answers.map(({ channel }) => channel)).size;
  };
  const acted = await Promise.all(
    channels.map(({ id }, index) =>
      workspace.act({
        act: 'type',
        as: people[index % people.length]?.id ?? '',
        channel: id,
        text: '/appliance rdp sessions',
      }),
    ),
  );
  const acknowledged = acted.filter(({ ok }) => ok).length;
  expect(acknowledged).toBe(count);
  await expect.poll(answered, { timeout: 120_000 }).toBe(acknowledged);
  const wrong = logged.map((line) => JSON.parse(line)).filter(({ level }) => level !== 'info');
  expect(wrong.map(({ msg }) => msg)).toEqual([
    'The open file limit (ulimit -n) is low, so the bot handles fewer requests at once',
  ]);
});
