import nock from 'nock';
import { describe, expect, test } from 'vitest';
import { onlyNockAnswers } from '../../../test/nock.ts';
import { appliance, url } from './testing.ts';

onlyNockAnswers();

const done = { Status: true, Error: '' };

const sends = (method: string, path: string, body: string) =>
  nock(url, { reqheaders: { 'content-type': 'application/json' } }).intercept(path, method, body);

describe('policies', () => {
  test('a policy has its session rights, in any notation of flags', async () => {
    const record = { id: 3, name: 'Office', enabled: '1', allow_clipboard: 'True', Allow_Drives: 0 };
    nock(url)
      .get('/rdpproxy/policies')
      .reply(200, { ...done, Policies: [record] });
    nock(url)
      .get('/rdpproxy/policies/3')
      .reply(200, { ...done, Policy: record });
    const expected = {
      id: 3,
      name: 'Office',
      enabled: true,
      rights: { allow_clipboard: true, Allow_Drives: false },
      fields: { id: '3', name: 'Office', enabled: '1', allow_clipboard: 'True', Allow_Drives: '0' },
    };
    expect(await appliance.rdp.listPolicies()).toEqual([expected]);
    expect(await appliance.rdp.getPolicy({ id: 3 })).toEqual(expected);
  });

  test('a right without yes or no is not shown as refused', async () => {
    nock(url)
      .get('/rdpproxy/policies/3')
      .reply(200, { Policy: { id: 3, allow_clipboard: 'read-only', allow_drives: null } });
    const { rights, fields } = await appliance.rdp.getPolicy({ id: 3 });
    expect(rights).toStrictEqual({});
    expect(fields.allow_clipboard).toBe('read-only');
  });

  test('a flat policy is not confused with its linked things', async () => {
    nock(url)
      .get('/rdpproxy/policies/3')
      .reply(200, { ...done, ID: 3, Name: 'Office', members: [{ id: 7 }] });
    expect(await appliance.rdp.getPolicy({ id: 3 })).toMatchObject({ id: 3, name: 'Office' });
  });

  test('a policy is created and replaced with the fields as they are given', async () => {
    const fields = { name: 'Night shift', allow_clipboard: '0' };
    const body = '{"name":"Night shift","allow_clipboard":"0"}';
    sends('POST', '/rdpproxy/policies', body).reply(200, { ...done, ID: 12 });
    expect(await appliance.rdp.createPolicy({ fields })).toMatchObject({ id: 12 });
    sends('PUT', '/rdpproxy/policies/12', body).reply(200, done);
    expect(await appliance.rdp.replacePolicy({ id: 12, fields })).toMatchObject({ confirmed: true });
  });

  test.each([
    ['enablePolicy', 'POST', '/rdpproxy/policies/3/enable'],
    ['disablePolicy', 'POST', '/rdpproxy/policies/3/disable'],
    ['deletePolicy', 'DELETE', '/rdpproxy/policies/3'],
  ] as const)('%s is %s %s without a body', async (name, method, path) => {
    nock(url).intercept(path, method, '').reply(200, done);
    expect(await appliance.rdp[name]({ id: 3 })).toEqual({ confirmed: true, info: '' });
  });
});

describe('links', () => {
  test.each([
    ['linkNetwork', 'unlinkNetwork', 'networks'],
    ['linkSchedule', 'unlinkSchedule', 'schedules'],
    ['linkMember', 'unlinkMember', 'members'],
    ['linkTarget', 'unlinkTarget', 'targets'],
  ] as const)('%s undoes %s with the same arguments', async (link, unlink, what) => {
    const both = { id: 3, sub: 12 };
    sends('POST', `/rdpproxy/policies/3/${what}`, '{"id":"12"}').reply(200, done);
    expect(await appliance.rdp[link](both)).toEqual({ confirmed: true, info: '' });
    nock(url).delete(`/rdpproxy/policies/3/${what}/12`, '').reply(200, done);
    expect(await appliance.rdp[unlink](both)).toEqual({ confirmed: true, info: '' });
  });
});

describe('detection patterns', () => {
  const record = { id: 5, policy: 1, pattern: 'drop table', description: 'Data is dropped' };

  test('without a policy, the patterns of all policies are read', async () => {
    nock(url)
      .get('/rdpproxy/patterns?policy=0')
      .reply(200, { ...done, Patterns: [record] });
    expect(await appliance.rdp.listPatterns()).toEqual([
      { id: 5, name: 'drop table', fields: { ...record, id: '5', policy: '1' } },
    ]);
  });

  test('with a policy, only its patterns are read', async () => {
    nock(url)
      .get('/rdpproxy/patterns?policy=1')
      .reply(200, { ...done, Patterns: [] });
    expect(await appliance.rdp.listPatterns({ policy: 1 })).toEqual([]);
  });

  test('a pattern is created in the policy that its query names', async () => {
    sends('POST', '/rdpproxy/patterns?policy=1', '{"pattern":"regedit"}').reply(200, { ...done, ID: 13 });
    expect(await appliance.rdp.createPattern({ policy: 1, fields: { pattern: 'regedit' } })).toEqual({
      confirmed: true,
      info: '',
      id: 13,
    });
  });

  test('forgetting the policy creates no pattern for all policies', async () => {
    // @ts-expect-error the policy is missing
    const forgotten = appliance.rdp.createPattern({ fields: { pattern: 'regedit' } });
    await expect(forgotten).rejects.toMatchObject({ code: 'bad_argument', argument: 'policy' });
  });

  test('a pattern is replaced and deleted by its own ID', async () => {
    sends('PUT', '/rdpproxy/patterns/5', '{"pattern":"regedit"}').reply(200, done);
    expect(await appliance.rdp.replacePattern({ id: 5, fields: { pattern: 'regedit' } })).toMatchObject({
      confirmed: true,
    });
    nock(url).delete('/rdpproxy/patterns/5', '').reply(200, done);
    expect(await appliance.rdp.deletePattern({ id: 5 })).toMatchObject({ confirmed: true });
  });
});
