import { describe, expect, test } from 'vitest';
import { converse } from './conversation.ts';
import { five, withBob } from './planning-lines.ts';

const refusing = { kind: 'refuse', error: 'operation not permitted' } as const;
const stopping = 'GET /system/network/vlan/stop/{id}';

/** bob, at three appliances of which one refuses to stop VLANs. */
async function withBranches() {
  const bob = await withBob(converse({ branches: 2 }));
  const [last] = [...bob.branches.values()].slice(-1);
  last?.faults.set(stopping, refusing);
  const each = [bob.appliance, ...bob.branches.values()];
  return {
    ...bob,
    mend: () => last?.faults.clear(),
    areUp: () => each.map(({ state }) => state.vlan.interfaces.get(3)?.upSince !== undefined),
  };
}

describe('Roll back takes back', () => {
  test('what a line that failed has done on some of its appliances, once', async () => {
    const { plan, click, ask, areUp, mend, isEnabled, planned } = await withBranches();
    await plan(five[1] ?? '', 'vlan stop 3 --on all', five[0] ?? '');
    expect(await click('Run plan')).toContain(
      'Plan stopped at line 2: it was done only in part. 1 line done',
    );
    expect(areUp()).toEqual([false, false, true]);
    mend();
    const back = await click('Roll back');
    expect(back).toMatch(/Rolled back: 2 lines undone[\s\S]*2 {5}vlan start 3 --on hq,branch-2/);
    expect([areUp(), isEnabled()]).toEqual([[true, true, true], true]);
    expect(await ask(`plan rollback ${await planned()}`)).toContain('Nothing of this plan is left');
  });

  test('that also where it was the first line', async () => {
    const { plan, click, areUp } = await withBranches();
    await plan('vlan stop 3 --on all', five[0] ?? '');
    expect(await click('Run plan')).toContain('[Roll back] [Go on] [Leave it so]');
    await click('Roll back');
    expect(areUp()).toEqual([true, true, true]);
  });

  test('nothing where all of its appliances refused, which is told as before', async () => {
    const { plan, click, branches, appliance } = await withBranches();
    for (const one of [appliance, ...branches.values()]) one.faults.set(stopping, refusing);
    await plan('vlan stop 3 --on all', five[0] ?? '');
    const stopped = await click('Run plan');
    expect(stopped).toContain('Plan stopped at line 1: it failed. Nothing was done before');
    expect(stopped).not.toContain('[Roll back]');
  });

  test('not in silence what happened in part without a way back, which is named', async () => {
    const { plan, ask, click, branches, planned } = await withBranches();
    for (const one of branches.values()) one.faults.set('POST /rdpproxy/sessions/{id}/disconnect', refusing);
    await plan(five[0] ?? '', 'rdp disconnect 12 --on all');
    expect(await click('Run plan')).toContain('it was done only in part');
    expect(await ask(`plan rollback ${await planned()}`)).toMatch(
      /Stays {2}⚠ line 2 happened in part, and can’t be undone/,
    );
  });

  test('what was unknown when the plan stopped, once it is read back that it happened', async () => {
    const bob = await withBob(converse({ timeouts: { connect: 1, read: 1, whole: 2, long: 3 } }));
    const { plan, click, appliance, isUp, isIn } = bob;
    await plan(five[0] ?? '', 'vlan stop 3', five[1] ?? '');
    appliance.faults.set(stopping, { kind: 'hang', happens: true });
    const running = click('Run plan');
    await expect.poll(() => appliance.requests.some(({ path }) => path.includes('/vlan/stop/'))).toBe(true);
    appliance.faults.set('GET /system/network/vlan/list', { kind: 'hang' });
    const stopped = await running;
    expect(stopped).toContain('Plan stopped at line 2: its outcome is unknown');
    appliance.faults.clear();
    expect(isUp()).toBe(false);
    await click('Roll back');
    expect([isUp(), isIn('one.example.net')]).toEqual([true, false]);
  });
});
