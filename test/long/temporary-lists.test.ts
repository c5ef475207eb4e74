import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { withBob } from '../with-bob.ts';

const sites = Array.from({ length: 60 }, (_, index) => `xb${index}.example`);

/** Sixty sites from a file, of which its line names none. */
async function withFile() {
  const conversation = await withBob({ from: Date.UTC(2026, 10, 25, 14, 0) });
  const { attach, press, category } = conversation;
  const content = Buffer.from(sites.join('\n'));
  await attach('@appliance-bot add these to 252 for 2h', { name: 'b.txt', content }, 'bob');
  await press('Add', 'bob');
  return { ...conversation, left: () => sites.filter((site) => category(252).sites.has(site)) };
}

test('a list from a file is found by each of its sites, and the bot asks whether one of them means all', async () => {
  const { ask, click, left } = await withFile();
  const asked = await ask('end xb7.example');
  expect(asked).toContain(
    'xb7.example is one of its 60, and all of them would be ended. Nothing was ended so far.',
  );
  expect(asked).toContain('[End now: all 60] [category delete xb7.example from 252 --on hq]');
  expect(left()).toHaveLength(60);
  await click('category delete xb7.example from 252 --on hq');
  await click('Remove');
  expect(left()).toHaveLength(59);
  expect(await ask('end xb8.example and xb9.example')).toContain('xb8.example and xb9.example are 2 of its');
  await click('End now: all 60');
  expect(left()).toEqual([]);
});

test('a list from a file is extended, kept and ended by its name, and by no part of the name of one of its sites', async () => {
  const { ask, click, left, bot } = await withFile();
  expect(await ask('extend xb7.example by 1h')).toContain('all of them would be extended');
  const [before] = await bot.journal.timedChanges();
  await click('Extend by 1 h: all 60');
  const [after] = await bot.journal.timedChanges();
  expect((after?.endsAt ?? 0) - (before?.endsAt ?? 0)).toBe(60 * 60_000);
  expect(await ask('keep xb7.example')).toContain('all of them would be kept');
  expect(await ask('end b7.example')).toContain('Nothing called b7.example is temporary in this channel');
  await ask('end b.txt');
  await click('End now');
  expect(left()).toEqual([]);
});

test('ending one site of a typed list ends no others unasked', async () => {
  const { ask, click, category } = await withBob();
  await ask('category add a.example b.example to 252 --for 2h');
  expect(await ask('end a.example')).toContain('a.example is one of its 2');
  expect(category(252).sites.has('b.example')).toBe(true);
  await ask('end a.example b.example');
  await click('End now');
  expect(category(252).sites.has('b.example')).toBe(false);
});

test('the end of a list that takes a quarter of an hour continues, and is not begun once more beside that', async () => {
  const minute = 60_000;
  const many = Array.from({ length: 200 }, (_, index) => `xb${index}.example`);
  let passed = 0;
  let begun = 0;
  const house = await withBob({
    from: Date.UTC(2026, 10, 25, 14, 0),
    world: {
      journal: (journal) => ({
        ...journal,
        claimEnds: async () => {
          const claimed = await journal.claimEnds();
          begun += claimed.length;
          return claimed;
        },
        timedEndsGoOn: async (ids) => {
          await journal.timedEndsGoOn(ids);
          passed += 4;
          // The end is under way, so the bot is not idle before it is over.
          void house.pass(4 * minute);
          await pause(50);
        },
      }),
    },
  });
  const { attach, click, category, pass, sent } = house;
  const content = Buffer.from(many.join('\n'));
  await attach('@appliance-bot add these to 252 for 2h', { name: 'b.txt', content }, 'bob');
  await click('Add');
  await pass(121 * minute);
  expect([begun, passed]).toEqual([1, 16]);
  expect(many.filter((site) => category(252).sites.has(site))).toEqual([]);
  expect(sent(/^GET \/categories\/delete\/252\//)).toHaveLength(200);
});
