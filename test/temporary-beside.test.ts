import { describe, expect, test } from 'vitest';
import type { Conversation } from './conversation.ts';
import { withBob } from './with-bob.ts';

const minute = 60_000;
type State = Conversation['appliance']['state'];

/** Rows: a change for half an hour, and another person's change beside it for a day. */
const besides: readonly (readonly [string, string, string])[] = [
  ['an ACL object', 'acl object disable google_sni', 'acl record disable .youtube.com'],
  ['a site', 'category add shop.example.net to 252', 'category add shop.example.net to 257'],
  ['a right of a policy', 'rdp policy change 5 --forbid printers', 'rdp policy disable 5'],
  ['another right', 'rdp policy change 5 --forbid printers', 'rdp policy change 5 --forbid clipboard'],
  ['a target', 'rdp target change 1 --set description=soon', 'rdp target disable 1'],
  ['a link', 'rdp policy link 5 member yuki.tanaka', 'rdp policy link 2 member yuki.tanaka'],
];

describe('a temporary change ends in time, whatever longer change stands beside it:', () => {
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
    expect(read('dana')).toContain('Ended and undone');
  });
});

test('a temporary account is deleted at its end, also where its owner is working', async () => {
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

/** Rows: a temporary change, its manual override on the appliance, and another person's longer change beside it. */
const edited: readonly (readonly [string, string, (state: State) => void, string])[] = [
  [
    'cipher suites',
    'rdp ciphers set TLS_AES_256_GCM_SHA384',
    ({ rdp }) => void Object.assign(rdp.tls, { offered: ['AES128-SHA'] }),
    'rdp target disable srv-print-01',
  ],
  [
    'a right of a policy',
    'rdp policy change 5 --forbid printers',
    ({ rdp }) => void Object.assign(rdp.policies.get(5) ?? {}, { name: 'Other' }),
    'rdp policy disable 2',
  ],
];

describe('a change that a person has overridden is put before people at its end, whatever else changes in its area:', () => {
  test.each(edited)('%s', async (_, line, edit, beside) => {
    const { type, pass, read, appliance } = await withBob();
    await type(`/appliance ${line} --for 30m`, 'dana');
    edit(appliance.state);
    await type(`/appliance ${beside} --for 3d`, 'dana');
    await pass(32 * minute);
    expect(read('dana')).toContain('This was temporary and was not undone on hq');
  });
});

test('a change for a time does not lie on top of one that is on for a time: it says so, and offers to end that first', async () => {
  const { type, press, pass, read, appliance, bot } = await withBob();
  const isEnabled = () => appliance.state.acl.objects.get(3)?.enabled;
  await type('/appliance acl object disable google_sni --for 30m', 'bob');
  await type('/appliance acl object enable google_sni --for 3h', 'dana');
  expect(read('dana')).toMatch(
    /It is off already, until .* by @bob, with .*The end of yours would bring that back\. End it first, or leave out the time of yours\. No changes were made\./,
  );
  expect(await bot.journal.timedChanges()).toHaveLength(1);
  // Without an end it is made, once its maker has seen whose it takes away, and ends the other one.
  await type('/appliance acl object enable google_sni', 'dana');
  expect(read('dana')).toMatch(/Wanted by others {2}until .*by @bob/);
  await press('Enable', 'dana');
  expect(await bot.journal.timedChanges()).toEqual([]);
  await pass(40 * minute);
  expect(isEnabled()).toBe(true);
  await type('/appliance rdp ciphers set TLS_AES_256_GCM_SHA384 --for 30m', 'bob');
  await type('/appliance rdp ciphers set TLS_AES_128_GCM_SHA256 --for 3h', 'dana');
  expect(read('dana').split('The end of yours would bring that back')).toHaveLength(3);
});
