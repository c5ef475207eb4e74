import { expect, test } from 'vitest';
import { pageOf, type StoredResult } from '../../src/action/showing/pages.ts';
import { csvOf, jsonOf } from '../../src/action/showing/plain-files.ts';
import { createPresent } from '../../src/action/showing/present.ts';
import { render } from '../../src/bot/rendering/render.ts';
import type { AnyLookup } from '../../src/handlers/command.ts';
import { commandByPhrase } from '../../src/handlers/registry.ts';
import { someOf } from '../kills/in-turns.ts';
import { oneReplyAppliance } from '../one-reply-appliance.ts';
import { slowness } from '../processor-time.ts';
import { everyNth } from '../size.ts';

/** Milliseconds beside what JSON.parse alone takes for the answer, on a machine that is not slow now. */
const most = 250;
const largest = 4_000_000;

/**
 * Names of every kind of letter: plain, of two alphabets, unseen, escaped, several letters in one, or looking like a
 * secret.
 */
const letters = {
  ...{ plain: 'a', mixed: 'аa', marks: 'e\u0301', unseen: '\u202e', controls: '\u0007', lines: 'a\n' },
  ...{
    emoji: '👨\u200d👩\u200d👧',
    joined: 'क\u200d',
    stars: '*a ',
    links: '<http://a ',
    secrets: 'password=a ',
  },
};

/** The lists of an appliance, with so many things of one name in them. */
const lists: Readonly<Record<string, (count: number, name: string) => unknown>> = {
  'rdp sessions': (count, user) => many(count, (id) => ({ id, user, target: 'a' })),
  'rdp members': (count, username) => ({ Members: many(count, (id) => ({ id, username, enabled: 1 })) }),
  'rdp targets': (count, name) => ({ Targets: many(count, (id) => ({ id, name, [`k${id % 9_000}`]: 'a' })) }),
  'acl objects': (count, GroupName) => ({
    Objects: many(count, (ID) => ({ ID, GroupName, Type: 'src', Enabled: 1, Items: [], Rules: [] })),
  }),
  'category list': (count, category_name) => ({
    Categories: many(count, (category_id) => ({ category_id, category_name })),
  }),
  'sql databases': (count, name) => ({ databases: many(count, () => name) }),
};

const many = <Made>(count: number, make: (index: number) => Made) =>
  Array.from({ length: count }, (_, index) => make(index));

/** The longest that the process does nothing else, in milliseconds of this thread. */
async function longestHold(does: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let over = false;
  let before = process.threadCpuUsage();
  const look = () => {
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, (user + system) / 1_000);
    before = process.threadCpuUsage();
    if (!over) setImmediate(look);
  };
  setImmediate(look);
  await does();
  over = true;
  await new Promise((resolve) => setImmediate(resolve));
  return longest;
}

/** Runs a lookup up to its messages in Slack, and then the buttons below them. */
async function answer(command: AnyLookup, appliance: unknown): Promise<void> {
  const kept: StoredResult[] = [];
  const journal = {
    keep: async ({ content }: { readonly content: unknown }) => {
      await turn();
      kept.push(JSON.parse(JSON.stringify(content)));
      return 'token';
    },
  };
  // These commands take no arguments, and `present` keeps and does nothing else.
  const reply = await command.answer({ appliance, args: {}, now: Date.now() } as never);
  const present = createPresent({ journal, now: Date.now, commandByPhrase } as never);
  const source = { phrase: command.phrase, line: command.phrase, targets: [] };
  const said = await present(reply, { channel: 'C1', source });
  await turn();
  for (const one of [said, ...(said.next ?? [])]) render(one);
  for (const stored of kept) {
    await turn();
    pageOf(stored, { token: 'token', filter: 'a b', page: 3, whispered: false });
    await turn();
    await csvOf(stored.table);
    await turn();
    await jsonOf(stored.table);
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Long names and short ones of each kind of letter; a third of them in each list, others in the next. */
const names = Object.entries(letters).flatMap(([kind, letter]) =>
  [100, 1_000_000].map((length) => ({ kind, letter, length })),
);
const every = everyNth(3);

test.each(Object.keys(lists).map((phrase, from) => ({ phrase, from })))(
  '`$phrase` with 4 MB of hostile names holds up the process for no more than a quarter of a second',
  {
    timeout: 600_000,
  },
  async ({ phrase, from }) => {
    const { appliance, tell } = await oneReplyAppliance();
    const command = commandByPhrase.get(phrase);
    if (command?.kind !== 'lookup') throw new Error(`${phrase} is no lookup`);
    const slow: string[] = [];
    for (const { kind, letter, length } of someOf(names, { every, from })) {
      const name = letter.repeat(length / letter.length);
      const each = JSON.stringify(lists[phrase]?.(1, name)).length * (Buffer.byteLength(name) / name.length);
      const count = Math.min(30_000, Math.floor(largest / each));
      // One name alone is too long for an answer then.
      if (count === 0) continue;
      const body = JSON.stringify(lists[phrase]?.(count, name));
      await tell(body);
      const holds = () => longestHold(() => answer(command, appliance));
      let held = await holds();
      // The best of three, where it seems slow: a machine that others use stumbles now and then.
      for (let tries = 2; tries > 0 && held >= most; tries -= 1) held = Math.min(held, await holds());
      const parsing = await longestHold(async () => void JSON.parse(body));
      if (held - parsing > most * (await slowness())) slow.push(`${kind} of ${length}: ${held.toFixed()} ms`);
    }
    expect(slow).toEqual([]);
  },
);
