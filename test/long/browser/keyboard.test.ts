import { WebClient } from '@slack/web-api';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { startChromium } from '../../browser/chromium.ts';
import { everyBlock } from './every-block.ts';

const { visit } = startChromium();

const phone = { width: 390, height: 844 };

const hasFocus = async (element: Locator) =>
  (await element.and(element.page().locator(':focus')).count()) > 0;
/** On itself, or on something inside of it. */
const holdsFocus = async (element: Locator) =>
  (await hasFocus(element)) || (await element.locator(':focus').count()) > 0;

/** An admin's page, with everything that an app can post in #helpdesk. */
async function withBlocks() {
  const here = await visit();
  const { url, apiUrl, botToken } = here.sandbox.workspace;
  const client = new WebClient(botToken, { slackApiUrl: apiUrl });
  await here.page.goto(`${url}/?as=U0DANA0001`);
  await client.chat.postMessage({ channel: 'C0HELPDESK', text: 'x', blocks: everyBlock });
  await here.page.getByText('The last block').waitFor();
  return { ...here, client };
}

const lastMessage = (page: Page) => page.getByRole('article').last();

describe('the page, by keyboard', () => {
  test.each(['Shortcuts', 'More options'])(
    'enters the menu of %s, and returns to its button',
    async (name) => {
      const { page } = await withBlocks();
      const button = page.getByRole('button', { name });
      await button.focus();
      await page.keyboard.press('Enter');
      await expect.poll(() => holdsFocus(page.getByRole('menu'))).toBe(true);
      await page.keyboard.press('Escape');
      expect(await page.getByRole('menu').count()).toBe(0);
      expect(await hasFocus(button)).toBe(true);
    },
  );

  test('closes the list of a select by Escape, and stays in its box', async () => {
    const { page } = await withBlocks();
    const box = page.getByRole('combobox', { name: 'Pick one' });
    await box.focus();
    await page.keyboard.press('ArrowDown');
    await page.getByRole('listbox', { name: 'Pick one' }).waitFor();
    await page.keyboard.press('Escape');
    expect(await page.getByRole('listbox').count()).toBe(0);
    expect(await hasFocus(box)).toBe(true);
  });

  test('stays on a card that is drawn anew after its button', async () => {
    const { page, send } = await withBlocks();
    await send('/appliance rdp restart');
    await page.getByRole('button', { name: 'Cancel' }).press('Enter');
    await expect.poll(() => page.getByRole('button', { name: 'Cancel' }).count()).toBe(0);
    expect(await holdsFocus(lastMessage(page))).toBe(true);
  });

  test('scrolls a table that is wider than a phone, in its own frame', async () => {
    const { page, send } = await visit(phone);
    await send('/appliance rdp policies');
    await page.getByRole('button', { name: '1 reply' }).click();
    const frame = page.getByRole('region', { name: /^Table of ID, Name, State/ });
    await frame.waitFor();
    await page.getByText('Scroll sideways for all 6 columns').waitFor();
    expect(await frame.getByRole('columnheader').allInnerTexts()).toContain('Members');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(phone.width);
    // Wide enough for a word: no column stands letter under letter.
    for (const cell of await frame.getByRole('columnheader').all())
      expect((await cell.boundingBox())?.height).toBeLessThan(40);
    await frame.focus();
    await page.keyboard.press('ArrowRight');
    await expect
      .poll(() => page.evaluate('document.querySelector(".table-frame").scrollLeft'))
      .toBeGreaterThan(0);
  });
});

describe('the page', () => {
  test('lets a person edit their own message, and nobody else’s', async () => {
    const { page, send } = await withBlocks();
    await send('ask @bob about a & b');
    const message = page.getByRole('article').filter({ hasText: 'about a & b' });
    await message.hover();
    await message.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Edit message' }).click();
    const box = page.getByRole('textbox', { name: 'Edit message' });
    expect(await box.inputValue()).toBe('ask @bob about a & b');
    await box.fill('ask @bob about c');
    await box.press('Enter');
    await lastMessage(page).getByText('(edited)').waitFor();
    expect(await lastMessage(page).innerText()).toContain('ask @bob about c');
    expect(await holdsFocus(lastMessage(page))).toBe(true);
    const other = page.getByRole('article').first();
    await other.hover();
    await other.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem').first().waitFor();
    expect(await page.getByRole('menuitem', { name: 'Edit message' }).count()).toBe(0);
  });

  test('shows the app’s attachments under a message', async () => {
    const { page, client } = await withBlocks();
    await client.chat.postMessage({
      channel: 'C0HELPDESK',
      text: 'See the ticket',
      attachments: [
        { color: 'danger', title: 'Ticket 7', title_link: 'https://tickets.example/7', text: 'It is *open*' },
        { blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'Since `Monday`' } }] },
      ],
    });
    const message = page.getByRole('article').filter({ hasText: 'See the ticket' });
    await message.getByRole('link', { name: 'Ticket 7' }).waitFor();
    expect(await message.innerText()).toMatch(/It is open[\s\S]*Since\s+Monday/);
  });

  test('shows a mistake of a form beside its text, not over it', async () => {
    const { page, send } = await withBlocks();
    await send('/appliance category add');
    const form = page.getByRole('dialog');
    await form.getByRole('button', { name: 'Add' }).click();
    const notice = await form.getByText('Please look at the marked fields.').boundingBox();
    const body = await form.locator('.dialog-body').boundingBox();
    expect((notice?.y ?? 999) + (notice?.height ?? 999)).toBeLessThanOrEqual(body?.y ?? 0);
    const field = form.getByRole('combobox', { name: 'Category' });
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    expect(await field.getAttribute('aria-required')).toBe('true');
    const [error] = ((await field.getAttribute('aria-describedby')) ?? '').split(' ');
    expect(await form.locator(`[id="${error}"]`).innerText()).toBe('Please complete this required field.');
  });

  test.each([
    ['names an emoji that the fonts here cannot draw', '', ':pushpin:'],
    ['draws an emoji for which there is a font', 'this.fillStyle = "red"; this.fillRect(0, 0, 9, 9);', '📌'],
  ])('%s', async (_, draws, shown) => {
    const { page } = await withBlocks();
    await page.addInitScript(`CanvasRenderingContext2D.prototype.fillText = function () { ${draws} }`);
    await page.reload();
    await expect.poll(() => lastMessage(page).innerText()).toContain(shown);
  });
});
