import { expect, test } from 'vitest';
import { referenceOf } from '../../src/journal/actions/reference.ts';
import { withBob } from '../with-bob.ts';

const minute = 60_000;
const from = Date.UTC(2026, 2, 31, 14, 0);
const ends = { '--for 2h': 120, '--for 4h': 240 };

async function withBoth() {
  const found = await withBob({ from });
  const { ask, click, type, press, category } = found;
  return {
    ...found,
    in: () => ['a', 'b', 'c', 'd'].filter((one) => category(252).sites.has(`${one}.example`)).join(' '),
    dana: (line: string) => type(`/appliance ${line}`, 'dana'),
    bobUndoes: async () => {
      await ask('undo');
      return click('Undo');
    },
    danaUndoes: async () => {
      await type('/appliance undo', 'dana');
      return press('Undo', 'dana');
    },
  };
}

test('Undo of a list leaves what somebody else wants for longer until their end, and names it and them', async () => {
  const { ask, dana, bobUndoes, pass, in: there, bot } = await withBoth();
  await ask('category add a.example b.example to 252 --for 2h');
  await dana('category add b.example to 252 --for 4h');
  const said = await bobUndoes();
  expect(said).toContain('✅ a.example removed from category shopping');
  expect(said).toContain(
    'Stays  b.example until 18:00, for @dana with category add b.example to 252 --for 4h\n',
  );
  expect(said).toContain(
    '⚪ Undone: 2 sites added to category shopping, but for what others want for longer',
  );
  expect(said).toContain('Stays  b.example stays for longer, with category add b.example to 252 --for 4h.');
  expect(there()).toBe('b');
  // Theirs alone is on from now on.
  expect((await bot.journal.timedChanges()).map(({ undoLine }) => undoLine)).toEqual([
    'category delete b.example from 252',
  ]);
  await pass(238 * minute);
  expect(there()).toBe('b');
  await pass(5 * minute);
  expect(there()).toBe('');
});

test.each([
  ['--for 4h', '--for 2h'],
  ['--for 2h', '--for 4h'],
  ['--for 2h', ''],
  ['', '--for 2h'],
  ['', ''],
] as const)('lists that overlap (bob%s, dana%s) are undone each by itself', async (his, hers) => {
  const { ask, dana, bobUndoes, danaUndoes, pass, in: there } = await withBoth();
  await ask(`category add a.example b.example to 252 ${his}`);
  await dana(`category add b.example c.example to 252 ${hers}`);
  await bobUndoes();
  expect(there()).toBe('b c');
  if (hers !== '') {
    await pass((ends[hers] + 3) * minute);
    expect(there()).toBe('');
    return;
  }
  await danaUndoes();
  expect(there()).toBe('');
});

test('whoever undoes theirs first leaves what was there before them, and their wish is no wish any more', async () => {
  const { ask, dana, pass, in: there } = await withBoth();
  await ask('category add a.example b.example to 252 --for 2h');
  await dana('category add b.example c.example to 252 --for 4h');
  await dana('undo');
  expect(there()).toBe('a b');
  await pass(123 * minute);
  expect(there()).toBe('');
});

test('the undo of an undo brings back the wish for what had stayed, too', async () => {
  const { ask, dana, bobUndoes, click, pass, in: there } = await withBoth();
  await ask('category add a.example b.example to 252 --for 4h');
  await dana('category add b.example c.example to 252 --for 2h');
  await bobUndoes();
  expect(await click('Undo')).toContain('a.example added to category shopping, until 18:00');
  expect(there()).toBe('a b c');
  await pass(123 * minute);
  expect(there()).toBe('a b');
  await pass(120 * minute);
  expect(there()).toBe('');
});

test('where others want all of it, nothing is sent, and it ends with theirs', async () => {
  const { ask, dana, bobUndoes, pass, in: there, sent } = await withBoth();
  await ask('category add a.example b.example to 252 --for 4h');
  await dana('category add a.example b.example c.example to 252 --for 2h');
  const before = sent(/POST/).length;
  expect(await bobUndoes()).toContain('2 sites added to category shopping, which stays');
  await pass(minute);
  expect(there()).toBe('a b c');
  expect(sent(/POST .*252/).length).toBeLessThanOrEqual(before);
  await pass(122 * minute);
  expect(there()).toBe('');
});

test('who wants it for good is named where all of it stays, and nothing is changed', async () => {
  const { ask, dana, bobUndoes, in: there } = await withBoth();
  await ask('category add b.example to 252');
  await dana('category add b.example c.example to 252');
  expect(await bobUndoes()).toMatch(
    /Nothing is left to undo of category add b\.example to 252 .*Others want all of it: b\.example for good, for @dana with category add b\.example c\.example to 252\. No changes were made\./,
  );
  expect(there()).toBe('b c');
});

test('what somebody takes away for good is gone for all, and whoever wanted it for a time is told', async () => {
  const { ask, dana, press, read, in: there, bot } = await withBoth();
  await ask('category add a.example b.example to 252 --for 2h');
  await dana('category add b.example to 252 --for 4h');
  await dana('category delete b.example from 252');
  await press('Remove', 'dana');
  expect(there()).toBe('a');
  const said = read('bob');
  expect(said).toContain('@bob: b.example is not on any more. @dana ran category delete b.example from');
  expect(said).toMatch(/✅ Undone: b\.example added to category shopping/);
  expect((await bot.journal.timedChanges()).map(({ person }) => person)).toEqual(['U0BOB00001']);
});

test('what was wanted and taken away by somebody since keeps nothing from being undone', async () => {
  const { ask, dana, click, in: there } = await withBoth();
  await ask('category add a.example b.example to 252');
  await dana('category add b.example c.example to 252');
  await ask('category delete b.example from 252');
  await click('Remove');
  await ask('category add b.example d.example to 252');
  await ask('undo');
  expect(there()).toBe('a c');
});

test('a temporary wish that was kept is a wish for good to all others', async () => {
  const { ask, dana, press, pass, in: there } = await withBoth();
  await ask('category add a.example b.example to 252 --for 2h');
  await dana('category add b.example c.example to 252 --for 30m');
  await dana('keep c.example');
  await press('Keep', 'dana').catch(() => undefined);
  await pass(123 * minute);
  expect(there()).toBe('b c');
});

test('a plan that is rolled back leaves what others want of its lines by now, and lines of its own are no wishes of others', async () => {
  const { ask, dana, click, read, in: there, bot } = await withBoth();
  await ask('plan\ncategory add a.example b.example to 252\ncategory add b.example d.example to 252');
  await click('Run plan');
  const plan = (await bot.journal.recent(20)).find(({ phrase }) => phrase?.startsWith('plan'));
  await dana('category add b.example c.example to 252');
  await ask(`plan rollback ${referenceOf(plan?.id ?? '')}`);
  expect(read('bob')).toContain('leaves alone what others want: b.example for good, for @dana');
  await click('Roll back').catch(() => undefined);
  expect(there()).toBe('b c');
});

test('a plan that is rolled back with nobody beside it takes all of it back', async () => {
  const { ask, click, in: there, bot } = await withBoth();
  await ask(
    'plan\ncategory add a.example b.example to 252 --for 2h\ncategory add b.example d.example to 252 --for 4h',
  );
  await click('Run plan');
  const plan = (await bot.journal.recent(20)).find(({ phrase }) => phrase?.startsWith('plan'));
  await ask(`plan rollback ${referenceOf(plan?.id ?? '')}`);
  await click('Roll back').catch(() => undefined);
  expect(there()).toBe('');
});

test('a plan from history leaves what others want, too', async () => {
  const { ask, dana, click, read, pass, in: there } = await withBoth();
  await ask('category add a.example b.example to 252');
  await dana('category add b.example c.example to 252');
  await pass(minute);
  await ask('plan from history @bob 13:59-14:01 --undo');
  expect(read('bob')).toContain('leaves alone what others want: b.example for good');
  await click('Undo all');
  expect(there()).toBe('b c');
});

test('what ends at the same moment for several is all handed on to whoever wants it for longer, and ends with theirs', async () => {
  const { ask, dana, pass, read, in: there } = await withBoth();
  await ask('category add a.example d.example to 252 --until 15:00');
  await ask('category add b.example to 252 --until 15:00');
  await ask('category add d.example c.example to 252 --until 15:00');
  await dana('category add a.example b.example c.example d.example to 252 --until 16:00');
  await pass(62 * minute);
  expect(there()).toBe('a b c d');
  await pass(62 * minute);
  expect(there(), read('dana')).toBe('');
});
