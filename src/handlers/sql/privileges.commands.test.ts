import { expect, test } from 'vitest';
import { ofKind } from '../../../test/commands.ts';
import { plainText } from '../reply.ts';
import { grant, post, revoke } from './privileges.commands.ts';

/** Lists one user without its host. */
const appliance = {
  name: 'hq',
  sqldb: {
    listUsers: async () => [{ user: 'crm', host: undefined, privileges: {}, fields: {} }],
    listProcesses: async () => [],
  },
};

test.each([
  ['grant', grant],
  ['revoke', revoke],
  ['post', post],
])('sql user %s is not previewed while the host of its user is unknown', async (_, command) => {
  const args = { user: { user: 'crm', host: undefined }, host: undefined };
  const found = await ofKind('change', command).preview({ appliance, args } as never);
  expect(found.kind === 'nothing' && plainText(found.why)).toBe(
    'hq does not report the host of crm. Add --host.',
  );
});
