import type nock from 'nock';
import { describe, expect, test } from 'vitest';
import { onlyNockAnswers } from '../../../test/nock.ts';
import { answers, appliance } from './testing.ts';

onlyNockAnswers();

test('the collection includes the keys for an installation', async () => {
  const documented = {
    KeyVer: 4410,
    Version: '4.4.10',
    Url: 'http://repo.test/proxy/4410.tgz',
    SizeBytes: 81_234_567,
    MD5: '9e107d9d372bb6826bd81d3542a419d6',
  };
  answers('/system/softwares/indexes', {
    Status: true,
    Error: '',
    Softwares: [
      { ProductKey: 'APP_PROXY', Collection: [documented, { keyver: '4411', sizebytes: '5', md5: null }] },
      { ProductKey: 'APP_FTPD', Collection: null },
    ],
  });
  expect(await appliance.software.list()).toEqual([
    {
      productKey: 'APP_PROXY',
      versions: [
        {
          keyVer: 4410,
          version: '4.4.10',
          url: 'http://repo.test/proxy/4410.tgz',
          sizeBytes: 81_234_567,
          md5: '9e107d9d372bb6826bd81d3542a419d6',
        },
        { keyVer: 4411, sizeBytes: 5 },
      ],
    },
    { productKey: 'APP_FTPD', versions: [] },
  ]);
});

test('a version without a key is not silently left out', async () => {
  answers('/system/softwares/indexes', {
    Softwares: [{ ProductKey: 'APP_PROXY', Collection: [{ Version: '4.4.10' }] }],
  });
  expect(await appliance.software.list()).toEqual([
    { productKey: 'APP_PROXY', versions: [], unread: { Collection: '[{"Version":"4.4.10"}]' } },
  ]);
});

test('the log of an installation keeps its lines', async () => {
  answers('/system/softwares/install/APP_PROXY/4410', {
    Status: true,
    Info: 'installed',
    Traces: 'Downloading\r\n\n  Extracting\nDone\n\n',
  });
  expect(await appliance.software.install({ productKey: 'APP_PROXY', keyVer: 4410 })).toEqual({
    confirmed: true,
    info: 'installed',
    traces: ['Downloading', '', '  Extracting', 'Done'],
  });
});

test.each<[nock.Body]>([[{}], [''], [{ Traces: '' }], [{ traces: null }]])(
  'an installation answered with %j has no log and is not confirmed',
  async (body) => {
    answers('/system/softwares/install/APP_PROXY/4410', body);
    expect(await appliance.software.install({ productKey: 'APP_PROXY', keyVer: 4410 })).toEqual({
      confirmed: false,
      info: '',
      traces: [],
    });
  },
);

describe('an installation that failed', () => {
  const install = (body: nock.Body) => {
    answers('/system/softwares/install/APP_PROXY/4410', body);
    return appliance.software.install({ productKey: 'APP_PROXY', keyVer: 4410 });
  };

  test.each<[unknown, string[]]>([
    ['a\nb', ['a', 'b']],
    [
      ['a', 'b'],
      ['a', 'b'],
    ],
    [{ step: 'a' }, ['{"step":"a"}']],
  ])('is a refusal that keeps its log: %j', async (Traces, log) => {
    await expect(install({ Status: false, Info: 'bad', Traces })).rejects.toMatchObject({
      code: 'refused',
      reason: 'bad',
      log,
      // It has begun, so a part of it may be there.
      mayHaveHappened: true,
    });
  });

  test.each<[nock.Body]>([[{ Status: false, Error: 'no such version' }], [{ Status: false, Traces: null }]])(
    'did not begin without a log: %j',
    async (body) => {
      await expect(install(body)).rejects.toMatchObject({ code: 'refused', log: [], mayHaveHappened: false });
    },
  );
});

test('refreshing only orders the download', async () => {
  answers('/system/softwares/refresh', { Status: true, Info: 'ordered' });
  expect(await appliance.software.refresh()).toEqual({ confirmed: true, info: 'ordered' });
});
