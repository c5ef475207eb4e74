import type nock from 'nock';
import { expect, test } from 'vitest';
import { onlyNockAnswers } from '../../../test/nock.ts';
import { answers, appliance } from './testing.ts';

onlyNockAnswers();

const object = {
  Gpid: 14,
  ID: 14,
  Negation: 0,
  ZOrder: 1,
  GroupType: 'dstdom_regex',
  GroupName: 'banks',
  Params: '',
};
const rule = { Description: 'No banks', Id: 3, Crypt: 0, Order: 1, Enabled: 1, Objects: [object] };

test.each<[string, nock.Body]>([
  ['a bare array', [rule]],
  ['an array in an envelope', { Status: true, Error: '', Rules: [rule] }],
  [
    'looser spelling',
    [
      {
        ...{ id: '3', description: 'No banks', crypt: false, order: '1', enabled: 'True', colour: 'red' },
        objects: [{ gpid: '14', negation: '0', zorder: '1', grouptype: 'dstdom_regex', groupname: 'banks' }],
      },
    ],
  ],
])('the rules come typed out of %s', async (_, body) => {
  answers('/proxy/acls/ssl/rules', body);
  expect(await appliance.ssl.listRules()).toEqual([
    {
      id: 3,
      name: 'No banks',
      decodes: false,
      order: 1,
      enabled: true,
      objects: [{ id: 14, name: 'banks', type: 'dstdom_regex', negated: false, order: 1 }],
    },
  ]);
});

test('null objects are none, and omitted objects are unknown', async () => {
  answers('/proxy/acls/ssl/rules', [{ Id: 3, Objects: null }, { Id: 4 }, { Id: 5, Objects: [] }]);
  expect(await appliance.ssl.listRules()).toEqual([
    { id: 3, objects: [] },
    { id: 4 },
    { id: 5, objects: [] },
  ]);
});

test.each([
  [{ Gpid: 14, ID: 99 }, 14],
  [{ ID: 99 }, 99],
])('the object of %j has the identifier %d', async (written, id) => {
  answers('/proxy/acls/ssl/rules', [{ Id: 3, Objects: [written] }]);
  expect(await appliance.ssl.listRules()).toEqual([{ id: 3, objects: [{ id }] }]);
});

test.each<[nock.Body, string]>([
  [[rule, { Description: 'without a number' }], '1.Id'],
  [{ Status: true }, 'Rules'],
])('what cannot be identified is not left out: %j', async (body, at) => {
  answers('/proxy/acls/ssl/rules', body);
  await expect(appliance.ssl.listRules()).rejects.toMatchObject({ code: 'unexpected_reply', at });
});

test('a rule with an unidentifiable object stays, without claiming a complete list', async () => {
  answers('/proxy/acls/ssl/rules', [{ Id: 3, Objects: [{ Gpid: 14 }, { GroupName: 'banks' }] }]);
  const unread = { Objects: '[{"Gpid":14},{"GroupName":"banks"}]' };
  expect(await appliance.ssl.listRules()).toEqual([{ id: 3, unread }]);
});

test('building asks for the compilation of the rules', async () => {
  answers('/proxy/ssl/build', { Status: true, Info: 'built', Error: '' });
  expect(await appliance.ssl.build()).toEqual({ confirmed: true, info: 'built' });
});
