import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { type App, LogLevel } from '@slack/bolt';
import { startWorkspace, type Workspace } from 'workspace-for-slack-apps';
import { lunchApp } from './lunch.ts';

let slack: Workspace;
let app: App;

beforeEach(async () => {
  slack = await startWorkspace({
    manifest: new URL('manifest.json', import.meta.url),
    people: ['ana', 'ben'],
    channels: ['lunch', { name: 'kitchen', hasApp: false }],
  });
  app = lunchApp({
    token: slack.botToken,
    appToken: slack.appToken,
    socketMode: true,
    clientOptions: { slackApiUrl: slack.apiUrl },
    logLevel: LogLevel.ERROR,
  });
  await app.start();
});

afterEach(async () => {
  await app.stop();
  await slack.close();
});

async function order(name: string, values: Record<string, string>, channel = 'lunch') {
  const person = slack.person(name);
  await person.type(channel, '/lunch');
  await person.fill(values);
  return person.submit();
}

test('an order is posted, and somebody else eats the same', async () => {
  await order('ana', { Dish: 'Soup', Note: 'no onions' });
  const ben = slack.person('ben');
  const card = await ben.sees('lunch', 'eats Soup');
  assert.equal(card.text, '@ana eats Soup: no onions\n[Same for me]');
  assert.equal(card.fallback, `<@${slack.person('ana').id}> eats Soup`);

  await ben.press('lunch', 'Same for me');
  await ben.sees('lunch', '@ben eats Soup, too');
  await ben.press('lunch', 'Same for me');
  const told = await ben.sees('lunch', 'already');
  assert.ok(told.isEphemeral);
  assert.ok(!slack.person('ana').read('lunch').includes('already'));
});

test('an invalid field of the form shows its problem', async () => {
  await order('ana', { Dish: 'Pizza', Note: 'is it free?' });
  assert.deepEqual(slack.person('ana').form()?.errors, { Note: 'Nothing is free.' });
});

test('the App Home says what one eats', async () => {
  const ana = slack.person('ana');
  await ana.openHome();
  await ana.seesHome('You have not ordered.');
  await order('ana', { Dish: 'Curry' });
  await ana.sees('lunch', 'eats Curry');
  await ana.openHome();
  assert.equal((await ana.seesHome('Curry')).text, 'You eat Curry.');
});

test('ordering in a channel without the app gets an answer', async () => {
  await order('ben', { Dish: 'Soup' }, 'kitchen');
  await slack.person('ben').sees('@lunch', 'The order could not be posted in #kitchen.');
  assert.deepEqual(
    slack.calls('chat.postMessage').map(({ error }) => error),
    ['not_in_channel', undefined],
  );
});

test('a bad day: Slack says that it was too much, and the order comes once it takes it', async () => {
  slack.badDays.call('chat.postMessage', { kind: 'rate_limited', retryAfter: 1 });
  await order('ana', { Dish: 'Soup' });
  await slack.person('ana').sees('lunch', 'eats Soup');
  assert.equal(slack.calls('chat.postMessage').length, 2);
});

test('a bad day: a mention that comes twice is answered once', async () => {
  const ana = slack.person('ana');
  slack.badDays.delivery({ kind: 'twice' });
  await ana.type('lunch', '@lunch who eats what?');
  await ana.sees('lunch', 'Nobody has ordered.');
  await slack.quiet();
  assert.equal(slack.deliveries().length, 2);
  assert.equal(ana.messages('lunch').filter(({ from }) => from === 'lunch').length, 1);
});
