import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Without what moves from run to run: times, how long ago something was, names of actions, how busy an appliance is. */
const steady = (text: string): string =>
  text
    .replace(/\d{1,2}:\d{2}(?:\s[AP]M)?/g, 'h:mm')
    .replace(/\b(?:today|yesterday|tomorrow)(?: at)? h:mm/g, 'h:mm')
    .replace(/\d+ (?:min|s|h)\b(?: \d+ min)?(?= ago|\))/g, 'n min')
    .replace(/\bA-[0-9A-Z]{8}\b/g, 'A-…')
    .replace(/\d+ of 60 busy/g, 'n of 60 busy');

/**
 * A picture of the docs: it is true as long as the page says what it said when the picture was made. `npm run pictures` makes
 * both again, the picture and what it says.
 */
export async function picture(page: Page, name: string): Promise<void> {
  // No row of buttons below the pointer, and nothing on its way.
  await page.mouse.move(0, 0);
  await page.evaluate('Promise.all(document.getAnimations().map(({ finished }) => finished))');
  const file = join(import.meta.dirname, 'pictures', `${name}.txt`);
  const says = `${steady(await page.locator('body').innerText())}\n`;
  if (process.env.PICTURES === '1') {
    await page.screenshot({ path: join(import.meta.dirname, '../../../docs/images', `${name}.png`) });
    writeFileSync(file, says);
  }
  expect(says, `docs/images/${name}.png is out of date: npm run pictures`).toBe(readFileSync(file, 'utf8'));
}
