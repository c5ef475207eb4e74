import type { App } from '@slack/bolt';
import type { WebClient } from '@slack/web-api';
import { expect, test } from 'vitest';
import type { Manifest } from '../manifest.ts';
import { alice, bob, button, client, connect, helpdesk, refusalOf, start } from '../testing.ts';

const text = { type: 'string', title: 'Site' };
const manifest: Manifest = {
  features: { slash_commands: [{ command: '/appliance' }] },
  functions: {
    look_up: {
      title: 'Look up a site',
      description: 'Asks the appliance',
      input_parameters: {
        site: { ...text, is_required: true },
        who: { type: 'slack#/types/user_id' },
        times: { type: 'integer' },
      },
      output_parameters: {
        properties: { category: { type: 'string' }, hits: { type: 'number' } },
        required: ['category'],
      },
    },
  },
  oauth_config: { scopes: { bot: ['chat:write'] } },
  settings: {
    event_subscriptions: { bot_events: ['function_executed'] },
    function_runtime: 'remote',
    org_deploy_enabled: true,
  },
};

const run = {
  act: 'run_step',
  as: alice,
  function: 'look_up',
  inputs: { site: 'a.example', who: bob },
} as const;

/** A workspace and an app that does what is asked with the step. */
async function withStep(listen: (app: App) => void, given = manifest) {
  const workspace = await start({ manifest: given });
  await connect(workspace, listen);
  return { workspace, web: client(workspace), runs: () => workspace.snapshot(alice).runs };
}

/** A step that is running, for an app that leaves it to the test to end it. */
async function running() {
  const office = await withStep((app) => app.function('look_up', async () => undefined));
  expect(await office.workspace.act(run)).toEqual({ ok: true });
  const [{ function_execution_id } = { function_execution_id: '' }] = office.runs();
  return { ...office, function_execution_id };
}

test('a step gets its inputs and its definition, and the person who ran it sees its outputs', async () => {
  let event: Record<string, unknown> = {};
  const { workspace, runs } = await withStep((app) =>
    app.function('look_up', async ({ payload, inputs, complete }) => {
      event = { ...payload };
      await complete({ outputs: { category: `News of ${inputs.site}`, hits: 7 } });
    }),
  );
  expect(await workspace.act(run)).toEqual({ ok: true });
  await expect.poll(runs).toEqual([
    {
      function_execution_id: expect.stringMatching(/^Fx/),
      callback_id: 'look_up',
      inputs: run.inputs,
      state: 'completed',
      outputs: { category: 'News of a.example', hits: 7 },
    },
  ]);
  expect(event).toMatchObject({
    type: 'function_executed',
    function: {
      id: expect.stringMatching(/^Fn/),
      callback_id: 'look_up',
      title: 'Look up a site',
      description: 'Asks the appliance',
      type: 'app',
      app_id: workspace.appId,
      input_parameters: [
        { name: 'site', type: 'string', title: 'Site', is_required: true },
        { name: 'who', is_required: false },
        { name: 'times' },
      ],
      output_parameters: [
        { name: 'category', is_required: true },
        { name: 'hits', is_required: false },
      ],
    },
    inputs: run.inputs,
    function_execution_id: runs()[0]?.function_execution_id,
    workflow_execution_id: expect.stringMatching(/^Wx/),
    bot_access_token: expect.stringMatching(/^xwfp-/),
  });
  expect(workspace.snapshot(bob).runs, 'it was not bob who ran it').toEqual([]);
});

test('only the person who started the workflow reads why a step failed', async () => {
  const { workspace, runs } = await withStep((app) =>
    app.function('look_up', async ({ fail }) => void (await fail({ error: 'The appliance is away.' }))),
  );
  await workspace.act({ ...run, channel: helpdesk });
  await expect.poll(runs).toMatchObject([{ state: 'failed', error: 'The appliance is away.' }]);
  expect(workspace.snapshot(alice).messages).toMatchObject([
    {
      channel: helpdesk,
      ephemeral_to: alice,
      text: 'The workflow stopped: its step “Look up a site” failed. The appliance is away.',
    },
  ]);
  expect(workspace.snapshot(bob).messages).toEqual([]);
});

test('a step does not run with wrong inputs, and an unknown step does not run', async () => {
  const { workspace, runs } = await withStep((app) => app.function('look_up', async () => undefined));
  for (const [inputs, error] of [
    [{}, 'The input site is required.'],
    [{ site: 7 }, 'The input site must be a string.'],
    [{ site: 'a', times: 1.5 }, 'The input times must be an integer.'],
    [{ site: 'a', who: 'bob' }, 'The input who must be the ID of a person.'],
    [{ site: 'a', more: 'b' }, 'The input more is not declared.'],
  ] as const)
    expect(await workspace.act({ ...run, inputs })).toEqual({ ok: false, error });
  expect(await workspace.act({ ...run, function: 'other' })).toMatchObject({ ok: false });
  expect(await workspace.act({ ...run, channel: 'C0NOWHERE1' })).toMatchObject({ ok: false });
  expect(runs()).toEqual([]);
  expect(workspace.log.envelopes()).toEqual([]);
});

test.each([
  ['hosts its steps itself', { ...manifest.settings, function_runtime: 'slack' }],
  ['is ready for an organisation', { ...manifest.settings, org_deploy_enabled: false }],
  ['hears of its steps', { ...manifest.settings, event_subscriptions: { bot_events: [] } }],
])('steps are offered by an app that %s only', async (_, settings) => {
  const { workspace } = await withStep(() => undefined, { ...manifest, settings });
  expect(workspace.snapshot(alice).steps).toEqual([]);
  expect(await workspace.act(run)).toEqual({ ok: false, error: 'The app has no step look_up.' });
});

test('a step does not end with outputs that it did not declare, and goes on running', async () => {
  const { web, runs, function_execution_id } = await running();
  const ended = async (outputs: Record<string, unknown>) =>
    refusalOf(web.functions.completeSuccess({ function_execution_id, outputs }));
  for (const [outputs, problem] of [
    [{}, 'category is required'],
    [{ category: 'News', hits: 'many' }, 'hits must be a number'],
    [{ category: 'News', site: 'a.example' }, 'site is not declared'],
  ] as const)
    expect(await ended(outputs)).toMatchObject({
      error: 'parameter_validation_failed',
      response_metadata: { messages: [expect.stringContaining(problem)] },
    });
  expect(await refusalOf(web.apiCall('functions.completeSuccess', { function_execution_id }))).toMatchObject({
    error: 'invalid_arguments',
  });
  expect(runs()).toMatchObject([{ state: 'running' }]);
});

test('a step ends once, whichever way, and an unknown one does not end', async () => {
  const { web, runs, function_execution_id } = await running();
  const outputs = { category: 'News' };
  const succeed = (id = function_execution_id) =>
    web.functions.completeSuccess({ function_execution_id: id, outputs });
  const fail = (id = function_execution_id) =>
    web.functions.completeError({ function_execution_id: id, error: 'No.' });
  for (const call of [succeed, fail])
    expect((await refusalOf(call('Fx0NOTHING'))).error).toBe('function_execution_not_found');
  await succeed();
  for (const call of [succeed, fail])
    expect((await refusalOf(call())).error).toBe('execution_not_in_running_state');
  expect(runs()).toMatchObject([{ state: 'completed', outputs }]);
});

test('a step that the app does not acknowledge in time fails, and its token dies with it', async () => {
  const workspace = await start({ manifest, ackTimeoutMs: 50, eventRetryDelaysMs: [] });
  const error = (kind: string) => `This app responded with the error “${kind}”`;
  expect(await workspace.act(run)).toEqual({ ok: false, error: error('dispatch_failed') });
  let late: WebClient | undefined;
  await connect(workspace, (app) =>
    app.function('look_up', { autoAcknowledge: false }, async ({ client: own }) => {
      late = own;
    }),
  );
  expect(await workspace.act(run)).toEqual({ ok: false, error: error('operation_timeout') });
  const { runs } = workspace.snapshot(alice);
  expect(runs).toMatchObject([
    { state: 'failed', error: error('dispatch_failed') },
    { state: 'failed', error: error('operation_timeout') },
  ]);
  expect(late?.token).toMatch(/^xwfp-/);
  const posted = client(workspace, late?.token).chat.postMessage({ channel: helpdesk, text: 'late' });
  expect((await refusalOf(posted)).error).toBe('token_revoked');
});

test('a click in a message that a step posted with its own token can end the step', async () => {
  const clicks: Record<string, unknown>[] = [];
  const { workspace, web, runs } = await withStep((app) => {
    app.function('look_up', async ({ client: own }) => {
      const blocks = [{ type: 'actions' as const, block_id: 'b', elements: [button('go', 'Go')] }];
      await own.chat.postMessage({ channel: helpdesk, text: 'Go on?', blocks });
    });
    app.action('go', async ({ ack, body, complete }) => {
      await ack();
      clicks.push({ ...body });
      await complete?.({ outputs: { category: 'News' } });
    });
  });
  const click = async () => {
    const ts = workspace.snapshot(bob).messages.at(-1)?.ts ?? '';
    const container = { kind: 'message', channel: helpdesk, ts } as const;
    return workspace.act({ act: 'use', as: bob, container, block_id: 'b', action_id: 'go', value: {} });
  };
  await workspace.act(run);
  await expect.poll(() => workspace.snapshot(bob).messages).toHaveLength(1);
  expect(await click()).toEqual({ ok: true });
  await expect.poll(runs).toMatchObject([{ state: 'completed', outputs: { category: 'News' } }]);
  expect(clicks).toMatchObject([
    {
      function_data: {
        execution_id: runs()[0]?.function_execution_id,
        function: { callback_id: 'look_up' },
        inputs: run.inputs,
      },
      bot_access_token: expect.stringMatching(/^xwfp-/),
    },
  ]);
  expect(await click(), 'the step has ended').toMatchObject({ ok: false });
  const token = String(clicks[0]?.bot_access_token);
  expect((await refusalOf(client(workspace, token).auth.test())).error).toBe('token_revoked');
  const blocks = [{ type: 'actions' as const, block_id: 'b', elements: [button('go', 'Go')] }];
  await web.chat.postMessage({ channel: helpdesk, text: 'Of no step', blocks });
  expect(await click()).toEqual({ ok: true });
  await expect.poll(() => clicks).toHaveLength(2);
  expect(clicks[1]).not.toHaveProperty('function_data');
});
