import { sql } from 'kysely';
import { onTestFinished } from 'vitest';
import { type Chat, ChatRefused } from '../src/action/base/chat.ts';
import { createGenerations } from '../src/action/base/generations.ts';
import type { Ground } from '../src/action/ground/ground.ts';
import type { Infos } from '../src/action/lookup/info.ts';
import type { Appliance } from '../src/api/index.ts';
import { createMembers, type Members, type Who } from '../src/auth/members.ts';
import { inForce, type Policy, type PolicyInForce } from '../src/auth/policy.ts';
import type { AnyCommand } from '../src/handlers/command.ts';
import { createReader } from '../src/handlers/understanding/reader.ts';
import type { Store } from '../src/journal/database.ts';
import { type Journal, openJournal } from '../src/journal/journal.ts';
import { openSqlite } from '../src/journal/storage/sqlite.ts';
import { createLog } from '../src/telemetry/log.ts';
import { rememberingChat, type Seen } from './remembering-chat.ts';

/** The real journal and the real decisions, over people, a chat and a clock that are in memory: no socket, no file. */
export interface InMemory {
  /** Milliseconds since the epoch, on a Monday; a test moves it, and so does what the bot waits for on purpose. */
  readonly clock: { at: number };
  readonly policy: PolicyInForce;
  readonly people: People;
  readonly seen: Seen;
  /** The places where the chat takes nothing now. */
  readonly shut: Set<'channel' | 'people'>;
  /** The edges of one replica; one that is started again is another one. */
  readonly ground: (replica: string) => Promise<Ground>;
}

/** The people whom the chat knows. Anybody not described is a member with one account. */
interface People {
  readonly describe: (person: string, as: Partial<Who>) => void;
  readonly fill: (group: string, people: readonly string[]) => void;
  /** From now on the chat does not tell who this is; or tells it again. */
  readonly hide: (person: string, hidden?: boolean) => void;
  /** People of another organisation join the channel. */
  readonly share: (channel: string) => void;
}

export interface InMemoryOptions {
  readonly policy: Policy;
  readonly commands: readonly AnyCommand[];
  readonly appliances: readonly Appliance[];
}

export async function inMemory({ policy, commands, appliances }: InMemoryOptions): Promise<InMemory> {
  const clock = { at: Date.UTC(2027, 0, 4, 9) };
  const now = () => clock.at;
  const current = inForce(policy);
  const shut: InMemory['shut'] = new Set();
  const remembering = rememberingChat();
  const { seen } = remembering;
  const chat = shutting(remembering.chat, shut);
  const { members, people } = known(now);
  const store = openSqlite(':memory:');
  onTestFinished(store.close);
  await makeTables(store);
  const journalOf = async (replica: string): Promise<Journal> => {
    const journal = await openJournal({ ...store, migrate: async () => undefined }, now, replica);
    const { exclusively } = journal;
    // Others are waited for in the time of Node: a hundredth of it does.
    return { ...journal, exclusively: (key, timeout, task) => exclusively(key, timeout / 100, task) };
  };
  return {
    ...{ clock, policy: current, people, seen, shut },
    ground: async (replica) => {
      const journal = await journalOf(replica);
      return {
        commandByPhrase: new Map(commands.map((command) => [command.phrase, command])),
        match: createReader(commands),
        ...{ policy: current, members, chat, now, certainlyOver: now, ownUser: 'U0BOT00001' },
        showHome: async () => 'shown',
        appliances: new Map(appliances.map((one) => [one.name, one])),
        fleet: new Map(appliances.map(({ name }) => [name, { tags: [] }])),
        ...{ journal, generations: createGenerations(journal) },
        // These tests post no files.
        filesFor: () => ({ open: noFile, digest: noFile }),
        log: createLog('silent'),
        secrets: ['a secret'],
        sleep: async (milliseconds) => {
          clock.at += milliseconds;
        },
      };
    },
  };
}

const unasked = async () => {
  throw new Error('Nothing that the bot knows itself is asked here');
};

/** For tests that count requests to appliances. */
export const withoutInfos: Infos = { replyTo: unasked, tell: unasked };

/** How its tables are made: to go through all migrations takes longer than all that most tests do. */
let orders: readonly string[] | undefined;

async function makeTables({ durable, migrate }: Store): Promise<void> {
  if (orders !== undefined) {
    for (const order of orders) await sql.raw(order).execute(durable);
    return;
  }
  await migrate();
  const own = sql<{ order: string }>`
    select sql as "order" from sqlite_schema where sql is not null and name not like 'sqlite%'`;
  orders = (await own.execute(durable)).rows.map(({ order }) => order);
}

/** The same chat, while it accepts messages. */
function shutting(chat: Chat, shut: InMemory['shut']): Chat {
  const unlessShut = <Given extends readonly unknown[], Value>(say: (...given: Given) => Promise<Value>) => {
    return async (...given: Given): Promise<Value> => {
      if (shut.has('channel')) throw new ChatRefused('is_archived');
      return say(...given);
    };
  };
  return {
    ...chat,
    show: unlessShut(chat.show),
    reply: unlessShut(chat.reply),
    edit: unlessShut(chat.edit),
    notify: async (person, said) => !shut.has('people') && chat.notify(person, said),
  };
}

const noFile = () => Promise.reject(new Error('There are no files here'));

function known(now: () => number): { readonly members: Members; readonly people: People } {
  const accounts = new Map<string, Partial<Who>>();
  const groups = new Map<string, readonly string[]>();
  const hidden = new Set<string>();
  const shared = new Set<string>();
  const members = createMembers(
    {
      who: async (id) => {
        if (hidden.has(id)) throw new Error('The chat does not answer');
        return { kind: 'member', human: id, ...accounts.get(id) };
      },
      peopleIn: async (group) => groups.get(group) ?? [],
      everybody: async () => [],
      isShared: async (channel) => shared.has(channel),
      channelsOf: async () => new Map(),
    },
    now,
  );
  // The chat says when something of this changes.
  const people: People = {
    describe: (person, as) => {
      accounts.set(person, as);
      members.forgetPerson(person);
    },
    fill: (group, everybody) => {
      groups.set(group, everybody);
      members.forgetGroup(group);
    },
    hide: (person, isHidden = true) => {
      if (isHidden) hidden.add(person);
      else hidden.delete(person);
      members.forgetPerson(person);
    },
    share: (channel) => {
      shared.add(channel);
      members.forgetChannel(channel);
    },
  };
  return { members, people };
}

/** For commands that gather no lines. */
export const withoutPlans = () => ({ lookAgain: unasked, run: unasked });
