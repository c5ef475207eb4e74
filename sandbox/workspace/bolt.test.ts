import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { App, HTTPReceiver, LogLevel } from '@slack/bolt';
import { expect, onTestFinished, test } from 'vitest';
import { alice, bob, button, client, connect, helpdesk, start } from './testing.ts';

const say = (text: string, as = alice) => ({ act: 'type', as, channel: helpdesk, text }) as const;

test('a command is acknowledged, answered to its person, reported in a thread, and its card changes at a click', async () => {
  const workspace = await start();
  await connect(workspace, (app) => {
    app.command('/appliance', async ({ ack, command, respond, client }) => {
      await ack();
      await respond(`on it: ${command.text}`);
      const root = await client.chat.postMessage({
        channel: command.channel_id,
        text: 'Disconnect session 12?',
        blocks: [
          { type: 'section', block_id: 'what', text: { type: 'mrkdwn', text: 'Disconnect *session 12*?' } },
          {
            type: 'actions',
            block_id: 'choice',
            elements: [
              {
                type: 'button',
                action_id: 'go',
                text: { type: 'plain_text', text: 'Disconnect' },
                value: 'token-1',
              },
            ],
          },
        ],
      });
      await client.chat.postMessage({
        channel: command.channel_id,
        text: 'waiting',
        thread_ts: root.ts as string,
      });
    });
    app.action('go', async ({ ack, body, action, client }) => {
      await ack();
      if (body.type !== 'block_actions' || body.message === undefined || !('value' in action)) return;
      await client.chat.update({
        channel: helpdesk,
        ts: body.message.ts,
        text: `Done by <@${body.user.id}> with ${String(action.value)}`,
      });
    });
  });

  expect(
    await workspace.act({ act: 'type', as: alice, channel: helpdesk, text: '/appliance rdp disconnect 12' }),
  ).toEqual({ ok: true });
  await expect.poll(() => workspace.snapshot(alice).messages.length).toBe(3);
  const [whisper, root, reply] = workspace.snapshot(alice).messages;
  expect(whisper).toMatchObject({ text: 'on it: rdp disconnect 12', ephemeral_to: alice });
  expect(root).toMatchObject({ reply_count: 1, user: workspace.botUserId });
  expect(reply).toMatchObject({ thread_ts: root?.ts, text: 'waiting' });
  expect(workspace.snapshot(bob).messages).toHaveLength(2);

  const container = { kind: 'message', channel: helpdesk, ts: root?.ts ?? '' } as const;
  expect(
    await workspace.act({ act: 'use', as: bob, container, block_id: 'choice', action_id: 'go', value: {} }),
  ).toEqual({ ok: true });
  await expect.poll(() => workspace.snapshot(bob).messages[0]?.text).toBe(`Done by <@${bob}> with token-1`);
  expect(workspace.snapshot(bob).messages[0]?.blocks).toBeUndefined();
});

test('two replicas get one envelope each, in turn, and a redelivered one keeps its ID', async () => {
  const workspace = await start();
  const heard: string[] = [];
  for (const replica of ['one', 'two']) {
    await connect(workspace, (app) => {
      app.command('/appliance', async ({ ack }) => {
        heard.push(replica);
        await ack();
      });
    });
  }
  await workspace.act(say('/appliance help'));
  await workspace.act(say('/appliance help'));
  expect(heard.toSorted()).toEqual(['one', 'two']);

  const [first] = workspace.log.envelopes();
  expect(await workspace.redeliver(first?.id ?? '')).toMatchObject({ kind: 'acked' });
  expect(heard).toHaveLength(3);
  expect(workspace.log.envelopes().map(({ id }) => id)).toEqual([first?.id, expect.anything(), first?.id]);
});

test('without an app a command fails with dispatch_failed, without an acknowledgement with operation_timeout', async () => {
  const workspace = await start({ ackTimeoutMs: 50 });
  const failed = (error: string) => ({ ok: false, error: `/appliance failed with the error “${error}”` });
  expect(await workspace.act(say('/appliance help'))).toEqual(failed('dispatch_failed'));
  let late: (() => Promise<void>) | undefined;
  await connect(workspace, (app) => {
    app.command('/appliance', async ({ ack }) => {
      late = ack;
    });
  });
  expect(await workspace.act(say('/appliance help'))).toEqual(failed('operation_timeout'));
  expect(workspace.snapshot(alice).messages.map(({ text }) => text)).toEqual([
    '/appliance failed with the error “dispatch_failed”',
    '/appliance failed with the error “operation_timeout”',
  ]);
  expect(workspace.snapshot(bob).messages).toEqual([]);
  await late?.();
  await expect.poll(() => workspace.log.envelopes().at(-1)?.late).toBe(true);
});

test('a command typed into a thread, by somebody from outside, or unknown to the manifest is refused', async () => {
  const workspace = await start();
  await connect(workspace, (app) => app.command('/appliance', async ({ ack }) => ack()));
  const { ts = '' } = await client(workspace).chat.postMessage({ channel: helpdesk, text: 'root' });
  expect(await workspace.act({ ...say('/appliance help'), thread_ts: ts })).toEqual({
    ok: false,
    error: '/appliance is not supported in threads. Sorry!',
  });
  const byEve = { ...say('/appliance help', 'U0EVE00001'), channel: 'C0PARTNERS' };
  expect(await workspace.act(byEve)).toEqual({
    ok: false,
    error: '/appliance is not available to people outside this workspace.',
  });
  expect(await workspace.act(say('/other help'))).toMatchObject({ ok: false });
  expect(workspace.log.envelopes()).toEqual([]);
});

test('a command typed in the direct messages with the app names them as Slack does', async () => {
  const app_home = { messages_tab_enabled: true };
  const manifest = { features: { slash_commands: [{ command: '/appliance' }], app_home } };
  const workspace = await start({ manifest });
  const heard: unknown[] = [];
  await connect(workspace, (app) =>
    app.command('/appliance', async ({ ack, command }) => {
      heard.push([command.channel_id, command.channel_name]);
      await ack();
    }),
  );
  const { id } = workspace.direct(alice);
  await workspace.act({ ...say('/appliance help'), channel: id });
  expect(await workspace.act({ ...say('/appliance help', bob), channel: id })).toMatchObject({ ok: false });
  expect(heard).toEqual([[id, 'directmessage']]);
  expect(id).toMatch(/^D/);
});

test('a command comes with text fields only, and names and addresses as should_escape makes them', async () => {
  const workspace = await start();
  let body: Record<string, unknown> = {};
  await connect(workspace, (app) =>
    app.command('/appliance', async ({ ack, command }) => {
      body = { ...command };
      await ack();
    }),
  );
  await workspace.act(
    say('/appliance  ask @bob in #incident about example.com & https://a.example/x?y=1&z “so”'),
  );
  expect(body).toMatchObject({
    command: '/appliance',
    text: `ask <@${bob}> in <#C0INCIDENT|incident> about <http://example.com|example.com> &amp; <https://a.example/x?y=1&amp;z> “so”`,
    user_id: alice,
    channel_name: 'helpdesk',
    is_enterprise_install: 'false',
  });
  expect(Object.values(body).every((value) => typeof value === 'string')).toBe(true);
});

test('the acknowledgement of a command may be its answer, for one person or for all', async () => {
  const workspace = await start();
  await connect(workspace, (app) =>
    app.command('/appliance', async ({ ack, command }) =>
      command.text === 'all' ? ack({ response_type: 'in_channel', text: 'for all' }) : ack('for you'),
    ),
  );
  await workspace.act(say('/appliance me'));
  await workspace.act(say('/appliance all'));
  expect(workspace.snapshot(bob).messages.map(({ user, text }) => [user, text])).toEqual([
    [alice, '/appliance all'],
    [workspace.botUserId, 'for all'],
  ]);
  expect(workspace.snapshot(alice).messages[0]).toMatchObject({ text: 'for you', ephemeral_to: alice });
});

test('a modal opens, shows errors under its inputs, is updated, and closes', async () => {
  const workspace = await start();
  const form = (title: string) => ({
    type: 'modal' as const,
    callback_id: 'form',
    private_metadata: 'opaque',
    title: { type: 'plain_text' as const, text: title },
    submit: { type: 'plain_text' as const, text: 'Send' },
    blocks: [
      {
        type: 'input' as const,
        block_id: 'reason',
        label: { type: 'plain_text' as const, text: 'Reason' },
        element: { type: 'plain_text_input' as const, action_id: 'text' },
      },
    ],
  });
  await connect(workspace, (app) => {
    app.command('/appliance', async ({ ack, command, client: web }) => {
      await ack();
      await web.views.open({ trigger_id: command.trigger_id, view: form('First') });
    });
    app.view('form', async ({ ack, view }) => {
      const reason = view.state.values.reason?.text?.value;
      if (reason === 'bad') return ack({ response_action: 'errors', errors: { reason: 'Say more' } });
      if (reason === 'next') return ack({ response_action: 'update', view: form('Second') });
      return ack();
    });
  });
  await workspace.act(say('/appliance form'));
  await expect.poll(() => workspace.snapshot(alice).views.length).toBe(1);
  const id = workspace.snapshot(alice).views[0]?.id ?? '';
  const submit = (value: string) =>
    workspace.act({ act: 'submit', as: alice, view: id, state: { reason: { text: { value } } } });

  expect(await submit('')).toMatchObject({ ok: false });
  expect(workspace.snapshot(alice).views[0]?.errors).toEqual({
    reason: 'Please complete this required field.',
  });
  await submit('bad');
  expect(workspace.snapshot(alice).views[0]?.errors).toEqual({ reason: 'Say more' });
  await submit('next');
  expect(workspace.snapshot(alice).views[0]?.view.title).toMatchObject({ text: 'Second' });
  expect(await submit('fine')).toEqual({ ok: true });
  expect(workspace.snapshot(alice).views).toEqual([]);
  expect(workspace.snapshot(bob).views).toEqual([]);
});

test('a click on an ephemeral message carries no message, and its response URL can take the message away', async () => {
  const workspace = await start();
  let seen: Record<string, unknown> = {};
  await connect(workspace, (app) => {
    app.command('/appliance', async ({ ack }) =>
      ack({ blocks: [{ type: 'actions', block_id: 'b', elements: [button('go', 'Go')] }] }),
    );
    app.action('go', async ({ ack, body, respond }) => {
      seen = { ...body };
      await ack();
      await respond({ delete_original: true });
    });
  });
  await workspace.act(say('/appliance help'));
  const [whisper] = workspace.snapshot(alice).messages;
  const container = { kind: 'message', channel: helpdesk, ts: whisper?.ts ?? '' } as const;
  const click = { act: 'use', container, block_id: 'b', action_id: 'go', value: {} } as const;
  expect(await workspace.act({ ...click, as: bob })).toMatchObject({ ok: false });
  expect(await workspace.act({ ...click, as: alice })).toEqual({ ok: true });
  expect(seen.message).toBeUndefined();
  expect(seen).toMatchObject({
    container: { is_ephemeral: true, channel_id: helpdesk },
    user: { id: alice },
  });
  await expect.poll(() => workspace.snapshot(alice).messages).toEqual([]);
});

test('a Home tab is published when it is opened, and an unacknowledged event is sent again', async () => {
  const workspace = await start({ ackTimeoutMs: 50, eventRetryDelaysMs: [0, 0] });
  const app = await connect(workspace, (it) => {
    it.event('app_home_opened', async ({ event, client: web }) => {
      await web.views.publish({ user_id: event.user, view: { type: 'home', blocks: [{ type: 'divider' }] } });
    });
  });
  await workspace.act({ act: 'open_home', as: alice });
  await expect.poll(() => workspace.snapshot(alice).home?.blocks[0]?.type).toBe('divider');
  expect(workspace.snapshot(bob).home).toBeNull();

  await app.stop();
  await expect.poll(() => workspace.sockets.count).toBe(0);
  workspace.log.clear();
  await workspace.act({ act: 'open_home', as: alice });
  await expect.poll(() => workspace.log.envelopes().length).toBe(3);
});

test('an external select asks the app once the query is long enough', async () => {
  const workspace = await start();
  await connect(workspace, (app) => {
    app.options('pick', async ({ ack, payload }) =>
      ack({ options: [{ text: { type: 'plain_text', text: payload.value }, value: 'x' }] }),
    );
  });
  const { ts = '' } = await client(workspace).chat.postMessage({
    channel: helpdesk,
    text: 'pick',
    blocks: [{ type: 'actions', block_id: 'b', elements: [{ type: 'external_select', action_id: 'pick' }] }],
  });
  const suggest = (query: string) =>
    workspace.act({
      act: 'suggest',
      as: alice,
      container: { kind: 'message', channel: helpdesk, ts },
      block_id: 'b',
      action_id: 'pick',
      query,
    });
  expect(await suggest('ab')).toEqual({ ok: true, options: [] });
  expect(await suggest('abc')).toMatchObject({ ok: true, options: [{ text: { text: 'abc' } }] });
});

test('suggestions that are invalid, or too many, do not load', async () => {
  const workspace = await start();
  const plain = (text: string) => ({ type: 'plain_text', text });
  const answers: Record<string, unknown> = {
    none: {},
    much: { options: Array.from({ length: 101 }, (_, value) => ({ text: plain('a'), value: `${value}` })) },
    long: { options: [{ text: plain('x'.repeat(76)), value: 'a' }] },
    mixed: { option_groups: [{ text: plain('a'), value: 'a' }] },
    good: { option_groups: [{ label: plain('Open'), options: [{ text: plain('a'), value: 'a' }] }] },
  };
  await connect(workspace, (app) =>
    // The test sends wrong options on purpose.
    app.options('pick', async ({ ack, payload }) => ack(answers[payload.value] as { options: [] })),
  );
  const element = { type: 'external_select' as const, action_id: 'pick' };
  const { ts = '' } = await client(workspace).chat.postMessage({
    channel: helpdesk,
    text: 'pick',
    blocks: [{ type: 'actions', block_id: 'b', elements: [element] }],
  });
  const container = { kind: 'message', channel: helpdesk, ts } as const;
  const ask = (query: string) =>
    workspace.act({ act: 'suggest', as: alice, container, block_id: 'b', action_id: 'pick', query });
  for (const query of ['none', 'much', 'long', 'mixed'])
    expect(await ask(query)).toEqual({ ok: false, error: 'Results did not load.' });
  expect(await ask('good')).toMatchObject({ ok: true, options: [{ label: plain('Open') }] });
});

test('a message shortcut brings the whole message', async () => {
  const shortcut = { type: 'message', callback_id: 'look', name: 'Look up', description: '' } as const;
  const workspace = await start({
    manifest: {
      features: { shortcuts: [shortcut] },
      oauth_config: { scopes: { bot: ['commands', 'chat:write'] } },
    },
  });
  let seen: Record<string, unknown> = {};
  await connect(workspace, (app) =>
    app.shortcut('look', async ({ ack, shortcut: body }) => {
      seen = { ...body };
      await ack();
    }),
  );
  await workspace.act(say('is example.com blocked?'));
  const ts = workspace.snapshot(alice).messages[0]?.ts ?? '';
  expect(
    await workspace.act({ act: 'shortcut', as: bob, callback_id: 'look', channel: helpdesk, ts }),
  ).toEqual({ ok: true });
  expect(seen).toMatchObject({
    type: 'message_action',
    message_ts: ts,
    user: { id: bob },
    message: { user: alice },
  });
});

test('a global shortcut tells who chose it, and neither a channel nor where to answer', async () => {
  const shortcut = { type: 'global', callback_id: 'run', name: 'Run', description: '' } as const;
  const workspace = await start({
    manifest: { features: { shortcuts: [shortcut] }, oauth_config: { scopes: { bot: ['commands'] } } },
  });
  const seen: object[] = [];
  await connect(workspace, (app) =>
    app.shortcut('run', async ({ ack, shortcut: body }) => {
      seen.push(body);
      await ack();
    }),
  );
  const choose = (as: string, callback_id = 'run') =>
    workspace.act({ act: 'global_shortcut', as, callback_id });
  expect(await choose(bob)).toEqual({ ok: true });
  expect(seen).toEqual([
    expect.objectContaining({ type: 'shortcut', callback_id: 'run', trigger_id: expect.any(String) }),
  ]);
  expect(seen[0]).toMatchObject({ user: { id: bob } });
  expect(seen[0]).not.toHaveProperty('channel');
  expect(seen[0]).not.toHaveProperty('response_url');
  expect(await choose(bob, 'look')).toMatchObject({ ok: false });
  // slack-facts.md §6: shortcuts are for members of the installing workspace only.
  expect(await choose('U0EVE00001')).toMatchObject({ ok: false });
  expect(seen).toHaveLength(1);
});

test('over HTTP the same payloads arrive signed, and the answer is the acknowledgement', async () => {
  const free = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => free.once('listening', resolve));
  const { port } = free.address() as AddressInfo;
  await new Promise((resolve) => free.close(resolve));

  const workspace = await start({ requestUrl: `http://127.0.0.1:${port}/slack/events` });
  expect(await workspace.act(say('/appliance help'))).toMatchObject({ ok: false });
  const receiver = new HTTPReceiver({ signingSecret: workspace.signingSecret, logLevel: LogLevel.ERROR });
  const app = new App({
    token: workspace.botToken,
    receiver,
    logLevel: LogLevel.ERROR,
    clientOptions: { slackApiUrl: workspace.apiUrl },
  });
  const opened: string[] = [];
  app.command('/appliance', async ({ ack }) =>
    ack({ text: 'over HTTP', blocks: [{ type: 'actions', block_id: 'b', elements: [button('go', 'Go')] }] }),
  );
  app.action('go', async ({ ack, respond }) => {
    await ack();
    await respond({ replace_original: true, text: 'gone' });
  });
  app.event('app_home_opened', async ({ event }) => void opened.push(event.user));
  await app.start(port);
  onTestFinished(async () => void (await app.stop()));

  expect(await workspace.act(say('/appliance help'))).toEqual({ ok: true });
  const whisper = workspace.snapshot(alice).messages.at(-1);
  expect(whisper?.text).toBe('over HTTP');
  const container = { kind: 'message', channel: helpdesk, ts: whisper?.ts ?? '' } as const;
  expect(
    await workspace.act({ act: 'use', as: alice, container, block_id: 'b', action_id: 'go', value: {} }),
  ).toEqual({ ok: true });
  await expect
    .poll(() => workspace.snapshot(alice).messages.at(-1))
    .toMatchObject({ text: 'gone', ephemeral_to: alice });
  await workspace.act({ act: 'open_home', as: bob });
  await expect.poll(() => opened).toEqual([bob]);
});
