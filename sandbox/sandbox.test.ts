import { expect, onTestFinished, test } from 'vitest';
import { createLog } from '../src/telemetry/log.ts';
import { personIn } from './person.ts';
import { startSandbox } from './sandbox.ts';

/** Three bots on one workspace, and who of them was asked. */
async function three() {
  const sandbox = await startSandbox({
    replicas: 3,
    environment: { LOG_LEVEL: 'error' },
    world: { log: createLog('silent') },
  });
  onTestFinished(() => sandbox.stop());
  const { workspace, bots, connectionOf } = sandbox;
  const idle = async () => {
    await Promise.all(bots.map((bot) => bot.idle()));
  };
  const alice = personIn(workspace, { idle }, 'alice');
  const asked = async (times: number) => {
    const before = workspace.log.envelopes().length;
    for (let count = 0; count < times; count += 1) await alice.type('helpdesk', '/appliance rdp sessions');
    const numbers = bots.map((_, number) => connectionOf(number));
    return (
      workspace.log
        .envelopes()
        .slice(before)
        // A direct message of a bot is an event for the bots, too.
        .filter(({ kind }) => kind === 'slash_commands')
        .map(({ connection }) => numbers.indexOf(connection))
    );
  };
  return { ...sandbox, asked };
}

test('several bots answer in turn on the same workspace and the same appliance', async () => {
  const { workspace, bots, asked, bot, appliance } = await three();
  expect(workspace.sockets.count).toBe(3);
  expect(new Set(bots).size).toBe(3);
  expect(bots[0]).toBe(bot);
  expect(await asked(6)).toEqual([0, 1, 2, 0, 1, 2]);
  for (const one of bots) expect(await one.journal.recent(10)).toHaveLength(2);
  expect(appliance?.requests.length).toBeGreaterThanOrEqual(6);
});

test('a stopped bot’s share goes to the others', async () => {
  const { stopBot, startBot, connectionOf, workspace, asked, restart, bots } = await three();
  await stopBot(1);
  expect(new Set(await asked(4))).toEqual(new Set([0, 2]));
  await startBot(1);
  workspace.sockets.prefer(connectionOf(1));
  expect(await asked(2)).toEqual([1, 1]);
  expect(await bots[1]?.journal.recent(10), 'it goes on with its own journal').toHaveLength(2);
  workspace.sockets.prefer();
  await restart(async () => expect(new Set(await asked(2))).toEqual(new Set([1, 2])));
  expect(workspace.sockets.count).toBe(3);
});

test('a bot in a process of its own can be killed, and its deliveries go to the others', async () => {
  const { spawnBot, workspace, asked, connectionOf } = await three();
  const spawned = await spawnBot(3);
  expect(workspace.sockets.ids).toEqual([0, 1, 2].map(connectionOf).concat(spawned.connection));
  workspace.sockets.prefer(spawned.connection);
  expect(await asked(1), 'none of the three').toEqual([-1]);
  await spawned.kill();
  expect(workspace.sockets.ids).toEqual([0, 1, 2].map(connectionOf));
  expect((await asked(3)).toSorted()).toEqual([0, 1, 2]);
  const again = await spawnBot(3);
  expect(workspace.sockets.count).toBe(4);
  await again.stop();
  expect(workspace.sockets.count).toBe(3);
});

test('a bot that was stopped is not stopped again with the sandbox, and the others are', async () => {
  const { stopBot, stop, workspace } = await three();
  await stopBot(2);
  await stopBot(2);
  await expect.poll(() => workspace.sockets.count).toBe(2);
  await stop();
  expect(workspace.sockets.count).toBe(0);
});

test.each(['document', 'field-v1', 'field-strict'] as const)(
  'its appliances answer as %s, and hear the bot',
  async (generation) => {
    const sandbox = await startSandbox({ generation, branches: 1, world: { log: createLog('silent') } });
    onTestFinished(() => sandbox.stop());
    for (const one of [sandbox.appliance, ...sandbox.branches.values()]) {
      expect(one?.state.ways.generation).toBe(generation);
    }
    const alice = personIn(sandbox.workspace, sandbox.bot, 'alice');
    await alice.type('helpdesk', '/appliance categorize example.com');
    expect(sandbox.appliance?.requests).toContainEqual(
      expect.objectContaining({ operation: 'GET /categories/query/{domain}', status: 200 }),
    );
  },
);
