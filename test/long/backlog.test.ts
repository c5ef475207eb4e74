import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { median } from '../../bench/figures.ts';
import { pileUp, statesIn, typed } from '../backlog.ts';
import { inOwnProcess } from '../own-process.ts';

const count = 50_000;
const people = ['bob', 'carol', 'dan', 'eve', 'finn'].map((name) => ({
  id: `U0${name.toUpperCase()}`,
  name,
}));
const [asker, ...others] = people.map(({ id }) => id);
const piled = 'C0PILE';
const quiet = 'C0QUIET';
const hour = 60 * 60_000;
/** In megabytes. A bot that held all cards at once would end. */
const heap = '--max-old-space-size=96';

test(`with ${count} cards that expired while the bot was down, people are answered as without them`, async () => {
  // The cards were posted hours ago, as slowly as Slack takes them.
  let offset = -12 * hour;
  const { workspace, data, start } = await inOwnProcess({
    workspace: {
      people,
      channels: [piled, quiet].map((id) => ({ id, name: id.toLowerCase() })),
      clock: () => Date.now() + offset,
      rateLimits: true,
    },
    channels: [piled, quiet],
  });
  const cards: string[] = [];
  for (let index = 0; index < 300; index += 1) {
    offset += 2_000;
    cards.push(await post(workspace.apiUrl, workspace.botToken, piled, `Card ${index}`));
  }
  offset = -2 * hour;

  const live = async () => {
    workspace.log.clear();
    const { child, exited } = await start({ NODE_OPTIONS: heap });
    const served = [];
    for (const person of others) {
      served.push(await typed(workspace, person, quiet, '/appliance rdp sessions', /session/, 15_000));
      await sleep(2_000);
    }
    await sleep(5_000);
    return {
      served,
      calls: {
        updates: workspace.log.calls('chat.update').length,
        lookups: workspace.log.calls('users.info').length,
      },
      end: async () => {
        child.kill('SIGTERM');
        await exited;
      },
    };
  };
  const calm = await live();
  expect(
    await workspace.act({
      act: 'type',
      as: asker ?? '',
      channel: piled,
      text: '/appliance rdp disconnect 12',
    }),
  ).toEqual({ ok: true });
  await expect.poll(() => statesIn(data).waiting, { timeout: 5_000 }).toBe(1);
  await calm.end();

  // The bot may connect once a minute.
  offset = 0;
  pileUp(data, count, cards);
  const busy = await live();
  const states = statesIn(data);
  // The bot worked on the backlog all the time, and is not done.
  expect(states.expired).toBeGreaterThan(1_000);
  expect(states.waiting).toBeGreaterThan(1_000);
  const acknowledgedIn = ({ served }: typeof calm) => median(served.map(({ acknowledged }) => acknowledged));
  const answeredIn = ({ served }: typeof calm) => median(served.map(({ answered }) => answered));
  // Beside other tests both take longer; a bot that worked on all cards at once would take seconds.
  expect(acknowledgedIn(busy)).toBeLessThan(Math.max(250, 4 * acknowledgedIn(calm)));
  expect(answeredIn(busy)).toBeLessThan(Math.max(2_000, 4 * answeredIn(calm)));
  // Slack takes some fifty a minute, and people's messages get the rest. The backlog looks up no people.
  const { updates, lookups } = busy.calls;
  expect(updates).toBeLessThan(30);
  expect(lookups).toBe(others.length);
}, 120_000);

async function post(api: string, token: string, channel: string, text: string): Promise<string> {
  const answer = await fetch(`${api}chat.postMessage`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: new URLSearchParams({ channel, text }),
  });
  const { ok, ts } = (await answer.json()) as { readonly ok: boolean; readonly ts?: string };
  if (!ok || ts === undefined) throw new Error('A card was not taken');
  return ts;
}
