import { expect, test } from 'vitest';
import { withBob } from './with-bob.ts';

const minute = 60_000;
const site = 'shop.example.net';
const from = Date.UTC(2026, 2, 31, 14, 0);

test('undo of a temporary change that has ended leaves later changes alone, in any channel', async () => {
  const { ask, type, press, pass, category, read } = await withBob({ from });
  await ask(`category add ${site} to 252 --for 10m`);
  await pass(11 * minute);
  expect(await ask('undo')).toMatch(
    /Nothing is left to undo of your last change here: category add shop\.example\.net to 252 --for 10m \(today 14:00\)\. It was temporary, and ended at today 14:11\. No changes were made\./,
  );
  await type(`/appliance category add ${site} to 252`, 'dana', 'incident');
  expect(await ask('undo')).toContain(
    `It was temporary, and ended at today 14:11. @dana has done the same since, with category add ${site} to 252 (today 14:11), which stays. No changes were made.`,
  );
  expect(read('bob')).not.toContain('[Undo]');
  expect(category(252).sites.has(site)).toBe(true);
  // Hers is hers to take back.
  await press('Undo', 'dana', 'incident');
  expect(category(252).sites.has(site)).toBe(false);
});

test('the button of a change that was undone and made again by somebody takes nothing away from them', async () => {
  const { ask, click, type, press, category } = await withBob({ from });
  await ask(`category add ${site} to 252`);
  await type(`/appliance category delete ${site} from 252`, 'dana', 'incident');
  await press('Remove', 'dana', 'incident');
  await type(`/appliance category add ${site} to 252`, 'dana', 'incident');
  expect(await ask('undo')).toContain('@dana has done the same since');
  expect(await click('Undo')).toContain(
    `Nothing is left to undo of category add ${site} to 252 (today 14:00). @dana has done the same since, with category add ${site} to 252 (today 14:00), which stays.`,
  );
  expect(category(252).sites.has(site)).toBe(true);
});

test('an end by a person names them, and is nowhere offered for undo', async () => {
  const { ask, type, press, pass, read, person, bot } = await withBob({ from });
  await ask('acl object disable google_sni --for 1h');
  await type('/appliance end google_sni', 'dana');
  await press('End now', 'dana');
  await pass(minute);
  expect(await ask('undo')).toMatch(/It was temporary, and @dana ended it at today 14:0\d\./);
  const [done] = await bot.journal
    .recentIn('C0HELPDESK', from, 200)
    .then((all) =>
      all.filter(({ phrase, person: by }) => phrase === 'acl object disable <object>' && by === 'U0BOB00001'),
    );
  const { referenceOf } = await import('../src/journal/actions/reference.ts');
  expect(await ask(`show ${referenceOf(done?.id ?? '')}`)).not.toContain('[Undo]');
  await person('bob').openHome();
  expect(read('bob')).not.toContain('[Undo]');
});
