import type { App } from '@slack/bolt';
import type { EntityMetadata } from '@slack/types';
import { expect, test } from 'vitest';
import type { Manifest } from '../manifest.ts';
import { alice, bob, client, connect, helpdesk, refusalOf, start } from '../testing.ts';

const manifest = (...more: string[]): Manifest => ({
  features: { unfurl_domains: ['tickets.example'] },
  oauth_config: { scopes: { bot: ['chat:write', 'links:read', 'links:write', ...more] } },
  settings: { event_subscriptions: { bot_events: ['link_shared', 'entity_details_requested'] } },
});

const outage = (more: Record<string, unknown> = {}, title = 'Outage') =>
  ({
    entity_type: 'slack#/entities/incident',
    url: 'https://tickets.example/7',
    external_ref: { id: '7', type: 'ticket' },
    entity_payload: {
      attributes: { title: { text: title } },
      fields: { status: { value: 'Open', label: 'State' }, urgency: { value: 'high' } },
    },
    ...more,
  }) as EntityMetadata;

async function withApp(listen: (app: App) => void = () => undefined, given = manifest()) {
  const workspace = await start({ manifest: given });
  await connect(workspace, listen);
  const web = client(workspace);
  const post = (entity: EntityMetadata) =>
    web.chat.postMessage({ channel: helpdesk, text: 'Outage', metadata: { entities: [entity] } });
  const open = (ts = '', as = alice, entity = '7') =>
    workspace.act({ act: 'open_entity', as, channel: helpdesk, ts, entity });
  const say = async (text: string, channel = helpdesk) => {
    await workspace.act({ act: 'type', as: alice, channel, text });
    return workspace.snapshot(alice).messages.at(-1)?.ts ?? '';
  };
  const details = (as = alice) => workspace.snapshot(as).details['7'];
  return { workspace, web, post, open, say, details };
}

test('an entity of a message is kept and shown, and opening it asks the app for more', async () => {
  let asked: Record<string, unknown> = {};
  const { workspace, post, open, details, web } = await withApp((app) =>
    app.event('entity_details_requested', async ({ event, client: own }) => {
      asked = { ...event };
      await own.entity.presentDetails({ trigger_id: event.trigger_id, metadata: outage({}, 'All of it') });
    }),
  );
  const { ts, message } = await post(outage());
  expect(message).toMatchObject({ metadata: { entities: [outage()] } });
  expect(workspace.snapshot(bob).messages.at(-1)?.entities).toEqual([
    {
      id: '7',
      title: 'Outage',
      url: 'https://tickets.example/7',
      fields: { State: 'Open', urgency: 'high' },
    },
  ]);
  expect(await open(ts)).toEqual({ ok: true });
  await expect.poll(() => details()).toMatchObject({ state: 'shown', entity: { title: 'All of it' } });
  expect(details(bob), 'bob did not open it').toBeUndefined();
  expect(asked).toMatchObject({
    user: alice,
    external_ref: { id: '7', type: 'ticket' },
    entity_url: 'https://tickets.example/7',
    link: { url: 'https://tickets.example/7', domain: 'tickets.example' },
    user_locale: 'en-US',
    channel: helpdesk,
    message_ts: ts,
  });
  expect(await open(ts, 'U0EVE00001'), 'eve is not in the channel').toMatchObject({ ok: false });
  expect(await open(ts, alice, '8'), 'no such entity').toMatchObject({ ok: false });
  await web.chat.delete({ channel: helpdesk, ts: ts ?? '' });
  expect(await open(ts), 'the message is gone').toMatchObject({ ok: false });
});

test('a button of an entity is pressed where it was opened, by the person who opened it', async () => {
  const pressed: Record<string, unknown>[] = [];
  const button = { text: 'Close', action_id: 'close', value: '7' };
  const { entity_payload } = outage();
  const closable = outage({ entity_payload: { ...entity_payload, actions: { primary_actions: [button] } } });
  const { workspace, post, open, details } = await withApp((app) => {
    app.event('entity_details_requested', async ({ event, client: own }) => {
      await own.entity.presentDetails({ trigger_id: event.trigger_id, metadata: closable });
    });
    app.action('close', async ({ ack, body }) => {
      pressed.push({ ...body });
      await ack();
    });
  });
  const { ts = '' } = await post(outage());
  await open(ts);
  await expect.poll(() => details()).toMatchObject({ entity: { buttons: [button] } });
  const press = (as: string) =>
    workspace.act({ act: 'open_entity', as, channel: helpdesk, ts, entity: '7', press: 'close' });
  expect(await press(bob), 'bob did not open it').toMatchObject({ ok: false });
  expect(await press(alice)).toEqual({ ok: true });
  expect(pressed).toMatchObject([
    {
      type: 'block_actions',
      user: { id: alice },
      container: { type: 'entity_detail', message_ts: ts, channel_id: helpdesk, external_ref: { id: '7' } },
      actions: [{ action_id: 'close', value: '7' }],
    },
  ]);
});

test('a bad entity is refused with the faulty place', async () => {
  const { post, workspace } = await withApp();
  for (const [wrong, place] of [
    [{ entity_type: 'slack#/entities/session' }, 'entity_type'],
    [{ url: 'nowhere' }, 'url'],
    [{ external_ref: {} }, 'external_ref/id'],
    [{ entity_payload: { attributes: {} } }, 'entity_payload/attributes/title'],
    [
      { entity_payload: { ...outage().entity_payload, actions: { primary_actions: [{ text: 'Go' }] } } },
      'entity_payload/actions/primary_actions/0/action_id',
    ],
  ] as const)
    expect(await refusalOf(post(outage(wrong)))).toMatchObject({
      error: 'invalid_metadata_schema',
      errors: [expect.stringContaining(`[json-pointer:/metadata/entities/0/${place}]`)],
    });
  expect(workspace.snapshot(alice).messages).toEqual([]);
});

test('details are refused for another entity, without one, or with an unknown trigger', async () => {
  let trigger_id = '';
  const { post, open, web, details } = await withApp((app) =>
    app.event('entity_details_requested', async ({ event }) => {
      trigger_id = event.trigger_id;
    }),
  );
  await open((await post(outage())).ts);
  await expect.poll(() => trigger_id).not.toBe('');
  const error = async (args: Record<string, unknown>) =>
    (await refusalOf(web.apiCall('entity.presentDetails', { trigger_id, ...args }))).error;
  expect(await error({ metadata: outage({ external_ref: { id: '8' } }) })).toBe(
    'entity_metadata_does_not_match_trigger',
  );
  expect(await error({ metadata: {} })).toBe('invalid_metadata');
  expect(await error({})).toBe('invalid_metadata');
  expect(await error({ user_auth_required: true })).toBe('user_auth_url_missing');
  expect(await error({ error: { status: 'tired' } })).toBe('invalid_arguments');
  expect(await error({ trigger_id: 'nobody', metadata: outage() })).toBe('invalid_trigger_id');
  expect(details()).toEqual({ state: 'asked' });

  const error_ = { status: 'custom', custom_message: 'The appliance is away.' };
  await web.entity.presentDetails({ trigger_id, error: error_ });
  expect(details()).toEqual({ state: 'failed', status: 'custom', says: 'The appliance is away.' });
  await web.entity.presentDetails({
    trigger_id,
    user_auth_required: true,
    user_auth_url: 'https://tickets.example/in',
  });
  expect(details()).toEqual({ state: 'sign_in', url: 'https://tickets.example/in' });
});

test('a link to a domain of the manifest reaches the app, with the ID for unfurling it', async () => {
  const heard: Record<string, unknown>[] = [];
  const { say, web, workspace } = await withApp(
    (app) => app.event('link_shared', async ({ event }) => void heard.push({ ...event })),
    manifest('channels:history'),
  );
  const ts = await say('see https://eu.tickets.example/7?a=1&b=2 and https://other.example/tickets.example');
  await say('nothing of ours: https://nottickets.example/7');
  await web.chat.postMessage({ channel: helpdesk, text: 'mine: <https://tickets.example/8>' });
  await say('https://tickets.example/9');
  const url = 'https://eu.tickets.example/7?a=1&b=2';
  await expect
    .poll(() => heard.map(({ links }) => links))
    .toMatchObject([[{ url }], [{ url: 'https://tickets.example/9' }]]);
  // Bolt hides what an app does itself.
  expect(workspace.log.envelopes(), 'its own link is not told').toHaveLength(2);
  expect(heard[0]).toMatchObject({
    channel: helpdesk,
    is_bot_user_member: true,
    user: alice,
    message_ts: ts,
    links: [{ url, domain: 'tickets.example' }],
    unfurl_id: expect.any(String),
    source: 'conversations_history',
  });
  const attachment = { blocks: [{ type: 'section' as const, text: { type: 'mrkdwn' as const, text: 'A' } }] };
  const attached = async () =>
    (await web.conversations.history({ channel: helpdesk })).messages?.find((message) => message.ts === ts)
      ?.attachments;
  await web.chat.unfurl({ channel: helpdesk, ts, unfurls: { [url]: attachment } });
  expect(await attached()).toMatchObject([{ ...attachment, from_url: url, is_app_unfurl: true }]);
  await web.chat.unfurl({
    unfurl_id: String(heard[0]?.unfurl_id),
    source: 'conversations_history',
    metadata: { entities: [outage({ app_unfurl_url: url })] },
  });
  expect(await attached(), 'shown anew').toMatchObject([{ from_url: url, entity: { url: outage().url } }]);
  expect(workspace.snapshot(bob).messages[0]?.entities).toMatchObject([{ title: 'Outage' }]);
  expect(workspace.snapshot(bob).messages[0]?.edited).toBe(false);
});

test('without links:read no link reaches the app, and private channels report links only to member apps', async () => {
  const options = {
    channels: [
      { id: helpdesk, name: 'helpdesk', botIsMember: false },
      { id: 'C0VAULT001', name: 'vault', isPrivate: true, botIsMember: false },
    ],
  };
  for (const scopes of [['links:read'], []]) {
    const given = manifest();
    const workspace = await start({
      ...options,
      manifest: { ...given, oauth_config: { scopes: { bot: scopes } } },
    });
    const type = (channel: string) =>
      workspace.act({ act: 'type', as: alice, channel, text: 'https://tickets.example/7' });
    await type('C0VAULT001');
    expect(workspace.log.envelopes()).toEqual([]);
    await type(helpdesk);
    expect(workspace.log.envelopes()).toHaveLength(scopes.length);
  }
});

test('an unfurl is refused for a link that is not in the message, and without content', async () => {
  const { say, web } = await withApp();
  const ts = await say('https://tickets.example/7');
  const error = async (args: Record<string, unknown>) =>
    (await refusalOf(web.apiCall('chat.unfurl', { channel: helpdesk, ts, ...args }))).error;
  const unfurls = (url: string) => ({ unfurls: { [url]: { text: 'A' } } });
  expect(await error({})).toBe('missing_unfurls');
  expect(await error({ unfurls: '[' })).toBe('invalid_unfurls_format');
  expect(await error(unfurls('https://tickets.example/8'))).toBe('cannot_unfurl_url');
  expect(await error({ metadata: { entities: [outage()] } }), 'it says no URL').toBe('cannot_unfurl_url');
  expect(await error({ ...unfurls('https://tickets.example/7'), ts: '1.000001' })).toBe(
    'cannot_find_message',
  );
  expect(await error({ ...unfurls('https://tickets.example/7'), channel: 'C0NOWHERE1' })).toBe(
    'cannot_find_channel',
  );
  expect(await error({ source: 'conversations_history' })).toBe('missing_unfurl_id');
  expect(await error({ ts: undefined })).toBe('missing_ts');
});
