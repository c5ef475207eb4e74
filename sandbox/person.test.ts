import type { App } from '@slack/bolt';
import { expect, test } from 'vitest';
import { NoSuchButton, NoSuchOption, NotThere, type Person, personIn } from './person.ts';
import type { Manifest } from './workspace/manifest.ts';
import { button, client, connect, helpdesk, start } from './workspace/testing.ts';

const manifest: Manifest = {
  features: {
    slash_commands: [{ command: '/appliance' }],
    shortcuts: [{ type: 'message', callback_id: 'look_up', name: 'Look up links', description: '' }],
    app_home: { home_tab_enabled: true, messages_tab_enabled: true },
  },
  oauth_config: { scopes: { bot: ['commands', 'chat:write', 'files:read', 'files:write'] } },
};
const plain = (text: string) => ({ type: 'plain_text' as const, text });
const option = (text: string, value = text) => ({ text: plain(text), value });
const input = (label: string, element: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
  type: 'input' as const,
  block_id: label.toLowerCase(),
  label: plain(label),
  element: { action_id: 'it', ...element },
  ...more,
});

interface Told {
  readonly [field: string]: unknown;
}

/** Alice before a workspace with a Bolt app, and every interactive payload that the app got. */
async function withApp(listen: (app: App) => void = () => undefined) {
  const workspace = await start({ manifest });
  const told: Told[] = [];
  await connect(workspace, (app) => {
    app.use(async ({ body, next }) => {
      if ('type' in body) told.push(body as unknown as Told);
      await next();
    });
    app.action(/.*/, async ({ ack }) => ack());
    listen(app);
  });
  let idled = 0;
  const bot = {
    idle: async () => {
      idled += 1;
    },
  };
  const alice = personIn(workspace, bot, 'alice');
  return { workspace, alice, told, web: client(workspace), idled: () => idled };
}

/** The same with a form of these blocks open. */
async function withForm(blocks: readonly unknown[], listen: (app: App) => void = () => undefined) {
  const office = await withApp((app) => {
    app.command('/appliance', async ({ ack, body, client: web }) => {
      const view = {
        type: 'modal',
        callback_id: 'form',
        title: plain('Upgrade'),
        submit: plain('Go'),
        blocks,
      };
      await web.apiCall('views.open', { trigger_id: body.trigger_id, view });
      await ack();
    });
    listen(app);
  });
  await office.alice.type('helpdesk', '/appliance upgrade');
  return office;
}

const shownBy = (alice: Person) =>
  Object.fromEntries((alice.form()?.fields ?? []).map(({ label, value }) => [label, value]));

test('a form is read with its title, texts, fields, initial values and button', async () => {
  const { alice } = await withForm([
    { type: 'section', text: { type: 'mrkdwn', text: 'On *edge-1*' } },
    input(
      'Note',
      { type: 'plain_text_input', multiline: true, initial_value: 'ticket 7' },
      { hint: plain('Why') },
    ),
    input('Mode', {
      type: 'static_select',
      options: [option('Fast'), option('Slow')],
      initial_option: option('Slow'),
    }),
    input('Parts', { type: 'checkboxes', options: [option('A'), option('B')] }, { optional: true }),
  ]);
  expect(alice.form()).toEqual({
    title: 'Upgrade',
    text: 'On edge-1',
    submit: 'Go',
    errors: {},
    fields: [
      { label: 'Note', kind: 'plain_text_input', value: 'ticket 7', hint: 'Why', isOptional: false },
      {
        label: 'Mode',
        kind: 'static_select',
        value: 'Slow',
        hint: undefined,
        isOptional: false,
        options: ['Fast', 'Slow'],
      },
      {
        label: 'Parts',
        kind: 'checkboxes',
        value: [],
        hint: undefined,
        isOptional: true,
        options: ['A', 'B'],
      },
    ],
  });
});

test('entries of every kind arrive at the app by their labels, also across two handles of a person', async () => {
  const { workspace, alice, told } = await withForm(
    [
      input('Note', { type: 'plain_text_input' }),
      input('Mode', { type: 'static_select', options: [option('Fast', 'f'), option('Slow', 's')] }),
      input('Parts', { type: 'checkboxes', options: [option('A'), option('B')] }),
      input('Speed', { type: 'number_input', is_decimal_allowed: false }),
      input('Day', { type: 'datepicker' }),
      input('Owner', { type: 'users_select' }),
      input('Image', { type: 'file_input', max_files: 1 }),
    ],
    (app) => app.view('form', async ({ ack }) => ack()),
  );
  await alice.fill({ Note: 'ticket 7', Mode: 'Slow', Parts: ['B', 'A'], Speed: '12', Day: '2026-10-31' });
  const again = personIn(workspace, { idle: async () => undefined }, 'alice');
  await again.fill({ Owner: '@bob', Image: { name: 'fix.bin', content: 'bytes' } });
  expect(shownBy(again)).toEqual({
    Note: 'ticket 7',
    Mode: 'Slow',
    Parts: ['B', 'A'],
    Speed: '12',
    Day: '2026-10-31',
    Owner: 'bob',
    Image: ['fix.bin'],
  });
  expect(told.map(({ type }) => type)).toEqual([]);
  expect(await again.submit()).toEqual({ ok: true });
  expect(again.form()).toBeUndefined();
  expect(told[0]).toMatchObject({
    type: 'view_submission',
    view: {
      state: {
        values: {
          note: { it: { type: 'plain_text_input', value: 'ticket 7' } },
          mode: { it: { type: 'static_select', selected_option: option('Slow', 's') } },
          parts: { it: { selected_options: [option('B'), option('A')] } },
          speed: { it: { value: '12' } },
          day: { it: { selected_date: '2026-10-31' } },
          owner: { it: { selected_user: 'U0BOB00001' } },
          image: {
            it: {
              type: 'file_input',
              files: [{ name: 'fix.bin', size: 5, url_private_download: expect.anything() }],
            },
          },
        },
      },
    },
  });
});

test('the app may read a file from a form only after the form was sent', async () => {
  const { workspace, alice, web } = await withForm([input('Image', { type: 'file_input' })], (app) =>
    app.view('form', async ({ ack }) => ack()),
  );
  await alice.fill({ Image: { name: 'fix.bin', content: Uint8Array.of(1, 2, 3) } });
  const values = workspace.snapshot('U0ALICE001').views[0]?.state as {
    image: { it: { files: { id: string; url_private_download: string }[] } };
  };
  const [file] = values.image.it.files;
  await expect(web.files.info({ file: file?.id ?? '' })).rejects.toThrow('file_not_found');
  await alice.submit();
  const headers = { authorization: `Bearer ${workspace.botToken}` };
  const bytes = await (await fetch(file?.url_private_download ?? '', { headers })).bytes();
  expect([...bytes]).toEqual([1, 2, 3]);
});

test('a form takes the own uploads of its person only', async () => {
  const { workspace, alice } = await withForm([input('Image', { type: 'file_input' })]);
  const uploaded = workspace.upload('U0BOB00001', 'theirs.bin', Buffer.from('x'));
  const files = uploaded.ok ? [{ id: uploaded.file.id }] : [];
  const view = workspace.snapshot('U0ALICE001').views[0]?.id ?? '';
  await workspace.act({ act: 'enter', as: 'U0ALICE001', view, state: { image: { it: { files } } } });
  expect(shownBy(alice)).toEqual({ Image: [] });
});

test("the name of the app means one's own direct messages with it", async () => {
  const { workspace, alice, told, web } = await withApp((app) =>
    app.command('/appliance', async ({ ack }) => ack()),
  );
  const bob = personIn(workspace, { idle: async () => undefined }, 'bob');
  await bob.type('app', 'hello');
  await alice.type('app', 'hello');
  expect(workspace.snapshot('U0ALICE001').messages).toMatchObject([
    { user: 'U0ALICE001', channel: workspace.direct('U0ALICE001').id },
  ]);
  await web.chat.postMessage({
    channel: workspace.direct('U0ALICE001').id,
    text: 'Go?',
    blocks: [{ type: 'actions', elements: [button('go', 'Go')] }],
  });
  await expect(bob.press('app', 'Go')).rejects.toThrow(NoSuchButton);
  expect(await alice.press('app', 'Go')).toEqual({ ok: true });
  expect(told.at(-1)).toMatchObject({ channel: { name: 'directmessage' } });
});

test('an external select is searched and takes a match; an option that is not offered is refused by name', async () => {
  const sessions = ['12 – bob on pc-7', '13 – bob on pc-8', '20 – eve on pc-9'];
  const asked: string[] = [];
  const { alice } = await withForm(
    [
      input('Session', { type: 'external_select', min_query_length: 2 }),
      input('Others', { type: 'multi_external_select', min_query_length: 0 }),
    ],
    (app) =>
      app.options('it', async ({ ack, payload }) => {
        asked.push(payload.value);
        const options = sessions.filter((one) => one.includes(payload.value)).map((one) => option(one));
        if (payload.block_id === 'session') await ack({ options });
        else await ack({ option_groups: [{ label: plain('Open'), options }] });
      }),
  );
  expect(await alice.search('Session', 'b')).toEqual([]);
  expect(asked).toEqual([]);
  expect(await alice.search('Session', 'bob')).toEqual(sessions.slice(0, 2));
  await alice.fill({ Session: 'eve', Others: sessions.slice(0, 2) });
  expect(shownBy(alice)).toEqual({ Session: sessions[2], Others: sessions.slice(0, 2) });
  await expect(alice.fill({ Session: 'mallory' })).rejects.toThrow(NoSuchOption);
  await expect(alice.fill({ Session: 'bob' })).rejects.toThrow(
    '"Session" offers several for "bob". It offers "12 – bob on pc-7", "13 – bob on pc-8".',
  );
  await expect(alice.fill({ Sessions: 'eve' })).rejects.toThrow(NotThere);
  await expect(alice.fill({ Session: { name: 'a', content: 'b' } })).rejects.toThrow(TypeError);
});

test('errors stand under their labels: those of Slack before the app hears of it, then those of the app', async () => {
  const { alice, told } = await withForm(
    [
      input('Note', { type: 'plain_text_input', min_length: 3, max_length: 8 }),
      input('Speed', { type: 'number_input', is_decimal_allowed: false, min_value: '1', max_value: '9' }),
    ],
    (app) =>
      app.view('form', async ({ ack }) =>
        ack({ response_action: 'errors', errors: { note: 'Nobody knows this ticket.' } }),
      ),
  );
  const errors = async (values: Record<string, string>) => {
    await alice.fill(values);
    await alice.submit();
    return alice.form()?.errors;
  };
  const required = 'Please complete this required field.';
  expect(await errors({})).toEqual({ Note: required, Speed: required });
  expect(await errors({ Note: 'ab', Speed: 'many' })).toEqual({
    Note: 'Please enter at least 3 characters.',
    Speed: 'Please enter a valid number.',
  });
  expect(await errors({ Note: 'far too long', Speed: '1.5' })).toEqual({
    Note: 'Please enter at most 8 characters.',
    Speed: 'Please enter a whole number.',
  });
  expect(await errors({ Note: 'fine', Speed: '10' })).toEqual({ Speed: 'Please enter 9 or less.' });
  expect(told).toEqual([]);
  expect(await errors({ Speed: '9' })).toEqual({ Note: 'Nobody knows this ticket.' });
});

test('a field that reports at once reaches the app, and the app can refuse a form', async () => {
  const { alice, told } = await withForm([
    input('Mode', { type: 'static_select', options: [option('Fast')] }, { dispatch_action: true }),
    { type: 'actions', elements: [button('check', 'Check')] },
  ]);
  await alice.fill({ Mode: 'Fast' });
  await alice.press('helpdesk', 'Check');
  expect(told).toMatchObject([
    { type: 'block_actions', actions: [{ selected_option: option('Fast') }], container: { type: 'view' } },
    { type: 'block_actions', actions: [{ action_id: 'check' }], container: { type: 'view' } },
  ]);
  await alice.dismiss();
  expect(alice.form()).toBeUndefined();
  await expect(alice.submit()).rejects.toThrow(NotThere);
});

test('buttons are found in threads, ephemeral messages, accessories, menus, the modal and the App Home', async () => {
  const { alice, told, web } = await withApp();
  const actions = (id: string, text: string) => [{ type: 'actions' as const, elements: [button(id, text)] }];
  const { ts = '' } = await web.chat.postMessage({
    channel: helpdesk,
    text: 'x',
    blocks: actions('root', 'Go'),
  });
  await web.chat.postMessage({
    channel: helpdesk,
    text: 'x',
    thread_ts: ts,
    blocks: actions('reply', 'Undo'),
  });
  await web.chat.postEphemeral({
    channel: helpdesk,
    user: 'U0ALICE001',
    text: 'x',
    blocks: actions('mine', 'Show'),
  });
  await web.chat.postMessage({
    channel: helpdesk,
    text: 'x',
    blocks: [
      { type: 'section', text: plain('Row'), accessory: button('beside', 'Details') },
      {
        type: 'actions',
        elements: [{ type: 'overflow', action_id: 'menu', options: [option('Stop it', 'stop')] }],
      },
    ],
  });
  await web.views.publish({ user_id: 'U0ALICE001', view: { type: 'home', blocks: actions('home', 'Go') } });
  for (const label of ['Go', 'Undo', 'Show', 'Details', 'Stop it']) await alice.press('helpdesk', label);
  await alice.press('home', 'Go');
  const ids = (told as { actions: { action_id: string }[] }[]).map(({ actions: [one] }) => one?.action_id);
  expect(ids).toEqual(['root', 'reply', 'mine', 'beside', 'menu', 'home']);
  expect(told[4]).toMatchObject({ actions: [{ selected_option: { value: 'stop' } }] });
  await expect(alice.press('helpdesk', 'Nothing')).rejects.toThrow(NoSuchButton);
});

test('a select of a message is chosen from by its placeholder or by the text beside it', async () => {
  const { alice, told, web, idled } = await withApp();
  const select = { type: 'static_select' as const, options: [option('North', 'n'), option('South', 's')] };
  await web.chat.postMessage({
    channel: helpdesk,
    text: 'x',
    blocks: [
      { type: 'actions', elements: [{ ...select, action_id: 'one', placeholder: plain('Where?') }] },
      { type: 'section', text: plain('Gateway'), accessory: { ...select, action_id: 'two' } },
    ],
  });
  const before = idled();
  expect(await alice.choose('helpdesk', 'Where?', 'South')).toEqual({ ok: true });
  await alice.choose('helpdesk', 'Gateway', 'North');
  expect(idled()).toBe(before + 2);
  expect(told).toMatchObject([
    { actions: [{ action_id: 'one', selected_option: { value: 's' } }] },
    { actions: [{ action_id: 'two', selected_option: { value: 'n' } }] },
  ]);
  await expect(alice.choose('helpdesk', 'Where?', 'West')).rejects.toThrow('It offers "North", "South".');
  await expect(alice.choose('helpdesk', 'Whither?', 'West')).rejects.toThrow(NotThere);
});

test('a file is posted, a shortcut runs on it, and what the bot posts can be read', async () => {
  const { alice, told, web } = await withApp((app) => app.shortcut('look_up', async ({ ack }) => ack()));
  await alice.attach('helpdesk', 'the fix', { name: 'fix.bin', content: 'bytes' });
  expect(String(alice.file('helpdesk', 'fix.bin'))).toBe('bytes');
  await web.chat.postEphemeral({ channel: helpdesk, user: 'U0ALICE001', text: 'psst' });
  expect(await alice.shortcut('#helpdesk', 'Look up links')).toEqual({ ok: true });
  expect(told.at(-1)).toMatchObject({
    type: 'message_action',
    callback_id: 'look_up',
    message: { text: 'the fix', files: [{ name: 'fix.bin' }] },
    trigger_id: expect.anything(),
    response_url: expect.anything(),
  });
  await web.filesUploadV2({ channel_id: helpdesk, filename: 'fix.bin', file: Buffer.from('newer') });
  expect(String(alice.file('helpdesk', 'fix.bin'))).toBe('newer');
  expect(() => alice.file('helpdesk', 'other.bin')).toThrow(NotThere);
  await expect(alice.shortcut('helpdesk', 'Nothing')).rejects.toThrow('There is "Look up links".');
});

test('a shortcut opens a form with its trigger', async () => {
  const { alice } = await withApp((app) =>
    app.shortcut('look_up', async ({ ack, shortcut, client: web }) => {
      const view = { type: 'modal' as const, title: plain('Links'), blocks: [] };
      await web.views.open({ trigger_id: shortcut.trigger_id, view });
      await ack();
    }),
  );
  await alice.type('helpdesk', 'see example.com');
  await alice.shortcut('helpdesk', 'look_up');
  expect(alice.form()).toMatchObject({ title: 'Links', submit: undefined });
  await expect(alice.submit()).rejects.toThrow(NoSuchButton);
});
