import { WebClient } from '@slack/web-api';
import { describe, expect, test } from 'vitest';
import { startChromium } from '../../browser/chromium.ts';

const { visit } = startChromium();

describe('the page', () => {
  test('shows the hint of the slash command while it is typed', async () => {
    const { page } = await visit();
    await page.getByRole('textbox', { name: 'Message #helpdesk' }).pressSequentially('/app');
    const option = page.getByRole('listbox', { name: 'Slash commands' }).getByRole('option');
    await expect.poll(() => option.innerText()).toContain('rdp disconnect 12');
  });

  test('shows a short answer with its details in the channel, and those of a long one in the thread', async () => {
    const { page, send } = await visit();
    await send('/appliance categorize example.com');
    await page.getByText('is in 1 category:').waitFor();
    expect(await page.getByRole('cell', { name: '252' }).count()).toBe(1);
    await send('/appliance rdp sessions');
    await page.getByRole('button', { name: '1 reply' }).click();
    const thread = page.getByRole('complementary', { name: 'Thread' });
    await expect.poll(() => thread.getByRole('cell', { name: 'bob.miller' }).count()).toBeGreaterThan(0);
  });

  test('keeps a suggestion that one person took out of the message box of the next', async () => {
    const { page, become } = await visit();
    const box = page.getByRole('textbox', { name: 'Message #helpdesk' });
    await page.getByRole('button', { name: '/appliance status' }).click();
    await expect.poll(() => box.inputValue()).toBe('/appliance status');
    await become('bob');
    expect(await box.inputValue()).toBe('');
  });

  test('shows a refusal to the person alone', async () => {
    const { page, send, become } = await visit();
    await become('vic');
    await send('/appliance rdp disconnect 12');
    await page.getByText('Your role here is').waitFor();
    expect(await page.getByText('Only visible to you').count()).toBe(1);
    await become('dana');
    expect(await page.getByText('Your role here is').count()).toBe(0);
  });

  test('shows the App Home', async () => {
    const { page } = await visit();
    await page.getByRole('button', { name: 'Appliance Bot' }).click();
    const home = page.getByRole('region', { name: 'Appliance Bot Home' });
    await home.getByText('Your commands').waitFor();
    expect(await home.getByRole('button', { name: 'Run a command' }).count()).toBe(1);
  });

  test('runs a command by the shortcut beside the message box, and by the button of App Home', async () => {
    const { page } = await visit();
    const form = page.getByRole('dialog', { name: 'Run a command' });
    const pick = async (typed: string, option: RegExp) => {
      await form.getByRole('combobox').fill(typed);
      await page.getByRole('option', { name: option }).click();
      await form.getByRole('button', { name: 'Continue' }).click();
    };
    await page.getByRole('button', { name: 'Shortcuts' }).click();
    await page.getByRole('menuitem', { name: /^Run a command/ }).click();
    await pick('incident', /^#incident – hq/);
    await form.getByText('Runs in #incident.').waitFor();
    await pick('sessions', /rdp sessions – List open/);
    await page.getByRole('button', { name: 'incident' }).click();
    await page.getByText('15 remote-desktop sessions open').waitFor();

    await page.getByRole('button', { name: 'Appliance Bot' }).click();
    await page.getByRole('button', { name: 'Run a command' }).click();
    await pick('help', /^#helpdesk – hq/);
    await form.getByText('Runs in #helpdesk.').waitFor();
  });

  test('shows the bot’s direct messages to a person, who can answer there', async () => {
    const { page, sandbox, become } = await visit();
    const { apiUrl, botToken } = sandbox.workspace;
    await new WebClient(botToken, { slackApiUrl: apiUrl }).chat.postMessage({
      channel: 'U0DANA0001',
      text: 'Emergency mode is still on',
    });
    await become('dana');
    await page.getByRole('button', { name: 'appliance-bot' }).click();
    const here = page.getByRole('region', { name: 'appliance-bot' });
    await here.getByText('Emergency mode is still on').waitFor();
    await here.getByRole('textbox', { name: 'Message appliance-bot' }).waitFor();
  });

  test('asks nothing of any other machine', async () => {
    const { page, sandbox, send } = await visit();
    const strangers: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(sandbox.workspace.url) && !request.url().startsWith('data:'))
        strangers.push(request.url());
    });
    await page.reload();
    await send('/appliance help');
    await page.getByText('What you can run here').waitFor();
    expect(strangers).toEqual([]);
  });
});
