import { expect, test } from 'vitest';
import { personIn } from '../sandbox/person.ts';
import { converse } from './conversation.ts';
import { countPostgres, countSqlite } from './counting.ts';
import { newPostgres } from './stores.ts';

/** So many of each, one after the other, so that they share batches as on a busy day. */
const count = 8;

/**
 * Statements of a journal for one command, with its share of later writes, of its record, and of verifying that. Leaves
 * out batched statements, which take a number of transactions that depends on the machine.
 */
interface Cost {
  readonly statements: number;
  readonly transactions: number;
}

interface Kind {
  readonly kind: string;
  /** Typed by Bob, who operates; the number makes lines of it that are not the same. */
  readonly line: (number: number) => string;
  /** The button that he then presses. */
  readonly press?: string;
  /** In SQLite and in PostgreSQL. */
  readonly most: readonly [Cost, Cost];
}

const most = (statements: number, transactions: number): Cost => ({ statements, transactions });

// A change has one statement more: the previous content is recorded before anything is sent.
const kinds: readonly Kind[] = [
  {
    kind: 'a lookup',
    line: (number) => `categorize example${number}.com`,
    most: [most(7, 5), most(5, 5)],
  },
  {
    kind: 'a change that can be put back',
    line: (number) => `rdp policy ${number % 2 === 0 ? 'disable' : 'enable'} Contractors`,
    most: [most(37, 30), most(39, 39)],
  },
  {
    kind: 'a change that is confirmed',
    line: (number) => `rdp policy delete copy-${number}`,
    press: 'Delete',
    // On a busy machine 46 and 46.25 were measured in PostgreSQL.
    most: [most(42, 37), most(47, 47)],
  },
  {
    kind: 'a refusal',
    line: (number) => `categorize example${number}.com --on nowhere`,
    most: [most(4, 3.5), most(4, 3.5)],
  },
  { kind: 'an answer of the bot’s own', line: () => 'whoami', most: [most(4, 3.5), most(4, 3.5)] },
];

/** Statements that the journal batches. A slow machine makes more batches, in the worst case one for each command. */
const gathered = /^(?:delete from "outbox"|update "deliveries"|update "actions" set "card" = case id)/;
const gatheredIn = (texts: readonly string[]) => texts.filter((text) => gathered.test(text)).length;

/** A bot whose clock the test moves, and a counter of its journal's statements. */
async function start(url: string | undefined) {
  let look = () => {};
  const every = (_: number, callback: () => void) => {
    look = callback;
    return () => undefined;
  };
  const environment = url === undefined ? {} : { DATABASE_URL: url };
  const conversation = await converse({ world: { every }, environment });
  const { rdp } = conversation.appliance.state;
  const [policy] = rdp.policies.values();
  if (policy === undefined) throw new Error('There are policies');
  for (let number = 0; number < count; number += 1) {
    const id = 1_000 + number;
    rdp.policies.set(id, { ...policy, id, name: `copy-${number}` });
  }
  return { ...conversation, look: () => look() };
}

test.each([
  ['SQLite', 0],
  ['PostgreSQL', 1],
] as const)('a command of each kind stays within its statements of a journal in %s', async (store, at) => {
  const { url, counter } =
    store === 'SQLite'
      ? { url: undefined, counter: countSqlite() }
      : await countPostgres(await newPostgres());
  const { bot, workspace, look } = await start(url);
  // The write-behind is not awaited.
  const bob = personIn(workspace, { idle: () => bot.answered() }, 'bob');
  const costOf = async (task: () => Promise<void>): Promise<Cost> => {
    const { statements, transactions } = counter;
    const before = gatheredIn(counter.texts);
    await task();
    look();
    await bot.idle();
    const gathered = gatheredIn(counter.texts) - before;
    return {
      statements: counter.statements - statements - gathered,
      transactions: counter.transactions - transactions,
    };
  };
  const nothing = async () => undefined;
  await costOf(nothing);
  // A look at the clock costs something by itself.
  const idle = await costOf(nothing);
  const grown: string[] = [];
  for (const { kind, line, press, most: limits } of kinds) {
    const busy = await costOf(async () => {
      for (let number = 0; number < count; number += 1) {
        await bob.type('helpdesk', `/appliance ${line(number)}`);
        if (press !== undefined) await bob.press('helpdesk', press);
      }
    });
    for (const what of ['statements', 'transactions'] as const) {
      const cost = (busy[what] - idle[what]) / count;
      if (cost > limits[at][what]) grown.push(`${kind}: ${cost} ${what}, at most ${limits[at][what]}`);
    }
  }
  expect(grown).toEqual([]);
});

test('an idle bot writes nothing into its SQLite journal when it looks at the clock', async () => {
  const counter = countSqlite();
  const { bot, type, look } = await start(undefined);
  await type('/appliance categorize example.com');
  const asked = async () => {
    const before = counter.texts.length;
    look();
    await bot.idle();
    return counter.texts.slice(before);
  };
  // What the command has left is recorded and deleted first.
  for (let looks = 0; looks < 5; looks += 1) await asked();
  const texts = await asked();
  expect(texts.length).toBeGreaterThan(10);
  expect(texts.filter((text) => !/^\s*select/i.test(text))).toEqual([]);
});
