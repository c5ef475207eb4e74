import { describe, expect, test } from 'vitest';
import { asking, blockedSite, newest } from './asking.ts';

const minute = 60_000;
const hour = 60 * minute;
const from = Date.UTC(2026, 10, 25, 14, 0);

describe('a site that is asked for until a time of day', () => {
  test('is allowed until then, however late it is approved, and those who decide see that time', async () => {
    const { ask, press, pass, soon, read, heard, isAllowed } = await asking({}, {}, { from });
    expect(await ask(`${blockedSite} until 17:00 --reason booking`)).toMatch(
      /Requested: live-betting\.example until 17:00\. /,
    );
    expect(newest(read('bob'))).toContain('@vic asks for live-betting.example until 17:00');
    await pass(2 * hour);
    await press('Approve', 'bob');
    await soon();
    expect(heard()).toContain('live-betting.example is allowed, until 17:00.');
    await pass(59 * minute);
    expect(isAllowed()).toBe(true);
    await pass(2 * minute);
    expect(isAllowed()).toBe(false);
  });

  test('is asked for no longer than the longest time, and everybody reads that end', async () => {
    const { ask, press, pass, soon, heard, read } = await asking({ longest: '4h' }, {}, { from });
    expect(await ask(`${blockedSite} until 23:00 --reason booking`)).toContain(
      'Requested: live-betting.example until 18:00, the longest time possible.',
    );
    expect(newest(read('bob'))).toContain('asks for live-betting.example until 18:00');
    expect(newest(read('bob'))).not.toContain('23:00');
    await pass(2 * hour);
    await press('Approve', 'bob');
    await soon();
    expect(heard()).toContain('is allowed, until 18:00.');
  });

  test('expires at that time, because nothing would be left to approve', async () => {
    const { ask, pass, heard, read, isAllowed } = await asking({}, {}, { from });
    expect(await ask(`${blockedSite} until 2026-11-24 --reason booking`)).toMatch(
      /has passed\. Nothing was requested\./,
    );
    expect(await ask(`${blockedSite} until 16:00 --reason booking`)).toContain(
      'or when nobody has decided by 16:00.',
    );
    expect(newest(read('bob'))).toContain('expires 16:00');
    await pass(2 * hour + minute);
    expect(read('bob')).not.toContain('[Approve');
    expect(heard()).toContain('Nobody approved your request for live-betting.example in time');
    expect(isAllowed()).toBe(false);
  });

  test('expires at that time although it was approved once and could not be looked at', async () => {
    const { ask, press, read, appliance } = await asking({ not: ['malware'] }, {}, { from });
    await ask(`${blockedSite} until 16:00 --reason booking`);
    appliance.faults.set('GET /categories/query/{domain}', { kind: 'status', status: 503 });
    await press('Approve', 'bob');
    expect(newest(read('bob'))).toMatch(/Approve it again in a minute[\s\S]*expires 16:00/);
  });
});

describe('a site that is allowed for a time', () => {
  test('needs no other request, and is asked for longer', async () => {
    const { ask, press, soon, pass, heard, read, isAllowed } = await asking({}, {}, { from });
    await ask(`${blockedSite} for 2h --reason booking`);
    await press('Approve', 'bob');
    await soon();
    const cards = read('bob').match(/asks for/g)?.length;
    for (const again of [`${blockedSite} --reason again`, `${blockedSite} for 1h --reason again`])
      expect(await ask(again)).toMatch(/is allowed, until 16:00\. Nothing was requested/);
    expect(await ask(`${blockedSite} --reason "me, too"`, 'alice')).toContain('Nothing was requested');
    expect(read('bob').match(/asks for/g)?.length).toBe(cards);
    expect(await ask(`${blockedSite} for 2h more --reason "still booking"`)).toContain(
      'Requested: live-betting.example for 2 h more, and it stays allowed until 16:00.',
    );
    expect(newest(read('bob'))).toContain(
      '@vic asks for live-betting.example for 2 h more, which is allowed until 16:00',
    );
    await press('Approve', 'bob');
    await soon();
    expect(heard()).toContain('is allowed, until 18:00. Approved by @bob.');
    expect(heard('alice')).toContain('has changed: it is allowed until 18:00 now.');
    await pass(3 * hour);
    expect(isAllowed()).toBe(true);
    await pass(hour);
    await pass(minute);
    expect(isAllowed()).toBe(false);
    // Each hears of the end once.
    for (const one of ['vic', 'alice'])
      expect(heard(one).match(/the time it was allowed for is over/g), one).toHaveLength(1);
  });

  test.each([
    ['somebody else asked for it', (house: House) => house.ask(`${blockedSite} for 2h --reason booking`)],
    [
      'somebody allowed it by hand',
      (house: House) => house.type(`/appliance category add ${blockedSite} to 207 --for 2h`, 'dana'),
    ],
  ])('is asked for longer by whoever needs it, where %s', async (_, allow) => {
    const house = await asking({}, {}, { from });
    const { ask, press, soon, pass, heard, isAllowed } = house;
    if ((await allow(house)).includes('Requested')) await press('Approve', 'bob');
    await soon();
    expect(await ask(`${blockedSite} --reason "me, too"`, 'alice')).toContain('is allowed, until 16:00.');
    expect(await ask(`${blockedSite} for 1h more --reason "me, too"`, 'alice')).toContain(
      'Requested: live-betting.example for 1 h more, and it stays allowed until 16:00.',
    );
    await press('Approve', 'bob');
    await soon();
    expect(heard('alice')).toContain('is allowed, until 17:00. Approved by @bob.');
    await pass(2 * hour + 30 * minute);
    expect(isAllowed()).toBe(true);
    await pass(hour);
    await pass(minute);
    expect(isAllowed()).toBe(false);
    expect(heard('alice')).toContain('the time it was allowed for is over');
  });

  test('is allowed no longer than the longest time, counted from the request', async () => {
    const { ask, press, soon, pass, heard } = await asking({ longest: '2h' }, {}, { from });
    await ask(`${blockedSite} for 2h --reason booking`);
    await press('Approve', 'bob');
    await soon();
    expect(await ask(`${blockedSite} for 2h more --reason "still booking"`)).toContain(
      'was not requested. It is allowed until 16:00, and a request can’t make that later now.',
    );
    await pass(hour);
    await ask(`${blockedSite} for 2h more --reason "still booking"`);
    await press('Approve', 'bob');
    await soon();
    expect(heard()).toContain('is allowed, until 17:00.');
  });

  test('is asked for anew where it ends while longer is asked for, and whoever asked is told so', async () => {
    const { ask, type, press, soon, pass, read, heard, isAllowed } = await asking({}, {}, { from });
    await ask(`${blockedSite} for 1h --reason booking`);
    await press('Approve', 'bob');
    await soon();
    await ask(`${blockedSite} for 50m more --reason "still booking"`, 'alice');
    await type(`/appliance end ${blockedSite}`, 'dana');
    await press('End now', 'dana');
    await pass(minute);
    expect(isAllowed()).toBe(false);
    expect(read('bob')).not.toContain('[Approve]');
    expect(read('bob')).not.toMatch(/@alice: It was undone/);
    expect(heard('alice')).toMatch(
      /You asked for live-betting\.example for longer\. It was undone by @dana meanwhile.*Your request was closed\./,
    );
    expect(newest(await type('/appliance requests', 'alice', 'random'))).toContain(
      'It was undone by @dana meanwhile',
    );
    expect(await ask(`${blockedSite} for 50m --reason "still booking"`, 'alice')).toContain(
      'Requested: live-betting.example for 50 min. It is blocked.',
    );
  });
});

type House = Awaited<ReturnType<typeof asking>>;
