import type nock from 'nock';
import { expect, test } from 'vitest';
import { onlyNockAnswers } from '../../../test/nock.ts';
import { answers, appliance } from './testing.ts';

onlyNockAnswers();

test.each<[nock.Body]>([
  [{ Status: true, Domains: [{ Name: 'example.com', Records: 12 }, { Name: 'example.org' }] }],
  [{ status: true, domains: { 'example.com': { Records: 12 }, 'example.org': {} } }],
  [['example.com', 'example.org']],
])('domains go by their name: %j', async (body) => {
  answers('/authdns/domains', body);
  expect((await appliance.authdns.listDomains()).map(({ name }) => name)).toEqual([
    'example.com',
    'example.org',
  ]);
});

test('a status that is a word belongs to the report and refuses nothing', async () => {
  answers('/authdns/status', { status: 'stopped', pid: 0 });
  expect(await appliance.authdns.status()).toMatchObject({ fields: { status: 'stopped', pid: '0' } });
});

test('the metrics come flat, under the names of the appliance', async () => {
  answers('/authdns/statistics', { Status: true, Statistics: { udp_queries: 31 } });
  expect(await appliance.authdns.statistics()).toMatchObject({
    fields: { 'Statistics.udp_queries': '31' },
  });
});

test('a new domain goes into the path', async () => {
  answers('/authdns/add/domain/10.in-addr.arpa', { Status: true });
  expect(await appliance.authdns.addDomain({ domain: '10.in-addr.arpa' })).toMatchObject({ confirmed: true });
});

test.each(['', 'two words', 'example.com.', 'example.com:53', '10.20.0.53', 'a/b', 'bücher.example'])(
  '%j is not the name of a domain',
  async (domain) => {
    await expect(appliance.authdns.addDomain({ domain })).rejects.toMatchObject({
      code: 'bad_argument',
      argument: 'domain',
      sent: 'no',
    });
  },
);

test.each(['restart', 'reload'] as const)('%s is an order of its own', async (order) => {
  answers(`/authdns/${order}`, { Status: true, Info: 'ok' });
  expect(await appliance.authdns[order]()).toEqual({ confirmed: true, info: 'ok' });
});
