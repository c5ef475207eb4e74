import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { askedFor, serveBlockPage } from '../../block-page-server.ts';
import { violations } from '../../browser/axe.ts';
import { startChromium } from '../../browser/chromium.ts';

const { blank } = startChromium();

const sizes = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } } as const;

const states = [
  ...['checking', 'open', 'allowing', 'allowed', 'failed', 'not_blocked', 'not_askable', 'denied'],
  ...['expired', 'over', 'not_taken', 'not_found'],
] as const;

/** Faults of the layout that axe-core does not find: the page is wider than the screen. */
async function flaws(page: Page): Promise<readonly string[]> {
  const wide = await page.evaluate<boolean>('document.documentElement.scrollWidth > window.innerWidth');
  return [...(await violations(page)), ...(wide ? ['wider than the screen'] : [])];
}

describe.each(['light', 'dark'] as const)(
  'the pages behind the block page, in the %s theme',
  (colorScheme) => {
    test.each(['desktop', 'phone'] as const)('are accessible: %s', async (size) => {
      const { port, link, tokens, states: requests } = await serveBlockPage();
      const at = `http://127.0.0.1:${port}`;
      const page = await blank(sizes[size]);
      await page.emulateMedia({ colorScheme });
      const found: Record<string, readonly string[]> = {};
      await page.goto(at + link);
      found.form = await flaws(page);
      for (const state of states) {
        const site = `${'a-long-name-'.repeat(5)}.${'b'.repeat(60)}.example`;
        const more = { until: 1_700_007_200_000, because: 'Use the copy on the intranet.' };
        requests.set('r-1', askedFor({ site, state, ...more }));
        await page.goto(`${at}/ask/${tokens.sign('request', 'r-1')}`);
        found[state] = await flaws(page);
      }
      expect(Object.entries(found).filter(([, wrong]) => wrong.length > 0)).toEqual([]);
    });
  },
);

describe('in a browser', () => {
  test('a form is filled in by the keyboard alone, mended, and sent; its page follows the request by itself', async () => {
    const { port, link, states: requests, wishes } = await serveBlockPage();
    const page = await blank(sizes.phone, /status of 422/);
    await page.goto(`http://127.0.0.1:${port}${link}`);
    await page.getByRole('textbox', { name: 'Your name' }).fill('Bob Miller');
    const reason = page.getByRole('textbox', { name: 'What do you need it for?' });
    await reason.fill('…');
    await reason.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByRole('link', { name: 'Say in a few words' }).press('Enter');
    await expect
      .poll(() => reason.evaluate((field) => field.ownerDocument.activeElement === field))
      .toBe(true);
    expect(await page.getByRole('textbox', { name: 'Website' }).inputValue()).toBe('news.example');
    await reason.fill('customer call');
    await page.getByRole('button', { name: 'Send request' }).press('Enter');
    await page.getByRole('heading', { name: 'Your request was sent' }).waitFor();
    expect(wishes).toHaveLength(1);
    requests.set('r-1', askedFor({ state: 'allowed' }));
    await page.getByRole('heading', { name: 'Allowed' }).waitFor();
    expect(await page.title()).toBe('Allowed – news.example');
  });

  test('somebody who reads slowly stops the updates', async () => {
    const { port, tokens, states: requests } = await serveBlockPage();
    requests.set('r-1', askedFor());
    const page = await blank();
    await page.goto(`http://127.0.0.1:${port}/ask/${tokens.sign('request', 'r-1')}`);
    await page.getByRole('link', { name: 'Stop updating' }).click();
    requests.set('r-1', askedFor({ state: 'allowed' }));
    await page.getByText('This page does not update itself.').waitFor();
    expect(await page.getByRole('heading').textContent()).toBe('Your request was sent');
    await page.getByRole('link', { name: 'Show the current state' }).click();
    await page.getByRole('heading', { name: 'Allowed' }).waitFor();
  });
});
