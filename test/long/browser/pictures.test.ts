import { test } from 'vitest';
import { startChromium } from '../../browser/chromium.ts';
import { picture } from './picture.ts';

const { visit } = startChromium();

test('the first picture shows the rule that blocks a website, and the button that helps', async () => {
  const { page, send } = await visit({ width: 1440, height: 800 });
  // The first button of the page.
  await page.locator('.try button').first().click();
  await page.getByRole('textbox', { name: 'Message #helpdesk' }).press('Enter');
  await page.getByText('live-betting.example is blocked:').waitFor();
  await page.getByRole('button', { name: /^1 reply/ }).click();
  await page.getByRole('button', { name: 'Ask for it' }).waitFor();
  await send('/appliance rdp disconnect 12');
  await page.getByRole('button', { name: /^Disconnect: / }).waitFor();
  await picture(page, 'sandbox');
});

test('the pictures of an approval and of Home show emergency mode before and after it', async () => {
  const { page, send, become } = await visit({ width: 1100, height: 720 });
  await become('bob');
  await send('/appliance acl object disable google_sni');
  await page.getByText('ACL object google_sni disabled').waitFor();
  await send('/appliance rdp disconnect 12');
  await page.getByRole('button', { name: /^Disconnect: / }).click();
  await page.getByText('12 is gone, 14 other sessions open.').waitFor();
  await send('/appliance emergency enable --for 30m --reason "INC-4711 directory down"');
  await become('carol');
  const approve = page.getByRole('button', { name: /^Approve/ });
  await approve.waitFor();
  await page
    .getByText(/Compile/)
    .first()
    .waitFor();
  await picture(page, 'approval');

  await approve.click();
  await page
    .getByText(/Emergency mode on hq is on until/)
    .first()
    .waitFor();
  await become('bob');
  await page.setViewportSize({ width: 1100, height: 800 });
  await page.getByRole('button', { name: /Appliance Bot/ }).click();
  await page.getByText('Your commands').waitFor();
  await page.getByText('1 service stopped: SNMP agent').waitFor();
  await picture(page, 'home');
});
