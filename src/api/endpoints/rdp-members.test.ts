import nock from 'nock';
import { describe, expect, test } from 'vitest';
import { onlyNockAnswers } from '../../../test/nock.ts';
import { appliance, url } from './testing.ts';

onlyNockAnswers();

const done = { Status: true, Error: '' };

const sends = (method: string, path: string, body: string) =>
  nock(url, { reqheaders: { 'content-type': 'application/json' } }).intercept(path, method, body);

describe('reading members', () => {
  const readMember = (record: object) => {
    nock(url)
      .get('/rdpproxy/members/7')
      .reply(200, { ...done, Member: record });
    return appliance.rdp.getMember({ id: 7 });
  };

  test('a member has the documented fields, and all the others as text', async () => {
    const record = { id: 7, username: 'bob.miller', endoflife: '1893456000', full_name: 'Bob Miller' };
    nock(url)
      .get('/rdpproxy/members')
      .reply(200, { ...done, Members: [record] });
    const expected = {
      id: 7,
      name: 'bob.miller',
      username: 'bob.miller',
      endOfLife: 1893456000,
      fields: { ...record, id: '7' },
    };
    expect(await appliance.rdp.listMembers()).toEqual([expected]);
    expect(await readMember(record)).toEqual(expected);
  });

  test('an invalid user name is not returned as one', async () => {
    expect(await readMember({ ID: '7', Name: 'Bob Miller' })).toEqual({
      id: 7,
      name: 'Bob Miller',
      fields: { ID: '7', Name: 'Bob Miller' },
    });
  });

  test.each(['never', '', '-1', null])('an end of life %j that is no number stays as it is', async (end) => {
    const member = await readMember({ id: 7, username: 'bob.miller', endoflife: end });
    expect(member).not.toHaveProperty('endOfLife');
    expect(member.fields).toHaveProperty('endoflife', end ?? '');
  });

  test('a password that an appliance returns is dropped', async () => {
    const member = await readMember({ id: 7, username: 'bob.miller', password: 'sesame-4711' });
    expect(JSON.stringify(member)).not.toContain('sesame');
    expect(member.fields.password).toBe('(hidden)');
  });

  test('Status true without a member is not a member', async () => {
    nock(url).get('/rdpproxy/members/7').reply(200, done);
    await expect(appliance.rdp.getMember({ id: 7 })).rejects.toMatchObject({ code: 'unexpected_reply' });
  });
});

describe('changing members', () => {
  test('everything goes as text in JSON, under the appliance’s own names', async () => {
    sends(
      'POST',
      '/rdpproxy/members',
      '{"username":"eve","password":"sesame-4711","endoflife":"1893456000","full_name":"Eve Adams"}',
    ).reply(200, { ...done, ID: 31 });
    const created = await appliance.rdp.createMember({
      username: 'eve',
      password: 'sesame-4711',
      endOfLife: 1893456000,
      fields: { full_name: 'Eve Adams' },
    });
    expect(created).toEqual({ confirmed: true, info: '', id: 31 });
  });

  test('an omitted field is not sent', async () => {
    sends('PUT', '/rdpproxy/members/31', '{"username":"eve"}').reply(200, done);
    expect(await appliance.rdp.replaceMember({ id: 31, username: 'eve' })).toEqual({
      confirmed: true,
      info: '',
    });
  });

  test('a member is deleted by its ID', async () => {
    nock(url).delete('/rdpproxy/members/31', '').reply(200, done);
    expect(await appliance.rdp.deleteMember({ id: 31 })).toMatchObject({ confirmed: true });
  });

  test.each<[nock.Body, object]>([
    [
      { status: 'True', id: '31' },
      { confirmed: true, info: '', id: 31 },
    ],
    [
      { Status: true, Info: 'created', ID: null },
      { confirmed: true, info: 'created' },
    ],
    ['', { confirmed: false, info: '' }],
  ])('a creation answered with %j is told as far as it is known', async (body, expected) => {
    nock(url).post('/rdpproxy/members').reply(200, body);
    expect(await appliance.rdp.createMember({ username: 'eve' })).toEqual(expected);
  });

  test.each([
    [{ username: 'eve', password: 'sesame-4711' }],
    [{ username: 'eve', fields: { vnc_password: 'sesame-4711' } }],
  ])('a refusal that repeats the password is shown without it', async (given) => {
    nock(url).post('/rdpproxy/members').reply(200, { Status: false, Error: 'sesame-4711 is too weak' });
    const refusal = appliance.rdp.createMember(given);
    await expect(refusal).rejects.toMatchObject({ code: 'refused', reason: '[hidden] is too weak' });
    await expect(refusal).rejects.not.toMatchObject({ message: expect.stringContaining('sesame') });
  });

  test.each([{ endOfLife: 1.5 }, { endOfLife: -1 }, { password: '' }, { username: '' }])(
    '%j is not sent',
    async (wrong) => {
      await expect(appliance.rdp.createMember({ username: 'eve', ...wrong })).rejects.toMatchObject({
        code: 'bad_argument',
        argument: Object.keys(wrong)[0],
      });
    },
  );
});
