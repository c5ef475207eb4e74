import { onTestFinished } from 'vitest';
import { type SimulatedAppliance, startSimulatedAppliance } from '../sandbox/appliance/index.ts';
import { type Actions, createActions } from '../src/action/actions.ts';
import { createGenerations } from '../src/action/base/generations.ts';
import * as combined from '../src/api/combined/index.ts';
import { type Appliance, areas, connectAppliance } from '../src/api/index.ts';
import { createMembers } from '../src/auth/members.ts';
import {
  everyone,
  inForce,
  type Policy,
  shippedApprovals,
  shippedEmergency,
  shippedRoles,
} from '../src/auth/policy.ts';
import { commandByPhrase, commands, match } from '../src/handlers/registry.ts';
import type { Action, Journal } from '../src/journal/journal.ts';
import { createLog } from '../src/telemetry/log.ts';
import type { Kind } from './kills/kind.ts';
import { looks } from './kills/looks.ts';
import { inFile, type OpenLivesJournal } from './lives-journal.ts';
import { rememberingChat, type Seen } from './remembering-chat.ts';

/**
 * A bot that can be killed at any step: the way of an action on a real journal and a simulated appliance, with a chat that
 * only remembers. What it does to any of the three is a step, and after the step that kills it, it does nothing more:
 * whatever it waits for never comes. The next life begins with the same journal, appliance and chat.
 */
export interface Lives {
  readonly appliance: SimulatedAppliance;
  /** `hq`, and `branch-2` where the test asked for it. */
  readonly appliances: ReadonlyMap<string, SimulatedAppliance>;
  readonly chat: Seen;
  /** Deliveries to another system about changes with a ticket, in their order. */
  readonly told: readonly ToldChange[];
  /** Milliseconds since the epoch; a test moves it. */
  readonly clock: { at: number };
  /** Begins an incarnation that ends after so many steps. */
  readonly live: (steps?: number) => Promise<Life>;
  /** The journal for a reader beside the running process. */
  readonly lookIn: () => Promise<Journal>;
  /** Ends with the test at the latest. */
  readonly end: () => Promise<void>;
}

/** By the key of its delivery. */
export interface ToldChange {
  readonly key: string;
  readonly type: string;
  readonly action: string;
}

export interface Life {
  readonly actions: Actions;
  readonly journal: Journal;
  /** Lets the bot look at its clock. */
  readonly tick: () => void;
  /** Resolves when it has nothing more to do, or is dead. */
  readonly rest: () => Promise<void>;
  /** Resolves when it has evicted the dead process and adopted its work. */
  readonly alone: () => Promise<void>;
  /** Tells the chat of an acknowledgement, which is a step; the chat then acts in any case. */
  readonly acknowledge: (does: () => void) => Promise<void>;
  readonly steps: () => number;
  readonly isDead: () => boolean;
}

/** Milliseconds: less than half of the eviction time, so that a replica that could not look evicts nobody. */
const unseen = 4_000;

/** One promise for each: a shared one would keep every waiting incarnation in memory. */
const never = (): Promise<never> => new Promise(() => undefined);

/** The calls of appliances that only ask, such as `rdp.sessions`; whatever else is called is an order, and a step. */
const questions: ReadonlySet<string> = new Set(
  [...Object.entries(areas), ...Object.entries(combined)].flatMap(([area, calls]) =>
    Object.entries(calls).flatMap(([name, { effect }]: [string, { readonly effect: string }]) =>
      effect === 'read' ? [`${area}.${name}`] : [],
    ),
  ),
);

/** The receiver of webhooks. */
const receiver = { url: 'https://itsm.example.com/', keys: [Buffer.alloc(32)] };

export async function lives(
  { branches = 0, approved }: Partial<Kind> = {},
  openJournals: OpenLivesJournal = inFile,
): Promise<Lives> {
  const clock = { at: Date.UTC(2027, 0, 1, 14) };
  const now = () => clock.at;
  const simulated = async () => startSimulatedAppliance({ clock: () => new Date(clock.at) });
  const appliance = await simulated();
  const appliances = new Map([['hq', appliance]]);
  for (let number = 2; number < branches + 2; number += 1) {
    appliances.set(`branch-${number}`, await simulated());
  }
  const connected = [...appliances].map(([name, { url, urls }]) =>
    connectAppliance({
      ...{ name, url, mirrorUrl: urls.mirror },
      sleep: async () => undefined,
    }),
  );
  const journals = await openJournals(now);
  /** Ends what a life has left: timers that are set again and again would keep it for ever. */
  const lived: (() => void)[] = [];
  let isOver = false;
  const end = async () => {
    if (isOver) return;
    isOver = true;
    for (const bury of lived.splice(0)) bury();
    await journals.end();
    for (const one of connected) await one.close();
    for (const one of appliances.values()) await one.close();
  };
  onTestFinished(end);
  const { seen: chat, chat: remembering } = rememberingChat();
  const told: ToldChange[] = [];

  return { appliance, appliances, chat, told, clock, live, lookIn: journals.open, end };

  async function live(most = Number.POSITIVE_INFINITY): Promise<Life> {
    let steps = 0;
    let dead = false;
    const died = Promise.withResolvers<void>();
    const step = async <Value>(isStep: boolean, does: () => Promise<Value>): Promise<Value> => {
      if (dead) return never();
      const value = await does().catch((error: unknown) => (dead ? never() : Promise.reject(error)));
      if (dead) return never();
      if (!isStep) return value;
      steps += 1;
      if (steps < most) return value;
      dead = true;
      died.resolve();
      journals.die(journal);
      return never();
    };
    /** Every call of these is a step or a look. */
    const mortal = <Target extends object>(target: Target, isStep: (name: string) => boolean): Target =>
      new Proxy(target, {
        get: (from, name) => {
          const value = Reflect.get(from, name);
          // Whether the chat answers is known without asking it.
          return typeof value !== 'function' || typeof name !== 'string' || name === 'isAway'
            ? value
            : (...given: unknown[]) => step(isStep(name), async () => value.apply(from, given));
        },
      });
    const mortalAppliance = (one: Appliance): Appliance => ({
      ...one,
      ...Object.fromEntries(
        Object.keys(areas).map((area) => [
          area,
          mortal(one[area as keyof typeof areas], (name) => !questions.has(`${area}.${name}`)),
        ]),
      ),
    });
    const journal = await journals.open();
    journal.announced.changes = 'ticketed';
    let look = () => {};
    const actions = createActions({
      ...{ commands, commandByPhrase, match, now, certainlyOver: now, ownUser: 'U0BOT00001' },
      policy: inForce(policyWith(approved)),
      fleet: new Map([...appliances.keys()].map((name) => [name, { tags: [] }])),
      members: createMembers(
        {
          who: async (id) => ({ kind: 'member', human: id }),
          peopleIn: async () => [],
          everybody: async () => [],
          isShared: async () => false,
          channelsOf: async () => new Map(),
        },
        now,
      ),
      appliances: new Map(connected.map((one) => [one.name, mortalAppliance(one)])),
      journal: mortal(journal, (name) => !looks.has(name)),
      generations: createGenerations(journal),
      webhooks: {
        receiver: () => receiver,
        post: (_, headers, body) =>
          step(true, async () => {
            const { type, data } = JSON.parse(body);
            told.push({ key: headers['webhook-id'] ?? '', type, action: data.action });
            return { kind: 'answered', status: 204, retryAfter: undefined };
          }),
        tellAdmins: async () => undefined,
      },
      chat: mortal(remembering, (name) => name !== 'find' && name !== 'stamps'),
      showHome: async () => 'shown',
      endStep: async () => true,
      filesFor: () => ({}) as never,
      secrets: ['a secret'],
      log: createLog('silent'),
      // The bot's intended pauses pass at once.
      sleep: async (milliseconds) =>
        step(false, async () => {
          clock.at += milliseconds;
        }),
      every: (_, callback) => {
        look = callback;
        return () => undefined;
      },
    });
    lived.push(() => {
      dead = true;
      died.resolve();
      void actions.end(0).catch(() => undefined);
    });
    actions.begin();
    const rest = () => Promise.race([actions.work.idle(), died.promise]);
    return {
      ...{ actions, journal },
      tick: () => look(),
      acknowledge: (does) => step(true, async () => does()),
      rest,
      alone: async () => {
        do {
          journals.wait(unseen);
          // The clock moves on, so that a repeated message is later than the first.
          if (journal.isShared) clock.at += unseen;
          look();
          await rest();
        } while (!dead && (await journal.alive()).length > 1);
        look();
        await rest();
      },
      steps: () => steps,
      isDead: () => dead,
    };
  }
}

export const channel = 'C0HELPDESK';

/** By their names, such as `bob`. */
export const personOf = (name: string): string => `U0${name.toUpperCase()}`;

const hour = 60 * 60_000;

const policy: Policy = {
  channels: {
    [channel]: {
      appliance: 'hq',
      appliances: 'all',
      roles: { operator: new Set(['U0BOB', 'U0CAROL']), approver: new Set(['U0CAROL', 'U0CHRIS']) },
      sharedWrites: false,
    },
  },
  holders: {},
  roles: shippedRoles,
  approvals: [
    ...shippedApprovals.map((rule) => ({
      ...rule,
      commands: [{ phrase: 'rdp policy delete' }],
      reason: undefined,
    })),
    ...shippedApprovals,
  ],
  emergency: { ...shippedEmergency, breakGlass: 'operator' },
  selfService: {
    ...{ channel, appliances: ['hq'], allowCategory: '207', not: [], longest: 4 * hour, forGood: false },
    ...{ perPerson: { open: 3, day: 10 }, open: 8 * hour, requester: false, askers: new Set([everyone]) },
  },
  timeZone: 'UTC',
};

const policyWith = (approved: Kind['approved'] = {}): Policy => ({
  ...policy,
  approvals: [
    ...Object.entries(approved).flatMap(([phrase, minutes]) =>
      shippedApprovals.map((rule) => ({
        ...rule,
        ...{ commands: [{ phrase }], reason: undefined, temporary: { longest: minutes * 60_000 } },
      })),
    ),
    ...policy.approvals,
  ],
});

/** Bob types a line. */
export const ask = ({ actions }: Life, line: string) =>
  actions.work.track(() => actions.ask({ team: 'T', channel, person: 'U0BOB', line }));

/** The actions that wait for a click, the oldest first. */
export const waitingIn = async (journal: Pick<Journal, 'recent'>): Promise<readonly Action[]> =>
  (await journal.recent()).filter(({ state }) => state === 'waiting').toReversed();

/** Carol approves a waiting request; Bob confirms his own. */
export async function approve({ actions, journal }: Life): Promise<void> {
  for (const { token = '', card = '', consent } of await waitingIn(journal)) {
    const click =
      consent === undefined
        ? ({ person: 'U0BOB', button: 'confirm' } as const)
        : ({ person: 'U0CAROL', button: 'approve' } as const);
    actions.work.track(() => actions.press({ team: 'T', channel, token, card, ...click }));
  }
}
