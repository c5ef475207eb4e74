import { describe, expect, test, vi } from 'vitest';
import { converse } from './conversation.ts';
import { five, withBob } from './planning-lines.ts';

const hour = 60 * 60_000;
const noon = Date.UTC(2026, 2, 3, 12, 0);
const house = () => withBob(converse({ from: noon }));
const addsOne = '/appliance category add one.example.net to 252';

describe('a line of a plan that somebody else has run meanwhile', () => {
  test('stops no other line from running, is reported, and stays when the plan is rolled back', async () => {
    const { plan, click, type, isIn, isUp, isEnabled, pass, ask, planned } = await house();
    await plan('--at 22:00', ...five);
    await click('Plan');
    await type(addsOne, 'dana');
    await pass(10 * hour + 5_000);
    const done = await ask('planned');
    expect(done).toContain('✅ Plan done: 4 of 5 lines, 1 skipped');
    expect(done).toContain('➖ Line 1: skipped. one.example.net is already in category shopping.');
    expect([isUp(), isEnabled()]).toEqual([false, false]);
    await ask(`plan rollback ${await planned()}`);
    expect(await click('Roll back')).toContain('Rolled back: 4 lines undone');
    expect([isIn('one.example.net'), isIn('two.example.net'), isUp()]).toEqual([true, false, true]);
  });

  test('needs no new confirmation and stops nothing, before the click or during the run', async () => {
    const { plan, click, type, appliance } = await house();
    const isUnderWay = () => appliance.requests.some(({ path }) => path.includes('/object/disable/4'));
    await plan(...five);
    await type(addsOne, 'dana');
    expect(await click('Run plan')).toContain('✅ Plan done: 4 of 5 lines, 1 skipped');
    const lines = ['acl object disable apple_sni', 'category add late.example.net to 252'];
    await plan(...lines);
    // While the first line runs, somebody adds the site on the appliance itself.
    appliance.faults.set('GET /proxy/acls/object/disable/{objectId}', { kind: 'slow', ms: 1_500, times: 1 });
    const pressed = click('Run plan');
    await vi.waitFor(() => expect(isUnderWay()).toBe(true), 5_000);
    appliance.state.categories.all.get(252)?.sites.add('late.example.net');
    expect(await pressed).toMatch(/➖ Line 2: skipped\. late\.example\.net is already in/);
    expect(appliance.state.categories.all.get(252)?.sites.has('late.example.net')).toBe(true);
  });

  test('does not end with the others of a temporary plan, which is reported', async () => {
    const { plan, click, type, isIn, pass } = await house();
    await plan('--for 2h', ...five.slice(0, 2));
    await type(addsOne, 'dana');
    expect(await click('Run plan')).toMatch(
      /Line 1: skipped\. .* It is not undone with the others, because this plan has not made it\./,
    );
    await pass(3 * hour);
    expect(isIn('one.example.net')).toBe(true);
  });

  test('may be the last one left: then nothing is sent, and that is reported', async () => {
    const { plan, click, type, pass, read, orders } = await house();
    await plan('--at 22:00', five[0] ?? '');
    await click('Plan');
    await type(addsOne, 'dana');
    const before = orders().length;
    await pass(10 * hour + 5_000);
    expect(read('bob')).toMatch(
      /Nothing of this plan is left to do: one\.example\.net is already in category shopping\./,
    );
    expect(orders().slice(before)).toEqual([]);
  });

  test('does not let a plan run whose other line would hit something else', async () => {
    const { plan, click, type, pass, read, isUp, describeInterface } = await house();
    await plan('--at 22:00', ...five);
    await click('Plan');
    await type(addsOne, 'dana');
    describeInterface(3, 'Another network');
    await pass(10 * hour + 5_000);
    expect(read('bob')).toContain('this was planned and did not run');
    expect(isUp()).toBe(true);
  });
});
