import { describe, expect, test } from 'vitest';
import { withBob } from './with-bob.ts';

const minute = 60_000;

/** Each: what is temporary for half an hour, and what somebody else changes beside it for a day. */
const besides: readonly (readonly [string, string, string])[] = [
  ['an ACL object', 'acl object disable google_sni', 'acl record disable .youtube.com'],
  ['a site', 'category add shop.example.net to 252', 'category add shop.example.net to 257'],
  ['a right of a policy', 'rdp policy change 5 --forbid printers', 'rdp policy disable 5'],
  ['another right', 'rdp policy change 5 --forbid printers', 'rdp policy change 5 --forbid clipboard'],
  ['a target', 'rdp target change 1 --set description=soon', 'rdp target disable 1'],
  ['a link', 'rdp policy link 5 member yuki.tanaka', 'rdp policy link 2 member yuki.tanaka'],
];

describe('what is temporary ends in time, whatever is changed for longer beside it:', () => {
  test.each(besides)('%s', async (_, line, beside) => {
    const { type, press, pass, read, bot } = await withBob();
    const say = async (typed: string) => {
      await type(`/appliance ${typed}`, 'dana');
      const [action] = await bot.journal.recent(1);
      if (action?.state === 'waiting') await press(/change/.test(typed) ? 'Change' : 'Run', 'dana');
    };
    await say(`${line} --for 30m`);
    await say(`${beside} --for 1d`);
    expect(await bot.journal.timedChanges(), read('dana')).toHaveLength(2);
    await pass(32 * minute);
    expect(
      (await bot.journal.timedChanges()).map(({ state }) => state),
      read('dana'),
    ).toEqual(['on']);
    expect(read('dana')).toContain('Over, and undone');
  });
});

test('an account that is temporary is deleted at its end, also where its owner is working', async () => {
  const { type, pass, read, appliance, bot, person } = await withBob();
  await type('/appliance rdp member create guest.one --for 30m', 'dana');
  const dana = person('dana');
  const blank =
    dana.form()?.fields.filter(({ isOptional, value }) => !isOptional && value.length === 0) ?? [];
  await dana.fill(Object.fromEntries(blank.map(({ label }) => [label, 'Sandbox-4711'])));
  await dana.submit();
  const [open] = [...appliance.state.rdp.sessions.values()];
  appliance.state.rdp.sessions.set(9_001, { ...open, id: 9_001, user: 'guest.one' } as never);
  await pass(32 * minute);
  expect(await bot.journal.timedChanges(), read('dana')).toEqual([]);
});
