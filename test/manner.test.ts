import { expect, test } from 'vitest';
import { type Asked, lineOf } from '../src/handlers/language/asked.ts';
import { type Manner, mannerNames, mannerOf } from '../src/handlers/language/manner.ts';
import { match } from '../src/handlers/registry.ts';
import { converse } from './conversation.ts';
import { ordersTo } from './orders.ts';

/** Thursday, 5 March 2026, 13:30 in UTC, which is the policy's time zone here. */
const from = Date.UTC(2026, 2, 5, 13, 30);

/** All that can be said of how a change is run, as it is typed; whatever is new has to be said here. */
const said = {
  term: '--for 2h',
  start: '--at 22:00',
  ticket: '--ticket CHG-7',
  reason: '--reason "a customer"',
  on: '--on hq',
  dryRun: '--dry-run',
} satisfies Record<keyof Manner, string>;
/** A dry run is not planned. */
const planned = mannerNames.filter((name) => name !== 'dryRun').map((name) => said[name]);
const all = planned.join(' ');

const csv = { name: 'block.csv', content: 'one.example\ntwo.example\n' };
type House = Awaited<ReturnType<typeof house>>;

/** bob is operator and may change categories; every change needs a ticket. */
async function house() {
  const policy = {
    windows: { night: ['Mon-Fri 22:00-05:00'] },
    tickets: { pattern: '^CHG-[0-9]+$', example: 'CHG-123', required: [{ commands: [{ effect: 'write' }] }] },
  };
  const conversation = await converse({ from, policy });
  const bob = conversation.person('bob');
  return {
    ...conversation,
    bob,
    ask: (line: string) => conversation.type(`/appliance ${line}`, 'bob'),
    send: async (words: Parameters<typeof bob.fill>[0]) => {
      await bob.fill(words);
      await bob.submit();
    },
    last: async () => (await conversation.bot.journal.recent(1))[0],
  };
}

/** Every way from a typed line to a run; each must keep all options of the line. */
const ways: Readonly<Record<string, (to: House, all: string) => Promise<unknown>>> = {
  'a typed line': ({ ask }, all) => ask(`category add typed.example to 252 ${all}`),
  'a form that asks for what is missing': async ({ ask, send }, all) => {
    await ask(`category add to 252 ${all}`);
    await send({ Site: 'missing.example' });
  },
  'Fill in a form, for a word that does not fit': async ({ ask, bob, send }, all) => {
    await ask(`category add not_a_site! to 252 ${all}`);
    await bob.press('helpdesk', 'Fill in a form');
    await send({ Site: 'fits.example' });
  },
  'Choose in a form': async ({ ask, bob, send }, all) => {
    await ask(`category add chosen.example to nonsense ${all}`);
    await bob.press('helpdesk', 'Choose in a form');
    await send({ Category: 'shopping' });
  },
  'the button for the name that was meant': async ({ ask, bob, read }, all) => {
    await ask(`category add near.example to shoppin ${all}`);
    await bob.press('helpdesk', buttonIn(read('bob'), /\[([^\]]*shopping[^\]]*)\]/g));
  },
  'Enter a ticket': async ({ ask, bob, send }, all) => {
    await ask(`category add ticket.example to 252 ${all.replace('CHG-7', 'INC-7')}`);
    await bob.press('helpdesk', 'Enter a ticket');
    await send({ Ticket: 'CHG-7' });
  },
  'a suggestion': async ({ ask, bob, read }, all) => {
    await ask(`catgory add slip.example to 252 ${all}`);
    await bob.press('helpdesk', buttonIn(read('bob'), /\[(category add slip[^\]]*)\]/g));
  },
  'a file': ({ attach }, all) => attach(`category add to 252 ${all}`, csv, 'bob', 'appliance-bot'),
  'a file that is spoken of': ({ attach }, all) =>
    attach(`add these to shopping ${all}`, csv, 'bob', 'appliance-bot'),
};

/** These answer a dry run directly, with what is wrong: no button comes. */
const neverShown: ReadonlySet<string> = new Set([
  'Choose in a form',
  'the button for the name that was meant',
  'Enter a ticket',
]);

/** The last that is shown of these. */
const buttonIn = (shown: string, label: RegExp): string =>
  [...shown.matchAll(label)].at(-1)?.[1] ?? 'a button';

test('every way from a line to its run keeps all options of the line', async () => {
  const conversation = await house();
  for (const [way, take] of Object.entries(ways)) {
    await take(conversation, all);
    const { line, ...action } = Object(await conversation.last());
    for (const one of planned) expect(`${way}: ${line}`).toContain(one);
    expect([way, action.ticket]).toEqual([way, 'CHG-7']);
    if (neverShown.has(way)) continue;
    await take(conversation, `${said.ticket} ${said.dryRun}`);
    expect(`${way}: ${Object(await conversation.last()).line}`).toContain('--dry-run');
  }
  expect(ordersTo(conversation.appliance)).toEqual([]);
});

test('each option is copied, and appears in the equivalent line', () => {
  const line = `category add typed.example to 252 ${all}`;
  const found = match(line);
  const shown = match(`category add typed.example to 252 ${said.dryRun}`);
  for (const one of [found, shown]) {
    expect(one.kind).toBe('command');
    const { command, typed } = one as Asked;
    const copied = { command, typed, ...mannerOf(one as Asked) };
    expect(match(lineOf(copied))).toEqual(one);
  }
  expect(Object.keys({ ...mannerOf(found as Asked), ...mannerOf(shown as Asked) }).toSorted()).toEqual(
    [...mannerNames].toSorted(),
  );
});
