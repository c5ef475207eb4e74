import type nock from 'nock';
import { expect, test } from 'vitest';
import { onlyNockAnswers } from '../../../test/nock.ts';
import { answers, appliance } from './testing.ts';

onlyNockAnswers();

test('the INI text in Info is read into its sections', async () => {
  const text = [
    'installed = 1',
    '; a comment',
    '[APP_FTPD]',
    'service_cmd=/etc/init.d/ftpd --port=21',
    'master_version="1.3.8"',
    'empty=',
    '',
    '[__proto__]',
    '__proto__=harmless',
    '# another comment',
    '[APP_FTPD]',
    'running=1',
  ].join('\r\n');
  answers('/ftpd/status', { Status: true, Error: '', Info: text });
  const status = await appliance.ftpd.status();
  expect(Object.keys(status)).toEqual(['', 'APP_FTPD', '__proto__']);
  expect(status['']).toEqual({ installed: '1' });
  expect(status.APP_FTPD).toEqual({
    service_cmd: '/etc/init.d/ftpd --port=21',
    master_version: '1.3.8',
    empty: '',
    running: '1',
  });
  expect(Object.entries(status).at(-1)?.[1]).toHaveProperty(['__proto__'], 'harmless');
});

test('a status without content has no sections', async () => {
  answers('/ftpd/status', { status: true, info: '' });
  expect(await appliance.ftpd.status()).toEqual({});
});

test.each<[nock.Body]>([
  [{ Status: true, Info: '[APP_FTPD]\nthe server is asleep' }],
  [{ Status: true, Info: '=1' }],
  [{ Status: true, Info: { running: 1 } }],
])('what is not INI content is not understood: %j', async (body) => {
  answers('/ftpd/status', body);
  await expect(appliance.ftpd.status()).rejects.toMatchObject({ code: 'unexpected_reply', at: 'Info' });
});

test('events are searched by words and a number of rows', async () => {
  answers('/ftpd/events/login%20failed/50', {
    Status: true,
    Events: [{ Date: '2026-11-20 08:15:00', Event: 'login failed' }],
  });
  expect(await appliance.ftpd.findEvents({ search: 'login failed', max: 50 })).toEqual([
    { Date: '2026-11-20 08:15:00', Event: 'login failed' },
  ]);
});

test.each([
  [{ search: '', max: 50 }, 'search'],
  [{ search: ' ', max: 50 }, 'search'],
  [{ search: 'a/b', max: 50 }, 'search'],
  [{ search: 'login', max: 0 }, 'max'],
  [{ search: 'login', max: 1.5 }, 'max'],
])('a search for %j is refused', async (given, argument) => {
  await expect(appliance.ftpd.findEvents(given)).rejects.toMatchObject({ code: 'bad_argument', argument });
});

test.each(['install', 'uninstall', 'restart'] as const)('%s is an order of its own', async (order) => {
  answers(`/ftpd/${order}`, { Status: true });
  expect(await appliance.ftpd[order]()).toEqual({ confirmed: true, info: '' });
});
