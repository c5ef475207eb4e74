import { expect, test } from 'vitest';
import type { Manifest } from './manifest.ts';
import { alice, bob, client, connect, helpdesk, refusalOf, start } from './testing.ts';
import { transcript } from './transcript.ts';

const manifest: Manifest = {
  oauth_config: { scopes: { bot: ['chat:write', 'reactions:read', 'reactions:write'] } },
  settings: { event_subscriptions: { bot_events: ['reaction_added', 'reaction_removed'] } },
};

async function withMessage() {
  const workspace = await start({ manifest });
  const { chat, reactions } = client(workspace);
  const { ts = '' } = await chat.postMessage({ channel: helpdesk, text: 'Shall we?' });
  const press = (as: string, emoji: string) =>
    workspace.act({ act: 'react', as, channel: helpdesk, ts, emoji });
  return { workspace, reactions, ts, press, at: { channel: helpdesk, timestamp: ts } };
}

test('an app reacts, and everybody sees its reaction', async () => {
  const { workspace, reactions, press, at } = await withMessage();
  await reactions.add({ ...at, name: 'eyes' });
  await press(bob, 'eyes');
  await press(alice, 'thumbsup');
  const seen = transcript(workspace.snapshot(alice), 'helpdesk', { timeZone: 'UTC' });
  expect(seen).toContain('  [👀 app, bob] [👍 alice]');
  expect((await reactions.get(at)).message).toMatchObject({
    reactions: [
      { name: 'eyes', users: [workspace.botUserId, bob], count: 2 },
      { name: '+1', users: [alice], count: 1 },
    ],
  });
  await reactions.remove({ ...at, name: ':eyes:' });
  await press(bob, 'eyes');
  expect(workspace.snapshot(alice).messages.at(-1)?.reactions).toEqual([{ name: '+1', users: [alice] }]);
  expect(workspace.snapshot(alice).messages.at(-1)?.edited).toBe(false);
});

test('an app hears of reactions where it is a member', async () => {
  const { workspace, press, ts } = await withMessage();
  const heard: unknown[] = [];
  await connect(workspace, (app) => {
    app.event('reaction_added', async ({ event }) => void heard.push(event));
    app.event('reaction_removed', async ({ event }) => void heard.push(event));
  });
  await press(alice, 'eyes');
  await press(alice, 'eyes');
  await expect
    .poll(() => heard)
    .toMatchObject(
      ['reaction_added', 'reaction_removed'].map((type) => ({
        type,
        user: alice,
        reaction: 'eyes',
        item_user: workspace.botUserId,
        item: { type: 'message', channel: helpdesk, ts },
      })),
    );
});

test('an impossible reaction is refused', async () => {
  const { reactions, at } = await withMessage();
  const error = async (given: object) =>
    (await refusalOf(reactions.add({ ...at, name: 'eyes', ...given }))).error;
  expect(await error({ name: 'two words' })).toBe('invalid_name');
  expect(await error({ timestamp: '1' })).toBe('bad_timestamp');
  expect(await error({ timestamp: '1.000001' })).toBe('message_not_found');
  expect(await error({ channel: 'C0NOWHERE0' })).toBe('channel_not_found');
  await reactions.add({ ...at, name: 'eyes' });
  expect(await error({})).toBe('already_reacted');
  expect((await refusalOf(reactions.remove({ ...at, name: 'x' }))).error).toBe('no_reaction');
});
