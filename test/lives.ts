import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type SimulatedAppliance, startSimulatedAppliance } from '../sandbox/appliance/index.ts';
import { type Actions, createActions } from '../src/action/actions.ts';
import type { Card, Chat, Said } from '../src/action/chat.ts';
import { type Appliance, connectAppliance } from '../src/api/index.ts';
import { inForce } from '../src/auth/in-force.ts';
import { createMembers } from '../src/auth/members.ts';
import { type Policy, shippedApprovals, shippedEmergency, shippedRoles } from '../src/auth/policy.ts';
import { commandByPhrase, commands, match } from '../src/handlers/registry.ts';
import { plainText } from '../src/handlers/reply.ts';

import { type Journal, openJournal } from '../src/journal/journal.ts';
import { openDatabase, openSqlite } from '../src/journal/sqlite.ts';
import { createLog } from '../src/log.ts';

/**
 * A bot that can be killed at any step: the way of an action on a real journal and a simulated appliance, with a chat that
 * only remembers. What it does to any of the three is a step, and after the step that kills it, it does nothing more:
 * whatever it waits for never comes. The next life begins with the same journal, appliance and chat.
 */
export interface Lives {
  readonly appliance: SimulatedAppliance;
  readonly chat: Seen;
  /** Milliseconds since the epoch; a test moves it. */
  readonly clock: { at: number };
  /** Begins a life that ends after so many steps. */
  readonly live: (steps?: number) => Promise<Life>;
  /** Ends with the test at the latest. */
  readonly end: () => Promise<void>;
}

export interface Life {
  readonly actions: Actions;
  readonly journal: Journal;
  /** Lets the bot look at its clock. */
  readonly tick: () => void;
  /** Resolves when it has nothing more to do, or is dead. */
  readonly rest: () => Promise<void>;
  readonly steps: () => number;
  readonly isDead: () => boolean;
}

/** What everybody sees, in the order in which it was said. */
export interface Seen {
  readonly cards: Map<string, Card>;
  readonly thread: { ts: string; said: Said }[];
  readonly notes: { readonly person: string; readonly said: Said }[];
}

/** By where their doing is more than a look. */
const reads =
  /^(?:lease|leases|leasesOf|owed|kept|offersOf|byId|byToken|inState|recent|changesIn|overdue|approvalsOf)$/;
const orders = /^(?:enableEmergency|disableEmergency|removeGlobalEmergency)$/;
const never = new Promise<never>(() => undefined);

export async function lives(): Promise<Lives> {
  const folder = mkdtempSync(join(tmpdir(), 'lives-'));
  const file = join(folder, 'journal.sqlite');
  writeFileSync(file, await emptyJournal());
  const clock = { at: Date.UTC(2027, 0, 1, 14) };
  const now = () => clock.at;
  const appliance = await startSimulatedAppliance({ clock: () => new Date(clock.at) });
  const connected = connectAppliance({
    ...{ name: 'hq', url: appliance.url },
    sleep: async () => undefined,
  });
  const journals: Journal[] = [];
  let isOver = false;
  const end = async () => {
    if (isOver) return;
    isOver = true;
    for (const journal of journals) await journal.close();
    await connected.close();
    await appliance.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  onTestFinished(end);
  const chat: Seen = { cards: new Map(), thread: [], notes: [] };
  /** The messages that can be found again. */
  const keys = new Map<string, string>();
  let messages = 0;

  return { appliance, chat, clock, live, end };

  async function live(most = Number.POSITIVE_INFINITY): Promise<Life> {
    let steps = 0;
    let dead = false;
    const died = Promise.withResolvers<void>();
    const step = async <Value>(isStep: boolean, does: () => Promise<Value>): Promise<Value> => {
      if (dead) return never;
      const value = await does();
      if (dead) return never;
      if (!isStep) return value;
      steps += 1;
      if (steps < most) return value;
      dead = true;
      died.resolve();
      return never;
    };
    /** Every call of these is a step or a look. */
    const mortal = <Target extends object>(target: Target, isStep: (name: string) => boolean): Target =>
      new Proxy(target, {
        get: (from, name) => {
          const value = Reflect.get(from, name);
          return typeof value !== 'function' || typeof name !== 'string'
            ? value
            : (...given: unknown[]) => step(isStep(name), async () => value.apply(from, given));
        },
      });
    const journal = await openJournal(openSqlite(file, unsynced), now);
    journals.push(journal);
    let look = () => {};
    const actions = createActions({
      ...{ commands, commandByPhrase, match, now },
      policy: inForce(policy),
      fleet: new Map([['hq', { tags: [] }]]),
      members: createMembers(
        {
          who: async (id) => ({ kind: 'member', human: id }),
          peopleIn: async () => [],
          isShared: async () => false,
        },
        now,
      ),
      appliances: new Map([
        [
          'hq',
          { ...connected, name: 'hq', directory: mortal(connected.directory, (name) => orders.test(name)) },
        ] as [string, Appliance],
      ]),
      journal: mortal(journal, (name) => !reads.test(name)),
      chat: mortal(remembering(), () => true),
      files: {} as never,
      secret: 'a secret',
      log: createLog('silent'),
      sleep: async () => undefined,
      every: (_, callback) => {
        look = callback;
        return () => undefined;
      },
    });
    actions.begin();
    return {
      ...{ actions, journal },
      tick: () => look(),
      rest: () => Promise.race([actions.work.idle(), died.promise]),
      steps: () => steps,
      isDead: () => dead,
    };
  }

  function remembering(): Chat {
    const next = () => {
      messages += 1;
      return String(messages);
    };
    const post = (said: Said, key: string | undefined) => {
      const ts = next();
      if (key !== undefined) keys.set(key, ts);
      return { ts, said };
    };
    return {
      show: async (card, key) => {
        const ts = card.card ?? next();
        if (key !== undefined && card.card === undefined) keys.set(key, ts);
        chat.cards.set(ts, card);
        return ts;
      },
      tell: async (_, said, key) => {
        const message = post(said, key);
        chat.thread.push(message);
        return message.ts;
      },
      post: async (person, said, key) => {
        const { ts } = post(said, key);
        chat.notes.push({ person, said });
        return ts;
      },
      find: async (_, key) => {
        const ts = keys.get(key);
        return ts === undefined ? { kind: 'not_there' } : { kind: 'stands', ts };
      },
      amend: async ({ ts }, said) => {
        const message = chat.thread.find((one) => one.ts === ts);
        if (message !== undefined) message.said = said;
      },
      whisper: async () => undefined,
      notify: async (person, said) => chat.notes.push({ person, said }) > 0,
      openForm: async () => true,
    };
  }
}

/** Nobody pulls the plug here, so that nothing has to wait for the disk. */
const unsynced: typeof openDatabase = (file, _, turns) => openDatabase(file, 'crash', turns);

let empty: Buffer | undefined;

/** A journal's file with its tables, which take longer to make than to copy. */
async function emptyJournal(): Promise<Buffer> {
  if (empty !== undefined) return empty;
  const folder = mkdtempSync(join(tmpdir(), 'lives-'));
  const file = join(folder, 'journal.sqlite');
  await (await openJournal(openSqlite(file, unsynced), Date.now)).close();
  empty = readFileSync(file);
  rmSync(folder, { recursive: true, force: true });
  return empty;
}

const channel = 'C0HELPDESK';

const policy: Policy = {
  channels: {
    [channel]: {
      appliance: 'hq',
      appliances: [],
      roles: { operator: new Set(['U0BOB', 'U0CAROL']), approver: new Set(['U0CAROL', 'U0CHRIS']) },
      sharedWrites: false,
    },
  },
  holders: {},
  roles: shippedRoles,
  approvals: shippedApprovals,
  emergency: { ...shippedEmergency, breakGlass: 'operator' },
  timeZone: 'UTC',
};

/** Bob types a line. */
export const ask = ({ actions }: Life, line: string) =>
  actions.work.track(() => actions.ask({ team: 'T', channel, person: 'U0BOB', line }));

/** Carol approves what waits, if anything does; what waits for nobody else, Bob confirms. */
export async function approve({ actions, journal }: Life): Promise<void> {
  for (const { token = '', card = '', consent } of await journal.inState('waiting')) {
    const click =
      consent === undefined
        ? ({ person: 'U0BOB', button: 'confirm' } as const)
        : ({ person: 'U0CAROL', button: 'approve' } as const);
    actions.work.track(() => actions.press({ team: 'T', channel, token, card, ...click }));
  }
}

/** The words of a message, with the names of its fields. */
export const wordsOf = ({ headline, details = [] }: Said): string =>
  [
    plainText(headline),
    ...details.flatMap((part) =>
      part.kind === 'fields' ? part.fields.map(({ name, value }) => `${name}: ${plainText(value)}`) : [],
    ),
  ].join('\n');
