import { describe, expect, test } from 'vitest';
import type { Conversation } from './conversation.ts';
import { withBob } from './with-bob.ts';

const minute = 60_000;
type State = Conversation['appliance']['state'];

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

/** Each: what is temporary, what a hand on the appliance does to it, and what somebody else then changes beside it for longer. */
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

describe('what a hand has changed is put before people at its end, also where somebody changes something else in its area:', () => {
  test.each(edited)('%s', async (_, line, edit, beside) => {
    const { type, pass, read, appliance } = await withBob();
    await type(`/appliance ${line} --for 30m`, 'dana');
    edit(appliance.state);
    await type(`/appliance ${beside} --for 3d`, 'dana');
    await pass(32 * minute);
    expect(read('dana')).toContain('This was temporary and was not undone on hq');
    expect(read('dana')).not.toContain('when that is undone, so is this');
  });
});

test.each([
  ['end google_sni disabled', 'Nothing was ended.'],
  ['extend google_sni disabled by 1h', 'Nothing was extended.'],
])('`%s` of what waits for a later one offers to undo it now or to keep it', async (line, nothing) => {
  const { type, press, pass, read, bot } = await withBob();
  await type('/appliance acl object disable google_sni --for 30m', 'dana');
  await type('/appliance acl object enable google_sni --for 3h', 'dana');
  await pass(32 * minute);
  await type(`/appliance ${line}`, 'dana');
  const said = read('dana').split('only visible to dana').at(-1);
  expect(said).toMatch(/disabled on hq, until \d\d:\d\d, not undone yet\. Undo it now, or keep it\?/);
  expect(said).toContain(nothing);
  expect(said).toContain('[Undo now] [Keep]');
  await press('Keep', 'dana');
  await press('Keep', 'dana');
  expect(await bot.journal.timedChanges(), read('dana')).toHaveLength(1);
});

test('what waits for a later one is over as soon as somebody has undone it, and is told so', async () => {
  const { type, press, pass, read, bot } = await withBob();
  await type('/appliance rdp ciphers set TLS_AES_256_GCM_SHA384 --for 30m', 'dana');
  await type('/appliance rdp ciphers set TLS_AES_128_GCM_SHA256 --for 3h', 'dana');
  await pass(32 * minute);
  expect(read('dana')).toContain('when that is undone, so is this');
  await press('Undo now', 'dana');
  await pass(minute);
  const [upper, ...others] = await bot.journal.timedChanges();
  expect([upper?.state, others], read('dana')).toEqual(['on', []]);
  expect(read('dana')).toMatch(/Ended +by @dana at/);
});
