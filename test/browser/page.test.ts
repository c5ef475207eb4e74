import { describe, expect, test } from 'vitest';
import { startChromium } from './chromium.ts';

const { visit } = startChromium();

// All of the page: `test/long/browser`.
describe('the page', () => {
  test('opens as alice in #helpdesk at the bare address, and suggests a first command', async () => {
    const { page } = await visit();
    expect(await page.getByRole('button', { name: /^You are alice.*Helpdesk/ }).isVisible()).toBe(true);
    await page.getByRole('button', { name: '/appliance categorize example.com' }).click();
    const composer = page.getByRole('textbox', { name: 'Message #helpdesk' });
    await expect.poll(() => composer.inputValue()).toBe('/appliance categorize example.com');
  });

  test('plays the disconnection of a session with its buttons, and keeps them from others', async () => {
    const { page, send, become, sandbox } = await visit();
    await send('/appliance rdp disconnect 12');
    const disconnect = page.getByRole('button', { name: /^Disconnect: / });
    await disconnect.waitFor();

    await become('bob');
    await disconnect.click();
    await page.getByText('who asked for it, can press').waitFor();
    expect(await page.getByText('Only visible to you').count()).toBe(1);

    await become('alice');
    await disconnect.click();
    await page.getByText('Session 12 of bob.miller on srv-files-01 disconnected').waitFor();
    await expect.poll(() => disconnect.count()).toBe(0);
    await page.getByText('12 is gone, 14 other sessions open.').waitFor();
    expect(sandbox.appliance?.state.rdp.sessions.has(12)).toBe(false);
  });

  test('forwards a message to another channel, with a line that the bot reads it with', async () => {
    const { page, send } = await visit();
    await send('somebody complains that bad.example is open');
    const message = page.getByRole('article').filter({ hasText: 'somebody complains' });
    await message.hover();
    await message.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Forward message' }).click();
    const form = page.getByRole('dialog', { name: 'Forward this message' });
    expect(await form.getByRole('combobox', { name: 'Channel' }).inputValue()).toBe('C0HELPDESK');
    await form.getByText('somebody complains that bad.example is open').waitFor();
    await form.getByRole('combobox', { name: 'Channel' }).selectOption({ label: '#incident' });
    await form.getByRole('textbox', { name: 'Message' }).fill('see this');
    await form.getByRole('button', { name: 'Forward' }).click();
    await expect.poll(() => form.count()).toBe(0);
    await page.getByRole('button', { name: /^#?\s*incident/ }).click();
    const forwarded = page.getByRole('article').filter({ hasText: 'see this' });
    await forwarded.getByText('somebody complains that bad.example is open').waitFor();
    await forwarded.getByText('Posted in #helpdesk').waitFor();

    // A forwarded message can be forwarded further; Escape cancels it.
    await forwarded.hover();
    await forwarded.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Forward message' }).click();
    await form.waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => form.count()).toBe(0);
    expect(await page.getByRole('article').filter({ hasText: 'see this' }).count()).toBe(1);
  });

  test('brings whoever has scrolled up to the answer of the line that they send', async () => {
    const { page, send } = await visit({ width: 390, height: 600 });
    await send('/appliance help');
    await send('/appliance why live-betting.example');
    await page.getByText('No betting at work').first().waitFor();
    await page
      .locator('.messages')
      .first()
      .evaluate((box) => box.scrollTo(0, 0));
    await send('/appliance rdp disconnect 12');
    const button = page.getByRole('button', { name: /^Disconnect: / });
    await button.waitFor();
    await expect
      .poll(() =>
        button.evaluate(
          (one) => one.getBoundingClientRect().bottom < one.ownerDocument.documentElement.clientHeight,
        ),
      )
      .toBe(true);
  });

  test('shows all of help on the screen of a phone', async () => {
    const { page, send, become } = await visit();
    await become('dana');
    await page.setViewportSize({ width: 390, height: 844 });
    await send('/appliance help');
    const answer = page.getByRole('article').last();
    await answer.getByRole('button', { name: 'Servers and software' }).waitFor();
    const visible = await page.locator('.messages').evaluate((box) => box.clientHeight);
    expect((await answer.boundingBox())?.height).toBeLessThanOrEqual(visible);
  });

  test('works on a phone', async () => {
    const { page, send } = await visit({ width: 390, height: 780 });
    await send('/appliance rdp disconnect 12');
    await page.getByRole('button', { name: /^Disconnect: / }).click();
    await page.getByText('Session 12 of bob.miller on srv-files-01 disconnected').waitFor();
    const width = await page.evaluate('document.documentElement.scrollWidth');
    expect(width).toBeLessThanOrEqual(390);
  });
});
