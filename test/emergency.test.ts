import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { transcript } from '../sandbox/workspace/transcript.ts';
import { type Conversation, converse } from './conversation.ts';
import { approve, ask, lives } from './lives.ts';
import { inPostgres } from './lives-journal.ts';
import { wordsOf } from './remembering-chat.ts';
import { startOne } from './start-one.ts';

const minute = 60_000;
const enable = '/appliance emergency enable --for 30m --reason "directory down"';
const disableOrders = ({ appliance }: Pick<Conversation, 'appliance'>) =>
  appliance.requests.filter(({ path }) => path.includes('emergency_disable')).length;
const isOn = ({ appliance }: Conversation) => appliance.state.directory.emergency;

/** Direct messages to this person. */
function directly({ workspace }: Conversation, name: string): string {
  const { id } = workspace.people.find((one) => one.name === name) ?? { id: name };
  return transcript(workspace.snapshot(id), 'appliance-bot');
}

/** Emergency mode for half an hour, asked by bob and approved by carol. */
async function enabled(options: Parameters<typeof converse>[0] = {}): Promise<Conversation> {
  const house = await converse(options);
  await house.type(enable, 'bob');
  await house.press('Approve', 'carol');
  expect(isOn(house)).toBe(true);
  return house;
}

describe('emergency mode with an end', () => {
  test('is on until its end, counted from the approval; then the bot ends it, checks, and reports', async () => {
    const house = await converse();
    await house.type(enable, 'bob');
    house.wait(10 * minute);
    expect(isOn(house)).toBe(false);
    const card = await house.press('Approve', 'carol');
    expect(card).toMatch(/🚨 Emergency mode on hq is on until \d\d:\d\d\n/);
    expect(card).toMatch(/\[End now\] \[Extend\]/);
    expect(card).toMatch(/until \d\d:\d\d\n {2}Verified\. State read back: /);
    await house.type('/appliance acl object disable google_sni', 'dana');
    // Only the approver reads the earlier state, and the headline now has the term.
    expect(card).not.toMatch(/State when asked|then ends automatically/);
    await house.pass(24 * minute);
    expect(house.read('bob')).not.toContain('⏳');
    await house.pass(minute);
    const loud = house.workspace
      .snapshot('U0BOB00001')
      .messages.filter(({ blocks = [] }) =>
        /"style":"danger".*|End now.*"style":"danger"/.test(JSON.stringify(blocks)),
      );
    expect(loud).toHaveLength(2);
    expect(house.read('bob')).toMatch(
      /⏳ Emergency mode on hq ends in 5 min, at .* @bob and @carol: if it is still needed, extend it now\.\n *│ +\[End now\] \[Extend\]/,
    );
    await house.pass(4 * minute);
    expect(isOn(house)).toBe(true);
    await house.pass(minute);
    expect(isOn(house)).toBe(false);
    const said = house.read('bob');
    expect(said).not.toContain('🚨');
    expect(said).toContain('✅ Emergency mode on hq is over');
    // The card names requester, approver and reason, and the report in its thread does not repeat them.
    expect(said).toMatch(/ {2}@bob {2}· {2}`\/appliance emergency enable /);
    expect(said.match(/Approved by {2}@carol at \d\d:\d\d/g)).toHaveLength(1);
    expect(said.match(/Reason {2}directory down/g)).toHaveLength(1);
    expect(said).not.toContain('Asked by');
    expect(said.match(/Emergency mode on hq is over/g)).toHaveLength(2);
    expect(said).toMatch(/Time {2}from .* to .*, 30 min; planned until/);
    expect(said).toMatch(/Ended {2}automatically at \d\d:\d\d/);
    expect(said).toContain('Verified  yes. State read back: the proxy authenticates people.');
    expect(said).toMatch(/@dana +acl object disable google_sni +done/);
    // The reminder offers nothing any more.
    expect(said).toMatch(/also in the channel\n *│ +Reminder no longer needed: Emergency mode on hq\.\n/);
    expect(said).not.toContain('⏳');
    expect(said).not.toContain('[End now]');
    await house.pass(60 * minute);
    expect(disableOrders(house)).toBe(1);
  });

  test('ends by the button, for anybody with the right, with the same report', async () => {
    const house = await enabled();
    house.wait(7 * minute);
    await house.press('End now', 'dana');
    expect(isOn(house)).toBe(false);
    const said = house.read('bob');
    expect(said).toContain('Emergency mode on hq is over');
    expect(said).toMatch(/Ended {2}by @dana at/);
    expect(said).toMatch(/Verified {2}yes\. State read back: the proxy authenticates people\.[^.]*\.\n/);
    expect(said).toContain('Meanwhile  no other changes were made there with Appliance Bot');
    await house.pass(60 * minute);
    expect(disableOrders(house)).toBe(1);
    expect(house.read('bob').match(/Time {2}from /g)).toHaveLength(1);
  });

  test('does not begin when the appliance certainly did not take it, and nothing more is said', async () => {
    const house = await converse();
    house.appliance.faults.set('- /emergency_enable', { kind: 'status', status: 403 });
    await house.type(enable, 'bob');
    expect(await house.press('Approve', 'carol')).toContain('❌ Enabling emergency mode failed');
    const before = house.read('bob');
    await house.pass(60 * minute);
    expect(house.read('bob')).toBe(before);
    expect(await house.bot.journal.timedChanges()).toEqual([]);
  });

  test('counts as on when its beginning is unknown, and is ended all the same', async () => {
    const house = await converse();
    house.appliance.faults.set('- /emergency_enable', { kind: 'reset' });
    house.appliance.faults.set('- /status', { kind: 'status', status: 500 });
    await house.type(enable, 'bob');
    house.appliance.faults.set('- /proxy/auth/status', { kind: 'status', status: 500 });
    house.appliance.faults.clear('- /status');
    await house.press('Approve', 'carol');
    house.appliance.faults.clear();
    await house.pass(60 * minute);
    expect(isOn(house)).toBe(false);
    expect(await house.bot.journal.timedChanges()).toEqual([]);
  });

  test('says nothing more once it is over, though its own order ends later', async () => {
    const { bot, pass } = await converse();
    const of = { team: 'T1', channel: 'C0HELPDESK', person: 'U0BOB00001' };
    const order = { ...of, line: 'emergency enable', effect: 'destructive' };
    const running = await bot.journal.write({ ...order, state: 'running' });
    const timedChange = {
      ...of,
      action: running.id,
      appliance: 'hq',
      reason: 'r',
      subject: 'emergency disable',
      endsAt: Date.now() + minute,
    };
    const begun = await startOne(bot.journal, timedChange);
    await bot.journal.endTimedChange(begun?.id ?? 0, { how: 'person', says: 'It is over.' });
    await pass(2_000);
    expect(await bot.journal.byId(running.id)).toMatchObject({ state: 'running' });
  });

  test('is not enabled twice: a second request hears until when it is on, and may extend it', async () => {
    const house = await enabled();
    const said = await house.type(enable, 'bob');
    expect(said).toMatch(
      /hq is already in emergency mode, until \d\d:\d\d\. No changes were made\.\n +\[Extend\]/,
    );
  });

  test('lasts no longer than the policy allows', async () => {
    const house = await converse({ policy: { emergency: { longest: '1h' } } });
    const said = await house.type('/appliance emergency enable --for 61m --reason x', 'bob');
    expect(said).toContain(
      'Too long: the policy limits emergency mode to 1 h from now. No changes were made.',
    );
  });

  test('says where it did not begin on one of two appliances, and ends where it did', async () => {
    const house = await converse({ branches: 1 });
    await house.type(`${enable} --on all`, 'bob');
    house.branches.get('branch-2')?.faults.set('- /emergency_enable', { kind: 'status', status: 403 });
    const card = await house.press('Approve', 'carol');
    expect(card).toMatch(/🚨 Emergency mode on hq is on until \d\d:\d\d; on branch-2 it did not begin\n/);
    await house.pass(30 * minute);
    expect(isOn(house)).toBe(false);
    expect(house.read('bob')).toContain('Emergency mode on hq is over; on branch-2 it did not begin\n');
    expect(house.read('bob').match(/Time {2}from /g)).toHaveLength(1);
  });

  test('shows break-glass before the click, to every approver, and in its report', async () => {
    const house = await converse({ policy: { emergency: { break_glass: 'operator' } } });
    expect(await house.type(`${enable} --break-glass`, 'bob')).toMatch(
      /Approval {2}none \(break-glass\): all approvers are notified at once/,
    );
    await house.press('Enable emergency mode', 'bob');
    expect(isOn(house)).toBe(true);
    expect(directly(house, 'carol')).toContain('@bob used break-glass in #helpdesk');
    await house.pass(30 * minute);
    expect(house.read('bob')).toContain('Approved by  nobody: @bob used break-glass');
  });

  test('on several appliances ends on each, and each is reported', async () => {
    const house = await converse({ branches: 1 });
    await house.type(`${enable} --on all`, 'bob');
    const card = await house.press('Approve', 'carol');
    expect(card).toMatch(/Emergency mode on hq and branch-2 is on until/);
    expect(card).toContain('[End now on hq] [Extend on hq] [End now on branch-2] [Extend on branch-2]');
    await house.press('End now on branch-2', 'bob');
    expect(house.branches.get('branch-2')?.state.directory.emergency).toBe(false);
    expect(isOn(house)).toBe(true);
    expect(house.read('bob')).toMatch(/Emergency mode on hq is on until .*; on branch-2 is over/);
    await house.pass(30 * minute);
    expect(isOn(house)).toBe(false);
    expect(house.read('bob')).toContain('✅ Emergency mode on hq and branch-2 is over');
    expect(house.read('bob').match(/Time {2}from /g)).toHaveLength(2);
  });
});

describe('extending it', () => {
  test('takes a time, a reason and another approval; then the new end counts, with its reminder', async () => {
    const house = await enabled();
    await house.pass(26 * minute);
    await house.press('Extend', 'bob');
    const bob = house.person('bob');
    const [time = '', reason = ''] = bob.form()?.fields.map(({ label }) => label) ?? [];
    await bob.fill({ [time]: '20m', [reason]: 'still down' });
    await bob.submit();
    expect(house.read('bob')).toMatch(/Extend emergency mode on hq by 20 min, until \d\d:\d\d\?/);
    await house.press('Approve', 'carol');
    expect(house.read('bob')).toMatch(
      /Extended until \d\d:\d\d, requested by @bob and approved by @carol\.\n/,
    );
    expect(house.read('bob')).toMatch(/⏳ Emergency mode on hq is on until \d\d:\d\d\.\n(?! *│ +\[)/);
    await house.pass(10 * minute);
    expect(isOn(house)).toBe(true);
    await house.pass(10 * minute);
    expect(house.read('bob').match(/⏳/g)).toHaveLength(2);
    await house.pass(5 * minute);
    expect(isOn(house)).toBe(false);
    expect(house.read('bob')).toMatch(
      /Extended {2}at \d\d:\d\d until \d\d:\d\d, requested by @bob and approved by @carol: still down\n/,
    );
    expect(disableOrders(house)).toBe(1);
  });

  test('is refused without an emergency mode of the bot’s own, and beyond what the policy allows', async () => {
    const house = await converse();
    const extend = '/appliance emergency extend --for 4h --reason "still down"';
    house.appliance.turn({ proxyMode: 'emergency' });
    expect(await house.type(extend, 'bob')).toContain(
      'Appliance Bot has no active emergency mode to extend on hq',
    );
    house.appliance.turn({ proxyMode: 'normal' });
    await house.type(enable, 'bob');
    await house.press('Approve', 'carol');
    expect(await house.type(extend, 'bob')).toContain('the policy limits emergency mode to 4 h from now');
  });

  test('comes too late when it is approved after the end', async () => {
    const house = await enabled();
    await house.pass(28 * minute);
    await house.type('/appliance emergency extend --for 10m --reason "still down"', 'bob');
    await house.pass(2 * minute);
    expect(isOn(house)).toBe(false);
    expect(await house.press('Approve', 'carol')).toContain(
      'Appliance Bot has no active emergency mode to extend on hq.',
    );
    expect(isOn(house)).toBe(false);
  });

  test('may be done again and again, and each time the policy’s longest time counts from that moment', async () => {
    const house = await converse({ policy: { emergency: { longest: '1h' } } });
    await house.type(enable, 'bob');
    await house.press('Approve', 'carol');
    const extend = (time: string) =>
      house.type(`/appliance emergency extend --for ${time} --reason "still down"`, 'bob');
    expect(await extend('31m')).toContain('the policy limits emergency mode to 1 h from now');
    await extend('30m');
    await house.press('Approve', 'carol');
    expect(await extend('2m')).toContain('the policy limits emergency mode to 1 h from now');
    await house.pass(2 * minute);
    await extend('1m');
    await house.press('Approve', 'carol');
    await house.pass(58 * minute);
    expect(isOn(house)).toBe(true);
    await house.pass(minute);
    expect(isOn(house)).toBe(false);
    expect(house.read('bob').match(/Extended {2}at/g)).toHaveLength(2);
    expect(disableOrders(house)).toBe(1);
  });

  test('is previewed again when it is approved: the second of two at once needs a new confirmation', async () => {
    const house = await enabled();
    await house.type('/appliance emergency extend --for 20m --reason "still down"', 'bob');
    await house.type('/appliance emergency extend --for 10m --reason "still down, again"', 'dana');
    await house.press('Approve', 'carol');
    await house.press('Approve', 'carol');
    expect(house.read('bob')).toContain('This is not what you were shown a moment ago');
    expect((await house.bot.journal.timedChanges())[0]?.extensions).toHaveLength(1);
  });

  test('in a dry run changes nothing', async () => {
    const house = await enabled();
    const [before] = await house.bot.journal.timedChanges();
    await house.type('/appliance emergency extend --for 10m --reason "still down" --dry-run', 'bob');
    expect(await house.bot.journal.timedChanges()).toEqual([before]);
  });
});

describe('an end that does not succeed', () => {
  test('is reported prominently, tried at growing intervals, and never given up', async () => {
    const house = await enabled();
    house.appliance.faults.set('- /emergency_disable', { kind: 'forget' });
    await house.pass(30 * minute);
    const said = house.read('bob');
    expect(said).toMatch(/🚨 @bob and @carol: Emergency mode on hq may still be on\./);
    expect(said).toContain('hq accepted the order. It is not visible yet: State read back: it is still on.');
    expect(said).toContain('🚨 Emergency mode on hq couldn’t be turned off. Retrying');
    expect(said).toMatch(/\[End now\] \[Confirm that it is over\]/);
    for (const who of ['bob', 'carol']) {
      expect(directly(house, who).match(/Emergency mode on hq may still be on/g)).toHaveLength(1);
    }
    const tries: number[] = [];
    for (let passed = 0; passed < 4 * 60; passed += 1) {
      const before = disableOrders(house);
      await house.pass(minute);
      if (disableOrders(house) > before) tries.push(passed + 1);
    }
    // The bot's own waiting for an appliance to let go takes some seconds of each.
    const gaps = tries.map((at, index) => at - (tries[index - 1] ?? 0));
    for (const [index, gap] of [1, 2, 4, 8, 16, 32, 60].entries()) {
      expect(gaps[index]).toBeGreaterThanOrEqual(gap - 1);
      expect(gaps[index]).toBeLessThanOrEqual(gap + 1);
    }
    expect(house.read('bob').match(/This was try \d+/g)).toHaveLength(tries.length);
    expect(directly(house, 'carol').match(/may still be on/g)?.length).toBeGreaterThan(1);
    house.appliance.faults.clear();
    await house.pass(61 * minute);
    expect(isOn(house)).toBe(false);
    expect(house.read('bob')).toMatch(/Ended {2}automatically at .*, after \d+ tries that failed/);
    // The alarm went through the channel, and so does its end.
    expect(house.read('bob')).toMatch(/also in the channel\n *│ +Emergency mode on hq is over\./);
    expect(directly(house, 'carol')).toContain('Emergency mode on hq is over.');
    const orders = disableOrders(house);
    await house.pass(120 * minute);
    expect(disableOrders(house)).toBe(orders);
  });

  test('is reported with the reason when the appliance is out of reach', async () => {
    const house = await enabled();
    for (const path of ['- /emergency_disable', '- /status', '- /proxy/auth/status']) {
      house.appliance.faults.set(path, { kind: 'status', status: 503 });
    }
    await house.pass(30 * minute);
    expect(house.read('bob')).toMatch(/it couldn’t be turned off\. .*HTTP 503/);
    house.appliance.faults.clear();
    await house.pass(2 * minute);
    expect(isOn(house)).toBe(false);
  });

  test('is not called over without proof, until somebody who has looked confirms it in their own name', async () => {
    const house = await converse();
    house.appliance.turn({ directoryConnection: 'broken' });
    house.appliance.faults.set('- /emergency_enable', { kind: 'forget' });
    await house.type(enable, 'bob');
    await house.press('Approve', 'carol');
    expect(await house.type('/appliance emergency confirm over --reason seen', 'bob')).toContain(
      'The emergency mode on hq has time left.',
    );
    await house.pass(30 * minute);
    expect(house.read('bob')).toContain(
      'Couldn’t determine whether it is on: the directory is not connected',
    );
    await house.press('Confirm that it is over', 'dana');
    const dana = house.person('dana');
    const [reason = ''] = dana.form()?.fields.map(({ label }) => label) ?? [];
    await dana.fill({ [reason]: 'looked at the web console' });
    await dana.submit();
    const said = house.read('bob');
    expect(said).toContain('✅ Emergency mode on hq is over');
    expect(said).toMatch(/Ended {2}confirmed manually by @dana at .*: looked at the web console/);
    expect(said).toContain('Verified  no: the appliance couldn’t confirm it');
    const orders = disableOrders(house);
    await house.pass(120 * minute);
    expect(disableOrders(house)).toBe(orders);
  });

  test('is not confirmed by anybody while the appliance says that it is on', async () => {
    const house = await enabled();
    house.appliance.faults.set('- /emergency_disable', { kind: 'forget' });
    await house.pass(30 * minute);
    expect(await house.type('/appliance emergency confirm over --reason seen', 'bob')).toContain(
      'it is still on. The appliance reports: Emergency: the proxy is disconnected from the directory. Retrying continues.',
    );
  });

  test('is reported behind Global Emergency with the remedy, and succeeds when somebody applies it', async () => {
    const house = await enabled();
    house.appliance.state.directory.globalEmergency = true;
    house.appliance.faults.set('- /emergency_disable', { kind: 'forget', times: 1 });
    await house.pass(30 * minute);
    expect(house.read('bob')).toContain(
      'This hides whether emergency mode is on. emergency disable does not leave Global Emergency; /appliance emergency remove does.',
    );
    await house.press('Leave Global Emergency on hq', 'bob');
    await house.press('Leave Global Emergency', 'bob');
    expect(house.appliance.state.directory).toMatchObject({ emergency: false, globalEmergency: false });
    expect(house.read('bob')).toContain('✅ Emergency mode on hq is over');
  });

  test('is retried by the bot where only the order is known', async () => {
    const house = await enabled();
    house.appliance.faults.set('- /status', { kind: 'status', status: 500 });
    house.appliance.faults.set('- /emergency_disable', { kind: 'forget', times: 1 });
    await house.type('/appliance emergency disable', 'bob');
    expect(house.read('bob')).toContain('Ending emergency mode: outcome unknown');
    await house.pass(2 * minute);
    expect(isOn(house)).toBe(false);
    // The check that would name it fails until here.
    expect(house.read('bob')).not.toContain('✅ Emergency mode on hq is over');
    house.appliance.faults.clear('- /status');
    await house.pass(10 * minute);
    expect(house.read('bob')).toContain('✅ Emergency mode on hq is over');
  });

  test('comes in time although the clock was a day ahead when it began', async () => {
    const house = await converse();
    await house.pass(24 * 60 * minute);
    await house.type(enable, 'bob');
    await house.press('Approve', 'carol');
    expect(isOn(house)).toBe(true);
    await house.pass(-24 * 60 * minute);
    expect(isOn(house)).toBe(true);
    await house.pass(31 * minute);
    expect(isOn(house)).toBe(false);
    expect(house.read('bob')).toContain('✅ Emergency mode on hq is over');
  });

  test('is reported in person when Slack takes nothing in the channel, and with the next try when Slack takes nothing at all', async () => {
    const house = await enabled();
    house.appliance.faults.set('- /emergency_disable', { kind: 'forget' });
    house.workspace.faults.next('chat.postMessage', { kind: 'error', error: 'internal_error' }, 1_000);
    await house.pass(25 * minute);
    await house.pass(5 * minute);
    expect(directly(house, 'carol')).not.toContain('may still be on');
    house.workspace.faults.clear();
    await house.pass(minute);
    for (const who of ['bob', 'carol']) {
      expect(directly(house, who).match(/Emergency mode on hq may still be on/g)).toHaveLength(1);
    }
  });

  test('is reported again and again for an appliance that is no longer configured, until somebody confirms the end', async () => {
    const house = await converse({ branches: 1 });
    await house.type(`${enable} --on branch-2`, 'bob');
    await house.press('Approve', 'carol');
    await house.restart(async () => {
      const config = join(house.data, '..', 'appliance-bot.yml');
      writeFileSync(config, readFileSync(config, 'utf8').replaceAll('branch-2:', 'branch-9:'));
      house.wait(45 * minute);
    });
    await house.bot.idle();
    const words = /branch-2 is no longer in the bot’s configuration/g;
    expect(house.read('bob').match(words)).toHaveLength(1);
    expect(directly(house, 'carol')).toMatch(words);
    await house.pass(2 * minute);
    expect(house.read('bob').match(words)).toHaveLength(2);
    expect(house.branches.get('branch-2')?.requests.some(({ path }) => path.includes('disable'))).toBe(false);
    await house.press('Confirm that it is over', 'dana');
    const dana = house.person('dana');
    const [reason = ''] = dana.form()?.fields.map(({ label }) => label) ?? [];
    await dana.fill({ [reason]: 'it was sold' });
    await dana.submit();
    const said = house.read('bob');
    expect(said).toContain('✅ Emergency mode on branch-2 is over');
    expect(said).toMatch(/Ended {2}confirmed manually by @dana at .*: it was sold/);
    await house.pass(120 * minute);
    expect(house.read('bob')).toBe(said);
    expect(await house.type('/appliance emergency status --on all', 'bob')).toContain('on hq, branch-9\n');
  });

  test('is continued by the bot after a person’s order had no effect, and the bot says so', async () => {
    const house = await enabled();
    house.appliance.faults.set('- /emergency_disable', { kind: 'forget', times: 1 });
    await house.press('End now', 'dana');
    const said = house.read('bob');
    expect(said).toContain('It is retried until it is verified.');
    expect(said).not.toContain('It is not sent again automatically');
    await house.pass(2 * minute);
    expect(isOn(house)).toBe(false);
    expect(house.read('bob')).toContain('✅ Emergency mode on hq is over');
  });
});

describe('emergency mode while others act', () => {
  test('takes the word of the appliance when somebody ends it elsewhere', async () => {
    const house = await enabled();
    house.appliance.turn({ proxyMode: 'normal' });
    await house.pass(25 * minute);
    expect(house.read('bob')).not.toContain('⏳');
    expect(house.read('bob')).toMatch(
      /Ended {2}outside Appliance Bot: a check at .* showed that it was already off/,
    );
    expect(disableOrders(house)).toBe(0);
  });

  test('is distinguished from one of elsewhere', async () => {
    const house = await converse();
    house.appliance.turn({ proxyMode: 'emergency' });
    const foreign = 'everybody passes without authentication, not enabled by Appliance Bot';
    expect(await house.type('/appliance status', 'vic')).toContain(foreign);
    expect(await house.type('/appliance emergency status', 'vic')).toContain(foreign);
    expect(await house.type(enable, 'bob')).toContain('It was not enabled by Appliance Bot');
    house.appliance.turn({ proxyMode: 'normal' });
    await house.type(enable, 'bob');
    await house.press('Approve', 'carol');
    const own = /without authentication, until \d\d:\d\d \(requested by @bob: directory down\)/;
    expect((await house.type('/appliance emergency status', 'vic')).match(own)).not.toBeNull();
    house.appliance.turn({ proxyMode: 'normal' });
    expect(await house.type('/appliance emergency status', 'vic')).toMatch(
      /No emergency: the proxy authenticates people\. Emergency mode until .* was ended elsewhere/,
    );
    expect(await house.type(enable, 'bob')).toContain('run /appliance emergency disable first');
    await house.type('/appliance emergency disable', 'bob');
    expect(house.read('bob')).toMatch(/Ended {2}by @bob at/);
  });

  test('is enabled by the first of two at the same moment, and the other’s order is not sent', async () => {
    const world = await lives();
    const life = await world.live();
    await life.rest();
    ask(life, 'emergency enable --for 30m --reason "directory down"');
    ask(life, 'emergency enable --for 4h --reason "directory still down"');
    await life.rest();
    await approve(life);
    await life.rest();
    const orders = world.appliance.requests.filter(({ path }) => path.includes('emergency_enable'));
    expect(orders).toHaveLength(1);
    const states = (await life.journal.recent()).map(({ state }) => state);
    expect(states.filter((state) => state === 'done')).toHaveLength(1);
    expect(await life.journal.timedChanges()).toHaveLength(1);
  });

  test.each([
    ['somebody’s own order to end it', 'emergency disable'],
    ['an extension', 'emergency extend --for 10m --reason "still down"'],
  ])('%s at the very moment of its end ends once, and is reported once', async (_, line) => {
    const world = await lives();
    const life = await world.live();
    await life.rest();
    ask(life, 'emergency enable --for 30m --reason "directory down"');
    await life.rest();
    await approve(life);
    await life.rest();
    const isWaited = line.includes('extend');
    if (isWaited) ask(life, line);
    await life.rest();
    world.clock.at += 30 * minute;
    life.tick();
    if (isWaited) await approve(life);
    else ask(life, line);
    await life.rest();
    const isExtended = (await life.journal.timedChanges()).length > 0;
    expect(world.appliance.state.directory.emergency).toBe(isExtended);
    world.clock.at += 11 * minute;
    life.tick();
    await life.rest();
    expect(world.appliance.state.directory.emergency).toBe(false);
    const reports = world.chat.thread.filter(({ said }) => wordsOf(said).includes('Time: from '));
    expect(reports).toHaveLength(1);
    expect(wordsOf(reports[0]?.said ?? { headline: [] }).includes('Extended: at')).toBe(isExtended);
  });

  test('is ended once by two replicas, and reported once', async () => {
    const world = await lives({}, inPostgres);
    const [one, other] = [await world.live(), await world.live()];
    await Promise.all([one.rest(), other.rest()]);
    ask(one, 'emergency enable --for 30m --reason "directory down"');
    await one.rest();
    await approve(one);
    await one.rest();
    expect(world.appliance.state.directory.emergency).toBe(true);
    for (const pause of [25, 5, 10]) {
      world.clock.at += pause * minute;
      one.tick();
      other.tick();
      await Promise.all([one.rest(), other.rest()]);
    }
    expect(world.appliance.state.directory.emergency).toBe(false);
    expect(disableOrders(world)).toBe(1);
    const count = (words: string) =>
      world.chat.thread.filter(({ said }) => wordsOf(said).includes(words)).length;
    expect([count('Reminder no longer needed: Emergency mode on hq.'), count('Time: from ')]).toEqual([1, 1]);
  });
});

test('ends at the next start when its time passed while the bot was down', async () => {
  const house = await enabled();
  await house.restart(async () => house.wait(45 * minute));
  await house.bot.idle();
  expect(isOn(house)).toBe(false);
  expect(house.read('bob')).toMatch(/Time {2}from .* to .*, 45 min; planned until/);
});
