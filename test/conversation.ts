import { expect, onTestFailed, onTestFinished } from 'vitest';
import type { SimulatedAppliance } from '../sandbox/appliance/index.ts';
import { type GivenFile, type Person, personIn } from '../sandbox/person.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../sandbox/sandbox.ts';
import { transcript } from '../sandbox/workspace/transcript.ts';
import { createLog } from '../src/telemetry/log.ts';
import { emptyJournal } from './lives-journal.ts';
import { unsynced } from './unsynced.ts';

/** A bot, a workspace and an appliance, all real, with a clock that a test can turn. Ends with the test. */
export interface Conversation extends Omit<Sandbox, 'appliance'> {
  readonly appliance: SimulatedAppliance;
  /** In this channel, as this person, type this line, read what appears. */
  readonly type: (line: string, by?: string, channel?: string) => Promise<string>;
  readonly press: (label: string, by?: string, channel?: string) => Promise<string>;
  /** An ordinary message, in a thread where one is named; resolves when the bot has taken it and all that comes of it. */
  readonly write: (text: string, by?: string, channel?: string, thread?: string) => Promise<string>;
  /** The same with a file. */
  readonly attach: (text: string, file: GivenFile, by?: string, channel?: string) => Promise<string>;
  readonly person: (name: string) => Person;
  /** Everything this person sees in the channel now, as plain text in UTC, without the times of its messages. */
  readonly read: (by?: string, channel?: string) => string;
  /** Moves the bot's clock on, by milliseconds. */
  readonly wait: (milliseconds: number) => void;
  /** The same, and lets every bot look at its clock. */
  readonly pass: (milliseconds: number) => Promise<void>;
}

interface ConversationOptions extends SandboxOptions {
  /** When it begins, in milliseconds since the epoch; now, where nothing hangs on the day and the hour. */
  readonly from?: number;
  /** How far the clock of each replica is ahead of the others' and the database's, in milliseconds. */
  readonly clocksAhead?: readonly number[];
}

/** Drops the requests that a bot makes by itself when it connects. */
export function forgetRequests(...appliances: readonly SimulatedAppliance[]): void {
  // The appliance shows others its own list as read-only.
  for (const { requests } of appliances) (requests as unknown[]).length = 0;
}

export async function converse({
  from,
  clocksAhead = [],
  ...options
}: ConversationOptions = {}): Promise<Conversation> {
  let ahead = from === undefined ? 0 : from - Date.now();
  /** Timers that every bot runs when it looks at its clock. */
  const lookAtClock = new Set<() => void>();
  const now = options.world?.now ?? (() => Date.now() + ahead);
  const sandbox = await startSandbox({
    journal: await emptyJournal(),
    worlds: clocksAhead.map((more) => ({ now: () => now() + more })),
    ...options,
    world: {
      now,
      shared: { databaseTime: now },
      otherClocks: { elapsed: now, slackTime: (real) => real + (now() - Date.now()) },
      // The bot's intended pauses pass at once.
      sleep: async (milliseconds) => {
        ahead += milliseconds;
      },
      every: (milliseconds, callback) => {
        lookAtClock.add(callback);
        const timer = setInterval(callback, milliseconds);
        return () => {
          lookAtClock.delete(callback);
          clearInterval(timer);
        };
      },
      log: createLog('silent'),
      ...options.world,
      journalFile: { open: unsynced, ...options.world?.journalFile },
    },
  });
  onTestFinished(() => sandbox.stop());
  const { workspace, appliance } = sandbox;
  if (appliance === undefined) throw new Error('A conversation in a test has a simulated appliance');
  const idle = async () => {
    await Promise.all(sandbox.bots.map((bot) => bot.idle()));
  };
  await idle();
  forgetRequests(appliance, ...sandbox.branches.values());
  const person = (name: string) => personIn(workspace, { idle }, name);
  const read = (by = 'alice', channel = 'helpdesk') => {
    const { id } = workspace.people.find(({ name }) => name === by) ?? { id: by };
    return transcript(workspace.snapshot(id), channel, { timeZone: 'UTC', now: now() }).replace(
      / · \d\d:\d\d/g,
      '',
    );
  };
  // What people read tells why something did not come.
  onTestFailed(() => {
    const sent = appliance.requests.slice(-20).map(({ method, path }) => `${method} ${path}`);
    process.stderr.write(['Read by alice:', read(), 'Last requests:', ...sent, ''].join('\n'));
  });
  /** Says something, waits for all its effects, and resolves to the answer. */
  async function heard(by: string, channel: string, say: () => Promise<unknown>): Promise<string> {
    const before = workspace.log.envelopes().length;
    await say();
    // Its event is among those, and there may be others of what the bot said before.
    const isTaken = () => {
      const since = workspace.log.envelopes().slice(before);
      return since.length > 0 && since.every(({ ackedAt }) => ackedAt !== undefined);
    };
    await expect.poll(isTaken).toBe(true);
    await idle();
    return read(by, channel);
  }
  return {
    workspace,
    appliance,
    branches: sandbox.branches,
    behindProxy: sandbox.behindProxy,
    data: sandbox.data,
    bots: sandbox.bots,
    get bot() {
      return sandbox.bot;
    },
    restart: sandbox.restart,
    stopBot: sandbox.stopBot,
    startBot: sandbox.startBot,
    spawnBot: sandbox.spawnBot,
    connectionOf: sandbox.connectionOf,
    stop: sandbox.stop,
    person,
    read,
    type: async (line, by = 'alice', channel = 'helpdesk') => {
      await person(by).type(channel, line);
      return read(by, channel);
    },
    write: (text, by = 'alice', channel = 'helpdesk', thread) =>
      heard(by, channel, async () => {
        const as = workspace.people.find(({ name }) => name === by)?.id ?? by;
        const rooms = workspace.snapshot(as).channels;
        const id =
          channel === 'appliance-bot'
            ? workspace.direct(as).id
            : rooms.find(({ name }) => name === channel)?.id;
        const at = { channel: id ?? channel, ...(thread && { thread_ts: thread }) };
        await workspace.act({ act: 'type', as, text, ...at });
      }),
    attach: (text, file, by = 'alice', channel = 'helpdesk') =>
      heard(by, channel, () => person(by).attach(channel, text, file)),
    press: async (label, by = 'alice', channel = 'helpdesk') => {
      await person(by).press(channel, label);
      return read(by, channel);
    },
    wait: (milliseconds) => {
      ahead += milliseconds;
    },
    pass: async (milliseconds) => {
      ahead += milliseconds;
      for (const look of lookAtClock) look();
      await idle();
    },
  };
}
