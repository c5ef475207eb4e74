import { describe, expect, test } from 'vitest';
import { startChromium } from '../../browser/chromium.ts';

const { visit } = startChromium();

describe('the Slack panel', () => {
  test('makes a call fail for one person, shows it, and clears it', async () => {
    const { page, send, become, sandbox } = await visit();
    await page.getByRole('button', { name: 'Slack', exact: true }).click();
    const panel = page.getByRole('complementary', { name: 'Slack' });
    await panel.getByRole('combobox', { name: 'Call' }).selectOption('views.open');
    await panel.getByRole('combobox', { name: 'Code' }).fill('fatal_error');
    await panel.getByRole('combobox', { name: 'About' }).selectOption('bob');
    await panel.getByRole('button', { name: 'Make it go wrong' }).click();
    await panel.getByText('A code, fatal_error').waitFor();
    await page.getByRole('button', { name: 'Slack 1 trouble' }).waitFor();

    await become('bob');
    await send('/appliance category add');
    await page.getByText('Only visible to you').waitFor();
    if (process.env.SHOT) await page.screenshot({ path: `${process.env.SHOT}.1.png` });
    expect(sandbox.workspace.faults.active()).toHaveLength(1);

    await panel.getByRole('button', { name: 'Clear views.open' }).click();
    await panel.getByText('Slack answers every call').waitFor();
    await send('/appliance category add');
    await page.getByRole('dialog').waitFor();
  });

  test('delivers the next line twice, and says so until it has', async () => {
    const { page, send, sandbox } = await visit();
    await page.getByRole('button', { name: 'Slack', exact: true }).click();
    const panel = page.getByRole('complementary', { name: 'Slack' });
    await panel.getByRole('button', { name: 'Twice' }).click();
    await panel.getByRole('listitem').getByText('twice').waitFor();
    await page.getByRole('button', { name: 'Slack 1 trouble' }).waitFor();
    const before = sandbox.workspace.log.envelopes().length;
    await send('/appliance help');
    await expect.poll(() => sandbox.workspace.log.envelopes().length).toBe(before + 2);
    await panel.getByText('Slack answers every call').waitFor();
  });

  test('cuts the connections, which come back, and removes and restores plan, scopes and tokens', async () => {
    const { page, sandbox } = await visit();
    await page.getByRole('button', { name: 'Slack', exact: true }).click();
    const panel = page.getByRole('complementary', { name: 'Slack' });
    const before = sandbox.workspace.sockets.ids;
    await panel.getByText(`${before.length} open`).waitFor();
    await panel.getByRole('button', { name: 'Cut' }).click();
    await expect
      .poll(() => sandbox.workspace.sockets.ids.filter((id) => !before.includes(id)).length)
      .toBe(before.length);

    await panel.getByText('Free', { exact: true }).click();
    await panel.getByText('Scopes of the bot token').click();
    await panel.getByRole('checkbox', { name: 'files:write' }).click();
    await page.getByRole('button', { name: 'Slack 2 troubles' }).waitFor();
    expect(sandbox.workspace.conditions.scopes.has('files:write')).toBe(false);
    await panel.getByRole('button', { name: 'Clear everything' }).click();
    await page.getByRole('button', { name: 'Slack', exact: true }).waitFor();
    expect(sandbox.workspace.conditions.scopes.has('files:write')).toBe(true);
    if (process.env.SHOT) await page.screenshot({ path: process.env.SHOT });
  });
});
