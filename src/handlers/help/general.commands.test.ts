import { describe, expect, test } from 'vitest';
import { guideFor, ofKind, read, unasked } from '../../../test/commands.ts';
import type { Guide } from '../command.ts';
import { plainText, say } from '../reply.ts';
import { version, whoami } from './general.commands.ts';

const situation = { person: 'U0ALICE001', channel: 'C0HELPDESK', now: 0, ...unasked };

describe('whoami', () => {
  const answer = async (guide: Guide) =>
    read(await ofKind('info', whoami).answer({ ...situation, args: {}, guide }));

  test('tells the roles, what they allow, the appliance and the ID that a policy needs', async () => {
    expect((await answer(guideFor({ roles: ['viewer', 'approver'] }))).split('\n')).toEqual([
      'U0ALICE001 has the viewer and approver roles in this channel',
      expect.stringMatching(/^You can run: \d+ of \d+ commands; \/appliance help shows them by topic$/),
      'Appliance: hq',
      'Your Slack ID: U0ALICE001',
    ]);
  });

  test('without a role says so, with the reason where there is one', async () => {
    const text = await answer(guideFor({ roles: [], appliance: undefined, obstacle: say`You are a guest.` }));
    expect(text).toContain('U0ALICE001 has no role in this channel\nYou are a guest.');
    expect(text).toContain('Appliance: none in this channel');
  });
});

test('version names the release and the Node it runs on', async () => {
  const { headline } = await ofKind('info', version).answer({ ...situation, args: {}, guide: guideFor() });
  expect(plainText(headline)).toMatch(/^Appliance Bot \d+\.\d+\.\d+ on Node \d+\./);
});
