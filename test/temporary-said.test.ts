import { describe, expect, test } from 'vitest';
import { withBob } from './with-bob.ts';

/** Thursday, 5 March 2026, 13:30 in UTC, which is the policy's time zone here. */
const from = Date.UTC(2026, 2, 5, 13, 30);

/** The newest message to this person. */
const last = (said: string) => said.slice(said.lastIndexOf('appliance-bot'));

/** bob has one site on until 15:30, and dana another until 16:30. */
async function both() {
  const made = await withBob({ from });
  await made.ask('category add one.example.net to 252 --for 2h');
  await made.type('/appliance category add two.example.net to 252 --for 3h', 'dana');
  const asks = async (line: string, by = 'bob') => last(await made.type(`/appliance ${line}`, by));
  return { ...made, asks };
}

describe('a temporary change can be asked for in everyday words:', () => {
  test.each([
    ['temporary one.example.net', /one\.example\.net added .*15:30 .*@bob/],
    ['until when is one.example.net on', /one\.example\.net added .*15:30 .*@bob/],
    ['when does one.example.net end?', /one\.example\.net added .*15:30 .*@bob/],
    ['how long is one.example.net on', /one\.example\.net added .*15:30 .*@bob/],
    ['temporary mine', /1 temporary change .*\n.*\n.*\n {2}one\.example\.net/],
    ['temporary of dana', /1 temporary change .*\n.*\n.*\n {2}two\.example\.net/],
    ['temporary dana', /1 temporary change .*\n.*\n.*\n {2}two\.example\.net/],
    ['what ends before 16:00', /1 temporary change .*\n.*\n.*\n {2}one\.example\.net/],
    ['what ends today', /2 temporary changes/],
    ['what ends', /2 temporary changes/],
    ['what ends before 14:00', /Nothing ends in this channel until 14:00\./],
    ['temporary of alice', /Nothing of @alice is temporary in this channel\./],
    ['temporary xyz.example', /Nothing called xyz\.example is temporary in this channel\./],
  ])('%s', async (line, said) => {
    const { asks } = await both();
    expect(await asks(line)).toMatch(said);
  });
});

describe('an end with a time, or with its owner,', () => {
  test.each([
    ['end one.example.net 15:00', 'Shorten', 'Shortened, ends today 15:00: one.example.net'],
    ['end one.example.net til 15.00', 'Shorten', 'Shortened, ends today 15:00: one.example.net'],
    ['extend one.example.net til 17.30', 'Extend', 'Extended until today 17:30: one.example.net'],
    ['extend one.example.net til eod', 'Extend', 'Extended until tomorrow 00:00: one.example.net'],
    ['extend one.example.net friday 6pm', 'Extend', 'Extended until tomorrow 18:00: one.example.net'],
    ['extend one.example.net eod', 'Extend', 'Extended until tomorrow 00:00: one.example.net'],
    ['end all of bob', 'End now', 'Ended early: one.example.net'],
    ['end all of @bob', 'End now', 'Ended early: one.example.net'],
  ])('asks with a card that names it: %s', async (line, button, said) => {
    const { asks, click, read } = await both();
    await asks(line);
    expect(read('bob', 'helpdesk')).not.toContain(said);
    expect(await click(button)).toContain(said);
  });

  test.each([
    ['end all of dana --dry-run', /would end early.*\n.*1: two\.example\.net/],
    ["end bob's --dry-run", /would end early.*\n.*1: one\.example\.net/],
    ['end dana', /Which one\? Nothing was ended\.\n.*1: two\.example\.net/],
    ['end all of alice', 'Nothing of @alice is temporary in this channel, so nothing was ended.'],
    ['end two.example.net 10', 'Nothing called two.example.net 10 is temporary'],
  ])('%s', async (line, said) => {
    const { asks, read } = await both();
    await asks(line);
    expect(read('bob', 'helpdesk')).toMatch(
      said instanceof RegExp ? said : new RegExp(said.replace(/[.*+?]/g, '\\$&')),
    );
  });
});

test.each([
  [
    'category add x.example to 252 --until 3/4',
    /can be 2 times, of which one can be had\. No changes were made\. Type it if you mean it: --until "3 apr 2026"\./,
  ],
  [
    'category add x.example to 252 --until 5/3',
    /the one that you mean: --until "5 mar 2026" or --until "3 may 2026"\./,
  ],
  [
    'category add x.example to 252 --until 1/2',
    /each of which is over or too far ahead: 90 days at most\. No changes were made\./,
  ],
  [
    'category add x.example to 252 --at "3/4 10:00"',
    /of which one can be had\. No changes were made\. Type it if you mean it: --at "3 apr 2026 10:00"\./,
  ],
  [
    'extend one.example.net until 3/4',
    /of which one can be had: write 3 apr 2026 if you mean that\. Nothing was extended\./,
  ],
])('only possible days are offered where several can be meant: %s', async (line, said) => {
  const { asks } = await both();
  const answer = await asks(line);
  expect(answer).toMatch(said);
  // Each of them is taken when it is typed.
  for (const [, option, choice] of (answer.split(' can be ')[1] ?? '').matchAll(/(--\w+) ("\d[^"]*")/g)) {
    const taken = await asks(`category add y.example to 252 ${option} ${choice}`);
    expect(taken).toMatch(/added to category shopping, until|Planned for|Add y.example/);
    await asks('end y.example');
    await asks('undo');
  }
});

test('a moved end is no change to undo', async () => {
  const { asks } = await both();
  await asks('extend one.example.net by 1h');
  expect(await asks('undo')).toContain(
    'undo your last change here: category add one.example.net to 252 --for 2h',
  );
});

test('a temporary removal is shown as a removal, and not as on', async () => {
  const { ask, asks, type, press, click, read } = await both();
  await ask('category add m.example to 252');
  await ask('category delete m.example from 252 --for 1h');
  await click('Remove');
  expect(await asks('category delete m.example from 252 --for 30m', 'dana')).toMatch(
    /m\.example is removed already, until 14:30 by @bob, with .*Yours would not end later\./,
  );
  const held = await asks('category delete m.example from 252 --for 2h', 'dana');
  expect(held).toMatch(/m\.example is removed already, until 14:30 by @bob, with .*\[Extend by 1 h\]/s);
  expect(await asks('category add m.example to 252 --for 10m', 'dana')).toContain(
    'The end of yours would bring that back.',
  );
  await type('/appliance category add m.example to 252', 'dana');
  await press('Add', 'dana');
  expect(read('bob', 'helpdesk')).toContain(
    '@bob: Ended and undone: m.example removed from category shopping',
  );
});
