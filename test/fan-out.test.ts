import { describe, expect, test } from 'vitest';
import { converse } from './conversation.ts';

describe('a lookup on several appliances', () => {
  test('says how many answered where their answers do not sum up', async () => {
    const { type, branches } = await converse({ branches: 2 });
    expect(await type('/appliance acl objects --on all', 'vic')).toContain('3 appliances answered');
    await branches.get('branch-3')?.stop();
    expect(await type('/appliance acl objects --on all', 'vic')).toContain(
      '2 of 3 appliances answered, 1 did not',
    );
  });

  test('is told in the words of the command where it has some, and not where nobody answered', async () => {
    const { type, appliance, branches } = await converse({ branches: 1 });
    expect(await type('/appliance status --on all', 'vic')).toContain('✅ All is well on 2 appliances');
    await Promise.all([appliance.stop(), branches.get('branch-2')?.stop()]);
    expect(await type('/appliance status --on all', 'vic')).toContain(
      '0 of 2 appliances answered, 2 did not',
    );
  });
});

describe('the question before a change on several appliances', () => {
  test('says what is hit, what each has of its own, and once what all have', async () => {
    const { type, press, appliance, branches } = await converse({ branches: 1 });
    const card = await type('/appliance rdp disconnect 12 --on all', 'dana');
    expect(card).toContain('Disconnecting session 12 on 2 appliances: go ahead?');
    expect(card).toMatch(/hq {2}Person: bob\.miller; Target: srv-files-01; /);
    expect(card).toMatch(/branch-2 {2}Person: jonas\.weber; /);
    await press('Disconnect', 'dana');
    expect(appliance.state.rdp.sessions.has(12)).toBe(false);
    expect(branches.get('branch-2')?.state.rdp.sessions.has(12)).toBe(false);
    const restart = await type('/appliance rdp restart --on all', 'dana');
    expect(restart).toContain('Restarting the remote-desktop gateway on 2 appliances: go ahead?');
    expect(restart).toContain('hq  Restart the remote-desktop gateway, with 14 open sessions?');
    expect(restart.match(/Audit trail/g)).toHaveLength(1);
  });

  test('is asked once where it is the same on all, and names them', async () => {
    // What they say of themselves depends on the time, and both are asked in the same moment.
    const at = Date.now();
    const { type } = await converse({ branches: 1, world: { now: () => at } });
    const card = await type(
      '/appliance emergency enable --for 30m --reason "directory down" --on all',
      'dana',
    );
    expect(card).toContain(
      'Enable emergency mode on 2 appliances for 30 min? Everybody will pass without authentication.',
    );
    expect(card).toMatch(/\n *On {2}hq, branch-2\n *Reason {2}directory down\n/);
  });
});
