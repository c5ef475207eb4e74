import { describe, expect, test } from 'vitest';
import { converse } from '../conversation.ts';
import { five, withBob } from '../planning-lines.ts';

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
  test('the finished part of a line that failed on some of its appliances, once', async () => {
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

  test('the finished part of the first line, too', async () => {
    const { plan, click, areUp } = await withBranches();
    await plan('vlan stop 3 --on all', five[0] ?? '');
    expect(await click('Run plan')).toContain('[Roll back] [Go on] [Leave it so]');
    await click('Roll back');
    expect(areUp()).toEqual([true, true, true]);
  });

  test('no line that all of its appliances refused, which is reported as before', async () => {
    const { plan, click, branches, appliance } = await withBranches();
    for (const one of [appliance, ...branches.values()]) one.faults.set(stopping, refusing);
    await plan('vlan stop 3 --on all', five[0] ?? '');
    const stopped = await click('Run plan');
    expect(stopped).toContain('Plan stopped at line 1: it failed. Nothing was done before');
    expect(stopped).not.toContain('[Roll back]');
  });

  test('not in silence a partly done line without an undo, which is named', async () => {
    const { plan, ask, click, branches, planned } = await withBranches();
    for (const one of branches.values()) one.faults.set('POST /rdpproxy/sessions/{id}/disconnect', refusing);
    await plan(five[0] ?? '', 'rdp disconnect 12 --on all');
    expect(await click('Run plan')).toContain('it was done only in part');
    expect(await ask(`plan rollback ${await planned()}`)).toMatch(
      /Stays {2}⚠ line 2 happened in part, and can’t be undone/,
    );
  });

  test('a line with an unknown outcome, once it is read back that it happened', async () => {
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

describe('a change that a plan takes back', () => {
  test('by a line of its own comes back with its end, too, and asks when that is over', async () => {
    const { ask, click, plan, planned, pass, isIn } = await withBob();
    await ask('category add one.example.net to 252 --for 1h');
    await plan('category delete one.example.net from 252', five[1] ?? '');
    await click('Run plan');
    await pass(2 * 60 * 60_000);
    expect(await ask(`plan rollback ${await planned()}`)).toMatch(
      /Roll back 1 line on hq\?[\s\S]*Line 1 .*skipped\. This would bring back a temporary change that ended at/,
    );
    await click('Roll back');
    expect(isIn('one.example.net')).toBe(false);
  });

  test('and could not undo is repeated by Try again, which ends when nothing is left, and is called a rollback', async () => {
    const { plan, click, ask, isUp, isIn, isEnabled, appliance } = await withBob();
    await plan(five[0] ?? '', five[2] ?? '', five[1] ?? '');
    await click('Run plan');
    appliance.faults.set('GET /system/network/vlan/start/{id}', refusing);
    const stopped = await click('Undo');
    expect(stopped).toContain('Rollback stopped at line 2: it failed. 1 line done, line 1 not run.');
    expect(stopped).toContain('[Try again] [Leave it so]');
    expect(await click('Try again')).toContain(
      'Rollback stopped at line 2: it failed. Nothing was done before',
    );
    expect(await ask('plans')).toContain('[Try again] [Leave it so]');
    appliance.faults.clear();
    const done = await click('Try again');
    expect(done).toContain('✅ Rolled back: 2 lines undone');
    expect([isUp(), isIn('one.example.net'), isEnabled()]).toEqual([true, false, true]);
    expect(await ask('plans')).toContain('No plan waits, runs or has stopped in this channel.');
  });

  test('is shown by no dry run, because a rollback needs none', async () => {
    const { plan, click, ask, planned, breakVlan, isIn, isUp } = await withBob();
    breakVlan();
    await plan(five[0] ?? '', five[2] ?? '', five[3] ?? '');
    await click('Run plan');
    for (const line of ['plan rollback', 'plan continue'])
      expect(await ask(`${line} ${await planned()} --dry-run`)).toMatch(
        /--dry-run is not needed for a plan[^\n]*No changes were made\.\s*$/,
      );
    expect([isIn('one.example.net'), isIn('two.example.net'), isUp()]).toEqual([true, false, true]);
  });

  test('can be taken back again after its question was cancelled, or nobody answered it', async () => {
    const { plan, click, pass, isEnabled, read } = await withBob();
    await plan(five[1] ?? '', 'rdp disconnect 12');
    await click('Run plan');
    expect(await click('Undo')).toContain('Stays  ⚠ line 2 can’t be undone');
    expect(await click('Cancel')).toContain('[Undo]');
    await click('Undo');
    await pass(6 * 60_000);
    expect(read('bob')).not.toContain('Undo was pressed');
    await click('Undo');
    await click('Roll back');
    expect(isEnabled()).toBe(true);
  });
});

test('Go on reports the outcome of the unknown line, in the thread of the plan and on its own card', async () => {
  const { plan, click, appliance, read, isEnabled } = await withBob(
    converse({ timeouts: { connect: 1, read: 1, whole: 2, long: 3 } }),
  );
  await plan(five[0] ?? '', 'rdp disconnect 12', five[1] ?? '');
  appliance.faults.set('POST /rdpproxy/sessions/{id}/disconnect', { kind: 'hang', happens: true });
  const running = click('Run plan');
  await expect.poll(() => appliance.requests.some(({ path }) => path.includes('/disconnect'))).toBe(true);
  appliance.faults.set('GET /rdpproxy/sessions', { kind: 'hang' });
  expect(await running).toContain('Plan stopped at line 2: its outcome is unknown');
  appliance.faults.clear();
  await click('Go on');
  expect(isEnabled()).toBe(false);
  expect(read('bob')).toMatch(
    /Line 2 was read back\. Session 12 of bob\.miller on srv-files-01 disconnected\. It was not known whether it had happened\. A check showed that it did happen\./,
  );
  expect(read('bob')).toMatch(/Read back {2}.*rdp disconnect 12.*: it happened/);
  expect(read('bob')).not.toContain('The bot was stopped');
});
