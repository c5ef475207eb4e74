import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { converse } from './conversation.ts';

const minute = 60_000;
const hour = 60 * minute;
const site = 'shop.example.net';
/** Thursday, 5 March 2026, 13:30 in UTC, which is the policy's time zone here. */
const from = Date.UTC(2026, 2, 5, 13, 30);

/** bob is operator in helpdesk, and may change categories. */
async function withBob(options: Parameters<typeof converse>[0] = {}) {
  const conversation = await converse({ from, ...options });
  const { appliance, type, press } = conversation;
  return {
    ...conversation,
    ask: (line: string) => type(`/appliance ${line}`, 'bob'),
    click: (label: string, by = 'bob') => press(label, by),
    isIn: () => appliance.state.categories.all.get(252)?.live.has(site) === true,
    hasSession: () => appliance.state.rdp.sessions.has(12),
    orders: () => appliance.requests.filter(({ method }) => method !== 'GET').length,
  };
}

describe('a change that is planned', () => {
  test('and can be undone is planned without a question, runs at its time, once, and offers Undo', async () => {
    const { ask, click, read, pass, isIn, orders } = await withBob();
    const said = await ask(`category add ${site} to 252 --at "in 2h"`);
    expect(said).toContain('📆 Planned for today 15:30: Add shop.example.net to category shopping');
    expect(said).toContain('[Cancel]');
    expect(orders()).toBe(0);
    await pass(hour + 59 * minute);
    expect(isIn()).toBe(false);
    await pass(2 * minute);
    expect(isIn()).toBe(true);
    expect(read('bob')).toContain('✅ shop.example.net added to category shopping');
    expect(read('bob')).toContain('@bob: Done as planned. shop.example.net added to category shopping');
    const sent = orders();
    await pass(hour);
    expect(orders()).toBe(sent);
    // The requester sees the result in the morning.
    await pass(8 * hour);
    expect(await click('Undo')).toContain('Undone');
    expect(isIn()).toBe(false);
  });

  test('and can’t be undone is confirmed first, and then held', async () => {
    const { ask, click, read, pass, hasSession } = await withBob();
    const said = await ask('rdp disconnect 12 --at "tomorrow 6:00"');
    expect(said).toMatch(
      /Disconnect session 12 of bob\.miller[\s\S]*Runs {2}tomorrow 06:00[\s\S]*\[Plan\] \[Cancel\]/,
    );
    expect(await click('Plan')).toContain('📆 Planned for tomorrow 06:00: Disconnect session 12');
    await pass(16 * hour + 31 * minute);
    expect(hasSession()).toBe(false);
    expect(read('bob')).toContain('✅ Session 12');
  });

  test('is canceled before its time by its requester and people who may run it, and by nobody else', async () => {
    const { ask, click, read, type, pass, isIn } = await withBob();
    await ask(`category add ${site} to 252 --at "in 2h"`);
    expect(await click('Cancel', 'alice')).toContain(
      'Only @bob, who asked for it, and those who may run or approve it can cancel it.',
    );
    await click('Cancel');
    expect(read('bob')).toContain('Canceled by @bob before its time. No changes were made.');
    await ask(`category add ${site} to 252 --at "in 3h"`);
    expect(await click('Cancel', 'dana')).toContain('Canceled by @dana before its time.');
    expect(read('bob')).toContain('@bob: Canceled by @dana before its time. No changes were made.');
    expect(await type('/appliance planned')).toContain('Nothing is planned in this channel.');
    await pass(3 * hour);
    expect(isIn()).toBe(false);
  });

  test('does not run when its object has changed by then: its requester is told the difference, and can ask again', async () => {
    const { ask, click, read, pass, hasSession, appliance } = await withBob();
    await ask('rdp disconnect 12 --at "in 1h"');
    await click('Plan');
    const session = appliance.state.rdp.sessions.get(12);
    if (session === undefined) throw new Error('Session 12 is not there');
    appliance.state.rdp.sessions.set(12, { ...session, username: 'anna.berg' });
    await pass(hour + minute);
    expect(hasSession()).toBe(true);
    const said = read('bob');
    expect(said).toContain(
      '@bob: this was planned and did not run: rdp disconnect 12 --at "in 1h". It would now change something else than what was confirmed. No changes were made.',
    );
    expect(said).toMatch(/Person +bob\.miller +anna\.berg/);
    expect(read('bob', 'appliance-bot')).toContain('What you planned in #helpdesk did not run');
    // The requester presses it in the morning.
    await pass(7 * hour);
    expect(await click('Ask again now')).toMatch(/Disconnect session 12 of anna\.berg[\s\S]*\[Disconnect\]/);
    await click('Disconnect');
    expect(hasSession()).toBe(false);
  });

  test('is too late when the bot was down for longer than ten minutes, and runs otherwise', async () => {
    const { ask, click, read, pass, isIn, restart, wait } = await withBob();
    await ask(`category add ${site} to 252 --at "in 1h"`);
    await restart();
    wait(hour + 5 * minute);
    await restart();
    await pass(0);
    expect(isIn()).toBe(true);
    await ask(`category delete ${site} from 252 --at "in 1h"`);
    await click('Plan');
    wait(hour + 11 * minute);
    await restart();
    await pass(0);
    expect(isIn()).toBe(true);
    expect(read('bob')).toMatch(/Its time was today 15:35, and it is too late now\. No changes were made\./);
  });

  test('is tried again while the appliance does not answer, and given up after ten minutes', async () => {
    const { ask, click, read, pass, isIn, appliance, wait, restart } = await withBob();
    const isAway = () =>
      appliance.faults.set('GET /categories/query/{domain}', { kind: 'status', status: 503 });
    await ask(`category add ${site} to 252 --at "in 1h"`);
    isAway();
    await pass(hour + minute);
    expect(read('bob')).toContain('Planned for today 14:30');
    expect(read('bob')).toMatch(/hq answered with an error \(HTTP 503\)\..* Trying again until today 14:40/);
    appliance.faults.clear();
    await pass(minute);
    expect(isIn()).toBe(true);
    await ask(`category delete ${site} from 252 --at "in 1h"`);
    await click('Plan');
    isAway();
    await pass(hour + minute);
    // Why is known after a restart, too.
    wait(10 * minute);
    await restart();
    await pass(0);
    expect(read('bob')).toMatch(
      /and it is too late now\. hq answered with an error \(HTTP 503\)\.[^\n]* No changes were made\./,
    );
    appliance.faults.clear();
    await pass(hour);
    expect(isIn()).toBe(true);
  });

  test('is temporary from its run on', async () => {
    const { ask, pass, isIn } = await withBob();
    expect(await ask(`category add ${site} to 252 --at "in 1h" --until 14:35`)).toContain(
      'This would end at',
    );
    await ask(`category add ${site} to 252 --at "in 1h" --for 2h`);
    await pass(hour + minute);
    expect(isIn()).toBe(true);
    await pass(hour + 50 * minute);
    expect(isIn()).toBe(true);
    await pass(15 * minute);
    expect(isIn()).toBe(false);
  });

  test('is listed with the planned changes of the channel, and meant by cancel and undo in its thread', async () => {
    const { ask, read, write, person, pass, isIn, workspace, press } = await withBob();
    await ask(`category add ${site} to 252 --at "in 2h"`);
    expect(await ask('what is planned')).toMatch(
      /1 planned change in this channel[\s\S]*Add shop\.example\.net to category shopping[\s\S]*\[Cancel\]/,
    );
    const bob = workspace.people.find(({ name }) => name === 'bob')?.id ?? '';
    const card = workspace.snapshot(bob).messages.find(({ text }) => text.includes('Planned for'));
    expect(await write('@appliance-bot undo', 'bob', 'helpdesk', card?.ts)).toContain(
      'This has not run yet:',
    );
    expect(await write('@appliance-bot cancel', 'bob', 'helpdesk', card?.ts)).toContain(
      `category add ${site} to 252 --at "in 2h", planned for today 15:30.`,
    );
    await person('bob').openHome();
    await press('Cancel', 'bob', 'home');
    expect(read('bob')).toContain('Canceled by @bob before its time.');
    await pass(3 * hour);
    expect(isIn()).toBe(false);
  });
});

describe('several changes planned for one time on one appliance', () => {
  test('run one after the other as they were asked, each previewed when the one before is over', async () => {
    const { ask, click, type, pass, read, isIn, appliance } = await withBob();
    await ask(`category add ${site} to 252 --at 15:00`);
    await type(`/appliance category add ${site} to 252 --at 15:00`, 'dana');
    for (const person of ['bob', 'dana']) {
      await type('/appliance rdp disconnect 12 --at 15:00', person);
      await click('Plan', person);
    }
    await pass(91 * minute);
    expect(
      appliance.requests.filter(({ method, path }) => method === 'POST' && path.includes('rdp')),
    ).toHaveLength(1);
    expect(isIn()).toBe(true);
    expect(read('bob')).toContain(
      '@dana: this was planned and had nothing left to do: rdp disconnect 12 --at 15:00.',
    );
    expect(read('bob')).toContain('shop.example.net is already in category shopping. No changes were made.');
  });

  test('skip one whose object somebody changed between its preview and its turn', async () => {
    const { ask, click, type, pass, read, appliance } = await withBob();
    await ask('rdp disconnect 12 --at 15:00');
    await click('Plan');
    await type('/appliance rdp disconnect 12', 'dana');
    // Hers is on its way when his is looked at, and its session is still there.
    appliance.faults.set('POST /rdpproxy/sessions/{id}/disconnect', { kind: 'slow', ms: 300, times: 1 });
    const hers = click('Disconnect', 'dana');
    await expect.poll(() => appliance.faults.active().length).toBe(0);
    await Promise.all([hers, pass(91 * minute)]);
    expect(
      appliance.requests.filter(({ method, path }) => method === 'POST' && path.includes('rdp')),
    ).toHaveLength(1);
    expect(read('bob')).toContain('Something else was changed between the last look and its turn');
  });
});

describe('a planned change of something that is temporarily on already', () => {
  test('is kept for good, also where it was asked for while it was on, and a moved end is no obstacle', async () => {
    const { ask, click, read, pass, isIn, orders } = await withBob();
    await ask(`category add ${site} to 252 --at 15:00`);
    await ask(`category add ${site} to 252 --for 2h`);
    await ask('acl object disable google_sni --for 2h');
    const sent = orders();
    expect(await ask('acl object disable google_sni --at 15:00')).toMatch(
      /Keep the disabling of ACL object google_sni for good[\s\S]*Runs +today 15:00[\s\S]*\[Plan\]/,
    );
    await click('Plan');
    await click('Extend by 2 h');
    await pass(91 * minute);
    expect(read('bob')).toContain(
      'Done as planned. Kept for good: shop.example.net added to category shopping',
    );
    expect(read('bob')).toContain('Done as planned. Kept for good: ACL object google_sni disabled');
    expect(orders()).toBe(sent);
    await pass(5 * hour);
    expect(isIn()).toBe(true);
    expect(read('bob')).not.toContain('Ended and undone');
  });

  test('ends with the later plan, and says where that is no later', async () => {
    const { ask, read, pass, isIn } = await withBob();
    await ask(`category add ${site} to 252 --at 15:00 --for 1h`);
    await ask(`category add ${site} to 252 --at 15:10 --for 30m`);
    await ask(`category add ${site} to 252 --at 15:30 --for 2h`);
    await pass(91 * minute);
    await pass(10 * minute);
    expect(read('bob')).toContain('This is temporary already, until 16:01');
    await pass(20 * minute);
    expect(read('bob')).toMatch(
      /Done as planned\. Extended until .*: shop\.example\.net added to category shopping/,
    );
    await pass(90 * minute);
    expect(isIn()).toBe(true);
    await pass(35 * minute);
    expect(isIn()).toBe(false);
  });

  test('cannot be planned for after its end, and does not run when it has ended before its time', async () => {
    const { ask, click, read, pass, isIn } = await withBob();
    await ask(`category add ${site} to 252 --for 1h`);
    expect(await ask(`category add ${site} to 252 --at 16:00`)).toContain(
      'This is done already, but temporarily: it is undone at 14:30, before today 16:00.',
    );
    await ask(`category add ${site} to 252 --at 14:00`);
    await click('Plan');
    await click('End now');
    await pass(31 * minute);
    expect(isIn()).toBe(false);
    expect(read('bob')).toContain(
      'This is no longer temporary: shop.example.net added to category shopping. It is over by now, or was kept for good.',
    );
    await click('Ask again now');
    expect(read('bob')).toMatch(/Add shop\.example\.net to category shopping\?/);
  });
});

describe('another time for a planned change', () => {
  /** The commands that need approvers by night. */
  const approvals = [
    { commands: [{ phrase: 'rdp disconnect' }], by: 'approver', not_needed: ['08:00-20:00'] },
  ];

  test('is given by a form: it is previewed again, reported, and runs then; not by people without the right', async () => {
    const { ask, click, person, read, pass, isIn } = await withBob();
    await ask(`category add ${site} to 252 --at 15:00 --for 2h`);
    expect(await click('Change the time…', 'alice')).toContain(
      'Only @bob, who asked for it, and those who may run it can change its time.',
    );
    await click('Change the time…', 'dana');
    const dana = person('dana');
    expect(dana.form()?.fields).toMatchObject([{ label: 'Run at', value: '5 mar 2026 15:00' }]);
    await dana.fill({ 'Run at': '13:00 yesterday' });
    await dana.submit();
    expect(dana.form()?.errors).toEqual({ 'Run at': expect.stringContaining('is over already') });
    await dana.fill({ 'Run at': 'at 17:00' });
    await dana.submit();
    expect(read('bob')).toMatch(/Planned for today 17:00: Add shop\.example\.net/);
    expect(read('bob')).toContain('@bob: @dana moved this from today 15:00 to today 17:00.');
    await pass(3 * hour);
    expect(isIn()).toBe(false);
    await pass(31 * minute);
    expect(isIn()).toBe(true);
    await pass(2 * hour);
    expect(isIn()).toBe(false);
  });

  test('leaves the plan as it was when it cannot be previewed, or is not possible', async () => {
    const { ask, click, person, read, pass, isIn, appliance } = await withBob({
      policy: { freezes: { closing: { from: '2026-03-05T20:00', to: '2026-03-06T08:00' } } },
    });
    const to = async (time: string) => {
      await click('Change the time…');
      await person('bob').fill({ 'Run at': time });
      await person('bob').submit();
      return read('bob');
    };
    await ask(`category add ${site} to 252 --at 15:00 --until 18:00`);
    expect(await to('21:00')).not.toContain('Planned for today 21:00');
    expect(person('bob').form()?.errors).toEqual({ 'Run at': expect.stringContaining('This would end at') });
    await person('bob').dismiss();
    await ask('acl object disable google_sni --at 15:00');
    const frozen = await to('21:00');
    expect(frozen).toContain('Changes are frozen until tomorrow 08:00');
    expect(frozen).toContain('It stays planned for today 15:00.');
    appliance.faults.set('GET /proxy/acls/objects', { kind: 'status', status: 503 });
    expect(await to('16:00')).toContain('It stays planned for today 15:00.');
    appliance.faults.clear();
    await pass(91 * minute);
    expect(isIn()).toBe(true);
    expect(read('bob')).toContain('✅ ACL object google_sni disabled');
  });

  test('keeps the approvals that count then, too; where the hour needs others, or its object has changed, it asks again', async () => {
    const { ask, click, person, read, pass, hasSession, appliance } = await withBob({
      policy: { approvals },
    });
    const to = async (time: string) => {
      await click('Change the time…');
      await person('bob').fill({ 'Run at': time });
      await person('bob').submit();
    };
    await ask('rdp disconnect 12 --at 22:00');
    await click('Approve', 'carol');
    await to('23:00');
    expect(read('bob')).toContain('Planned for today 23:00');
    expect(read('bob')).toContain('@carol: @bob moved this from today 22:00 to today 23:00.');
    // By day it needs no approval: the earlier approval counts all the same.
    await to('19:00');
    expect(read('bob')).toContain('Planned for today 19:00');
    const session = appliance.state.rdp.sessions.get(12);
    if (session === undefined) throw new Error('Session 12 is not there');
    appliance.state.rdp.sessions.set(12, { ...session, username: 'anna.berg' });
    await to('21:00');
    expect(read('bob')).toMatch(/which needs a new confirmation or approval[\s\S]*\[Approve\]/);
    await click('Approve', 'carol');
    await pass(7 * hour + 31 * minute);
    expect(hasSession()).toBe(false);
    await ask('rdp disconnect 11 --at "tomorrow 19:00"');
    await click('Plan');
    await to('22:00');
    expect(read('bob')).toMatch(/which needs a new confirmation or approval[\s\S]*\[Approve\]/);
  });
});

test('a plan that did not run is asked again with all its lines, by its requester', async () => {
  const { ask, click, read, type, pass, isIn, appliance } = await withBob();
  await ask(`plan --at "in 1h"\ncategory add ${site} to 252\nrdp disconnect 12`);
  await click('Plan');
  const session = appliance.state.rdp.sessions.get(12);
  if (session === undefined) throw new Error('Session 12 is not there');
  appliance.state.rdp.sessions.set(12, { ...session, username: 'anna.berg' });
  await pass(hour + minute);
  expect(read('bob')).toContain('this was planned and did not run');
  expect(await click('Ask again now', 'dana')).toContain('That button is only for the person');
  expect(await click('Ask again now')).toMatch(/Run this plan of 2 lines on hq\?/);
  await click('Run plan');
  expect(isIn()).toBe(true);
  expect(await type('/appliance planned')).toContain('Nothing is planned');
});

test('a change or plan that a freeze blocked is planned for after it; its requester hears of a new freeze', async () => {
  const { ask, click, read, pass, bot, data } = await withBob();
  await ask(`category add ${site} to 252 --at "in 1h"`);
  await ask(`plan --at "in 1h"\nvlan stop 3\nrdp disconnect 12`);
  await click('Plan');
  const file = join(dirname(data), 'appliance-bot.yml');
  const policy = parse(readFileSync(file, 'utf8'));
  const closing = { from: '2026-03-05T14:00', to: '2026-03-06T08:00' };
  writeFileSync(`${file}.new`, stringify({ ...policy, freezes: { closing } }));
  renameSync(`${file}.new`, file);
  bot.reload();
  await bot.idle();
  expect(read('bob')).toContain(
    '@bob: The policy now freezes changes then, until tomorrow 08:00 (closing), so it will not run.',
  );
  expect(read('bob', 'appliance-bot')).toContain('What you planned in #helpdesk will not run');
  const list = await ask('planned');
  expect(list).toMatch(/⚠ freeze closing/);
  expect(list).toContain('Freeze closing holds all changes from today 14:00 to tomorrow 08:00');
  await pass(hour + minute);
  expect(read('bob')).toContain('Changes are frozen until tomorrow 08:00');
  expect(await ask('can @bob acl object disable 3')).toMatch(
    /Not now\. @bob can run acl object disable on hq in #helpdesk as operator, but not in a freeze\.[\s\S]*Changes are frozen until tomorrow 08:00/,
  );
  expect(await ask('can @bob acl object disable 3 --at "tomorrow 9:00"')).toContain(
    'Yes. @bob can run acl object disable',
  );
  expect(await click('Plan for after the freeze')).toMatch(
    /Run this plan of 2 lines on hq\?[\s\S]*Runs +tomorrow 08:00[\s\S]*\[Plan\]/,
  );
});

test('planned lists the changes of a direct message there, and the channel’s in the channel, with ticket and end', async () => {
  const { ask, write, type, read } = await withBob();
  await write(`category add ${site} to 252 --at "in 2h"`, 'bob', 'appliance-bot');
  expect(read('bob', 'appliance-bot')).toContain('Planned for today 15:30');
  expect(await type('/appliance planned', 'vic')).toContain('Nothing is planned in this channel');
  await ask(`plan --at "in 2h"\ncategory add two.example.net to 252 --ticket CHG-12\nrdp disconnect 12`);
  await ask('category add one.example.net to 252 --at "in 3h" --for 2h --ticket CHG-11');
  const list = await type('/appliance planned', 'vic');
  expect(list).toContain('1 planned change in this channel');
  expect(list).toMatch(/CHG-11/);
  expect(list).toMatch(/after 2 h/);
});

test('cancel in the thread of a planned change offers it to people with the right', async () => {
  const { ask, write, person, workspace } = await withBob();
  await ask(`category add ${site} to 252 --at "in 2h"`);
  const bob = workspace.people.find(({ name }) => name === 'bob')?.id ?? '';
  const card = workspace.snapshot(bob).messages.find(({ text }) => text.includes('Planned for'));
  expect(person('alice')).toBeDefined();
  expect(await write('@appliance-bot cancel', 'alice', 'helpdesk', card?.ts)).not.toContain(
    'planned for today 15:30.',
  );
  expect(await write('@appliance-bot cancel', 'dana', 'helpdesk', card?.ts)).toContain(
    'planned for today 15:30.',
  );
});

test('cancel in the thread of a planned change offers it to those who only approve, too', async () => {
  const approvals = [{ commands: [{ phrase: 'rdp disconnect' }], by: 'approver' }];
  const { ask, click, write, workspace } = await withBob({ policy: { approvals } });
  await ask('rdp disconnect 12 --at "in 2h"');
  await click('Approve', 'carol');
  const carol = workspace.people.find(({ name }) => name === 'carol')?.id ?? '';
  const card = workspace.snapshot(carol).messages.find(({ text }) => text.includes('Planned for'));
  await write('@appliance-bot cancel', 'carol', 'helpdesk', card?.ts);
  expect(await click('Cancel', 'carol')).toContain('Canceled by @carol before its time.');
});

test('windows and times name the clock of the policy, and are listed with the next time', async () => {
  const policy = { time_zone: 'Asia/Tokyo', windows: { night: ['Mon-Fri 22:00-05:00'] } };
  const { ask } = await withBob({ policy });
  expect(await ask(`category add ${site} to 252 --at 23:00`)).toMatch(
    /Planned for today 14:00[\s\S]*Runs +today 14:00 \(23:00 in Asia\/Tokyo\)/,
  );
  expect(await ask('windows')).toContain(
    'Window night: Mon–Fri 22:00–05:00 (Asia/Tokyo), open now until today 20:00',
  );
  // The list stands where it was asked, with a word on windows and watches.
  expect(await ask('scheduled')).toMatch(
    /1 planned change in this channel\n {2}What[\s\S]*\/appliance windows lists the windows; \/appliance watches lists the scheduled lookups\./,
  );
  expect(await ask('watches')).toContain('/appliance planned lists planned changes.');
});

describe('a window of the policy', () => {
  test('is the next one, or the open one, and nothing runs after it has closed', async () => {
    const policy = { windows: { night: ['Mon-Fri 22:00-05:00'] } };
    const { ask, read, pass, isIn } = await withBob({ policy });
    expect(await ask(`category add ${site} to 252 --window noon`)).toContain(
      'There is no window noon. No changes were made. Windows: night.',
    );
    expect(await ask(`category add ${site} to 252 --window night`)).toContain(
      'Planned for today 22:00 in window night, until tomorrow 05:00: Add shop.example.net',
    );
    // Friday, 05:30.
    await pass(16 * hour);
    expect(isIn()).toBe(false);
    expect(read('bob')).toContain('and it is too late now');
    await pass(18 * hour);
    await ask(`category add ${site} to 252 --window night`);
    expect(isIn()).toBe(true);
    expect(await ask('rdp disconnect 12 --window night')).toContain('[Disconnect] [Cancel]');
  });
});

test('a freeze refuses a change, and one planned into it, with its end and the remedy; undo and ends go on', async () => {
  const closing = {
    from: '2026-03-05T12:00',
    to: '2026-03-06T08:00',
    except: ['admin'],
    reason: 'quarter end',
  };
  const { ask, click, read, pass, isIn, type } = await withBob({
    ...{ policy: { freezes: { closing } }, from: from - 2 * hour },
  });
  await ask(`category add ${site} to 252 --for 1h`);
  await pass(25 * minute);
  await ask('acl object disable google_sni');
  expect(await ask('acl object disable apple_sni --at 13:00')).toContain(
    'Changes are frozen until tomorrow 08:00 (closing: quarter end). No changes were made. Plan it for after that with --at "6 mar 2026 08:00" (UTC).',
  );
  await pass(8 * minute);
  expect(await click('Undo')).toContain('Undone by @bob');
  expect(await ask('acl object disable apple_sni')).toContain('Changes are frozen until tomorrow 08:00');
  expect(await ask('acl object disable apple_sni --dry-run')).toContain('Dry run');
  expect(await ask('acl object disable apple_sni --at 2026-03-06T08:00')).toContain(
    'Planned for tomorrow 08:00',
  );
  expect(await type('/appliance acl object disable apple_sni', 'dana')).toContain(
    '✅ ACL object apple_sni disabled',
  );
  await pass(hour);
  expect(isIn()).toBe(false);
  expect(read('bob')).toContain('Ended and undone: shop.example.net added to category shopping');
});

test('a temporary change is ended, extended and kept by a typed line, as by its buttons, and a day ends at its end', async () => {
  const { ask, read, click, pass, isIn } = await withBob();
  expect(await ask(`category add ${site} to 252 until friday`)).toContain(
    'added to category shopping, until the end of Friday (',
  );
  expect(await ask(`extend ${site} until 31.12.2030`)).toContain('is too far ahead');
  expect(await ask(`extend ${site} by 1h`)).toContain(
    'Extend the addition of shop.example.net to category shopping until 7 Mar 2026 01:00?',
  );
  await click('Extend');
  expect(read('bob')).toMatch(/added to category shopping, until (?:tomorrow|7 Mar 2026) 01:00/);
  await ask(`extend ${site} 30 min please`);
  await click('Extend');
  expect(read('bob')).toMatch(/added to category shopping, until (?:tomorrow|7 Mar 2026) 01:30/);
  // Words of many lines name none.
  expect(await ask('end to')).toContain('to can be this one. Nothing was ended.');
  await ask('acl object disable google_sni until midnight');
  expect(await ask('end')).toMatch(/Which one\? Nothing was ended\.[\s\S]*\[1: End now\] \[2: End now\]/);
  expect(await ask('end google')).toContain('End the disabling of ACL object google_sni now?');
  await click('End now');
  expect(read('bob')).toContain('✅ Undone: ACL object google_sni disabled');
  expect(await ask('end google')).toContain('Nothing called google is temporary in this channel');
  expect(await ask('end session 12')).toContain('[rdp disconnect 12]');
  await ask(`keep ${site}`);
  expect(await click('Keep')).toContain('It stays, and no longer ends by itself');
  await pass(48 * hour);
  expect(isIn()).toBe(true);
});
