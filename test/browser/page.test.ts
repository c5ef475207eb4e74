import { describe, expect, test } from 'vitest';
import { startChromium } from './chromium.ts';

const { visit } = startChromium();

// All of the page: `test/long/browser`.
describe('the page', () => {
  test('opens as alice in #helpdesk at the bare address, and says what to try', async () => {
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

  test('is of use on a phone', async () => {
    const { page, send } = await visit({ width: 390, height: 780 });
    await send('/appliance rdp disconnect 12');
    await page.getByRole('button', { name: /^Disconnect: / }).click();
    await page.getByText('Session 12 of bob.miller on srv-files-01 disconnected').waitFor();
    const width = await page.evaluate('document.documentElement.scrollWidth');
    expect(width).toBeLessThanOrEqual(390);
  });
});
