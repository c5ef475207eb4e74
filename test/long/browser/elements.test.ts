import { App, type BlockElementAction } from '@slack/bolt';
import type { KnownBlock } from '@slack/types';
import type { Locator } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startHarbour } from '../../../sandbox/harbour.ts';
import type { Manifest } from '../../../sandbox/workspace/manifest.ts';
import { assets, startChromium } from '../../browser/chromium.ts';

const { open } = startChromium();

/** The page with a bare Bolt app behind it: Block Kit's elements beyond those of our commands. */
async function withApp() {
  const workspace = await startHarbour({ page: assets, manifest });
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
  const page = await open(workspace.url);
  /** Presses what opens the browser's own file dialog, and picks these files in it. */
  const pick = async (opener: Locator, ...files: readonly { name: string; content: string }[]) => {
    const dialog = page.waitForEvent('filechooser');
    await opener.click();
    await (await dialog).setFiles(
      files.map(({ name, content }) => ({ name, mimeType: '', buffer: Buffer.from(content) })),
    );
  };
  return { workspace, app, actions, post, page, pick };
}

const manifest: Manifest = {
  features: {
    slash_commands: [{ command: '/appliance' }],
    shortcuts: [{ type: 'message', callback_id: 'send_file', name: 'Send to appliance', description: '' }],
  },
  oauth_config: { scopes: { bot: ['commands', 'chat:write', 'files:read', 'files:write'] } },
};

const plain = (text: string) => ({ type: 'plain_text' as const, text });

describe('the page', () => {
  test('sends the click of a button with a confirm dialog only after the confirmation', async () => {
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

  test('sends the choice of a select', async () => {
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

  test('opens a form, shows its mistakes, and sends its values', async () => {
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

  test('posts the files that were attached, with their names, sizes and a look inside', async () => {
    const { page, pick, workspace } = await withApp();
    const attach = page.getByRole('button', { name: 'Attach a file' });
    await pick(
      attach,
      { name: 'hits.csv', content: 'site,hits\na.example,7\n' },
      { name: 'b.txt', content: 'b' },
    );
    await page.getByRole('button', { name: 'Remove b.txt' }).click();
    await page.getByRole('button', { name: 'Send' }).click();
    const files = page.getByRole('list', { name: 'Files', exact: true });
    await files.getByText('CSV · 22 B').waitFor();
    expect(await files.getByRole('cell', { name: 'a.example' }).count()).toBe(1);
    const saving = page.waitForEvent('download');
    await files.getByRole('link', { name: 'Download hits.csv' }).click();
    expect((await saving).suggestedFilename()).toBe('hits.csv');
    expect(workspace.snapshot('U0BOB00001').messages).toMatchObject([
      { text: '', files: [{ name: 'hits.csv' }] },
    ]);
    await expect.poll(() => page.getByRole('list', { name: 'Files to send' }).count()).toBe(0);
  });

  test('keeps a picked file that could not be sent', async () => {
    const { page, pick } = await withApp();
    await pick(page.getByRole('button', { name: 'Attach a file' }), { name: 'a.txt', content: 'a' });
    const composer = page.getByRole('textbox', { name: 'Message #helpdesk' });
    await composer.fill('/appliance upgrade');
    await composer.press('Enter');
    await page.getByText('A slash command cannot carry a file.').waitFor();
    expect(await page.getByRole('button', { name: 'Remove a.txt' }).count()).toBe(1);
  });

  test('shows a picture that the app posted, with its description', async () => {
    const { page, app } = await withApp();
    await app.client.filesUploadV2({
      channel_id: 'C0HELPDESK',
      filename: 'plot.png',
      alt_text: 'Hits by day',
      file: Buffer.from(
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
        'base64',
      ),
    });
    const picture = page.getByRole('img', { name: 'Hits by day' });
    await picture.waitFor();
    await expect.poll(() => page.evaluate('document.querySelector(".file-image").naturalWidth')).toBe(1);
  });

  test('runs a message shortcut from the menu of a message, whose form takes a file and searches live', async () => {
    const { page, pick, app } = await withApp();
    const asked: string[] = [];
    const sent: unknown[] = [];
    app.shortcut('send_file', async ({ ack, shortcut, client }) => {
      await client.views.open({
        trigger_id: shortcut.trigger_id,
        view: {
          type: 'modal',
          callback_id: 'upgrade',
          title: plain('Upgrade'),
          submit: plain('Go'),
          blocks: [
            {
              type: 'input',
              block_id: 'file',
              label: plain('Hotfix'),
              element: { type: 'file_input', action_id: 'it', max_files: 1 },
            },
            {
              type: 'input',
              block_id: 'session',
              label: plain('Session'),
              element: { type: 'external_select', action_id: 'session', min_query_length: 2 },
            },
          ],
        },
      });
      await ack();
    });
    app.options('session', async ({ ack, payload }) => {
      asked.push(payload.value);
      const options = ['12', '13'].map((id) => ({ text: plain(`${id} ${payload.value}`), value: id }));
      await ack({ option_groups: [{ label: plain('Open now'), options }] });
    });
    app.view('upgrade', async ({ ack, view }) => {
      const { file, session } = view.state.values;
      sent.push([file?.it?.files?.[0]?.name, session?.session?.selected_option?.value]);
      if (sent.length > 1) await ack();
      else await ack({ response_action: 'errors', errors: { file: 'This is no hotfix.' } });
    });

    const composer = page.getByRole('textbox', { name: 'Message #helpdesk' });
    await composer.fill('please install this');
    await composer.press('Enter');
    const message = page.getByRole('article').filter({ hasText: 'please install this' });
    await message.hover();
    await message.getByRole('button', { name: 'More actions' }).click();
    const entry = page.getByRole('menuitem', { name: 'Send to appliance' });
    const { x = 0, width = 9999 } = (await entry.boundingBox()) ?? {};
    expect(x + width).toBeLessThanOrEqual(1280);
    await entry.click();

    const form = page.getByRole('dialog', { name: 'Upgrade' });
    const opener = form.getByRole('button', { name: 'Upload a file: Hotfix' });
    await pick(opener, { name: 'old.bin', content: 'x' });
    await form.getByRole('button', { name: 'Remove old.bin' }).click();
    await pick(opener, { name: 'new.bin', content: 'x' });
    await form.getByText('new.bin').waitFor();

    const search = form.getByRole('combobox', { name: 'Session' });
    await search.click();
    await search.pressSequentially('b');
    await form.getByText('Keep typing to search…').waitFor();
    await search.pressSequentially('ob');
    await form.getByText('Open now', { exact: true }).waitFor();
    await form.getByRole('option', { name: '13 bob' }).click();
    expect(asked).not.toContain('b');

    await form.getByRole('button', { name: 'Go' }).click();
    await form.getByText('This is no hotfix.').waitFor();
    await form.getByRole('button', { name: 'Go' }).click();
    await expect.poll(() => form.count()).toBe(0);
    expect(sent).toEqual([
      ['new.bin', '13'],
      ['new.bin', '13'],
    ]);
  });

  test('offers no shortcut on a message that only one person sees', async () => {
    const { page, app } = await withApp();
    await app.client.chat.postEphemeral({ channel: 'C0HELPDESK', user: 'U0ALICE001', text: 'psst' });
    await page.getByText('psst').hover();
    expect(await page.getByRole('button', { name: 'More actions' }).count()).toBe(0);
  });

  test('draws charts, and tables of data page by page', async () => {
    const { page, app } = await withApp();
    const data = ['Mon', 'Tue'].map((label, index) => ({ label, value: index + 1 }));
    const chart = {
      type: 'bar',
      series: [{ name: 'Syncs', data }],
      axis_config: { categories: ['Mon', 'Tue'] },
    };
    const cell = (text: string) => ({ type: 'raw_text', text });
    const rows = ['Name', 'Ada', 'Ben', 'Cem'].map((name) => [cell(name)]);
    await app.client.apiCall('chat.postMessage', {
      channel: 'C0HELPDESK',
      text: 'x',
      blocks: [
        { type: 'data_visualization', title: 'Syncs by day', chart },
        { type: 'data_table', caption: 'People', page_size: 2, rows },
      ],
    });
    await page.getByText('Syncs by day').first().waitFor();
    const names = page.getByRole('cell');
    await expect.poll(() => names.allInnerTexts()).toEqual(['Ada', 'Ben']);
    await page.getByRole('button', { name: 'Next rows' }).click();
    await expect.poll(() => names.allInnerTexts()).toEqual(['Cem']);
    await page.getByText('3–3 of 3').waitFor();
    expect(await page.getByRole('button', { name: 'Next rows' }).isDisabled()).toBe(true);
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
