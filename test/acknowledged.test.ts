import { expect, test } from 'vitest';
import { inOwnProcess } from './own-process.ts';

const count = 60;
const people = Array.from({ length: count }, (_, index) => ({ id: `U0P${index}`, name: `p${index}` }));
const channels = Array.from({ length: count }, (_, index) => ({ id: `C0P${index}`, name: `c${index}` }));
const lines = ['categorize example.com', 'rdp sessions', 'rdp disconnect 12', 'help', 'gibber'];

test.each([0, 20])(
  'killed %i ms after its first acknowledgement, amid lines that all come at once, the bot has a word for every acknowledged one',
  async (pause) => {
    const { workspace, start } = await inOwnProcess({
      workspace: { people, channels },
      channels: channels.map(({ id }) => id),
    });
    const { child, exited } = await start();
    const acknowledged = () => workspace.log.envelopes().filter(({ ackedAt }) => ackedAt !== undefined);
    const killed = expect.poll(() => acknowledged().length, { interval: 1 }).toBeGreaterThan(0);
    const typed = people.map(({ id }, index) =>
      workspace.act({
        act: 'type',
        as: id,
        channel: channels[index]?.id ?? '',
        text: `/appliance ${lines[index % lines.length]}`,
      }),
    );
    await killed;
    await new Promise((resolve) => setTimeout(resolve, pause));
    child.kill('SIGKILL');
    await exited;
    const taken = (await Promise.all(typed)).flatMap(({ ok }, index) => (ok ? [index] : []));
    expect(taken.length).toBeGreaterThan(0);
    await start();
    const isTold = (index: number) =>
      workspace
        .snapshot(people[index]?.id ?? '')
        .messages.some(
          ({ user, channel }) => user === workspace.botUserId && channel === channels[index]?.id,
        );
    await expect
      .poll(() => taken.filter((index) => !isTold(index)).map((index) => lines[index % lines.length]))
      .toEqual([]);
  },
);
