import { describe, expect, test } from 'vitest';
import type { Conversation } from '../conversation.ts';
import { withBob } from '../with-bob.ts';

const minute = 60_000;
type State = Conversation['appliance']['state'];

/** Rows: a temporary change, and how somebody takes it back on the appliance. */
const takenAway: readonly (readonly [string, string, (state: State) => void])[] = [
  [
    'a pattern',
    'rdp pattern create "format c:" in 5 --set action=notify',
    ({ rdp }) => void rdp.patterns.delete(13),
  ],
  [
    'a member who is linked',
    'rdp policy link 5 member yuki.tanaka',
    ({ rdp }) => void rdp.members.delete(10),
  ],
  ['a target that is off', 'rdp target disable srv-print-01', ({ rdp }) => void rdp.targets.delete(15)],
  ['an object that is off', 'acl object disable google_sni', ({ acl }) => void acl.objects.delete(3)],
];

describe('a change that somebody has taken back on the appliance is over, and nobody is asked:', () => {
  test.each(takenAway)('%s', async (_, line, take) => {
    const { type, pass, read, appliance, bot } = await withBob();
    await type(`/appliance ${line} --for 30m`, 'dana');
    expect(await bot.journal.timedChanges(), read('dana')).toHaveLength(1);
    take(appliance.state);
    await pass(32 * minute);
    expect(await bot.journal.timedChanges(), read('dana')).toEqual([]);
    expect(read('dana')).toMatch(/hq lists no .* any more\./);
    expect(read('dana')).not.toContain('so you decide');
  });
});

test.each([
  ['sql database grant quotas to reports', 'sql database revoke quotas from reports', 'Revoke'],
  ['sql user grant proxy', 'sql user revoke proxy', 'Revoke'],
])('`%s` for a time is over as soon as somebody has typed `%s`', async (line, back, verb) => {
  const { type, press, pass, read, bot } = await withBob();
  await type(`/appliance ${line} --for 30m`, 'bob');
  expect(await bot.journal.timedChanges(), read('bob')).toHaveLength(1);
  await type(`/appliance ${back}`, 'dana');
  await press(verb, 'dana');
  expect(await type('/appliance temporary', 'dana')).toContain('Nothing is temporary in this channel.');
  expect(await type(`/appliance ${back}`, 'dana')).toContain('there is nothing to revoke');
  await pass(32 * minute);
  expect(read('bob')).not.toContain('so you decide');
  expect(await type('/appliance undo', 'bob')).toContain('Nothing is left to undo');
});

test('a removal that cannot come back because its place is gone is not called undone, and people are asked', async () => {
  const { type, press, pass, read, appliance, bot } = await withBob();
  await type('/appliance acl record delete .youtube.com --for 30m', 'dana');
  await press('Delete', 'dana');
  appliance.state.acl.objects.delete(3);
  await pass(32 * minute);
  expect(await bot.journal.timedChanges(), read('dana')).toHaveLength(1);
  expect(read('dana')).toContain('so you decide');
});

const sites = (count: number) => Array.from({ length: count }, (_, index) => `d${index}.example`);

describe('a temporary list of which somebody changed a part ends in time for the rest, and names that part:', () => {
  test.each([5, 122])('%i sites, of which somebody has removed three by hand', async (count) => {
    const { type, press, pass, read, appliance, bot } = await withBob();
    const category = appliance.state.categories.all.get(252);
    await type(`/appliance category add ${sites(count).join(' ')} to 252 --for 30m`, 'bob');
    if (count > 50) await press('Add', 'bob');
    for (const site of ['d1.example', 'd2.example', 'd4.example']) category?.sites.delete(site);
    await pass(32 * minute);
    expect(sites(count).filter((site) => category?.sites.has(site))).toEqual([]);
    expect(await bot.journal.timedChanges(), read('bob')).toEqual([]);
    expect(read('bob')).toContain(
      'Left alone, because somebody has changed them since: d1.example, d2.example and d4.example.',
    );
  });

  test('with the bot', async () => {
    const { type, press, pass, read, appliance, bot } = await withBob();
    const category = appliance.state.categories.all.get(252);
    await type(`/appliance category add ${sites(5).join(' ')} to 252 --for 30m`, 'bob');
    await type('/appliance category delete d1.example from 252', 'dana');
    await press('Remove', 'dana');
    await pass(32 * minute);
    expect(sites(5).filter((site) => category?.sites.has(site))).toEqual([]);
    expect(await bot.journal.timedChanges(), read('bob')).toEqual([]);
    expect(read('bob')).toContain('Left alone, because somebody has changed it since: d1.example.');
  });

  test.each([5, 60])(
    '%i sites, of which somebody has removed one by hand, and another with the bot',
    async (count) => {
      const { type, press, pass, read, appliance, bot } = await withBob();
      const category = appliance.state.categories.all.get(252);
      await type(`/appliance category add ${sites(count).join(' ')} to 252 --for 30m`, 'bob');
      if (count > 50) await press('Add', 'bob');
      category?.sites.delete('d4.example');
      await type('/appliance category delete d3.example from 252', 'dana');
      await press('Remove', 'dana');
      await pass(32 * minute);
      expect(
        sites(count).filter((site) => category?.sites.has(site)),
        read('bob'),
      ).toEqual([]);
      expect(await bot.journal.timedChanges(), read('bob')).toEqual([]);
      expect(read('bob')).toContain(
        'Left alone, because somebody has changed them since: d3.example and d4.example.',
      );
    },
  );

  test('a site that Undo put back ends with the others; a site that somebody adds again for good stays', async () => {
    const { type, press, pass, read, appliance, bot } = await withBob();
    const category = appliance.state.categories.all.get(252);
    await type(`/appliance category add ${sites(5).join(' ')} to 252 --for 30m`, 'bob');
    for (const site of ['d1.example', 'd2.example']) {
      await type(`/appliance category delete ${site} from 252`, 'dana');
      await press('Remove', 'dana');
      if (site === 'd2.example') await press('Undo', 'dana');
    }
    await type('/appliance category add d1.example to 252', 'dana');
    await pass(32 * minute);
    expect(
      sites(5).filter((site) => category?.sites.has(site)),
      read('bob'),
    ).toEqual(['d1.example']);
    expect(await bot.journal.timedChanges(), read('bob')).toEqual([]);
  });
});
