import { expect, test } from 'vitest';
import { alice, button, client, connect, helpdesk, refusalOf, start } from './testing.ts';
import type { Workspace } from './workspace.ts';

const plain = (text: string) => ({ type: 'plain_text' as const, text });
const modal = (title = 'Form', more: Record<string, unknown> = {}) => ({
  type: 'modal' as const,
  title: plain(title),
  blocks: [{ type: 'actions' as const, block_id: 'b', elements: [button('go', 'Go')] }],
  ...more,
});

/** A workspace whose clock stands still until told, and what gets a fresh trigger: a command, or a click in a modal. */
async function withTriggers() {
  let now = 1_790_000_000_000;
  const workspace = await start({ clock: () => now });
  let trigger = '';
  const closed: unknown[] = [];
  await connect(workspace, (app) => {
    app.command('/appliance', async ({ ack, command }) => {
      trigger = command.trigger_id;
      await ack();
    });
    app.action('go', async ({ ack, body }) => {
      trigger = 'trigger_id' in body ? body.trigger_id : '';
      await ack();
    });
    app.view({ callback_id: 'told', type: 'view_closed' }, async ({ ack, body }) => {
      closed.push('is_cleared' in body && body.is_cleared);
      await ack();
    });
  });
  return {
    workspace,
    closed,
    web: client(workspace),
    pass: (ms: number) => {
      now += ms;
    },
    async command() {
      await workspace.act({ act: 'type', as: alice, channel: helpdesk, text: '/appliance form' });
      return trigger;
    },
    async click() {
      const container = { kind: 'view', id: top(workspace) } as const;
      await workspace.act({ act: 'use', as: alice, container, block_id: 'b', action_id: 'go', value: {} });
      return trigger;
    },
  };
}

function top(workspace: Workspace): string {
  return workspace.snapshot(alice).views.at(-1)?.id ?? '';
}

test('a trigger opens one view within three seconds', async () => {
  const { web, command, pass } = await withTriggers();
  const open = async (trigger_id: string) =>
    (await refusalOf(web.views.open({ trigger_id, view: modal() }))).error;
  const first = await command();
  pass(3000);
  await web.views.open({ trigger_id: first, view: modal() });
  expect(await open(first)).toBe('exchanged_trigger_id');
  const second = await command();
  pass(3001);
  expect(await open(second)).toBe('expired_trigger_id');
  expect(await open('1.2.3')).toBe('invalid_trigger_id');
});

test('three modals can stand on each other, and only a click inside one can push', async () => {
  const { workspace, web, command, click } = await withTriggers();
  const push = (trigger_id: string) => web.views.push({ trigger_id, view: modal() });
  expect((await refusalOf(push(await command()))).error).toBe('invalid_trigger_id');
  await web.views.open({ trigger_id: await command(), view: modal() });
  await push(await click());
  await push(await click());
  expect(workspace.snapshot(alice).views).toHaveLength(3);
  expect((await refusalOf(push(await click()))).error).toBe('push_limit_reached');
});

test('a view is refused without a submit for its inputs, with a taken external_id, or a stale hash', async () => {
  const { web, command } = await withTriggers();
  const input = { type: 'input', label: plain('Why'), element: { type: 'plain_text_input', action_id: 'a' } };
  const open = async (more: Record<string, unknown>) =>
    web.views.open({ trigger_id: await command(), view: modal('Form', more) });
  expect((await refusalOf(open({ blocks: [input] }))).error).toBe('invalid_arguments');
  expect((await refusalOf(open({ title: plain('x'.repeat(25)) }))).error).toBe('invalid_arguments');
  const first = await open({ external_id: 'mine' });
  expect((await refusalOf(open({ external_id: 'mine' }))).error).toBe('duplicate_external_id');
  const hash = first.view?.hash ?? '';
  await web.views.update({ external_id: 'mine', hash, view: modal('Second', { external_id: 'mine' }) });
  expect((await refusalOf(web.views.update({ external_id: 'mine', hash, view: modal() }))).error).toBe(
    'hash_conflict',
  );
  expect((await refusalOf(web.views.update({ view_id: 'V0NOTHING', view: modal() }))).error).toBe(
    'not_found',
  );
});

test('the second of two who publish the same Home is told that it has changed', async () => {
  const manifest = {
    features: { app_home: { home_tab_enabled: true } },
    settings: { event_subscriptions: { bot_events: ['app_home_opened'] } },
  };
  const workspace = await start({ manifest });
  const web = client(workspace);
  const publish = (text: string, hash?: string) =>
    web.views.publish({
      user_id: alice,
      view: { type: 'home', blocks: [{ type: 'section', text: plain(text) }] },
      ...(hash === undefined ? {} : { hash }),
    });
  expect((await refusalOf(publish('First', '1.0'))).error, 'nobody saw any').toBe('hash_conflict');
  await publish('First');
  const seen: (string | undefined)[] = [];
  await connect(workspace, (app) =>
    app.event('app_home_opened', async ({ event }) => {
      // The type of the SDK knows no hash here.
      seen.push((event.view as { readonly hash?: string } | undefined)?.hash);
    }),
  );
  await workspace.act({ act: 'open_home', as: alice });
  await expect.poll(() => seen).toHaveLength(1);
  const both = await Promise.allSettled([publish('Mine', seen[0]), publish('Yours', seen[0])]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  const winner = both[0]?.status === 'fulfilled' ? 'Mine' : 'Yours';
  expect(workspace.snapshot(alice).home?.blocks).toMatchObject([{ text: { text: winner } }]);
});

test('no Home is published or opened where the Home tab is off', async () => {
  const workspace = await start({ manifest: { features: { app_home: { home_tab_enabled: false } } } });
  const publish = client(workspace).views.publish({ user_id: alice, view: { type: 'home', blocks: [] } });
  expect((await refusalOf(publish)).error).toBe('not_enabled');
  expect(await workspace.act({ act: 'open_home', as: alice })).toMatchObject({ ok: false });
  expect(workspace.snapshot(alice).home).toBeNull();
});

test('the app hears of a closed view if it asked for that', async () => {
  const { workspace, web, command, closed } = await withTriggers();
  await web.views.open({
    trigger_id: await command(),
    view: modal('Form', { callback_id: 'told', notify_on_close: true }),
  });
  await workspace.act({ act: 'close', as: alice, view: top(workspace) });
  expect(workspace.snapshot(alice).views).toEqual([]);
  expect(closed).toEqual([false]);
});

test('typed text survives an update that keeps block and action', async () => {
  const { workspace, web, command } = await withTriggers();
  const input = (block_id: string) => ({
    type: 'input',
    block_id,
    label: plain('Why'),
    optional: true,
    element: { type: 'plain_text_input', action_id: 'a', initial_value: 'first' },
  });
  const actions = modal().blocks;
  const view = modal('Form', { submit: plain('Send'), blocks: [...actions, input('kept'), input('gone')] });
  await web.views.open({ trigger_id: await command(), view });
  const container = { kind: 'view', id: top(workspace) } as const;
  const state = { kept: { a: { value: 'typed' } }, gone: { a: { value: 'typed' } } };
  await workspace.act({ act: 'use', as: alice, container, block_id: 'b', action_id: 'go', value: {}, state });
  const updated = await web.views.update({
    view_id: top(workspace),
    view: modal('Form', { submit: plain('Send'), blocks: [...actions, input('kept'), input('new')] }),
  });
  const values = { kept: { a: { value: 'typed' } }, new: { a: { value: 'first' } } };
  expect(updated).toMatchObject({ view: { state: { values } } });
});
