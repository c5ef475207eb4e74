import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { converse } from '../conversation.ts';

/** Every connection is a ticket, a socket and its end: so many of them are enough to see what only happens now and then. */
const lines = 400;
/** Milliseconds between two lines, and between two troubles. */
const every = { line: 40, trouble: 250 };

type Sockets = Awaited<ReturnType<typeof converse>>['workspace']['sockets'];

const troubles: readonly ((sockets: Sockets, id: string | undefined) => void)[] = [
  (sockets, id) => sockets.disconnect('refresh_requested', id),
  (sockets, id) => sockets.drop(id),
  (sockets, id) => sockets.freeze(id),
  (sockets) => sockets.disconnect('warning'),
  (sockets) => sockets.drop(),
];

test('while connections are renewed, cut and half-open, every line that Slack saw acknowledged is answered, once', async () => {
  const people = Array.from({ length: 40 }, (_, index) => ({
    id: `U0LOAD${index + 100}`,
    name: `p${index}`,
  }));
  const { workspace, bot } = await converse({
    // Lines into a half-open socket are given up by Slack; three seconds for each would make a long test of it.
    workspace: { people, ackTimeoutMs: 1_500 },
    // With the usual pauses nothing would be open for most of the time.
    world: { slackTiming: { secondSocket: 10, reconnecting: { pauses: [0, 50], deadline: 30_000 } } },
  });
  const answered = new Map<number, number>();
  workspace.onChange((change) => {
    if (change.type !== 'message') return;
    const line = Number(/\bn(\d+)\.example is/.exec(change.message.text)?.[1]);
    if (!Number.isNaN(line)) answered.set(line, (answered.get(line) ?? 0) + 1);
  });
  let isOver = false;
  const disturbing = (async () => {
    for (let turn = 0; !isOver; turn += 1) {
      const { ids } = workspace.sockets;
      troubles[turn % troubles.length]?.(workspace.sockets, ids[turn % Math.max(ids.length, 1)]);
      await sleep(every.trouble);
    }
  })();
  const acknowledged: number[] = [];
  const typed: Promise<unknown>[] = [];
  for (let line = 0; line < lines; line += 1) {
    const as = people[line % people.length]?.id ?? '';
    const act = {
      act: 'type',
      as,
      channel: 'C0HELPDESK',
      text: `/appliance categorize n${line}.example`,
    } as const;
    typed.push(workspace.act(act).then(({ ok }) => ok && acknowledged.push(line)));
    await sleep(every.line);
  }
  await Promise.all(typed);
  isOver = true;
  await disturbing;
  await bot.idle();
  expect(acknowledged.length).toBeGreaterThan(lines / 4);
  expect(acknowledged.filter((line) => !answered.has(line))).toEqual([]);
  expect([...answered].filter(([, times]) => times > 1)).toEqual([]);
  // And when it is over, all is as before.
  await expect
    .poll(() => workspace.sockets.all().filter(({ frozen }) => !frozen).length, { timeout: 60_000 })
    .toBe(2);
});
