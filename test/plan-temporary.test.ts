import { expect, test } from 'vitest';
import { five, withBob } from './planning-lines.ts';

const minute = 60_000;

test('a temporary plan ends as one: reminded once, undone from the last line, told once', async () => {
  const { ask, click, pass, read, bot, isIn, isEnabled, isUp, appliance } = await withBob();
  await ask(`plan --for 20m\n${five[0]}\n${five[1]}\n${five[2]}\n${five[3]} --for 2h`);
  await click('Run plan');
  const ends = (await bot.journal.timedChanges()).map(({ endsAt }) => endsAt);
  expect(new Set(ends).size).toBe(2);
  await pass(16 * minute);
  const reminded = read('bob');
  expect(reminded).toContain('(lines 1, 2 and 3 until ');
  expect(reminded.match(/⏳ Ends in/g)).toHaveLength(1);
  expect(reminded).toMatch(
    /⏳ Ends in 4 min[^\n]*3 changes of this plan are undone then, the last line first[^\n]*\n[^\n]*\[End all now\]/,
  );
  await pass(6 * minute);
  const over = read('bob');
  expect(over.match(/Ended and undone: all 3 changes of this plan/g)).toHaveLength(1);
  expect(read('bob', 'appliance-bot')).not.toContain('undone');
  expect([isIn('one.example.net'), isEnabled(), isUp(), isIn('two.example.net')]).toEqual([
    false,
    true,
    true,
    true,
  ]);
  const undos = appliance.requests
    .filter(({ path }) => /\/start\/|\/enable\//.test(path))
    .map(({ path }) => path);
  expect(undos).toEqual(['/system/network/vlan/start/3', '/proxy/acls/object/enable/3']);
  await pass(2 * 60 * minute);
  expect(isIn('two.example.net')).toBe(false);
  expect(read('bob')).toContain('Ended and undone: two.example.net added');
});

const cardIn = (shown: string): string =>
  shown.split('\n\n').findLast((one) => /Plan done|lines of this plan/.test(one)) ?? '';

test('the card of a temporary plan shows the state of the whole, and its buttons act on the whole', async () => {
  const { ask, click, pass, read, bot, isIn, isEnabled, isUp, appliance, planned } = await withBob();
  const card = () => cardIn(read('bob'));
  await ask(`plan --for 20m\n${five[0]}\n${five[1]}\n${five[2]}`);
  await click('Run plan');
  expect(card()).toMatch(/Plan done: 3 lines, until [\s\S]*\[End all now\] \[Extend all by 20 min\]/);
  await click('Extend all by 20 min');
  const rows = await bot.journal.timedChanges();
  expect(rows.map(({ endsAt, startedAt }) => Math.round((endsAt - startedAt) / minute))).toEqual([
    40, 40, 40,
  ]);
  expect(await ask(`extend plan ${await planned()} by 10m`)).toContain('[Extend all 3]');
  await pass(42 * minute);
  expect([isIn('one.example.net'), isEnabled(), isUp()]).toEqual([false, true, true]);
  expect(card()).toContain('Ended and undone: all 3 lines of this plan');
  expect(card()).not.toMatch(/\[Undo\]|\[End all now\]|\[Extend/);
  expect(read('bob').match(/Ended and undone: all 3 changes of this plan/g)).toHaveLength(1);
  const compiles = appliance.requests.filter(({ path }) => /compile/.test(path)).map(({ path }) => path);
  expect(compiles).toHaveLength(2 * new Set(compiles).size);
});

test('End all now of a temporary plan undoes all of it from the last line, and the card shows failed ends', async () => {
  const { ask, click, pass, read, isIn, isEnabled, isUp, appliance } = await withBob();
  const card = () => cardIn(read('bob'));
  await ask(`plan --for 20m\n${five[0]}\n${five[1]}`);
  await click('Run plan');
  await click('End all now');
  await pass(minute);
  expect([isIn('one.example.net'), isEnabled()]).toEqual([false, true]);
  expect(read('bob').match(/Ended early and undone: all 2 changes of this plan/g)).toHaveLength(1);
  await ask(`plan\n${five[3]} --for 20m\n${five[2]} --for 20m\n${five[4]}`);
  await click('Run plan');
  expect(card()).toMatch(/\(lines 1 and 2 until [\s\S]*\[Undo\] \[End all now\] \[Extend all by 20 min\]/);
  const refusal = { kind: 'refuse', error: 'operation not permitted' } as const;
  appliance.faults.set('GET /system/network/vlan/start/{id}', refusal);
  await click('End all now');
  await pass(minute);
  expect([isIn('two.example.net'), isIn('three.example.net', 257), isUp()]).toEqual([false, true, false]);
  expect(card()).toMatch(/\(line 1 over and line 2 not undone so far: /);
  expect(card()).toContain('[Keep line 2]');
  appliance.faults.clear();
  await pass(10 * minute);
  expect(isUp()).toBe(true);
  expect(card()).toMatch(/Plan done: 3 lines \(lines 1 and 2 over\)[\s\S]*\[Undo\]/);
});

test('end plan ends a plan’s temporary changes, and asks which is meant of a plan that has stopped or waits', async () => {
  const { ask, click, planned, breakVlan, isIn } = await withBob();
  const answer = async (line: string) => (await ask(line)).split('only visible to bob').at(-1) ?? '';
  await ask(`plan --for 2h\n${five[0]}\n${five[3]}`);
  await click('Run plan');
  const done = await planned();
  for (const line of [`end plan ${done}`, `plan end ${done}`, `end ${done}`, 'temporary end plan'])
    expect(await answer(line)).toMatch(
      /can be each of these 2\. Which one\? Nothing was ended\.[\s\S]*\[End all 2\] \[1: End now\] \[2: End now\]/,
    );
  await click('End all 2');
  expect([isIn('one.example.net'), isIn('two.example.net')]).toEqual([false, false]);
  await ask(`${five[3]} --for 2h`);
  breakVlan();
  await ask(`plan --for 2h\n${five[0]}\n${five[2]}\n${five[4]}`);
  await click('Run plan');
  const stopped = await planned();
  expect(await answer(`plan end ${stopped} --dry-run`)).toMatch(
    /^\)\s+Dry run: you would be asked what is meant/,
  );
  const asked = await answer(`end plan ${stopped}`);
  expect(asked).toMatch(/Plan stopped at line 2: it failed[^\n]*Nothing was ended\./);
  expect(asked).toContain('[End now] [Roll back] [Go on] [Leave it so]');
  expect(isIn('one.example.net')).toBe(true);
  expect(await ask('plans')).toContain('Plan stopped at line 2');
  await click('End now');
  expect([isIn('one.example.net'), isIn('two.example.net')]).toEqual([false, true]);
  await ask(`plan\n${five[0]}\n${five[1]}`);
  expect(await answer(`end plan ${await planned()}`)).toMatch(
    /waits for confirmation\. It has nothing on for a time, so nothing was ended\. Do you mean Cancel\?\n {2}\[Cancel\]/,
  );
});

test('a stopped temporary plan shows when its changes end, and the lines that are over', async () => {
  const { ask, click, pass, read, breakVlan, planned } = await withBob();
  breakVlan();
  await ask(`plan --for 2h\n${five[0]}\n${five[2]}\n${five[3]}`);
  const stopped = await click('Run plan');
  expect(stopped).toMatch(/1 line done, line 3 not run\. What was done: until [^\n]*\d\d:\d\d\.\n/);
  expect(stopped).not.toMatch(/\.[,.]/);
  const left = await click('Leave it so');
  expect(left).toMatch(
    new RegExp(`Finished lines last until [^;]*\\d; plan rollback ${await planned()} undoes them before\\.`),
  );
  expect(left).not.toContain('Finished lines stay');
  await ask(`plan\n${five[4]} --for 3h\n${five[3]}\n${five[2]}`);
  await click('Run plan');
  expect(await click('Leave it so')).toContain(
    'Temporary lines are undone at their end, and the others stay',
  );
  await pass(2 * 60 * minute + minute);
  expect(read('bob')).toContain('❌ Ended and undone: line 1 of this plan');
});

test('keep plan asks with one button about all its temporary changes, and keep all with one for each', async () => {
  const { ask, click, planned } = await withBob();
  await ask(`plan --for 20m\n${five[0]}\n${five[3]}`);
  await click('Run plan');
  expect(await ask(`keep plan ${await planned()}`)).toContain('[Keep all 2] [1: Keep] [2: Keep]');
  await ask(`${five[4]} --for 20m`);
  expect((await ask('keep all')).split('Which one?').at(-1)).toContain('[1: Keep] [2: Keep] [3: Keep]');
  await ask(`keep plan ${await planned()}`);
  const asked = await click('Keep all 2');
  expect(
    asked.match(/Keep the addition of (?:one|two)\.example\.net to category shopping for good\?/g),
  ).toHaveLength(2);
});
