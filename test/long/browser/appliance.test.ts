import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startSimulatedAppliance } from '../../../sandbox/appliance/index.ts';
import { startSandbox } from '../../../sandbox/sandbox.ts';
import { createLog } from '../../../src/telemetry/log.ts';
import { assets, startChromium } from '../../browser/chromium.ts';

const { open, visit } = startChromium();
const query = 'GET /categories/query/{domain}';

const opener = (page: Page) => page.getByRole('button', { name: /^Appliance( \d+ misbehaviours?)?$/ });
const panelOf = (page: Page) => page.getByRole('complementary', { name: 'Appliance' });

async function openPanel(page: Page) {
  await opener(page).click();
  const panel = panelOf(page);
  /** Finds an operation by typed words. */
  const choose = async (typed: string, operation: string) => {
    const finder = panel.getByRole('combobox', { name: 'Operation' });
    await finder.fill(typed);
    await panel.getByRole('option', { name: operation }).click();
    expect(await finder.inputValue()).toBe(operation);
  };
  return { panel, choose };
}

/** The contrast of two opaque colours, red, green and blue from 0 to 255: WCAG 2.2, 1.4.3. */
function contrast(one: readonly number[], other: readonly number[]): number {
  const luminance = (color: readonly number[]) => {
    const [red = 0, green = 0, blue = 0] = color.map((channel) => {
      const part = channel / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

describe('the appliance panel', () => {
  test('makes an operation answer 500, shows the outcome, and clears it', async () => {
    const { page, send } = await visit();
    const { panel, choose } = await openPanel(page);
    await choose('query categ', query);
    await panel.getByRole('combobox', { name: 'How' }).selectOption('HTTP error');
    expect(await panel.getByRole('combobox', { name: 'HTTP status' }).inputValue()).toBe('500');
    await panel.getByRole('button', { name: 'Make it misbehave', exact: true }).click();
    await panel.getByText('HTTP error, 500').waitFor();
    await opener(page).getByText('1 misbehaviour').waitFor();

    await send('/appliance categorize example.com');
    await page.getByText('(HTTP 500)').waitFor();
    const arrived = panel.getByRole('listitem').filter({ hasText: '/categories/query/example.com' });
    expect(await arrived.first().innerText()).toMatch(/500[\s\S]*HTTP error/);

    await panel.getByRole('button', { name: `Clear ${query}` }).click();
    await panel.getByText('every operation answers as its generation does').waitFor();
    await send('/appliance categorize example.com');
    await page.getByText('is in 1 category:').waitFor();
    expect(await arrived.first().innerText()).toContain('200');
  });

  test('carries an order out behind an HTTP error only when asked to', async () => {
    const { page, sandbox } = await visit();
    const { panel, choose } = await openPanel(page);
    await choose('query', query);
    const how = panel.getByRole('combobox', { name: 'How' });
    const happens = panel.getByRole('checkbox', { name: 'Carry the order out all the same' });
    expect(await happens.isChecked()).toBe(false);
    await happens.check();
    await how.selectOption('Empty answer');
    expect(await happens.isChecked()).toBe(true);
    await how.selectOption('Licence expired');
    expect(await happens.count()).toBe(0);
    await how.selectOption('HTTP error');
    await happens.check();
    await panel.getByRole('button', { name: 'Make it misbehave', exact: true }).click();
    await panel.getByText('HTTP error, 500, order carried out').waitFor();
    expect(sandbox.appliance?.faults.active()).toEqual([
      { operation: query, kind: 'status', status: 500, text: '', happens: true },
    ]);
    expect(await panel.getByRole('status').innerText()).toBe('1 operation misbehaves.');
  });

  test('finds another operation by typing on, right after one was chosen', async () => {
    const { page } = await visit();
    const { panel, choose } = await openPanel(page);
    const finder = panel.getByRole('combobox', { name: 'Operation' });
    expect(await finder.getAttribute('aria-controls')).toBeNull();
    await choose('query', query);
    expect(await finder.getAttribute('aria-controls')).toBeNull();
    await page.keyboard.type('sessions');
    expect(await finder.inputValue()).toBe('sessions');
    expect(await panel.locator(`[id="${await finder.getAttribute('aria-controls')}"]`).count()).toBe(1);
    await page.keyboard.press('Enter');
    expect(await finder.inputValue()).toBe('GET /rdpproxy/sessions');
  });

  test('shows changes that are not live yet, on one line, until they are', async () => {
    const { page, sandbox } = await visit();
    const { panel } = await openPanel(page);
    const call = (path: string) => fetch(`${sandbox.appliance?.url}${path}`);
    await call('/categories/252/forgotten.example');
    const summary = panel.locator('summary').filter({ hasText: 'Not live yet' });
    await expect
      .poll(() => summary.innerText())
      .toBe('Not live yet: 1 SSL rule, 1 site, 2 resolver settings');
    await summary.click();
    await panel.getByText('shopping: forgotten.example added').waitFor();
    for (const path of ['/proxy/ssl/build', '/system/network/resolvapply', '/categories/252/compile'])
      await call(path);
    await expect.poll(() => summary.innerText()).toBe('Not live yet: 1 compiled site');
    await call('/webfilter/rules/compile');
    await expect.poll(() => summary.count()).toBe(0);
  });

  test('shows an error where it was caused', async () => {
    const { page } = await visit();
    const { panel, choose } = await openPanel(page);
    await choose('query', query);
    await panel.getByRole('button', { name: 'Make it misbehave', exact: true }).click();
    const clear = panel.getByRole('button', { name: `Clear ${query}` });
    await clear.waitFor();
    let count = 0;
    await page.route('**/sandbox/appliance', (route) => {
      count += 1;
      return route.fulfill({ json: { ok: false, error: `No, said ${count} times.` } });
    });
    const told = (part: string, error: string) =>
      panel.getByRole('region', { name: part }).getByRole('alert').filter({ hasText: error }).waitFor();
    await clear.click();
    await told('Misbehaving now', 'No, said 1 times.');
    await panel.getByText('Shape B, by ID').click();
    await told('Ways of the appliance', 'No, said 2 times.');
    await panel.getByRole('button', { name: 'Start the appliance over…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Start over' }).click();
    await panel.locator('.panel-foot').getByText('No, said 3 times.').waitFor();
    expect(await panel.getByRole('form').getByRole('alert').innerText()).toBe('');
  });

  test('shows two lines of a long path, and all of it on request', async () => {
    const { page, sandbox } = await visit();
    const { panel } = await openPanel(page);
    await fetch(`${sandbox.appliance?.url}/categories/query/${'long.'.repeat(60)}example`);
    const path = panel.locator('.request .operation', { hasText: 'long.long' }).first();
    const height = async () => (await path.boundingBox())?.height ?? 0;
    expect(await height()).toBeLessThan(42);
    await path.click();
    expect(await height()).toBeGreaterThan(60);
  });

  test.each(['light', 'dark'] as const)('can be read where the list points, in %s', async (colorScheme) => {
    const { page } = await visit();
    await page.emulateMedia({ colorScheme });
    const { panel } = await openPanel(page);
    await panel.getByRole('combobox', { name: 'Operation' }).click();
    const colors = await page.evaluate<string[]>(`(() => {
      const method = document.querySelector('.active .operation-method');
      const line = method.closest('.active');
      return [getComputedStyle(method).color, getComputedStyle(line).backgroundColor];
    })()`);
    const [ink = [], paper = []] = colors.map((color) => (color.match(/\d+/g) ?? []).map(Number));
    expect(contrast(ink, paper)).toBeGreaterThanOrEqual(4.5);
  });

  test('counts down faults that last for some requests only', async () => {
    const { page, send } = await visit();
    const { panel, choose } = await openPanel(page);
    await choose('query', query);
    await panel.getByRole('combobox', { name: 'How' }).selectOption('Refused with a reason');
    await panel.getByRole('combobox', { name: 'Error text' }).fill('the disk is full');
    await panel.getByRole('combobox', { name: 'For', exact: true }).selectOption('Next request');
    await panel.getByRole('button', { name: 'Make it misbehave', exact: true }).click();
    await panel.getByText('Refused with a reason, “the disk is full”').waitFor();
    await send('/appliance categorize example.com');
    await page.getByText('the disk is full').last().waitFor();
    await panel.getByText('every operation answers as its generation does').waitFor();
  });

  test('takes the operation of a request that arrived into the form', async () => {
    const { page, send } = await visit();
    const { panel } = await openPanel(page);
    await panel.getByRole('button', { name: 'Make it misbehave', exact: true }).click();
    await panel.getByText('Choose an operation first.').waitFor();
    await send('/appliance categorize example.com');
    await panel.getByText('/categories/query/example.com').click();
    await panel.getByRole('button', { name: 'Make this operation misbehave' }).click();
    expect(await panel.getByRole('combobox', { name: 'Operation' }).inputValue()).toBe(query);
    expect(await panel.getByText('Choose an operation first.').count()).toBe(0);
  });

  test('turns a switch of the whole appliance, and resets it after a confirmation', async () => {
    const { page, sandbox } = await visit();
    const { panel } = await openPanel(page);
    const state = sandbox.appliance?.state;
    await panel.getByText('Shape B, by ID').click();
    await expect.poll(() => state?.categories.shape).toBe('B');
    await panel.getByText('Earlier', { exact: true }).click();
    await expect.poll(() => state?.acl.build).toBe('zdate');
    await panel.getByRole('button', { name: 'Start the appliance over…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect(state?.categories.shape).toBe('B');
    await panel.getByRole('button', { name: 'Start the appliance over…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Start over' }).click();
    await expect.poll(() => panel.getByRole('radio', { name: 'Shape A, an array' }).isChecked()).toBe(true);
    expect(state?.categories.shape).toBe('A');
  });

  test('is opened, used and closed with the keyboard alone', async () => {
    const { page, sandbox } = await visit();
    await opener(page).press('Enter');
    const panel = panelOf(page);
    const focused = () => page.evaluate('document.activeElement.getAttribute("aria-label")');
    await expect.poll(focused).toBe('Close the panel Appliance');
    // The line of pending changes comes first.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.type('list');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    expect(await panel.count()).toBe(1);
    await panel.getByRole('button', { name: 'Make it misbehave', exact: true }).press('Enter');
    await panel.getByRole('button', { name: /^Clear GET .*list/ }).waitFor();
    expect(sandbox.appliance?.faults.active()).toHaveLength(1);
    await page.keyboard.press('Escape');
    await expect.poll(() => panel.count()).toBe(0);
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Appliance1 misbehaviour');
  });

  test('stays open over a reload, and back closes it', async () => {
    const { page } = await visit();
    await openPanel(page);
    await page.reload();
    await panelOf(page).waitFor();
    await page.goBack();
    await expect.poll(() => panelOf(page).count()).toBe(0);
  });

  test('works on a phone, where it gives way to the chosen channel', async () => {
    const { page, send } = await visit({ width: 390, height: 780 });
    const { panel, choose } = await openPanel(page);
    await choose('query', query);
    await panel.getByRole('button', { name: 'Make it misbehave', exact: true }).click();
    await panel.getByText('HTTP error, 500').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await page.getByRole('button', { name: 'Channels and people' }).click();
    await page.getByRole('button', { name: 'incident' }).click();
    await send('/appliance categorize example.com', 'incident');
    await page.getByText('(HTTP 500)').waitFor();
    expect(await panel.count()).toBe(0);
  });

  test('is absent when a real appliance is used', async () => {
    const real = await startSimulatedAppliance();
    onTestFinished(() => real.close());
    const sandbox = await startSandbox({
      appliance: { url: real.url },
      workspace: { page: assets },
      world: { log: createLog('silent') },
    });
    onTestFinished(() => sandbox.stop());
    const page = await open(`${sandbox.workspace.url}/?panel=appliance`);
    expect(await opener(page).count()).toBe(0);
    expect(await panelOf(page).count()).toBe(0);
  });
});
