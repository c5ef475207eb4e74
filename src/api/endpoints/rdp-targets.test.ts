import nock from 'nock';
import { expect, test } from 'vitest';
import { onlyNockAnswers } from '../../../test/nock.ts';
import { appliance, url } from './testing.ts';

onlyNockAnswers();

const done = { Status: true, Error: '' };

const sends = (method: string, path: string, body: string) =>
  nock(url, { reqheaders: { 'content-type': 'application/json' } }).intercept(path, method, body);

test('targets are read with everything that the appliance reports', async () => {
  const record = { id: 4, name: 'srv-files-01', address: '10.20.1.11', enabled: 0 };
  nock(url)
    .get('/rdpproxy/targets')
    .reply(200, { ...done, Targets: [record] });
  nock(url)
    .get('/rdpproxy/targets/4')
    .reply(200, { ...done, Target: record });
  const expected = {
    id: 4,
    name: 'srv-files-01',
    enabled: false,
    fields: { id: '4', name: 'srv-files-01', address: '10.20.1.11', enabled: '0' },
  };
  expect(await appliance.rdp.listTargets()).toEqual([expected]);
  expect(await appliance.rdp.getTarget({ id: 4 })).toEqual(expected);
});

test('a target is created and replaced with the fields as they are given', async () => {
  const fields = { name: 'srv-cad-03', address: '10.20.1.40' };
  const body = '{"name":"srv-cad-03","address":"10.20.1.40"}';
  sends('POST', '/rdpproxy/targets', body).reply(200, { ...done, ID: 40 });
  expect(await appliance.rdp.createTarget({ fields })).toMatchObject({ id: 40 });
  sends('PUT', '/rdpproxy/targets/40', body).reply(200, done);
  expect(await appliance.rdp.replaceTarget({ id: 40, fields })).toMatchObject({ confirmed: true });
});

test('a target is not replaced by nothing', async () => {
  await expect(appliance.rdp.replaceTarget({ id: 40, fields: {} })).rejects.toMatchObject({
    code: 'bad_argument',
    argument: 'fields',
    problem: 'has no fields',
  });
});

test.each([
  ['enableTarget', 'POST', '/rdpproxy/targets/4/enable'],
  ['disableTarget', 'POST', '/rdpproxy/targets/4/disable'],
  ['deleteTarget', 'DELETE', '/rdpproxy/targets/4'],
] as const)('%s is %s %s without a body', async (name, method, path) => {
  nock(url).intercept(path, method, '').reply(200, done);
  expect(await appliance.rdp[name]({ id: 4 })).toEqual({ confirmed: true, info: '' });
});
