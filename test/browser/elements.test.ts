import { App, type BlockElementAction } from '@slack/bolt';
import type { KnownBlock } from '@slack/types';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startWorkspace } from '../../sandbox/workspace/server.ts';
import { assets, startChromium } from './chromium.ts';

const { open } = startChromium();

/** The page with a bare Bolt app behind it: what Block Kit offers beyond what our commands use today. */
async function withApp() {
  const workspace = await startWorkspace({ page: assets });
  onTestFinished(() => workspace.stop());
  const app = new App({
    token: workspace.botToken,
    appToken: workspace.appToken,
    socketMode: true,
    clientOptions: { slackApiUrl: workspace.apiUrl },
  });
  const actions: BlockElementAction[] = [];
  app.action(/^(restart|pick)$/, async ({ ack, action }) => {
    await ack();
    // Without attachments and dialogs every action is one of a block.
    actions.push(action as BlockElementAction);
  });
  await app.start();
  onTestFinished(async () => {
    await app.stop();
  });
  const post = (...blocks: KnownBlock[]) =>
    app.client.chat.postMessage({ channel: 'C0HELPDESK', text: 'x', blocks });
  return { app, actions, post, page: await open(workspace.url) };
}

const plain = (text: string) => ({ type: 'plain_text' as const, text });

describe('the page', () => {
  test('sends the click of a button with a confirm dialog only after the yes', async () => {
    const { page, post, actions } = await withApp();
    const confirm = {
      title: plain('Restart the gateway?'),
      text: plain('Everybody is thrown out.'),
      confirm: plain('Restart'),
      deny: plain('Keep it'),
    };
    await post({
      type: 'actions',
      elements: [{ type: 'button', action_id: 'restart', text: plain('Restart…'), confirm }],
    });
    await page.getByRole('button', { name: 'Restart…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Keep it' }).click();
    expect(actions).toEqual([]);
    await page.getByRole('button', { name: 'Restart…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Restart', exact: true }).click();
    await expect.poll(() => actions.map(({ action_id }) => action_id)).toEqual(['restart']);
  });

  test('sends what was chosen in a select', async () => {
    const { page, post, actions } = await withApp();
    const options = ['north', 'south'].map((value) => ({ text: plain(value), value }));
    await post({
      type: 'actions',
      elements: [{ type: 'static_select', action_id: 'pick', placeholder: plain('Pick one'), options }],
    });
    await page.getByRole('combobox', { name: 'Pick one' }).click();
    await page.getByRole('option', { name: 'south' }).click();
    await expect
      .poll(() => actions)
      .toMatchObject([{ action_id: 'pick', selected_option: { value: 'south' } }]);
  });

  test('opens a form, shows what is wrong with it, and sends what was filled in', async () => {
    const { page, post, app } = await withApp();
    const sent: (string | null | undefined)[] = [];
    app.action('open_form', async ({ body, client }) => {
      if (body.type !== 'block_actions') return;
      const reason = { type: 'plain_text_input' as const, action_id: 'text' };
      await client.views.open({
        trigger_id: body.trigger_id,
        view: {
          type: 'modal',
          callback_id: 'form',
          title: plain('Why?'),
          submit: plain('Send'),
          blocks: [{ type: 'input', block_id: 'reason', label: plain('Reason'), element: reason }],
        },
      });
    });
    app.view('form', async ({ ack, view }) => {
      const value = view.state.values.reason?.text?.value;
      sent.push(value);
      if (value === 'no') await ack({ response_action: 'errors', errors: { reason: 'That is no reason.' } });
      else await ack();
    });
    await post({
      type: 'actions',
      elements: [{ type: 'button', action_id: 'open_form', text: plain('Explain') }],
    });
    await page.getByRole('button', { name: 'Explain' }).click();
    const form = page.getByRole('dialog', { name: 'Why?' });
    await form.getByRole('textbox', { name: 'Reason' }).fill('no');
    await form.getByRole('button', { name: 'Send' }).click();
    await form.getByText('That is no reason.').waitFor();
    await form.getByRole('textbox', { name: 'Reason' }).fill('ticket 4711');
    await form.getByRole('button', { name: 'Send' }).click();
    await expect.poll(() => form.count()).toBe(0);
    expect(sent).toEqual(['no', 'ticket 4711']);
  });

  test('keeps hostile text as text', async () => {
    const { page, post } = await withApp();
    const text = '<script>document.title="owned"</script> <!channel> <img src=x onerror=alert(1)>';
    await post({
      type: 'rich_text',
      elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text }] }],
    });
    await page.getByText('<!channel>').waitFor();
    expect(await page.title()).not.toBe('owned');
  });
});
