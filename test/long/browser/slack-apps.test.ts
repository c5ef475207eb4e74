import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { LogLevel } from '@slack/bolt';
import { expect, onTestFinished, test } from 'vitest';
import { lunchApp } from '../../../packages/workspace-for-slack-apps/example/lunch.ts';
import type * as source from '../../../packages/workspace-for-slack-apps/src/index.ts';
import { startChromium } from '../../browser/chromium.ts';
import { projectWith } from '../../packed/project.ts';
import { picture } from './picture.ts';

const name = 'workspace-for-slack-apps';
const { blank } = startChromium();

test('an app outside this repository takes a lunch order in the browser, on the installed workspace', async () => {
  const project = await projectWith(name);
  onTestFinished(() => project.remove());
  const packed: typeof source = await import(
    pathToFileURL(join(project.installed(name), 'dist/index.js')).href
  );
  const slack = await packed.startWorkspace({
    manifest: join(import.meta.dirname, `../../../packages/${name}/example/manifest.json`),
    people: [
      { name: 'ana', realName: 'Ana Silva', title: 'Design' },
      { name: 'ben', realName: 'Ben Carter', title: 'Support' },
    ],
    channels: [{ name: 'lunch', topic: 'What we eat today' }, 'general'],
  });
  onTestFinished(() => slack.close());
  const app = lunchApp({
    token: slack.botToken,
    appToken: slack.appToken,
    socketMode: true,
    clientOptions: { slackApiUrl: slack.apiUrl },
    logLevel: LogLevel.ERROR,
  });
  await app.start();
  onTestFinished(async () => void (await app.stop()));

  const page = await blank({ width: 1280, height: 720 });
  await page.goto(slack.url);
  await page.getByText('This is not Slack').waitFor();
  const box = page.getByRole('textbox', { name: 'Message #lunch' });
  await box.fill('What about something warm today?');
  await box.press('Enter');
  await box.fill('/lunch');
  await box.press('Enter');
  const form = page.getByRole('dialog', { name: 'Order lunch' });
  await form.getByRole('combobox', { name: 'Dish' }).click();
  await page.getByRole('option', { name: 'Soup' }).click();
  await form.getByRole('textbox', { name: /Note/ }).fill('no onions');
  await form.getByRole('button', { name: 'Order' }).click();
  await page.getByText('no onions').waitFor();

  const ben = slack.person('ben');
  await ben.press('lunch', 'Same for me');
  await ben.sees('lunch', '@ben eats Soup, too');
  await ben.type('lunch', '@lunch who eats what?');
  const asked = await ben.sees('lunch', 'who eats what');
  await ben.sees('lunch', '@ben: Soup');
  await page.getByText('1 reply').waitFor();

  const order = page.getByRole('article').filter({ hasText: 'no onions' });
  await order.hover();
  await order.getByRole('button', { name: 'Add a reaction' }).click();
  await page.getByRole('menuitem', { name: 'eyes' }).click();
  await ben.react('lunch', 'eyes', (await ben.sees('lunch', 'no onions')).ts);
  await order.getByRole('button', { name: 'eyes, ana, ben', pressed: true }).click();
  await order.getByRole('button', { name: 'eyes, ben', pressed: false }).waitFor();
  expect((await ben.sees('lunch', 'no onions')).reactions).toEqual([{ emoji: 'eyes', from: ['ben'] }]);

  slack.badDays.call('chat.postMessage', { kind: 'rate_limited', retryAfter: 30 }, { times: 2 });
  await page.goto(`${slack.url}/?panel=slack#${slack.channel('lunch').id}/${asked.ts}`);
  await page.getByRole('complementary', { name: 'Slack' }).getByText('chat.postMessage').first().waitFor();
  expect(await page.getByRole('button', { name: 'Appliance' }).count()).toBe(0);
  await page.goto(`${slack.url}/#${slack.channel('lunch').id}/${asked.ts}`);
  await page.getByText('Thread').first().waitFor();
  await picture(page, 'slack-apps');
});
