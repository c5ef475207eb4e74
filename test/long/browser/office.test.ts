import { App } from '@slack/bolt';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startHarbour } from '../../../sandbox/harbour.ts';
import type { Manifest } from '../../../sandbox/workspace/manifest.ts';
import { assets, startChromium } from '../../browser/chromium.ts';

const { open } = startChromium();

const manifest = (isReadOnly: boolean): Manifest => ({
  display_information: { name: 'Appliance Bot' },
  features: {
    bot_user: { display_name: 'appliance-bot' },
    app_home: { messages_tab_enabled: true, messages_tab_read_only_enabled: isReadOnly },
  },
  functions: {
    look_up: {
      title: 'Look up a site',
      input_parameters: {
        site: { type: 'string', title: 'Site', is_required: true },
        times: { type: 'integer', title: 'Times' },
        who: { type: 'slack#/types/user_id', title: 'Who' },
      },
      output_parameters: { category: { type: 'string' } },
    },
  },
  oauth_config: { scopes: { bot: ['chat:write', 'app_mentions:read', 'im:history', 'channels:read'] } },
  settings: {
    event_subscriptions: {
      bot_events: [
        'app_mention',
        'message.im',
        'member_joined_channel',
        'function_executed',
        'entity_details_requested',
      ],
    },
    function_runtime: 'remote',
    org_deploy_enabled: true,
  },
});

const outage = (status: string) => ({
  entity_type: 'slack#/entities/incident',
  url: 'https://tickets.example/7',
  external_ref: { id: '7' },
  entity_payload: {
    attributes: { title: { text: 'Outage' } },
    fields: { status: { value: status, label: 'State' } },
  },
});

/** The page before an app that answers mentions, direct messages and its step. */
async function withApp(isReadOnly = false) {
  const workspace = await startHarbour({
    page: assets,
    manifest: manifest(isReadOnly),
    channels: [{ id: 'C0HELPDESK', name: 'helpdesk', botIsMember: false }],
  });
  onTestFinished(() => workspace.stop());
  const app = new App({
    token: workspace.botToken,
    appToken: workspace.appToken,
    socketMode: true,
    clientOptions: { slackApiUrl: workspace.apiUrl },
  });
  app.event('app_mention', async ({ event, say }) => {
    await say({ text: `heard ${event.text.split('> ')[1]}`, thread_ts: event.thread_ts ?? event.ts });
  });
  app.message(async ({ message, say }) => {
    if (message.subtype === undefined) await say(`yes, ${message.text}`);
  });
  app.function('look_up', async ({ inputs, complete, fail }) => {
    if (inputs.site === 'no') await fail({ error: 'The appliance is away.' });
    else await complete({ outputs: { category: `News, ${inputs.times} times, for ${inputs.who}` } });
  });
  app.event('entity_details_requested', async ({ event, client }) => {
    await client.entity.presentDetails({ trigger_id: event.trigger_id, metadata: outage('Closed') });
  });
  await app.start();
  onTestFinished(async () => {
    await app.stop();
  });
  return { workspace, app, page: await open(workspace.url) };
}

describe('the page', () => {
  test('adds the app to a channel, and completes its name where it is mentioned', async () => {
    const { page, workspace } = await withApp();
    await page.getByRole('button', { name: 'Add Appliance Bot' }).click();
    await page.getByText('has joined the channel').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Add Appliance Bot' }).count()).toBe(0);

    const box = page.getByRole('textbox', { name: 'Message #helpdesk' });
    await box.fill('please, @appl');
    await page.getByRole('option', { name: '@appliance-bot' }).click();
    expect(await box.inputValue()).toBe('please, @appliance-bot ');
    await box.pressSequentially('status');
    await box.press('Enter');
    await expect
      .poll(() => workspace.snapshot('U0ALICE001').messages.at(-1))
      .toMatchObject({ text: 'heard status', thread_ts: expect.any(String) });
  });

  test('takes lines in the direct messages with the app', async () => {
    const { page } = await withApp();
    await page.getByRole('navigation').getByText('appliance-bot').first().click();
    const box = page.getByRole('textbox', { name: 'Message appliance-bot' });
    await box.fill('status');
    await box.press('Enter');
    await page.getByText('yes, status').waitFor();
  });

  test('lists direct messages of an app that takes none, without a text box', async () => {
    const { page, app } = await withApp(true);
    const direct = page.getByRole('button', { name: 'appliance-bot' });
    expect(await direct.count()).toBe(0);
    await app.client.chat.postMessage({ channel: 'U0ALICE001', text: 'Emergency mode is still on' });
    await direct.click();
    const here = page.getByRole('region', { name: 'appliance-bot' });
    await here.getByText('Emergency mode is still on').waitFor();
    await here.getByText('Sending messages to this app has been turned off.').waitFor();
    expect(await page.getByRole('textbox').count()).toBe(0);
  });

  test('shows the entity of a message, and its details once it is opened', async () => {
    const { page, app, workspace } = await withApp();
    const { id: channel } = workspace.direct('U0ALICE001');
    await app.client.chat.postMessage({ channel, text: 'Look', metadata: { entities: [outage('Open')] } });
    await page.getByRole('navigation').getByText('appliance-bot').first().click();
    const shown = page.getByRole('region', { name: 'Outage' });
    await shown
      .getByRole('definition')
      .filter({ hasText: /^Open$/ })
      .waitFor();
    await shown.getByRole('button', { name: 'Open Outage' }).click();
    await shown
      .getByRole('definition')
      .filter({ hasText: /^Closed$/ })
      .waitFor();
    await shown.getByRole('button', { name: 'Refresh Outage' }).waitFor();
  });

  test('runs a step with the entered values, and shows its outcome', async () => {
    const { page } = await withApp();
    await page.getByRole('button', { name: 'Steps', exact: true }).click();
    const panel = page.getByRole('complementary', { name: 'Steps' });
    await panel.getByRole('textbox', { name: 'Site' }).fill('a.example');
    await panel.getByRole('textbox', { name: 'Times' }).fill('3');
    await panel.getByRole('combobox', { name: 'Who' }).selectOption('bob');
    await panel.getByRole('button', { name: 'Run' }).click();
    await panel.getByText('Completed: {"category":"News, 3 times, for U0BOB00001"}').waitFor();
    await panel.getByRole('textbox', { name: 'Site' }).fill('no');
    await panel.getByRole('button', { name: 'Run' }).click();
    await panel.getByText('Failed: The appliance is away.').waitFor();
    await panel.getByRole('textbox', { name: 'Times' }).fill('often');
    await panel.getByRole('button', { name: 'Run' }).click();
    await page.getByText('The input times must be an integer.').waitFor();
    if (process.env.SHOT) await page.screenshot({ path: process.env.SHOT });
  });
});
