import { describe, expect, test } from 'vitest';
import { converse } from './conversation.ts';

describe('a lookup on several appliances', () => {
  test('gives the number of answers where they have no sum', async () => {
    const { type, branches } = await converse({ branches: 2 });
    expect(await type('/appliance acl objects --on all', 'vic')).toContain('3 appliances answered');
    await branches.get('branch-3')?.close();
    expect(await type('/appliance acl objects --on all', 'vic')).toContain(
      '2 of 3 appliances answered, 1 did not',
    );
  });

  test('is summed up in the command’s own words, and not where nobody answered', async () => {
    const { type, appliance, branches } = await converse({ branches: 1 });
    expect(await type('/appliance status --on all', 'vic')).toContain('✅ No problems found on 2 appliances');
    await Promise.all([appliance.close(), branches.get('branch-2')?.close()]);
    expect(await type('/appliance status --on all', 'vic')).toContain(
      '0 of 2 appliances answered, 2 did not',
    );
  });
});

describe('the question before a change on several appliances', () => {
  test('shows the impact, the differences of each appliance, and once what all have', async () => {
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

  test('is asked once where it is the same on all, with their names', async () => {
    // Their status depends on the time, so both are asked in the same moment.
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

describe('a change on several appliances', () => {
  test('leaves out appliances with too old a release before the question, and names them in the end', async () => {
    const { type, press, branches, bot } = await converse({ branches: 2 });
    const line = '/appliance acl object disable google_sni --on all';
    const card = await type(line, 'dana');
    expect(card).toMatch(/branch-2 {2}skipped: branch-2 runs release 4\.50 SP4, which cannot do this/);
    const orders = (name: string) =>
      branches.get(name)?.requests.filter(({ path }) => path.includes('/object/disable/'));
    const said = await press('Disable', 'dana');
    expect(orders('branch-2')).toEqual([]);
    expect(said).toContain(
      'Disabling ACL object google_sni: done on 1 of 3 appliances, skipped: branch-2 and branch-3',
    );
    expect(said).toMatch(/branch-2 +skipped: branch-2 runs release 4\.50 SP4/);
    const [action] = await bot.journal.recent(1);
    expect(action?.outcome?.says).toContain('branch-2: skipped');
  });

  test('shows its progress, with the number of appliances', async () => {
    const { type, press, appliance, branches, read } = await converse({ branches: 1 });
    for (const one of [appliance, ...branches.values()])
      one.faults.set('POST /rdpproxy/sessions/{id}/disconnect', { kind: 'slow', ms: 1_500, times: 1 });
    await type('/appliance rdp disconnect 12 --on all', 'dana');
    const pressed = press('Disconnect', 'dana');
    await expect.poll(() => read('dana')).toContain('⏳ Disconnecting session 12 on 2 appliances…');
    expect(await pressed).toContain('✅ Disconnecting session 12: done on 2 of 2 appliances');
  });

  test('names an object with a number by its name on all of them', async () => {
    const { type, press, appliance, branches, read } = await converse({ branches: 1 });
    const one = appliance.state.rdp.sessions.get(12);
    const other = branches.get('branch-2')?.state.rdp.sessions.get(12);
    if (one === undefined || other === undefined) throw new Error('Session 12 is open on both');
    Object.assign(other, { username: one.username, target: one.target });
    appliance.faults.set('POST /rdpproxy/sessions/{id}/disconnect', { kind: 'slow', ms: 1_500, times: 1 });
    const named = 'Disconnecting session 12 of bob.miller on srv-files-01';
    await type('/appliance rdp disconnect 12 --on all', 'dana');
    const pressed = press('Disconnect', 'dana');
    await expect.poll(() => read('dana')).toContain(`⏳ ${named} on 2 appliances…`);
    expect(await pressed).toContain(`✅ ${named}: done on 2 of 2 appliances`);
  });

  test('names such an object where all but one appliance were left alone', async () => {
    const { type, press, branches } = await converse({ branches: 1 });
    branches.get('branch-2')?.state.rdp.sessions.delete(12);
    await type('/appliance rdp disconnect 12 --on all', 'dana');
    expect(await press('Disconnect', 'dana')).toContain(
      'Disconnecting session 12 of bob.miller on srv-files-01: done on 1 of 2 appliances, skipped: branch-2',
    );
  });

  test('on one of two still names the other in the end', async () => {
    const { type, press } = await converse({ branches: 1 });
    await type('/appliance acl object disable google_sni --on all', 'dana');
    expect(await press('Disable', 'dana')).toContain(
      'Disabling ACL object google_sni: done on 1 of 2 appliances, skipped: branch-2',
    );
  });

  test('shows short tables of the same columns as one, with a column for the appliance', async () => {
    const { type } = await converse({ branches: 1 });
    const said = await type('/appliance rdp sessions --on all', 'dana');
    expect(said).toMatch(/Appliance +Session +Person +Target +From +Since\n/);
    expect(said).toMatch(/hq +3 +alice\.carter /);
    expect(said).toContain('Rows 1–15 of 17');
    expect(said).not.toContain('Person alice.carter');
  });

  test('names the appliance of each log and its file', async () => {
    const { type, press, appliance, branches } = await converse({ branches: 1 });
    const traces = Array.from({ length: 30 }, (_, at) => `installing, step ${at}`);
    for (const one of [appliance, ...branches.values()])
      one.faults.set('GET /system/softwares/install/{productKey}/{keyVer}', {
        kind: 'text',
        text: JSON.stringify({ Status: true, traces }),
      });
    await type('/appliance software install squid 59 --on all', 'dana');
    const said = await press('Install', 'dana');
    expect(said).toContain('[file hq-installation.log');
    expect(said).toContain('[file branch-2-installation.log');
    expect(said).toMatch(/│ +hq\n[\s\S]*all of it is in hq-installation\.log/);
  });
});
