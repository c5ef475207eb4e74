import { expect, test } from 'vitest';
import { page as pageOf } from './home-page.ts';
import { withBob } from './with-bob.ts';

const minute = 60_000;
const evening = Date.UTC(2026, 10, 25, 16, 0);

async function withRecords() {
  const house = await withBob({ from: evening });
  /** The rows of what `audit` or `timeline` lists, without the line's own frame. */
  const rows = async (line: string) => {
    const before = house.read('bob').length;
    const after = (await house.ask(line)).slice(before);
    return after
      .split('\n')
      .filter((row) => /A-\w{8}/.test(row))
      .map((row) => row.replace(/ {2,}/g, ' | '));
  };
  return { ...house, rows };
}

test('the end of a temporary change is a row of the audit and of the timeline, by Appliance Bot', async () => {
  const { ask, pass, rows, read } = await withRecords();
  await ask('category add 252 shop.example.net --for 2h');
  await pass(121 * minute);
  const told =
    /Appliance Bot.*\(The end of: category add 252 shop\.example\.net --for 2h\) on hq.*✅ Undone automatically: shop\.example\.net added/;
  expect((await rows('audit'))[0]).toMatch(told);
  expect((await rows('timeline --since 12h')).at(-1)).toMatch(told);
  expect(read('bob')).toContain('2 actions, all of them changes');
  const [end = ''] = await rows('audit --command "category add"');
  const shown = await ask(`show ${/A-\w{8}/.exec(end)?.[0]}`);
  expect(shown).toContain('✅ Undone automatically: shop.example.net added to category shopping');
  expect(shown).toContain('Evidence  Looked up shop.example.net: it is no longer in shopping');
});

test('a failed try is a row with its reason, repetitions are counted, and the outcome is shown once', async () => {
  const { ask, pass, rows, appliance, restart } = await withRecords();
  await ask('category add 252 shop.example.net --for 1h --ticket CHG-7');
  appliance.faults.set('GET /categories/delete/{id}/{site}', { kind: 'status', status: 503, times: 2 });
  for (const minutes of [61, 5]) await pass(minutes * minute);
  await restart();
  await pass(10 * minute);
  const ends = (await rows('audit ticket CHG-7')).filter((row) => row.includes('The end of'));
  expect(ends).toHaveLength(2);
  expect(ends[0]).toContain('✅ Undone automatically after 2 tries that failed: shop.example.net added');
  expect(ends[1]).toMatch(/❌ Couldn’t be undone, and is retried \(its end says how often\): .*503/);
});

test('the audit has a row for asking people about a changed end, and another for their decision', async () => {
  const { type, press, pass, rows, appliance } = await withRecords();
  await type('/appliance rdp ciphers set TLS_AES_256_GCM_SHA384 --for 30m', 'dana');
  Object.assign(appliance.state.rdp.tls, { offered: ['AES128-SHA'] });
  for (const minutes of [31, 61, 61]) await pass(minutes * minute);
  await press('Keep', 'dana');
  await press('Keep', 'dana').catch(() => undefined);
  const [kept, asked, made, ...others] = await rows('audit --command rdp');
  expect(made).toContain('Remote-desktop gateway set to 1 cipher suite');
  expect(asked).toMatch(/Appliance Bot .*❌ Not undone, and people are asked: /);
  expect(kept).toMatch(/@dana .*Kept for good/);
  expect(others).toEqual([]);
});

test('an early end has a row of the person, and the bot’s row for it names them', async () => {
  const { ask, click, pass, rows } = await withRecords();
  await ask('category add 252 shop.example.net --for 2h');
  await click('End now');
  await pass(minute);
  const [, end, undone, ...others] = await rows('timeline --since 12h');
  expect(end).toMatch(/@bob .*✅ Ended early: shop\.example\.net added/);
  expect(undone).toMatch(/Appliance Bot .*; ended by @bob: ✅ Undone early: shop\.example\.net added/);
  expect(others).toEqual([]);
});

test('undo takes no end for a change, and no plan takes it for one of its lines', async () => {
  const { ask, click, pass, read } = await withRecords();
  await ask('plan --for 20m\ncategory add 252 one.example\ncategory add 252 two.example');
  await click('Run plan');
  await pass(21 * minute);
  await pass(minute);
  expect(read('bob')).toContain('Ended and undone: all 2 changes of this plan');
  expect(await ask('undo')).not.toContain('The end of');
  const timeline = await ask('timeline --since 12h');
  expect(timeline).toMatch(
    /\(The end of: category add two\.example to 252 --for 20m\).*\(step 2 of the plan A-/,
  );
});

test('the record of an end is that of a change without a person, verified', async () => {
  const { ask, pass, bots, rows } = await withRecords();
  await ask('category add 252 shop.example.net --for 30m');
  await pass(31 * minute);
  await rows('audit');
  const [bot] = bots;
  const found = await bot?.journal.findRecords({ changes: true }, 10);
  const ends = found?.records.filter(({ record }) => record.interaction?.kind === 'timed_end') ?? [];
  expect(ends.map(({ record }) => [record.person, record.effect, record.verification])).toEqual([
    ['', 'write', 'checked'],
  ]);
});

test('the audit lists the newest first, also when an old action got an event later', async () => {
  const { ask, pass, rows, appliance } = await withRecords();
  await ask('category add 252 shop.example.net --for 1h');
  appliance.faults.set('GET /categories/delete/{id}/{site}', { kind: 'status', status: 503, times: 2 });
  await pass(61 * minute);
  await rows('audit');
  for (const minutes of [5, 10, 1]) await pass(minutes * minute);
  const times = (await rows('audit')).map((row) => /\d\d:\d\d/.exec(row)?.[0] ?? '');
  expect(times.length).toBeGreaterThan(2);
  expect(times).toEqual(times.toSorted().toReversed());
});

test.each([
  ['today', 'since today 00:00'],
  ['since last night', 'since'],
  ['last night', 'since'],
  ['since 14:00', 'since today 14:00'],
  ['today by bob', ' by @bob since today 00:00 in this channel'],
])('audit %s is understood', async (said, told) => {
  const { ask } = await withRecords();
  await ask('category add 252 shop.example.net --for 2h');
  const answer = await ask(`audit ${said}`);
  expect(answer).not.toContain('Unknown command');
  expect(answer).toMatch(/\d actions?/);
  expect(answer).toContain(told);
});

test('Home shows the end of somebody’s temporary change, and how it ended', async () => {
  const house = await withRecords();
  const { ask, pass, person } = house;
  const page = async () => {
    await person('bob').openHome();
    return pageOf(house, 'bob');
  };
  await ask('category add 252 shop.example.net --for 2h');
  const on = await page();
  expect(on).toMatch(
    /shop\.example\.net added to category shopping, until \S+ 18:00 UTC\nRequested by .*\n\[End now\]\[Extend by 2 h\]/,
  );
  expect(on.match(/added to category shopping/g)).toHaveLength(1);
  await pass(121 * minute);
  expect(await page()).toMatch(
    /shop\.example\.net added to category shopping, .*; undone automatically at .*18:01/,
  );
});

test('a change kept for good and undone later shows that on its card and in show, and the card of Keep shows no end', async () => {
  const { ask, type, press, pass, read, rows } = await withRecords();
  await type('/appliance vlan stop 3 --for 2h', 'dana');
  await press('Stop', 'dana');
  await type('/appliance vlan stop 3', 'dana');
  expect(read('dana')).toContain('Now ends  18:00, and is undone then');
  await press('Keep', 'dana');
  expect(read('dana')).not.toContain('Now ends');
  expect(read('bob')).toMatch(/VLAN interface eth1\.31 .* stopped, kept for good/);
  await pass(minute);
  await type('/appliance undo', 'dana');
  await press('Undo', 'dana');
  await pass(minute);
  expect(read('bob')).not.toContain('stopped, kept for good');
  expect(read('bob')).toMatch(/Undone: VLAN interface eth1\.31 .* stopped/);
  const [stopped = ''] = (await rows('audit')).filter((row) => row.includes('vlan stop 3 --for 2h on hq'));
  expect(await ask(`show ${/A-\w{8}/.exec(stopped)?.[0]}`)).toMatch(
    /kept for good by @dana at .*, and undone by @dana at/,
  );
});
