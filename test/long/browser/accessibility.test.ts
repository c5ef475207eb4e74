import { WebClient } from '@slack/web-api';
import { describe, expect, test } from 'vitest';
import { violations } from '../../browser/axe.ts';
import { startChromium } from '../../browser/chromium.ts';
import { everyNth } from '../../size.ts';
import { attachments, everyBlock } from './every-block.ts';

const { visit } = startChromium();

const sizes = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } } as const;

/** Some screens (by their names’ lengths) in the light theme on a desktop and in the dark one on a phone, the rest the other way about. */
const every = everyNth(2);

describe.each(['light', 'dark'] as const)('in the %s theme', (colorScheme) => {
  test.each(['desktop', 'phone'] as const)('every screen is accessible: %s', async (size) => {
    const { page, sandbox, send } = await visit(sizes[size]);
    await page.emulateMedia({ colorScheme });
    const found: Record<string, readonly string[]> = {};
    const turn = Number(colorScheme === 'dark') + Number(size === 'phone');
    const look = async (screen: string) => {
      if ((screen.length + turn) % every === 0) found[screen] = await violations(page);
    };
    const button = (name: string | RegExp) => page.getByRole('button', { name });
    /** On a phone the sidebar has to be opened first. */
    const go = async (name: string | RegExp) => {
      if (size === 'phone') await button('Channels and people').click();
      await button(name).click();
    };
    const { apiUrl, botToken } = sandbox.workspace;
    const client = new WebClient(botToken, { slackApiUrl: apiUrl });

    // An admin, to whom nothing is refused.
    await page.goto(`${sandbox.workspace.url}/?as=U0DANA0001`);
    await button('Shortcuts').waitFor();
    await look('an empty channel');
    const composer = page.getByRole('textbox', { name: 'Message #helpdesk' });
    await composer.pressSequentially('/app');
    await page.getByRole('listbox', { name: 'Slash commands' }).waitFor();
    await look('suggestions of commands');
    await composer.fill('@');
    await page.getByRole('listbox', { name: 'People' }).waitFor();
    await look('suggestions of people');

    await send('/appliance categorize example.com');
    await page.getByText('is in 1 category:').waitFor();
    await send('/appliance kick bob');
    await page.getByText('Only visible to you').waitFor();
    await send('/appliance rdp restart');
    await button('Cancel').waitFor();
    await send('/appliance audit');
    await button('1 reply').last().waitFor();
    await send('Thank you, <@U0BOB00001>, look at https://a.example and `b`');
    await look('a channel');

    const message = page.getByRole('article').filter({ hasText: 'Thank you' });
    await message.hover();
    await message.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menu').waitFor();
    await look('the menu of a message');
    await page.getByRole('menuitem', { name: 'Edit message' }).click();
    await look('the editing of a message');
    await page.keyboard.press('Escape');
    await button('Shortcuts').click();
    await look('the menu of shortcuts');
    await page.keyboard.press('Escape');
    await button('1 reply').last().click();
    await page.getByRole('complementary', { name: 'Thread' }).waitFor();
    await look('a thread');
    await button('Close thread').click();

    await go('incident');
    await client.chat.postMessage({ channel: 'C0INCIDENT', text: 'x', blocks: everyBlock, attachments });
    await page.getByText('The last block').waitFor();
    await look('every block');
    await button('More options').click();
    await page.getByRole('menu').waitFor();
    await look('an overflow menu');
    await page.keyboard.press('Escape');
    await page.getByRole('combobox', { name: 'Pick one' }).click();
    await page.getByRole('listbox').waitFor();
    await look('the list of a select');
    await page.keyboard.press('Escape');
    await button('Ask').click();
    await page.getByRole('dialog').waitFor();
    await look('a confirmation');
    await page.keyboard.press('Escape');

    await go('helpdesk');
    await send('/appliance category add');
    const form = page.getByRole('dialog');
    await form.waitFor();
    await look('a form');
    await form.getByRole('button', { name: 'Add' }).click();
    await form.getByRole('alert').first().waitFor();
    await look('a form with errors');
    await form.getByRole('combobox', { name: 'Category' }).click();
    await form.locator('.picker-list').waitFor();
    await look('the list of a select in a form');
    await page.keyboard.press('Escape');
    await form.getByRole('button', { name: 'Close' }).click();

    await go('Appliance Bot');
    await page.getByText('Your commands').waitFor();
    await look('the Home tab');
    if (size === 'phone') {
      await button('Channels and people').click();
      await look('the sidebar');
    }
    await button(/^You are /).click();
    await look('the menu of people');
    await page.keyboard.press('Escape');
    if (size === 'phone') await button('Channels and people').click();

    for (const panel of ['Slack', 'Appliance']) {
      await page.getByRole('button', { name: panel, exact: true }).click();
      await page.getByRole('complementary', { name: panel }).waitFor();
      await look(`the panel ${panel}`);
    }
    expect(Object.entries(found).filter(([, { length }]) => length > 0)).toEqual([]);
  });
});
