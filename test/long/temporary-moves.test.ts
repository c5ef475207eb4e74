import { describe, expect, test } from 'vitest';
import { sandboxRoles } from '../../sandbox/sandbox.ts';
import { under } from '../approving.ts';
import { withBob } from '../with-bob.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const add = '/appliance category add shop.example.net to 252';

/** Whatever lasts for more than four hours waits for an approver, for as long as a day. */
const longNeedsApproval = {
  roles: {
    'site-desk': { summary: 'allows sites', commands: [{ effect: 'read' }, { phrase: 'category add' }] },
  },
  approvals: [
    { commands: [{ phrase: 'category add' }], by: 'approver', open: '1d', temporary: { longest: '4h' } },
  ],
} as const;
const withAlice = { roles: { ...sandboxRoles, helpdesk: [], 'site-desk': ['U0ALICE001'] } };

describe('several moves of one end that wait at once', () => {
  test('do not block each other, and show the requested ends', async () => {
    const { type, press, bot, read } = await under(longNeedsApproval, withAlice);
    await type(`${add} --for 3h`);
    await press('Extend by 3 h');
    expect(await type('/appliance extend shop.example.net by 4h')).toContain('1 approval by approver');
    await type('/appliance keep shop.example.net');
    const waiting = await bot.journal.waitingIn(['C0HELPDESK'], 10);
    expect(waiting.map(({ line }) => line).toSorted()).toEqual([
      'extend shop.example.net added to category shopping by 3 h --on hq',
      'extend shop.example.net by 4h',
      'keep shop.example.net',
    ]);
    // A waiting move leaves everybody free to end the change, which needs no approval.
    await type('/appliance end shop.example.net');
    expect(await press('End now')).toContain('Ended early: shop.example.net added to category shopping');
    await bot.idle();
    expect(await bot.journal.waitingIn(['C0HELPDESK'], 10)).toEqual([]);
    const seen = read('alice');
    expect(seen).toMatch(
      /Not done: Extend the addition of shop\.example\.net to category shopping until [^?]*[\d:]+\. (?:It was undone by @alice meanwhile, and is over|Its time is over, and it is being undone)\. No changes were made\./,
    );
    expect(seen).toContain('Not done: Keep the addition of shop.example.net to category shopping for good.');
  });

  test('keep nothing for good against a later decision: a Keep that waits ends when the end is moved up', async () => {
    const { type, press, bot, read } = await under(longNeedsApproval, withAlice);
    await type(`${add} --for 3h`);
    await type('/appliance keep shop.example.net');
    expect(await bot.journal.waitingIn(['C0HELPDESK'], 10)).toHaveLength(1);
    await type('/appliance end shop.example.net in 1h');
    await press('Shorten');
    expect(await bot.journal.waitingIn(['C0HELPDESK'], 10)).toEqual([]);
    expect(read('alice')).toMatch(
      /Not done: Keep the addition of .* for good\. Its end was moved to \d\d:\d\d by @alice meanwhile\. To keep it for good all the same, ask again\./,
    );
  });

  test('are separate, also where their lines are the same', async () => {
    const { type, press, bot } = await under(longNeedsApproval, withAlice);
    await type(`${add} --for 3h`);
    await press('Extend by 3 h');
    await type('/appliance extend shop.example.net by 1h');
    await press('Extend');
    await press('Extend by 3 h');
    const waiting = await bot.journal.waitingIn(['C0HELPDESK'], 10);
    expect(waiting.map(({ line }) => line)).toEqual(
      Array.from({ length: 2 }, () => 'extend shop.example.net added to category shopping by 3 h --on hq'),
    );
  });

  test('end where another one has done the same, or more', async () => {
    const { type, press, bot, read } = await under(longNeedsApproval, withAlice);
    await type(`${add} --for 3h`);
    await type('/appliance extend shop.example.net by 2h');
    await type('/appliance extend shop.example.net by 3h');
    await press('Approve', 'carol');
    await bot.idle();
    const left = await bot.journal.waitingIn(['C0HELPDESK'], 10);
    const [row] = await bot.journal.timedChanges();
    // The longer one was the newest card; the shorter one has nothing left to do.
    expect([left, Math.round(((row?.endsAt ?? 0) - (row?.startedAt ?? 0)) / hour)]).toEqual([[], 6]);
    expect(read('alice')).toMatch(/Its end was moved to [\d:]+ by @carol meanwhile|by @alice meanwhile/);
  });
});

test('no change is extended to beyond 90 days, by whichever way', async () => {
  const { ask, click, read, bot, pass } = await withBob();
  await ask('category add shop.example.net to 252 --for 60d');
  const ends = async () => {
    const [row] = await bot.journal.timedChanges();
    return Math.round(((row?.endsAt ?? 0) - (row?.startedAt ?? 0)) / minute) * minute;
  };
  expect(read('bob')).toContain('[Extend by 30 days]');
  expect(await ask('extend shop.example.net by 40d')).toContain('90 days at most');
  expect(await ends()).toBe(60 * day);
  await click('Extend by 30 days');
  expect(await ends()).toBe(90 * day);
  expect(read('bob').match(/\[Extend by/g)).toBeNull();
  await pass(minute);
  // The restored change keeps its earlier end.
  const until = (await bot.journal.timedChanges())[0]?.endsAt ?? 0;
  await ask('category delete shop.example.net from 252');
  await click('Remove');
  await click('Undo');
  // The journal has another change with the same end, typed to the minute.
  const [row] = await bot.journal.timedChanges();
  expect(Math.abs((row?.endsAt ?? 0) - until)).toBeLessThan(minute);
});

describe('the answer about an end', () => {
  test('names the earlier or later time in everyday words', async () => {
    const { ask, bot, click } = await withBob({ from: Date.parse('2026-03-10T12:00:00Z') });
    await ask('category add shop.example.net to 252 --until 18:00');
    const ends = async () =>
      new Date((await bot.journal.timedChanges())[0]?.endsAt ?? 0).toISOString().slice(8, 16);
    for (const [line, at] of [
      ['extend shop.example.net another hour', '10T19:00'],
      ['extend shop.example.net by one more hour', '10T20:00'],
      ['extend shop.example.net 30 minutes longer', '10T20:30'],
      ['extend by 30m shop.example.net', '10T21:00'],
      ['keep shop.example.net until 22:00', '10T22:00'],
      ['extend shop.example.net until tomorrow', '12T00:00'],
      ['end at 20:00 shop.example.net', '10T20:00'],
      ['end shop.example.net in 2h', '10T14:00'],
    ]) {
      const named = await ask(line ?? '');
      const [, verb = ''] = /.*\[(Extend|Shorten)\]/s.exec(named) ?? [];
      await click(verb);
      expect(await ends(), line).toBe(at);
    }
    // A time that is not what its word says is asked about, and changes nothing.
    expect(await ask('end shop.example.net at 16:00')).toMatch(
      /is later than it ends now.*[\s\S]*\[Extend to then\]/,
    );
    expect(await ask('extend shop.example.net until 13:00')).toMatch(
      /is earlier than it ends now.*[\s\S]*\[End it then\]/,
    );
    expect(await ends()).toBe('10T14:00');
    await click('End it then');
    expect(await ends()).toBe('10T13:00');
    expect(await ask('extend shop.example.net by lunch')).toContain('lunch is no time that can be read');
    expect(await ask('keep shop.example.net forever')).toContain(
      'Keep the addition of shop.example.net to category shopping for good?',
    );
  });

  test('with --dry-run only says what would happen', async () => {
    const { ask, bot, orders } = await withBob();
    await ask('category add shop.example.net to 252 --for 2h');
    const before = await bot.journal.timedChanges();
    const sent = orders();
    for (const line of ['end', 'extend', 'keep'])
      expect(await ask(`${line} shop.example.net --dry-run`)).toMatch(
        /Dry run: .*No changes were made\.[\s\S]*shop\.example\.net added to category shopping on hq/,
      );
    expect([await bot.journal.timedChanges(), orders()]).toEqual([before, sent]);
  });
});

describe('several ends', () => {
  test('are each named, and one press ends all of them, each as if by its own', async () => {
    const { ask, click, press, bot, read, type, category } = await withBob();
    for (const one of ['a', 'b', 'c']) await ask(`category add ${one}.example to 252 --for 2h`);
    await type('/appliance category add d.example to 252 --for 2h', 'dana');
    expect(await ask('end 252')).toMatch(
      /252 can be each of these 4\. Which one\?[\s\S]*1: a\.example[\s\S]*4: d\.example[\s\S]*\[End all 4\] \[1: End now\]/,
    );
    expect(await ask('end all of mine')).toContain('[End all 3]');
    await click('End all 3');
    await bot.idle();
    expect(['a', 'b', 'c', 'd'].filter((one) => category(252).live.has(`${one}.example`))).toEqual(['d']);
    expect(read('bob').match(/Ended early: [abc]\.example added/g)).toHaveLength(3);
    expect(await type('/appliance end all', 'vic')).toContain('requires the operator or admin role');
    await press('Ask for approval', 'vic');
    await press('Approve', 'dana');
    await press('Yes, approve', 'dana');
    await bot.idle();
    expect([await bot.journal.timedChanges(), category(252).live.has('d.example')]).toEqual([[], false]);
    expect(await ask('end all')).toContain('Nothing is temporary in this channel');
  });

  test('are all extended by one press', async () => {
    const { ask, click, bot } = await withBob();
    for (const one of ['a', 'b']) await ask(`category add ${one}.example to 252 --for 2h`);
    expect(await ask('extend a.example and b.example by 1h')).toMatch(
      /2: b\.example added .*, until [\d:]+; then until [\d:]+\n.*\[Extend all 2\] \[1: Extend by 1 h\]/,
    );
    await click('Extend all 2');
    const rows = await bot.journal.timedChanges();
    expect(rows.map(({ endsAt, startedAt }) => Math.round((endsAt - startedAt) / hour))).toEqual([3, 3]);
  });
});

test('a change that one role may make for a time is kept, and extended beyond that, by a role that may make it for good', async () => {
  const lent = {
    roles: {
      'on-call': {
        summary: 'stands in',
        temporary: { longest: '4h' },
        commands: [{ effect: 'read' }, { phrase: 'category add' }],
      },
    },
  };
  const { type, press, bot } = await under(lent, {
    roles: { ...sandboxRoles, helpdesk: [], 'on-call': ['U0ALICE001'] },
  });
  await type(`${add} --for 3h`);
  for (const line of ['keep shop.example.net', 'extend shop.example.net by 2h'])
    expect(await type(`/appliance ${line}`)).toContain('only temporarily, for at most 4 h.');
  await type('/appliance extend shop.example.net by 1h');
  expect(await press('Extend')).toContain('Extended until');
  await type('/appliance keep shop.example.net');
  expect(await press('Ask for approval', 'alice')).toContain('keep shop.example.net');
  await press('Approve', 'dana');
  await press('Yes, approve', 'dana');
  await bot.idle();
  expect(await bot.journal.timedChanges()).toEqual([]);
});

test('an end can be moved to an earlier moment, and a word for a later one asks', async () => {
  const { ask, click, bot, read, pass } = await withBob({ from: Date.parse('2026-03-10T12:00:00Z') });
  await ask('category add shop.example.net to 252 --until 18:00');
  await ask('end shop.example.net at 16:00');
  expect(await click('Shorten')).toContain('Shortened, ends');
  const [row] = await bot.journal.timedChanges();
  expect(new Date(row?.endsAt ?? 0).toISOString()).toBe('2026-03-10T16:00:00.000Z');
  expect(read('bob')).toContain('Shortened to end at 16:00, requested by @bob.');
  await pass(4 * hour + minute);
  await pass(minute);
  expect(read('bob')).toContain('Undone: shop.example.net added to category shopping');
});

test('after the end, no message has buttons for it', async () => {
  const { ask, pass, appliance, read } = await withBob();
  await ask('category add shop.example.net to 252 --for 30m');
  appliance.faults.set('GET /categories/list', { kind: 'status', status: 503 });
  await pass(31 * minute);
  await pass(3 * minute);
  expect(read('bob').match(/This was temporary and couldn’t be undone/g)).toHaveLength(2);
  expect(read('bob')).toMatch(/\[Undo now\] \[Keep\]/);
  appliance.faults.clear();
  for (const minutes of [5, 10, 20]) await pass(minutes * minute);
  expect(read('bob')).toContain('✅ Undone: shop.example.net added to category shopping, on hq.');
  expect(read('bob')).not.toMatch(/\[(?:Undo now|Keep|End now|Extend)/);
});
