import { setImmediate } from 'node:timers/promises';
import { createAlarm } from '../src/action/approval/alarm.ts';
import { askerOf, termsFor } from '../src/action/authority/terms.ts';
import { createConfirmation } from '../src/action/change/confirmation.ts';
import { createRunner } from '../src/action/change/run.ts';
import type { Parts } from '../src/action/ground/ground.ts';
import { createParts, type Ground } from '../src/action/ground/ground.ts';
import { createApplianceLocks } from '../src/action/lock/appliance-locks.ts';
import { createDryRuns } from '../src/action/lookup/dry-run.ts';
import { createLookups } from '../src/action/lookup/lookup.ts';
import { createTimedChanges } from '../src/action/timed/timed-changes.ts';
import { explain } from '../src/action/wording/faults.ts';
import { absentAppliance } from '../src/api/index.ts';
import { type Policy, shippedApprovals } from '../src/auth/policy.ts';
import type { AnyCommand } from '../src/handlers/command.ts';
import { nameOf } from '../src/handlers/command-name.ts';
import { disable, enable, remove } from '../src/handlers/emergency/emergency.commands.ts';
import { confirmOver, extend } from '../src/handlers/emergency/extend.commands.ts';
import { plainText } from '../src/handlers/reply.ts';
import type { Action, Journal, TimedChangeRow } from '../src/journal/journal.ts';
import { createLog } from '../src/telemetry/log.ts';
import { applianceAt, type Gate, openGate } from './gate.ts';
import { type InMemory, inMemory, withoutInfos, withoutPlans } from './in-memory.ts';
import { policyOf, servedTo } from './policy.ts';
import { wordsOf } from './remembering-chat.ts';

const channel = 'C0INCIDENT';
export const minute = 60_000;
const commands: readonly AnyCommand[] = [enable, disable, extend, confirmOver, remove];

/** Emergency mode from being enabled to its report, over a journal, a chat, people and appliances in memory. */
export interface EmergencyUnit extends InMemory {
  /** The gate of `hq`, and the gates of all appliances. */
  readonly gate: Gate;
  readonly gates: ReadonlyMap<string, Gate>;
  /** Begins a replica, as one does that starts: the first one, or one that is there beside others. */
  readonly start: (edges?: Partial<Ground>) => Promise<Replica>;
  /** The same when all that were there before are gone. */
  readonly restart: (edges?: Partial<Ground>) => Promise<Replica>;
  /** Thread messages in the channel, the oldest first, with the names of their fields. */
  readonly told: () => readonly string[];
  /** How many of those have these words. */
  readonly count: (words: RegExp) => number;
  /** How often it was ordered to end on hq. */
  readonly ends: () => number;
  /** The people who were told this in person, once for each message. */
  readonly called: (words: RegExp) => readonly string[];
  /** The headline of the card by which it was enabled last. */
  readonly headline: () => string;
  /** The same of what stands on its card, by name. */
  readonly cardFields: () => Readonly<Record<string, string>>;
}

/** Patterns of messages to people: the reminder, the failed end, and the end. */
export const reminder = /^⏳/;
export const alarm = /may still be on\./;
export const over = /^Emergency mode on hq is over\.\n/;

/** Waits until only the clock can continue the work. */
export async function settle(): Promise<void> {
  for (let serialQueue = 0; serialQueue < 30; serialQueue += 1) await setImmediate();
}

/** An enabled emergency mode, for half an hour by default, and the replica that enabled it. */
export async function enabled(minutes = 30): Promise<{ unit: EmergencyUnit; bot: Replica }> {
  const unit = await emergencyUnit();
  const bot = await unit.start();
  await bot.enable(minutes);
  return { unit, bot };
}

/** The way of a request: by default bob asks on hq, and carol approves it if needed. */
interface How {
  readonly by?: string;
  readonly on?: readonly string[];
  /** The approver; undefined leaves the request waiting. */
  readonly approvedBy?: string | undefined;
}

export interface Replica {
  readonly journal: Journal;
  readonly parts: Parts;
  /** Resolves to how it ended, or to why there is nothing to do. */
  readonly enable: (minutes?: number, how?: How) => Promise<string>;
  readonly extend: (minutes: number, how?: How) => Promise<string>;
  readonly disable: (how?: How) => Promise<string>;
  readonly confirmOver: (reason: string, how?: How) => Promise<string>;
  /** Takes it out of Global Emergency. */
  readonly remove: (how?: How) => Promise<string>;
  /** Somebody approves what waits. */
  readonly approve: (by: string) => Promise<string>;
  /** Looks at the clock, and resolves when nothing is under way any more. Rejects with a mistake of ours. */
  readonly tick: () => Promise<void>;
  /** Lets time pass, in minutes, and looks. */
  readonly pass: (minutes: number) => Promise<void>;
  /** The timed change on hq that is not over. */
  readonly timedChange: () => Promise<TimedChangeRow | undefined>;
  /** All there were, the oldest first. */
  readonly timedChanges: () => Promise<readonly TimedChangeRow[]>;
  readonly stop: () => void;
}

export async function emergencyUnit(
  more: Partial<Policy> = {},
  branches: readonly string[] = [],
): Promise<EmergencyUnit> {
  const gates = new Map(['hq', ...branches].map((name) => [name, openGate(name)]));
  const appliances = [...gates.values()].map((gate) => applianceAt(gate, () => edges.clock.at));
  const served = servedTo(
    { operator: ['U0BOB', 'U0BEN'], approver: ['U0CAROL', 'U0DANA'] },
    { appliances: 'all' },
  );
  const policy = policyOf({ [channel]: served }, { approvals: shippedApprovals, timeZone: 'UTC', ...more });
  const edges: InMemory = await inMemory({ policy, commands, appliances });
  const { seen, clock } = edges;
  let replicas = 0;
  const begin = async (changed: Partial<Ground>) => {
    replicas += 1;
    return { ...(await edges.ground(`replica ${replicas}`)), ...changed };
  };
  const [hq] = gates.values();
  if (hq === undefined) throw new Error('There is always one');
  const told = () => seen.thread.map(({ said }) => wordsOf(said));
  const card = () => [...seen.cards.values()].findLast(({ line }) => line === nameOf(enable));
  return {
    ...edges,
    ...{ gates, gate: hq },
    start: async (changed = {}) => replicaOn(await begin(changed), clock),
    restart: async (changed = {}) => {
      const ground = await begin(changed);
      // In an embedded journal everybody else is gone.
      await ground.journal.heartbeat();
      await ground.journal.adoptOrphans();
      const replica = await replicaOn(ground, clock);
      await replica.resume();
      return replica;
    },
    told,
    count: (words) => told().filter((one) => words.test(one)).length,
    ends: () => hq.ordered.filter(({ what }) => what === 'disable').length,
    called: (words) =>
      seen.notes.flatMap(({ person, said }) => (words.test(plainText(said.headline)) ? [person] : [])),
    headline: () => plainText(card()?.headline ?? []),
    cardFields: () =>
      Object.fromEntries(
        (card()?.parts ?? []).flatMap((part) =>
          part.kind === 'fields' ? part.fields.map(({ name, value }) => [name, plainText(value)]) : [],
        ),
      ),
  };
}

async function replicaOn(
  ground: Ground,
  clock: InMemory['clock'],
): Promise<Replica & { readonly resume: () => Promise<void> }> {
  const parts = createParts(ground);
  const { journal, authority, appliances } = parts;
  const tasks = new Set<Promise<void>>();
  const later = (task: () => Promise<void>) => {
    const done = task().finally(() => tasks.delete(done));
    // The caller awaits the failure.
    done.catch(() => undefined);
    tasks.add(done);
  };
  const idle = async () => {
    while (tasks.size > 0) await Promise.all(tasks);
  };
  const after = () => () => undefined;
  const stopping = new AbortController().signal;
  // An emergency mode needs no compile.
  const applies = {
    add: nothing,
    release: nothing,
    settled: nothing,
    tick: nothing,
    start: () => undefined,
    stop: () => undefined,
  };
  const locks = createApplianceLocks({ ...parts, stopping, after });
  const timedChanges = createTimedChanges({ ...parts, applies, locks, log: createLog('silent') }, later);
  const changing = { applies, supervision: timedChanges, locks, stopping };
  const { run } = createRunner({ ...parts, ...changing, obstacle: async () => undefined });
  const lookups = createLookups({ ...parts, after });
  const answering = { lookups, dryRuns: createDryRuns(parts), infos: withoutInfos };
  const confirmation = createConfirmation({
    ...{ ...parts, ...answering, run, after, alarm: createAlarm(parts) },
    gathering: withoutPlans,
  });

  const ask = async (
    command: AnyCommand,
    given: Readonly<Record<string, unknown>>,
    { by = 'U0BOB', on = ['hq'], approvedBy = 'U0CAROL' }: How,
  ): Promise<string> => {
    if (command.kind !== 'change') throw new Error('All of them change something');
    const { phrase, effect } = command;
    const of = { team: 'T1', channel, person: by, line: nameOf(command) };
    // The calls below pair each command with its own arguments.
    const args = given as never;
    const written = { ...of, phrase, effect, args, appliance: on.join(), state: 'asked' } as const;
    const action = await journal.write(written);
    const reason = Object(given).reason;
    const said = { access: 'run', reason, line: of.line } as const;
    const asking = { ...askerOf(of), ...said, ticket: undefined, takesBack: false, ends: undefined };
    const terms = await termsFor(
      authority,
      asking,
      on.map((name) => ({ command, args: given, appliances: [name], lasts: 'forGood' })),
    );
    if (terms.kind === 'fault') return plainText(explain(terms.fault).headline);
    const resolutions = on.map((name) => {
      const appliance = appliances.get(name) ?? absentAppliance(name);
      return { appliance, result: { ok: true, resolved: { appliance, args } } } as const;
    });
    const consent = terms.kind === 'consent' ? terms.consent : undefined;
    await confirmation.propose(of, action, command, {
      resolutions,
      consent,
      term: undefined,
      lasts: () => 'forGood',
    });
    const { state, outcome } = await found(action.id);
    if (state === 'refused') return outcome?.says ?? '';
    if (state === 'waiting' && approvedBy !== 'nobody')
      return click(action.id, consent === undefined ? by : approvedBy);
    await idle();
    return (await found(action.id)).state;
  };
  const found = async (id: string): Promise<Action> => {
    const action = await journal.byId(id);
    if (action === undefined) throw new Error(`There is no action ${id}`);
    return action;
  };
  const click = async (id: string, person: string): Promise<string> => {
    const { token = '', card = '', consent } = await found(id);
    const button = consent === undefined ? 'confirm' : 'approve';
    await confirmation.press({ team: 'T1', channel, person, button, token, card });
    await idle();
    const { state, outcome } = await found(id);
    return state === 'cancelled' ? (outcome?.says ?? state) : state;
  };
  const tick = async () => {
    await timedChanges.tick();
    await idle();
  };

  return {
    ...{ journal, parts, tick },
    enable: (minutes = 30, how = {}) => ask(enable, { for: minutes * minute, reason: 'directory down' }, how),
    extend: (minutes, how = {}) => ask(extend, { for: minutes * minute, reason: 'still down' }, how),
    disable: (how = {}) => ask(disable, {}, how),
    confirmOver: (reason, how = {}) => ask(confirmOver, { reason }, how),
    remove: (how = {}) => ask(remove, {}, how),
    approve: async (by) => {
      const waiting = (await journal.recent()).find(({ state }) => state === 'waiting');
      return click(waiting?.id ?? 'nothing waits', by);
    },
    pass: async (minutes) => {
      clock.at += minutes * minute;
      await tick();
    },
    timedChange: () => journal.timedChange('hq', 'emergency disable'),
    timedChanges: async () => {
      const all = await Promise.all((await journal.recent()).map(({ id }) => journal.timedChangesOf(id)));
      return all.flat().toSorted((one, other) => one.id - other.id);
    },
    stop: timedChanges.stop,
    resume: async () => {
      await timedChanges.resume();
      await idle();
    },
  };
}

const nothing = async () => undefined;
