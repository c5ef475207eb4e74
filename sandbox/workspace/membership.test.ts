import { expect, test } from 'vitest';
import type { Manifest } from './manifest.ts';
import { alice, bob, connect, helpdesk, start } from './testing.ts';
import type { WorkspaceOptions } from './workspace.ts';

const gus = 'U0GUS00001';
const eve = 'U0EVE00001';
const vault = 'C0VAULT001';
const events = [
  'member_joined_channel',
  'member_left_channel',
  'channel_left',
  'group_left',
  'app_mention',
  'message.channels',
];

const manifest = (bot: readonly string[]): Manifest => ({
  features: { bot_user: { display_name: 'appliance-bot' } },
  oauth_config: { scopes: { bot } },
  settings: { event_subscriptions: { bot_events: events } },
});

/** A workspace with channels that the app is not in, and all that the app hears. */
async function listening(scopes = ['channels:read', 'groups:read', 'app_mentions:read']) {
  const options: WorkspaceOptions = {
    manifest: manifest(scopes),
    channels: [
      { id: helpdesk, name: 'helpdesk', botIsMember: false },
      { id: vault, name: 'vault', isPrivate: true, members: [alice], botIsMember: false },
    ],
  };
  const workspace = await start(options);
  const heard: Record<string, unknown>[] = [];
  await connect(workspace, (app) => {
    app.use(async ({ body, next }) => {
      if ('event' in body) heard.push(body.event as Record<string, unknown>);
      await next();
    });
  });
  const invite = (user: string, channel = helpdesk, as = alice) =>
    workspace.act({ act: 'invite', as, channel, user });
  const remove = (user: string, channel = helpdesk, as = alice) =>
    workspace.act({ act: 'remove', as, channel, user });
  return { workspace, heard, invite, remove };
}

test('an invited app hears of its membership, and by whom', async () => {
  const { workspace, heard, invite } = await listening();
  const channel = () => workspace.snapshot(alice).channels.find(({ id }) => id === helpdesk);
  expect(channel()).toHaveProperty('lacksApp', true);
  expect(await invite(workspace.botUserId)).toEqual({ ok: true });
  await expect.poll(() => heard).toHaveLength(1);
  expect(heard).toMatchObject([
    {
      type: 'member_joined_channel',
      user: workspace.botUserId,
      channel: helpdesk,
      channel_type: 'C',
      team: workspace.teamId,
      inviter: alice,
    },
  ]);
  expect(channel()).not.toHaveProperty('lacksApp');
  expect(workspace.snapshot(bob).messages.at(-1)?.text).toBe(
    `<@${workspace.botUserId}> has joined the channel`,
  );
});

test('an app hears of members who come and go in its channels, and of its own going in an event of its own', async () => {
  const { workspace, heard, invite, remove } = await listening();
  await invite(bob, vault);
  expect(heard, 'it is not there').toEqual([]);
  await invite(workspace.botUserId, vault);
  await remove(bob, vault);
  await invite(bob, vault, alice);
  await remove(workspace.botUserId, vault, bob);
  await remove(bob, vault, bob);
  await expect.poll(() => heard).toHaveLength(4);
  expect(heard.map(({ type, user, channel, actor_id }) => [type, user ?? actor_id, channel])).toEqual([
    ['member_joined_channel', workspace.botUserId, vault],
    ['member_left_channel', bob, vault],
    ['member_joined_channel', bob, vault],
    ['group_left', bob, vault],
  ]);
  await invite(workspace.botUserId);
  await remove(workspace.botUserId);
  await expect
    .poll(() => heard.at(-1))
    .toMatchObject({ type: 'channel_left', channel: helpdesk, actor_id: alice });
});

test('an app needs channels:read to hear of members in public channels, and groups:read in private ones', async () => {
  const { workspace, heard, invite } = await listening(['groups:read']);
  await invite(workspace.botUserId);
  await invite(workspace.botUserId, vault);
  await expect.poll(() => heard).toMatchObject([{ type: 'member_joined_channel', channel: vault }]);
});

test('an invitation is refused for a member, by a guest, from outside, and into a channel that the inviter is not in', async () => {
  const { workspace, heard, invite, remove } = await listening();
  for (const [what, acted] of [
    ['is there', await invite(bob)],
    ['nobody', await invite('U0NOBODY01')],
    ['by a guest', await invite(workspace.botUserId, helpdesk, gus)],
    ['from outside', await invite(eve)],
    ['not in the channel', await invite(workspace.botUserId, vault, bob)],
    ['direct messages', await invite(bob, workspace.direct(alice).id)],
    ['was not there', await remove(workspace.botUserId)],
    ['removed by a guest', await remove(bob, helpdesk, gus)],
  ] as const)
    expect(acted, what).toMatchObject({ ok: false });
  expect(heard).toEqual([]);
});

test('a mention where the app is absent arrives when its author invites the app', async () => {
  const { workspace, heard, invite } = await listening();
  const say = (as: string, text: string) => workspace.act({ act: 'type', as, channel: helpdesk, text });
  await say(alice, '@appliance-bot status');
  expect(heard).toEqual([]);
  expect(workspace.snapshot(alice).messages.at(-1)).toMatchObject({
    ephemeral_to: alice,
    text: expect.stringContaining('not in this channel'),
  });
  const { ts } = workspace.snapshot(bob).messages[0] ?? {};
  await invite(workspace.botUserId);
  await expect.poll(() => heard).toHaveLength(2);
  expect(heard).toMatchObject([
    { type: 'member_joined_channel' },
    { type: 'app_mention', user: alice, ts, text: `<@${workspace.botUserId}> status` },
  ]);
});

test('the app also hears of a person who is put into a channel from outside of it', async () => {
  const { workspace, heard, invite } = await listening();
  await invite(workspace.botUserId, vault);
  await workspace.changeChannel(vault, { members: new Set([workspace.botUserId, bob]) });
  await expect.poll(() => heard).toHaveLength(3);
  expect(heard.slice(1).map(({ type, user }) => [type, user])).toEqual([
    ['member_joined_channel', bob],
    ['member_left_channel', alice],
  ]);
  expect(heard[1]).not.toHaveProperty('inviter');
});
