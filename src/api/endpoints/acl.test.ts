import { expect, test } from 'vitest';
import { onlyNockAnswers } from '../../../test/nock.ts';
import { answers, appliance } from './testing.ts';

onlyNockAnswers();

test.each([
  [{ Version: '4.50 Service Pack 5' }, { version: '4.50 Service Pack 5' }],
  [{ version: ' 4.50\n<b>SP5</b>' }, { version: '4.50 SP5' }],
  [{ Version: 4.5 }, { version: '4.5' }],
  [{ Version: '' }, {}],
  [{ Version: null }, {}],
  [{}, {}],
])('enabling and disabling a record keep the version that stands in the answer: %j', async (said, kept) => {
  const body = { Status: true, Info: 'Success', Error: '', ...said };
  answers('/proxy/acls/record/disable/7', body);
  expect(await appliance.acl.disableRecord({ itemId: 7 })).toEqual({
    confirmed: true,
    info: 'Success',
    ...kept,
  });
  answers('/proxy/acls/record/enable/7', body);
  expect(await appliance.acl.enableRecord({ itemId: 7 })).toMatchObject(kept);
});
