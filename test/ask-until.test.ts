import { expect, test } from 'vitest';
import { asking, blockedSite, newest } from './asking.ts';

const minute = 60_000;
const hour = 60 * minute;
const from = Date.UTC(2026, 10, 25, 14, 0);
const at = (hours: number) => new RegExp(`until ${hours}:00`);

test('who asks until a time has it until that time, however late it is allowed, and those who decide see it', async () => {
  const { ask, press, pass, soon, read, isAllowed } = await asking({}, {}, { from });
  expect(await ask(`${blockedSite} until 17:00 --reason booking`)).toMatch(
    /Requested: live-betting\.example until 17:00\. /,
  );
  expect(newest(read('bob'))).toMatch(/@vic asks for live-betting\.example until 17:00/);
  await pass(2 * hour);
  expect(await press('Allow until then', 'bob')).toMatch(
    /category add live-betting\.example to \S+ --until "25 nov 2026 17:00"/,
  );
  await soon();
  expect(newest(read('bob'))).toMatch(at(17));
  await pass(59 * minute);
  expect(isAllowed()).toBe(true);
  await pass(2 * minute);
  expect(isAllowed()).toBe(false);
});

test('a time beyond the longest is allowed for the longest from the click, and never beyond that time', async () => {
  const { ask, press, pass, soon, heard, read } = await asking({ longest: '4h' }, {}, { from });
  expect(await ask(`${blockedSite} until 23:00 --reason booking`)).toContain(
    'until 23:00, but for 4 h at most, the longest time possible',
  );
  const card = newest(read('bob'));
  expect(card).toContain('asks for live-betting.example until 23:00');
  expect(card).toContain('[Allow for 4 h]');
  await pass(6 * hour);
  await press('Allow for 4 h', 'bob');
  await soon();
  expect(heard()).toMatch(at(23));
});

test('a request whose time has passed is over, and says so', async () => {
  const { ask, pass, heard, read, isAllowed } = await asking({}, {}, { from });
  expect(await ask(`${blockedSite} until 2026-11-24 --reason booking`)).toMatch(
    /has passed\. Nothing was requested\./,
  );
  await ask(`${blockedSite} until 16:00 --reason booking`);
  expect(newest(read('bob'))).toMatch(/Expires +(?:today )?16:00/);
  await pass(2 * hour + minute);
  const card = newest(read('bob'));
  expect(card).toContain('nobody decided before 16:00, until when it was wanted, so the request expired');
  expect(card).not.toContain('[Allow');
  expect(heard()).toContain('expired: nobody decided before 16:00, until when it was wanted');
  expect(isAllowed()).toBe(false);
});

test('of several, a time and a span, those who decide are offered what lasts longest', async () => {
  const { ask, read, press, soon } = await asking({}, {}, { from });
  await ask(`${blockedSite} until 15:00 --reason booking`);
  expect(await ask(`${blockedSite} until 17:00 --reason "me, too"`, 'alice')).toContain(
    'added to that request, until 17:00',
  );
  expect(newest(read('dana'))).toContain('@vic and 1 more ask for live-betting.example until 17:00');
  await press('Allow until then', 'bob');
  await soon();
  expect(newest(read('bob'))).toMatch(at(17));
});

test('more time is from what it is allowed at the click: after an early end the button says so, and gives what was asked for', async () => {
  const { ask, type, press, pass, soon, heard, read, isAllowed } = await asking(
    { longest: '2h' },
    {},
    { from },
  );
  await ask(`${blockedSite} for 1h --reason booking`);
  await press('Allow for 1 h', 'bob');
  await soon();
  await ask(`${blockedSite} for 50m more --reason "still booking"`);
  const stale = newest(read('bob'));
  expect(stale).toContain('for 50 min more, which is allowed until 15:00');
  await type(`/appliance end ${blockedSite}`, 'dana');
  await press('End now', 'dana');
  expect(await press('Allow for 50 min more', 'bob')).toContain('is not allowed any more');
  expect(isAllowed()).toBe(false);
  await soon();
  const card = read('bob')
    .split('\n\n')
    .find((one) => one.includes('asks for'));
  expect(card).toContain('asks for live-betting.example for 50 min\n');
  expect(card).toContain('[Allow for 50 min] [Deny…]');
  await press('Allow for 50 min', 'bob');
  await soon();
  expect(heard()).toMatch(/until 14:5\d/);
  await pass(51 * minute);
  expect(isAllowed()).toBe(false);
});

test('more time is never beyond the longest, counted from the click', async () => {
  const { ask, press, soon, pass, heard, read } = await asking({ longest: '2h' }, {}, { from });
  await ask(`${blockedSite} for 2h --reason booking`);
  await press('Allow for 2 h', 'bob');
  await soon();
  await ask(`${blockedSite} for 2h more --reason "still booking"`);
  expect(newest(read('bob'))).toContain('[Allow for 2 h from now]');
  await pass(hour);
  await press('Allow for 2 h from now', 'bob');
  await soon();
  expect(heard()).toMatch(/until 17:0\d/);
});
